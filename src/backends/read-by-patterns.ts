/**
 * Reads the answers of verifiers that say their verdict in one line and whose traces are not read. What is neither the
 * one nor the other line is no verdict; the last line that looks like an error is given as the reason.
 */

import { type BackendAnswer, NO_STATISTICS, type VerifierOutput } from './backend.ts';

export interface VerdictPatterns {
  /** The verifier, as its makers write it. */
  readonly title: string;
  /** A violation wins over "safe" where both are said. */
  readonly violation: RegExp;
  readonly safe: RegExp;
  /** What makes "safe" no proof, where a verifier says it nevertheless. */
  readonly doubt?: RegExp;
}

export function readByPatterns(patterns: VerdictPatterns): (output: VerifierOutput) => BackendAnswer {
  return (output) => {
    const text = `${output.stdout}\n${output.stderr}`;
    const violation = patterns.violation.exec(text);
    if (violation !== null) {
      const description = violation.groups?.description?.trim() ?? '';
      return { kind: 'violation', description, steps: [], statistics: NO_STATISTICS };
    }
    if (patterns.safe.test(text) && !patterns.doubt?.test(text)) return { kind: 'safe', statistics: NO_STATISTICS };
    return { kind: 'unknown', reason: explainNoVerdict(patterns.title, text, output.exitCode) };
  };
}

/** Why a verifier ended without a verdict, in one line. */
export function explainNoVerdict(title: string, text: string, exitCode: number): string {
  if (/out of memory|bad_alloc|OutOfMemoryError/i.test(text)) return `${title} ran out of memory`;
  const complaint = text
    .split(/\r?\n/)
    .findLast((line) => /\b(error|fatal|unsupported|exception|unknown)\b/i.test(line));
  const said = complaint === undefined ? '' : `: ${complaint.trim()}`;
  return `${title} gave no verdict (exit code ${exitCode})${said}`;
}

/** For verifiers that tell nothing on their way. */
export function readNoProgress(): null {
  return null;
}
