// What of the invariant of a proof can stand in a witness. The facts of a proof speak of one thread, of places between
// its steps and of states in which no other thread is inside of a critical section; a witness speaks of whatever thread
// is at a line, at any time. So each fact is a candidate only: all of them are checked as the invariants of anybody's
// witness are, those that an execution breaks are dropped, and what is left is written once it is proved. Where that
// takes too long, nothing is.

import type { CheckJob } from '../host/check-messages.ts';
import { runCheck } from '../host/run-check.ts';
import type { ProofInvariant } from '../outcome/invariant.ts';
import type { CheckReport } from '../report/check-report.ts';
import type { ConfirmedInvariant } from '../report/correctness-witness.ts';
import { invariant } from '../support/invariant.ts';
import { prepareValidation } from './validate-invariants.ts';
import { MESSAGE, type WitnessInvariant } from './witness-invariants.ts';

const LIMIT_MS = 10_000;

/** The report, with the invariants that hold at lines of the program whatever thread is there. */
export async function confirmInvariants(report: CheckReport, job: CheckJob): Promise<CheckReport> {
  const { outcome } = report;
  if (outcome.kind !== 'safe') return report;
  const candidates = toCandidates(outcome.proof.invariant);
  return { ...report, confirmed: await findConfirmed(candidates, job) };
}

function toCandidates(proved: ProofInvariant | null): (WitnessInvariant & ConfirmedInvariant)[] {
  const found = new Map<string, WitnessInvariant & ConfirmedInvariant>();
  for (const { when, holds } of proved?.facts ?? []) {
    const [only] = when;
    if (when.length !== 1 || !only || holds === null) continue;
    for (const place of only.places) {
      const { file, line } = place;
      const kind = 'location' as const;
      const name = file.split('/').at(-1) ?? file;
      found.set(`${file}:${line}:${holds}`, { kind, file: name, line, column: null, condition: holds, place });
    }
  }
  return [...found.values()];
}

async function findConfirmed(
  candidates: readonly (WitnessInvariant & ConfirmedInvariant)[],
  job: CheckJob,
): Promise<readonly ConfirmedInvariant[]> {
  const deadline = Date.now() + Math.min(LIMIT_MS, job.timeLimitMs);
  let left = candidates;
  while (left.length > 0 && Date.now() < deadline) {
    const { job: validation, used } = prepareValidation(job, left);
    left = left.filter((candidate) => used.includes(candidate));
    const timeLimitMs = deadline - Date.now();
    const asked: CheckJob = { ...validation, goal: 'verdict', timeLimitMs, dumps: [], showLoops: false };
    const { result } = await runCheck(asked, { listener: () => {} });
    if (result.kind !== 'report') return [];
    const { outcome } = result.report;
    if (outcome.kind === 'safe') return left;
    if (outcome.kind !== 'unsafe' || outcome.trace === null) return [];
    const { message, place } = outcome.trace.violation;
    // What broke is an invariant of ours: anything else would contradict the proof.
    invariant(message.startsWith(MESSAGE), `a proved program is broken by an execution: ${message}`);
    const broken = message.slice(MESSAGE.length);
    left = left.filter(({ condition, line }) => condition !== broken || (place !== null && line !== place.line));
  }
  return [];
}
