// `check --validate-witness` with a correctness witness: the check that is run in its place, and what its answer says
// of the witness. Invariants that cannot be asserted are told; with one of them left out, a witness is not confirmed.

import type { CheckJob } from '../host/check-messages.ts';
import { createFileReader } from '../host/source-files.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { CheckReport } from '../report/check-report.ts';
import type { Trace } from '../trace/trace.ts';
import { readCode } from '../verify/read-code.ts';
import { placeInvariants, type WitnessInvariant, withoutMacros } from './witness-invariants.ts';

export interface Validation {
  readonly job: CheckJob;
  /** The invariants that are asserted in it. */
  readonly used: readonly WitnessInvariant[];
  /** What is said beside the verdict. */
  readonly notes: readonly string[];
  /** Why a proof would not confirm the witness; null where it would. */
  readonly gap: string | null;
}

export function prepareValidation(job: CheckJob, invariants: readonly WitnessInvariant[]): Validation {
  const isUsable = (chosen: readonly WitnessInvariant[]) => {
    const { files, unplaced } = placeInvariants(job.files, chosen);
    return unplaced.length === 0 && readCode({ ...job, files }, job, { reader: createFileReader() }).kind === 'code';
  };
  const plain = invariants.filter(({ condition }) => isPlain(condition));
  const usable = isUsable(plain) ? plain : plain.filter((invariant) => isUsable([invariant]));
  const skipped = invariants.filter((invariant) => !usable.includes(invariant));
  const { files } = placeInvariants(job.files, usable);
  const { checks } = job;
  const wanted =
    checks === null ? null : [...new Set([...checks.filter((name) => name !== 'race'), 'assertion' as const])];
  const isRace = checks?.includes('race') ?? false;
  const notes = [
    `The witness has ${invariants.length} invariants; ${usable.length} of them were checked as assertions of the program.`,
    ...skipped.map(
      ({ line, condition }) =>
        `Not checked, for it is no expression of C that can stand there: line ${line}: ${condition}`,
    ),
    ...(isRace ? ['Data races were not looked for: the assertions read what threads share.'] : []),
  ];
  const gap = skipped.length > 0 ? 'not all invariants of the witness could be checked' : null;
  return {
    job: { ...job, files, checks: wanted },
    used: usable,
    notes,
    gap: isRace ? 'data races were not looked for' : gap,
  };
}

/** No calls, no assignments: to look at a state must not change it. */
function isPlain(condition: string): boolean {
  const bare = condition.replace(/[=!<>]=/g, ' ');
  return !/=|\+\+|--|[;{}"'\\#@\n]|\/[/*]/.test(bare) && !/\b(?!sizeof\b)[A-Za-z_]\w*\s*\(/.test(bare);
}

/** What the check of the program with assertions says of the witness. */
export function judgeWitness(report: CheckReport, { notes, gap }: Validation): CheckReport {
  return { ...report, outcome: judge(report.outcome, gap), notes: [...notes, ...report.notes] };
}

function judge(outcome: Outcome, gap: string | null): Outcome {
  if (outcome.kind === 'unsafe') return { ...outcome, trace: outcome.trace && cleanTrace(outcome.trace) };
  if (outcome.kind !== 'safe' || gap === null) return outcome;
  const { engine, bounds } = outcome;
  return {
    kind: 'unknown',
    engine,
    bounds,
    cause: 'unsupported',
    reason: `${gap}; the others hold`,
    loc: null,
    attempts: [],
  };
}

function cleanTrace(trace: Trace): Trace {
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, statement: withoutMacros(step.statement) })) };
}
