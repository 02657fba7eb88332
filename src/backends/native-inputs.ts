/**
 * The numbers that make the natively compiled program (gcc.ts) take the way of a counterexample: the nondeterministic values of a
 * trace, in the order in which they were drawn. The files for both backends draw them at the same statements, so the order is
 * the same.
 *
 * A value is what a backend says was assigned at a line that draws one. Where the line computes with it, CBMC names the drawn
 * value itself (`return_value_…`).
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
  const draws = text.split('\n').map((line) => line.includes(` ${prefix}`) || line.includes(`)${prefix}`));
  const values: string[] = [];
  let last: Extract<BackendStep, { kind: 'assignment' }> | null = null;
  for (const step of steps) {
    if (step.kind !== 'assignment' || !draws[step.line - 1] || step.inFunction === '') {
      last = null;
      continue;
    }
    // A declaration is told twice, without and with its value, and a drawn value before what it is assigned to.
    const isAgain: boolean = last !== null && last.line === step.line;
    if (isAgain && !last?.target.startsWith('return_value_')) values.pop();
    if (!isAgain || !last?.target.startsWith('return_value_')) values.push(step.value);
    last = step;
  }
  return values.map((value) => `${value}\n`).join('');
}
