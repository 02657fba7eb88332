/**
 * The numbers that make the natively compiled program (gcc.ts) take the way of a counterexample: the nondeterministic
 * values of a trace, in the order in which they were drawn. The files for both backends draw them at the same
 * statements, so the order is the same.
 *
 * A value is what a backend says was assigned at a line that draws one. Where the line computes with it, CBMC names the
 * drawn value itself (`return_value_…`).
 */

import type { BackendStep } from './backend.ts';

export interface NativeInputs {
  readonly steps: readonly BackendStep[];
  /** The program that the backend saw. */
  readonly text: string;
  /** How the functions begin that draw a value: `nondet_`. */
  readonly prefix: string;
}

/** One number a line, as the native program reads them. */
export function printNativeInputs({ steps, text, prefix }: NativeInputs): string {
  const lines = text.split('\n');
  const isControl = lines.map((each) => CONTROL.test(each));
  const draws = lines.map((each, at) => isControl[at] || each.includes(` ${prefix}`) || each.includes(`)${prefix}`));
  const groups: Assignment[][] = [];
  let line = 0;
  for (const step of steps) {
    // In a loop, the line draws again.
    if (step.kind === 'location') line = 0;
    if (step.kind !== 'assignment' || (step.inFunction === '' && !isDrawn(step))) continue;
    if (isControl[step.line - 1] && !isDrawn(step)) continue;
    if (!draws[step.line - 1]) line = 0;
    else if (step.line === line) groups.at(-1)?.push(step);
    else {
      groups.push([step]);
      line = step.line;
    }
  }
  // A declaration is told twice, without and with its value; so is a drawn value.
  return groups.map((group) => `${(group.findLast(isDrawn) ?? group.at(-1))?.value}\n`).join('');
}

/** Control code of the schema ul, which draws whether a thread stops. */
const CONTROL = /^\s*__lazuli_CONTR\(/;

type Assignment = Extract<BackendStep, { kind: 'assignment' }>;

function isDrawn({ target }: Assignment): boolean {
  return target.startsWith('return_value_');
}
