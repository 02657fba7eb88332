/**
 * Reads the summary of Eva as a verdict. Assertions are preconditions of a function without body (see frama-c.ts), so
 * that Eva counts them. All of them valid, and no alarm, is a proof; anything else is no verdict, for Eva
 * over-approximates: what it calls invalid may lie on a path that does not exist.
 */

import { type BackendAnswer, NO_STATISTICS, type VerifierOutput } from './backend.ts';
import { explainNoVerdict } from './read-by-patterns.ts';

const COUNTS = /^ *(?:Assertions|Preconditions) +(\d+) valid +(\d+) unknown +(\d+) invalid/gm;

export function readFramaCAnswer({ stdout, stderr, exitCode }: VerifierOutput): BackendAnswer {
  const text = `${stdout}\n${stderr}`;
  if (exitCode !== 0 || !text.includes('ANALYSIS SUMMARY')) {
    return { kind: 'unknown', reason: explainNoVerdict('Frama-C', text, exitCode) };
  }
  let open = 0;
  for (const [, , unknown, invalid] of text.matchAll(COUNTS)) open += Number(unknown) + Number(invalid);
  const alarms = Number(/^ *(\d+) alarms? generated/m.exec(text)?.[1] ?? 0);
  if (open === 0 && alarms === 0) return { kind: 'safe', statistics: NO_STATISTICS };
  const what =
    open > 0 ? `${open} ${open === 1 ? 'assertion' : 'assertions'}` : `the absence of ${alarms} faults at run time`;
  return { kind: 'unknown', reason: `Frama-C cannot prove ${what}` };
}
