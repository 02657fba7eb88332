/**
 * The main job: does the program break? Which engine runs when, and with which share of the time. Concrete runs come
 * first and go on between the stages of the bounded engine, whose bounds grow (but small programs without loops are
 * asked about all interleavings before any stage). Once a stage is covered and nothing in it was cut, the engine of the
 * free order is asked about all interleavings; once a first stage has found nothing, a proof is asked for beside them
 * (prove/). A candidate is replayed before anybody sees it (confirm.ts).
 */

import { judgeReach } from '../outcome/judge-reach.ts';
import {
  type Attempt,
  type Bounded,
  NO_BOUNDS,
  type Outcome,
  type Safe,
  type Unknown,
  type Unsafe,
} from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import { canEnd } from '../program/find-endings.ts';
import { isWeak } from '../program/memory-model.ts';
import { pushAll } from '../support/push-all.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { RunNotes } from '../trace/interpreter/run-notes.ts';
import { replayLong } from '../trace/replay-long.ts';
import { createBoundedEngine } from './bounded/bounded-engine.ts';
import { explainWeak } from './bounded/explain-weak.ts';
import { Preparation } from './bounded/preparation.ts';
import type { WitnessPath } from './check-options.ts';
import { withWarnings } from './collect-warnings.ts';
import { confirm } from './confirm.ts';
import { type Budget, type Check, type Engine, type EngineHost, type Problem, timeLeft } from './engine.ts';
import { DEFAULT_EXPLORE_LIMITS, Explorer, someRunEnded } from './explore/explore.ts';
import { createExploreEngine, followWitness } from './explore/explore-engine.ts';
import { LongRuns } from './explore/long-runs.ts';
import { countSelections } from './order/count-selections.ts';
import { createOrderEngine } from './order/order-engine.ts';
import { proveAlone } from './prove-alone.ts';
import { chooseStages, hasFixedBounds, isBeyondList } from './stages.ts';

/** A stage gets at least this long, and at least this share of what is left. */
const SHORTEST_STAGE_MS = 8_000;
const STAGE_SHARE = 0.35;
/** Most bugs show in so few rounds that the free order need not be asked before. */
const FEWEST_ROUNDS_BEFORE_ORDER = 2;
/** After a stage, concrete runs go on for this share of what it took. */
const EXPLORE_SHARE = 0.2;
const SHORTEST_EXPLORE_MS = 200;
const LONGEST_EXPLORE_MS = 3_000;
/** Of the time for long runs, what is kept for showing what they find. */
const REPLAY_SHARE = 0.3;
/** Once something unsupported is reached, nothing but a violation can come of larger bounds: they get this share. */
const UNSUPPORTED_SHARE = 0.1;
/** Runs that look for an end. */
const ENDING_RUNS = { runLimit: 24, untilOneEnds: true, instructionLimit: 20_000 } as const;
/** What it takes at most to say whether a violation depends on the memory model, where no fences are asked for. */
const LONGEST_WEAK_FINDING_MS = 10_000;
/** Most bugs are found so soon that a proof beside the stages would only cost. */
const PROOF_AFTER_MS = 1_000;
/** The share of the time that is left for it. */
const PROOF_SHARE = 0.95;
/** What the free order gets of the time that is left: where nothing was cut, few rounds after it prove nothing more. */
const ORDER_SHARE = 0.5;
/** Where so many rounds are all interleavings, they are tried, too, and the free order gets so long before that. */
const MOST_ROUNDS_FOR_ALL = 64;
const FIRST_ORDER_SHARE = 0.15;
/** When the free order ran out of time, it is asked again after a stage with so many times the rounds. */
const ASK_ORDER_AGAIN = 3;
/** What is small and is not cut is asked about all interleavings at once, for so long before rounds are tried. */
const SMALL = { selections: 100_000, longestMs: 1_000 } as const;

export async function check(check: Check): Promise<Outcome> {
  if (check.options.goal === 'proof') return proveAlone(check);
  if (check.options.witness) return validateWitness(check, check.options.witness);
  const notes = new RunNotes();
  const strategy = new Strategy(check, notes);
  const outcome = judgeReach(strategy.withEnding(await strategy.withWeakFinding(await strategy.run())));
  return withWarnings(outcome, check, notes);
}

/** Whether a witness leads to the violation that it claims; what is found is replayed. */
function validateWitness(
  { code, checks, options, timeLimitMs, environment, observer = {} }: Check,
  witness: WitnessPath,
): Outcome {
  const [stage] = chooseStages(1, 1) as readonly [Stage];
  const problem: Problem = { code, compiled: compileProgram(code), checks, options, observer, stage };
  const budget = { deadline: environment.clock() + timeLimitMs, shareMs: timeLimitMs, environment };
  const result = followWitness(problem, witness, budget);
  return result.kind === 'candidate' ? confirm(result, problem, budget) : result;
}

class Strategy {
  readonly #problem: Omit<Problem, 'stage'>;
  readonly #environment: EngineHost;
  /** Grows shorter when nothing is to be hoped for any more. */
  #deadline: number;
  readonly #explore: Engine = createExploreEngine();
  readonly #preparation = new Preparation();
  readonly #bounded: Engine = createBoundedEngine(this.#preparation);
  readonly #order: Engine = createOrderEngine(this.#preparation);
  /** The last stage after which the free order was asked, and whether that took too long. */
  #ordered: { readonly stage: Stage; readonly isOpen: boolean } | null = null;
  /** The last stage without a violation, and whether a later one was tried in vain. */
  #covered: { readonly stage: Stage; readonly outcome: Bounded } | null = null;
  /** Further unwound, but in a single round: what is said where the other came to no assertion. */
  #once: Bounded | null = null;
  #failed: Unknown | null = null;
  /** What failed will fail with larger bounds, too. */
  #isStuck = false;
  readonly #attempts: Attempt[] = [];
  /** Settles with the proof, if there is one, or when it has failed. */
  readonly #proof: Promise<Safe | null>;
  #settleProof: (safe: Safe | null) => void = () => {};
  #isProofAsked = false;
  /** It has not failed. */
  #isProofOpen = true;
  /** Why it has, where more time would not have helped. */
  #noProof: string | null = null;
  readonly #proofTime: number;

  constructor({ code, checks, options, timeLimitMs, environment, observer = {} }: Check, notes: RunNotes) {
    const isProved = () => this.#isProved(environment);
    this.#environment = { ...environment, isProved, createSolver: () => environment.createSolver(isProved) };
    this.#proofTime = environment.clock() + PROOF_AFTER_MS;
    this.#deadline = environment.clock() + timeLimitMs;
    this.#problem = { code, compiled: compileProgram(code), checks, options, observer, notes };
    this.#proof = new Promise((resolve) => {
      this.#settleProof = resolve;
    });
  }

  async run(): Promise<Outcome> {
    const cancel = this.#environment.after(PROOF_AFTER_MS, () => this.#askForProof());
    try {
      const outcome = await this.#runStages();
      if (outcome || this.#reachesUnsupported()) return outcome ?? this.#conclude();
      const late = (await this.#exploreBesideProof()) ?? (await this.#runLong()) ?? (await this.#awaitProof());
      return late ?? this.#conclude();
    } finally {
      cancel();
    }
  }

  /** Null when no stage is left, or no time. */
  async #runStages(): Promise<Outcome | null> {
    const { clock } = this.#environment;
    let exploreMs: number = DEFAULT_EXPLORE_LIMITS.timeLimitMs;
    const early = await this.#answerEarly();
    if (early) return early;
    for (const planned of this.#stages()) {
      if (timeLeft(this.#budget()) <= 0) {
        this.#failed ??= unknown('time', 'time is up');
        break;
      }
      // What is so deep is for long runs.
      if (isBeyondList(planned) && this.#missesAssertions()) return null;
      const stage = this.#withoutNeedlessUnwinding(planned);
      if (this.#isPointless(stage)) {
        if (this.#areAllCovered()) return null;
        continue;
      }
      const found = await this.#orProof(this.#exploreFor(exploreMs, stage));
      if (found) return found;
      const stageStart = clock();
      this.#problem.observer.onStage?.(stage);
      const outcome =
        (await this.#orProof(this.#askOrderFirst(stage))) ?? (await this.#orProof(this.#runBounded(stage)));
      if (outcome) return outcome;
      if (this.#isStuck || this.#areAllCovered()) return null;
      exploreMs = EXPLORE_SHARE * (clock() - stageStart);
    }
    return null;
  }

  /** A small program without loops: after some concrete runs, all interleavings. Rounds would say no more. */
  async #answerEarly(): Promise<Outcome | null> {
    const { code, options } = this.#problem;
    if (code.threadEntry === null || code.loops.length > 0 || options.rounds !== null) return null;
    if (options.contextSwitches !== null) return null;
    const [stage] = chooseStages(options.unwind, 1) as Iterable<Stage> as readonly [Stage];
    const found = await this.#exploreFor(DEFAULT_EXPLORE_LIMITS.timeLimitMs, stage);
    if (found) return found;
    const budget = this.#budget(SMALL.longestMs);
    const prepared = this.#preparation.prepareFor({ ...this.#problem, stage }, budget);
    if (prepared.kind !== 'prepared' || prepared.program.threads.some(({ cuts }) => cuts.length > 0)) return null;
    if (countSelections(prepared.program) > SMALL.selections) return null;
    this.#problem.observer.onStage?.(stage);
    this.#ordered = { stage, isOpen: true };
    return answerOf(await this.#run(this.#order, stage, budget));
  }

  #reachesUnsupported(): boolean {
    return this.#covered?.outcome.cuts?.some(({ kind }) => kind === 'unsupported') ?? false;
  }

  /** What a violation has to do with the memory model. */
  async withWeakFinding(outcome: Outcome): Promise<Outcome> {
    const { options } = this.#problem;
    if (outcome.kind !== 'unsafe' || !isWeak(options.memoryModel)) return outcome;
    const budget = this.#budget(options.suggestFences ? Number.POSITIVE_INFINITY : LONGEST_WEAK_FINDING_MS);
    const weak = await explainWeak(this.#problem, this.#preparation, this.#stages(), budget);
    return weak ? { ...outcome, weak } : outcome;
  }

  /** Says so where no execution was seen to end. */
  withEnding(outcome: Outcome): Outcome {
    if (outcome.kind !== 'safe' && outcome.kind !== 'bounded') return outcome;
    const { code } = this.#problem;
    const ends = this.#preparation.reachFor(code).ends();
    if (!canEnd(code)) return { ...outcome, ending: 'never' };
    if (ends || this.#someRunEnds()) return outcome;
    const isExhaustive = outcome.kind === 'safe' && outcome.engine === this.#bounded.name;
    return { ...outcome, ending: isExhaustive ? 'never' : 'not-within-bounds' };
  }

  /** Whether one of a few concrete runs ends, in however many rounds and iterations. */
  #someRunEnds(): boolean {
    const { compiled, checks, options } = this.#problem;
    const { seed, memoryModel } = options;
    const exploreOptions = { ...ENDING_RUNS, timeLimitMs: Infinity, checks, seed, memoryModel, clock: () => 0 };
    return someRunEnded(new Explorer(compiled, exploreOptions).explore().statistics);
  }

  /** No later stage covers more: each bound is fixed by the user, or cuts nothing off. */
  #areAllCovered(): boolean {
    const { unwind, rounds, contextSwitches } = this.#problem.options;
    if (!this.#covered) return false;
    const { stage, outcome } = this.#covered;
    const isUnwound = unwind !== null || this.#isWholeButUnsupported(outcome) || this.#preparation.isSettled;
    const isFlat = rounds !== null || contextSwitches !== null || this.#problem.code.threadEntry === null;
    return isUnwound && (isFlat || stage.rounds >= this.#preparation.roundsForAll);
  }

  /** No bound cut an execution: more unwinding changes nothing. */
  #isWholeButUnsupported({ cuts }: Bounded): boolean {
    return cuts?.every(({ kind }) => kind === 'unsupported') ?? false;
  }

  #stages(): Iterable<Stage> {
    const { unwind, rounds, contextSwitches } = this.#problem.options;
    return chooseStages(unwind, contextSwitches !== null ? contextSwitches + 1 : rounds);
  }

  /** Who fixes bounds wants to know about these. */
  #askForProof(): void {
    const { proveAside, clock } = this.#environment;
    const left = this.#deadline - clock();
    if (this.#reachesUnsupported()) return;
    if (this.#isProofAsked || !proveAside || hasFixedBounds(this.#problem.options) || left <= 0) return;
    this.#isProofAsked = true;
    void proveAside(PROOF_SHARE * left).then((outcome) => {
      if (outcome.kind === 'unknown') pushAll(this.#attempts, [...outcome.attempts, attemptOf(outcome)]);
      if (outcome.kind === 'unknown' && outcome.cause !== 'time') this.#noProof = outcome.reason;
      this.#isProofOpen = outcome.kind === 'safe';
      this.#settleProof(outcome.kind === 'safe' ? outcome : null);
    });
  }

  /**
   * Asked by whatever engine runs, for many keep this thread busy for seconds: neither the timer that asks for a proof
   * nor the message that brings one comes through then.
   */
  #isProved({ clock, isProved }: EngineHost): boolean {
    if (!this.#isProofAsked && clock() >= this.#proofTime) this.#askForProof();
    return this.#isProofOpen && (isProved?.() ?? false);
  }

  /** What comes first: the end of the work, or a proof. */
  async #orProof(work: Promise<Outcome | null>): Promise<Outcome | null> {
    const first = await Promise.race([work, this.#proof.then((safe) => safe ?? work)]);
    return first ?? this.#proofSoFar();
  }

  /**
   * A proof that has come in meanwhile. Stages whose questions are easy never wait for anything: only where this thread
   * turns to its messages can it learn of one.
   */
  #proofSoFar(): Promise<Safe | null> {
    if (!this.#isProofAsked) return Promise.resolve(null);
    if (this.#environment.isProved?.()) return this.#proof;
    const none = new Promise<null>((resolve) => this.#environment.after(0, () => resolve(null)));
    return Promise.race([this.#proof, none]);
  }

  #reachesNothing(): boolean {
    return this.#covered?.outcome.assertions?.reached === 0;
  }

  #missesAssertions(): boolean {
    const covered = this.#covered?.outcome;
    const isMissed = covered?.assertions !== null && covered?.assertions?.reached !== covered?.assertions?.total;
    return this.#problem.options.explore && isMissed && covered?.cuts?.length !== 0;
  }

  /** The time that is left, where executions within the bounds missed assertions: long concrete runs. */
  async #runLong(): Promise<Outcome | null> {
    const { compiled, checks, options, observer } = this.#problem;
    const { clock, isProved } = this.#environment;
    if (!this.#missesAssertions()) return null;
    const runs = new LongRuns(compiled, { checks, seed: options.seed, clock, mustStop: isProved });
    const deadline = this.#deadline - REPLAY_SHARE * timeLeft(this.#budget());
    while (clock() < deadline) {
      const start = clock();
      observer.onWork?.('explore');
      const run = runs.next(deadline);
      const trace = run && replayLong(compiled, run, checks);
      observer.onTime?.('explore', clock() - start);
      if (trace) return { kind: 'unsafe', engine: 'explore', bounds: NO_BOUNDS, trace };
      const safe = await this.#proofSoFar();
      if (safe) return safe;
    }
    return null;
  }

  /** Where the bounded engine gave up before the end, runs go on for as long as a proof is looked for. */
  async #exploreBesideProof(): Promise<Outcome | null> {
    if (!this.#isStuck || !this.#problem.options.explore) return null;
    this.#askForProof();
    const [stage] = this.#stages() as Iterable<Stage> as readonly [Stage];
    while (this.#isProofAsked && this.#isProofOpen && timeLeft(this.#budget()) > 0) {
      const found = await this.#orProof(this.#exploreFor(LONGEST_EXPLORE_MS, stage));
      if (found) return found;
    }
    return null;
  }

  /** After the last stage, as long as there is time. */
  async #awaitProof(): Promise<Safe | null> {
    this.#askForProof();
    const left = this.#deadline - this.#environment.clock();
    if (!this.#isProofAsked || left <= 0) return this.#proofSoFar();
    const late = new Promise<null>((resolve) => this.#environment.after(left, () => resolve(null)));
    return Promise.race([this.#proof, late]);
  }

  #budget(shareMs = Number.POSITIVE_INFINITY): Budget {
    return { deadline: this.#deadline, shareMs, environment: this.#environment };
  }

  /** Where no execution was cut so far, more rounds may be enough: whether they lead to a cut is asked again. */
  #withoutNeedlessUnwinding(stage: Stage): Stage {
    const covered = this.#covered;
    return covered?.outcome.cuts?.length === 0 ? { ...stage, unwind: covered.stage.unwind } : stage;
  }

  #isPointless(stage: Stage): boolean {
    const covered = this.#covered;
    if (!covered || !this.#isWholeButUnsupported(covered.outcome)) return false;
    return this.#problem.code.threadEntry === null || stage.rounds <= covered.stage.rounds;
  }

  /** Concrete runs, more of them each time. */
  async #exploreFor(ms: number, stage: Stage): Promise<Unsafe | null> {
    if (!this.#problem.options.explore || ms < SHORTEST_EXPLORE_MS) return null;
    const outcome = await this.#run(this.#explore, stage, this.#budget(Math.min(ms, LONGEST_EXPLORE_MS)));
    return outcome.kind === 'unsafe' ? outcome : null;
  }

  #cover(covered: { readonly stage: Stage; readonly outcome: Bounded }): void {
    const isNew = !this.#reachesUnsupported();
    this.#covered = covered;
    if (isNew && this.#reachesUnsupported()) this.#deadline -= (1 - UNSUPPORTED_SHARE) * timeLeft(this.#budget());
  }

  /** One stage; null when the next one should follow. */
  async #runBounded(stage: Stage): Promise<Outcome | null> {
    const left = timeLeft(this.#budget());
    const isOnly = hasFixedBounds(this.#problem.options);
    const shareMs = isOnly ? left : Math.max(SHORTEST_STAGE_MS, STAGE_SHARE * left);
    const outcome = await this.#run(this.#bounded, stage, this.#budget(shareMs));
    switch (outcome.kind) {
      case 'unsafe':
      case 'safe':
        return outcome;
      case 'bounded':
        this.#failed = null;
        this.#cover({ stage, outcome });
        this.#problem.observer.onCovered?.(outcome);
        return outcome.reason === null ? this.#runOrder(stage, outcome) : outcome;
      case 'unknown':
        if (outcome.cause === 'unconfirmed') return outcome;
        this.#failed = outcome;
        this.#attempts.push(attemptOf(outcome));
        if (outcome.cause === 'solver' || outcome.cause === 'time') return null;
        this.#isStuck = true;
        return this.#exploreFor(LONGEST_EXPLORE_MS, stage);
    }
  }

  /**
   * Where loops are unwound further than before and a single round cuts nothing off, all interleavings may be simpler
   * than the rounds of the stage. Null when the stage should follow, as if nothing had been asked.
   */
  async #askOrderFirst(planned: Stage): Promise<Outcome | null> {
    const { code, options } = this.#problem;
    const before = this.#covered?.stage.unwind;
    if (code.threadEntry === null || options.rounds !== null || options.contextSwitches !== null) return null;
    if (before === undefined || planned.unwind <= before) return null;
    const stage = { ...planned, rounds: 1 };
    const shareMs = Math.min(SHORTEST_STAGE_MS, FIRST_ORDER_SHARE * timeLeft(this.#budget()));
    const once = await this.#run(this.#bounded, stage, this.#budget(shareMs));
    if (once.kind === 'unsafe') return once;
    if (once.kind !== 'bounded') return null;
    this.#once = once;
    if (once.cuts?.length !== 0) return null;
    return answerOf(await this.#run(this.#order, stage, this.#budget(shareMs)));
  }

  /**
   * All interleavings of a stage that cuts nothing off; null when stages should go on. Not where the user wants to know
   * about so many rounds.
   */
  async #runOrder(stage: Stage, covered: Bounded): Promise<Outcome | null> {
    const { rounds, contextSwitches } = this.#problem.options;
    if (covered.cuts?.length !== 0 || rounds !== null || contextSwitches !== null) return null;
    if (stage.rounds < FEWEST_ROUNDS_BEFORE_ORDER || !this.#isNewToOrder(stage)) return null;
    const allRounds = this.#ordered ? Number.POSITIVE_INFINITY : this.#preparation.roundsForAll;
    const canBeInRounds = allRounds <= MOST_ROUNDS_FOR_ALL;
    const outcome = await this.#askOrder(stage, covered, canBeInRounds ? FIRST_ORDER_SHARE : ORDER_SHARE);
    if (outcome || !canBeInRounds || !this.#ordered?.isOpen) return outcome;
    const inRounds = await this.#runAllRounds({ ...stage, rounds: allRounds });
    const isWhole = this.#covered?.outcome.cuts?.length === 0;
    return inRounds || !isWhole ? inRounds : this.#askOrder(stage, covered, ORDER_SHARE);
  }

  /** As many rounds as all interleavings need: for some programs simpler than a free order. */
  async #runAllRounds(stage: Stage): Promise<Outcome | null> {
    const shareMs = Math.max(SHORTEST_STAGE_MS, STAGE_SHARE * timeLeft(this.#budget()));
    this.#problem.observer.onStage?.(stage);
    const outcome = await this.#run(this.#bounded, stage, this.#budget(shareMs));
    if (outcome.kind === 'unknown') this.#attempts.push(attemptOf(outcome));
    if (outcome.kind !== 'bounded')
      return outcome.kind === 'unknown' && outcome.cause !== 'unconfirmed' ? null : outcome;
    this.#cover({ stage, outcome });
    this.#problem.observer.onCovered?.(outcome);
    return outcome.reason === null ? null : outcome;
  }

  async #askOrder(stage: Stage, covered: Bounded, share: number): Promise<Outcome | null> {
    this.#ordered = { stage, isOpen: false };
    const shareMs = Math.max(SHORTEST_STAGE_MS, share * timeLeft(this.#budget()));
    const outcome = await this.#run(this.#order, stage, this.#budget(shareMs));
    switch (outcome.kind) {
      case 'unsafe':
      case 'safe':
        return outcome;
      case 'bounded':
        if (outcome.reason !== null) return outcome;
        // Some execution is cut after all, with more rounds than were tried: more unwinding is of use.
        this.#covered = {
          stage,
          outcome: { ...covered, bounds: { ...covered.bounds, unwind: stage.unwind }, cuts: outcome.cuts },
        };
        return null;
      case 'unknown':
        this.#attempts.push({ engine: outcome.engine, bounds: outcome.bounds, reason: outcome.reason });
        this.#ordered = { stage, isOpen: true };
        return outcome.cause === 'unconfirmed' ? outcome : null;
    }
  }

  #isNewToOrder({ unwind, rounds }: Stage): boolean {
    const before = this.#ordered;
    if (before === null || unwind > before.stage.unwind) return true;
    return before.isOpen && rounds >= ASK_ORDER_AGAIN * before.stage.rounds;
  }

  async #run(engine: Engine, stage: Stage, budget: Budget): Promise<Outcome> {
    const problem: Problem = { ...this.#problem, stage };
    const result = await engine.run(problem, budget);
    return result.kind === 'candidate' ? confirm(result, problem, budget) : result;
  }

  #conclude(): Outcome {
    const covered = this.#reachesNothing() ? (this.#once ?? this.#covered?.outcome) : this.#covered?.outcome;
    const attempts = this.#attempts;
    const unsupported = covered?.cuts?.find(({ kind }) => kind === 'unsupported');
    if (covered && unsupported) {
      const { where, loc } = unsupported;
      return { ...unknown('unsupported', where), engine: covered.engine, loc, attempts };
    }
    const noProof = this.#noProof;
    if (covered) return { ...covered, reason: this.#failed?.reason ?? null, ...(noProof !== null && { noProof }) };
    return { ...(this.#failed ?? unknown('nothing', 'nothing was checked')), bounds: NO_BOUNDS, attempts };
  }
}

/** Null when others may come to one. */
function answerOf(outcome: Outcome): Outcome | null {
  const isAnswer = outcome.kind === 'safe' || outcome.kind === 'unsafe';
  return isAnswer || (outcome.kind === 'unknown' && outcome.cause === 'unconfirmed') ? outcome : null;
}

function attemptOf({ engine, bounds, reason }: Unknown): Attempt {
  return { engine, bounds, reason };
}

function unknown(cause: Unknown['cause'], reason: string): Unknown {
  return { kind: 'unknown', engine: 'bounded', bounds: NO_BOUNDS, cause, reason, loc: null, attempts: [] };
}
