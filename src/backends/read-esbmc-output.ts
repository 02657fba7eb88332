/**
 * Reads what ESBMC prints: status lines, the counterexample as a list of states with an assignment each, and the
 * verdict. The form is that of ESBMC 6 and 7; it has not been run here, only recorded outputs were read.
 */

import { type BackendAnswer, type BackendStep, NO_STATISTICS, type VerifierOutput } from './backend.ts';
import { explainNoVerdict } from './read-by-patterns.ts';

export function readEsbmcAnswer({ stdout, stderr, exitCode }: VerifierOutput): BackendAnswer {
  const text = `${stdout}\n${stderr}`;
  if (/^VERIFICATION SUCCESSFUL$/m.test(text)) return { kind: 'safe', statistics: NO_STATISTICS };
  if (!/^VERIFICATION FAILED$/m.test(text)) {
    return { kind: 'unknown', reason: explainNoVerdict('ESBMC', text, exitCode) };
  }
  const steps = readStates(text);
  const failure = steps.findLast((step) => step.kind === 'failure');
  return { kind: 'violation', description: failure?.description ?? '', steps, statistics: NO_STATISTICS };
}

export function readEsbmcProgress(output: string): string | null {
  const telling = output
    .split(/\r?\n/)
    .filter((line) => /^(\[PROGRESS\] |Starting |Symex completed|Solving with)/.test(line));
  return telling.at(-1)?.replace('[PROGRESS] ', '') ?? null;
}

const STATE = /^State \d+ +(?:file .*? )?line (\d+)(?: column \d+)?(?: function (\S+))?(?: thread \d+)?$/;
const VIOLATED = /^ {2}file .*? line (\d+)(?: column \d+)?(?: function (\S+))?$/;
/** The value may be followed by its bits. */
const ASSIGNMENT = /^ {2}(\S.*?) = (.*?)(?: \([01 ]+\))?$/;

/** ESBMC tells no calls: a function that is entered shows only in the states that it has. */
function readStates(text: string): BackendStep[] {
  const steps: BackendStep[] = [];
  let line = 0;
  let inFunction = '';
  let isViolated = false;
  for (const row of text.split(/\r?\n/)) {
    const state = STATE.exec(row) ?? (isViolated ? VIOLATED.exec(row) : null);
    if (state !== null) {
      line = Number(state[1]);
      inFunction = state[2] ?? '';
      continue;
    }
    if (/^Violated property:/.test(row)) {
      isViolated = true;
    } else if (isViolated && row.trim() !== '') {
      steps.push({ kind: 'failure', line, inFunction, description: row.trim() });
      return steps;
    } else {
      const assigned = line === 0 ? null : ASSIGNMENT.exec(row);
      if (assigned === null) continue;
      steps.push({ kind: 'assignment', line, inFunction, target: assigned[1] ?? '', value: assigned[2] ?? '' });
    }
  }
  return steps;
}
