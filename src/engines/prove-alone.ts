/** A check that is to end in a proof or in none: one engine, without bounds, and concrete runs against it. */

import { NO_BOUNDS, type Outcome } from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import type { CheckName } from '../program/code.ts';
import { isWeak, type MemoryModel } from '../program/memory-model.ts';
import type { Loc } from '../support/source.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { checkByRuns } from './check-by-runs.ts';
import type { Check, Problem } from './engine.ts';
import { findLateStore } from './prove/carry-over.ts';
import { proveProgram } from './prove/prove-engine.ts';
import { chooseStages } from './stages.ts';

export async function proveAlone({
  code,
  checks,
  options,
  timeLimitMs,
  environment,
  observer = {},
}: Check): Promise<Outcome> {
  const { memoryModel } = options;
  const late = isWeak(memoryModel) ? findLateStore(code) : null;
  if (late) return noProof(`no proofs for ${memoryModel}: ${late.reason}`, late.loc);
  const asked = isWeak(memoryModel) ? new Set<CheckName>([...checks, 'race']) : checks;
  const [stage] = chooseStages(1, 1) as readonly [Stage];
  const problem: Problem = { code, compiled: compileProgram(code), checks: asked, options, observer, stage };
  const deadline = environment.clock() + timeLimitMs;
  const { clock } = environment;
  const outcome = await proveProgram(problem, { deadline, shareMs: timeLimitMs, environment }, (excluded) =>
    checkByRuns(problem.compiled, { checks: asked, seed: options.seed, clock, excluded }),
  );
  return isWeak(memoryModel) ? carryOver(outcome, memoryModel) : outcome;
}

/** What a proof that includes data races says under a weak memory model (prove/carry-over.ts). */
function carryOver(outcome: Outcome, memoryModel: MemoryModel): Outcome {
  const model = memoryModel.toUpperCase();
  if (outcome.kind === 'unknown')
    return {
      ...outcome,
      reason: `${outcome.reason} (for ${model}, that there are no data races has to be proved, too)`,
    };
  if (outcome.kind !== 'safe') return outcome;
  const { proof } = outcome;
  const claim = `${proof.claim}; there are no data races, so that ${model} shows nothing else than sequential consistency`;
  return { ...outcome, proof: { ...proof, claim } };
}

function noProof(reason: string, loc: Loc): Outcome {
  return { kind: 'unknown', engine: 'prove', bounds: NO_BOUNDS, cause: 'nothing', reason, loc, attempts: [] };
}
