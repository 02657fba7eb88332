/**
 * Reads the counterexample that CBMC prints as plain text: states with an assignment each, calls, and the violated
 * property. CBMC 5.12 crashes while it writes some counterexamples as JSON, where a pointer is stored in an object of
 * bytes; as text it can write them all.
 *
 * Left out: the places that are passed without an assignment, which the text does not have.
 */

import type { BackendAnswer, BackendStep, VerifierOutput } from './backend.ts';
import { readCbmcStatistics, readTarget } from './read-cbmc-output.ts';

/** Whether CBMC had found a violation and could not tell it. */
export function diedTelling({ stdout }: VerifierOutput): boolean {
  return stdout.includes('"Building error trace"');
}

export function readCbmcText({ stdout }: VerifierOutput): BackendAnswer {
  const statistics = readCbmcStatistics(stdout);
  if (/^VERIFICATION SUCCESSFUL$/m.test(stdout)) return { kind: 'safe', statistics };
  const steps = readSteps(stdout);
  const failure = steps.at(-1);
  if (failure?.kind !== 'failure') return { kind: 'unknown', reason: 'CBMC crashed while it told what it had found' };
  return { kind: 'violation', description: failure.description, steps, statistics };
}

const PROPERTY = /^\[\S+\] (?:line \d+ )?(.*): (SUCCESS|FAILURE|[A-Z]+)$/gm;

/** What it prints without `--stop-on-fail`: a line for each assertion. */
export function readCbmcProperties({ stdout }: VerifierOutput): BackendAnswer {
  const statistics = readCbmcStatistics(stdout);
  const properties = [...stdout.matchAll(PROPERTY)];
  const isDecided = properties.every(([, , status]) => status === 'SUCCESS' || status === 'FAILURE');
  if (isDecided && /^VERIFICATION SUCCESSFUL$/m.test(stdout)) return { kind: 'safe', statistics };
  const failing = properties.flatMap(([, description = '', status]) => (status === 'FAILURE' ? [description] : []));
  if (!isDecided || failing.length === 0) return { kind: 'unknown', reason: 'CBMC does not tell of all assertions' };
  return { kind: 'violation', description: failing[0] ?? '', steps: [], failing, statistics };
}

const STATE = /^State \d+ (?:file .*? )?function (\S+) line (\d+) thread \d+$/;
const VIOLATED = /^Violated property:\n {2}(?:file .*? )?function (\S+) line (\d+) thread \d+\n {2}(.*)$/m;
const CALLED = /^#### Function (call: |return from )([\w$]+).* ####$/;
/** The value is followed by its bits. */
const ASSIGNMENT = /^ {2}(\S.*?)=(.*?) \([01 ?]+\)$/;

type Assignment = Extract<BackendStep, { kind: 'assignment' }>;

function readSteps(text: string): BackendStep[] {
  const steps: BackendStep[] = [];
  let [line, inFunction] = [0, ''];
  let spread: Assignment | null = null;
  for (const row of text.split(/\r?\n/)) {
    const state = STATE.exec(row);
    const called = CALLED.exec(row);
    const assigned = line === 0 ? null : ASSIGNMENT.exec(row);
    if (state) [line, inFunction] = [Number(state[2]), toFunction(state[1] ?? '')];
    else if (called) steps.push(toCall(called[1] === 'call: ', called[2] ?? ''));
    else if (assigned) {
      const [, lhs = '', value = ''] = assigned;
      const step = { kind: 'assignment', line, inFunction, target: readTarget(lhs), value: toValue(value) } as const;
      if (!isPartOf(step, spread)) steps.push(step);
      if (lhs.startsWith('byte_extract_')) spread = step;
    }
  }
  const [, place = '', number, description = ''] = VIOLATED.exec(text) ?? [];
  if (number) steps.push({ kind: 'failure', line: Number(number), inFunction: place, description });
  return steps;
}

/** A value that is stored among bytes is told as such, then byte by byte. */
function isPartOf({ line, target }: Assignment, spread: Assignment | null): boolean {
  if (spread?.line !== line) return false;
  const [object = ''] = spread.target.split('+');
  return target.startsWith(`${object}[`);
}

/** Initial values belong to no function. */
function toFunction(name: string): string {
  return name.startsWith('__CPROVER') ? '' : name;
}

function toCall(isCall: boolean, callee: string): BackendStep {
  return isCall ? { kind: 'call', callee, line: 0 } : { kind: 'return', callee };
}

function toValue(text: string): string {
  if (text === 'TRUE' || text === 'FALSE') return text === 'TRUE' ? '1' : '0';
  return text.replace(/^(-?\d+)[uUlL]+$/, '$1');
}
