/**
 * A check that is to end in a proof or in none: one engine, without bounds, and concrete runs against it. Where there
 * are cores for it, several threads look for the proof, each with attempts of its own; the first that has one answers.
 */

import { NO_BOUNDS, type Outcome, type Unknown } from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import type { CheckName } from '../program/code.ts';
import { isWeak, type MemoryModel } from '../program/memory-model.ts';
import type { Loc } from '../support/source.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { checkByRuns } from './check-by-runs.ts';
import type { Check, EngineHost, Problem } from './engine.ts';
import { findLateStore } from './prove/carry-over.ts';
import { proveProgram } from './prove/prove-engine.ts';
import { chooseStages } from './stages.ts';

/** Most proofs are found so soon that others beside it would only cost. */
const OTHERS_AFTER_MS = 1_000;

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
  const { clock } = environment;
  const deadline = clock() + timeLimitMs;
  const others = new OtherSearchers(environment, deadline);
  const shared: EngineHost = { ...environment, isProved: () => others.haveProof() };
  const found = await proveProgram(problem, { deadline, shareMs: timeLimitMs, environment: shared }, (excluded) =>
    checkByRuns(problem.compiled, { checks: asked, seed: options.seed, clock, excluded }),
  );
  const own = isWeak(memoryModel) ? carryOver(found, memoryModel) : found;
  // What was found when somebody else had a proof may not have been confirmed to the end.
  return own.kind === 'safe' && !others.haveProof() ? own : others.answer(own);
}

/** Those that look for the same proof in other threads: asked by the first one, once it has been at it for a while. */
class OtherSearchers {
  readonly #environment: EngineHost;
  readonly #deadline: number;
  readonly #startAt: number;
  readonly #asked: Promise<Outcome>[] = [];

  constructor(environment: EngineHost, deadline: number) {
    this.#environment = environment;
    this.#deadline = deadline;
    this.#startAt = environment.clock() + OTHERS_AFTER_MS;
  }

  /** Asked again and again by the search, which leaves this thread no time for anything else. */
  haveProof(): boolean {
    const { clock, isProved } = this.#environment;
    if (this.#asked.length === 0 && clock() >= this.#startAt) this.#ask();
    return isProved?.() ?? false;
  }

  /** The first proof; where nobody has one, why. */
  async answer(own: Outcome): Promise<Outcome> {
    if (this.#asked.length === 0) return own;
    const all = [Promise.resolve(own), ...this.#asked];
    const proof = new Promise<Outcome>((resolve, reject) => {
      for (const each of this.#asked)
        each.then((outcome) => {
          if (outcome.kind === 'safe') resolve(outcome);
        }, reject);
    });
    return Promise.race([proof, Promise.all(all).then(joinAnswers)]);
  }

  #ask(): void {
    const { clock, proveAside, searcher } = this.#environment;
    const left = this.#deadline - clock();
    if (!proveAside || !searcher || searcher.index > 0 || left <= 0) return;
    for (let index = 1; index < searcher.of; index++) {
      const answer = proveAside(left, { index, of: searcher.of });
      // Whoever waits for it is told.
      answer.catch(() => {});
      this.#asked.push(answer);
    }
  }
}

/** A proof, or all that was tried; that some of them ran out of time says most. */
function joinAnswers(outcomes: readonly Outcome[]): Outcome {
  const proof = outcomes.find(({ kind }) => kind === 'safe');
  if (proof) return proof;
  const unknown = outcomes.filter((outcome): outcome is Unknown => outcome.kind === 'unknown');
  const [first] = unknown as [Unknown, ...Unknown[]];
  const most = unknown.find(({ cause }) => cause === 'time') ?? first;
  return { ...most, attempts: unknown.flatMap(({ attempts }) => attempts) };
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
