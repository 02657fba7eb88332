/**
 * Concrete runs before and beside the solver: a few hundred cheap schedules and inputs, within a budget. Finds shallow
 * bugs in a fraction of a second, and some deep ones whose schedule is regular. It never says that a program is safe.
 */

import type { CheckName } from '../../program/code.ts';
import { drawAt } from '../../program/draws.ts';
import type { MemoryModel } from '../../program/memory-model.ts';
import { invariant } from '../../support/invariant.ts';
import { createRandom, type Random } from '../../support/random.ts';
import type { CompiledProgram } from '../../trace/interpreter/compile-instructions.ts';
import { declareDeadlock, runIntoDeadlock } from '../../trace/interpreter/deadlock.ts';
import { Machine, MOST_THREADS } from '../../trace/interpreter/machine.ts';
import { Memory } from '../../trace/interpreter/memory.ts';
import type { RunNotes } from '../../trace/interpreter/run-notes.ts';
import type { InputSource, Recorder, Thread, Violation } from '../../trace/interpreter/state.ts';
import type { Schedule } from '../../trace/replay.ts';
import { type Choice, scheduleOfRun } from '../../trace/schedule-of-run.ts';
import { Delays } from './delays.ts';
import { boundaryValues, type RecordedInputs, recordingInputs, replayingInputs } from './inputs.ts';
import { crowdPlans, type ExplorePlan, plans, REPEATED_PLANS, type SeenRuns } from './plans.ts';
import type { Scheduler } from './schedulers.ts';

export interface ExploreOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly seed: number;
  /** Milliseconds; handed in, so that runs can be repeated. */
  readonly clock: () => number;
  /** Asked as often as the clock; true ends the runs. */
  readonly mustStop?: (() => boolean) | undefined;
  readonly timeLimitMs: number;
  readonly runLimit: number;
  /**
   * As many runs as the longest has steps, times this, are enough: the solver is done with a short program as soon.
   * Runs that would only repeat others count as made.
   */
  readonly runsPerStep?: number;
  /** But never fewer. */
  readonly fewestRuns?: number;
  /** Whoever only asks whether any run ends needs no more after the first that does. */
  readonly untilOneEnds?: boolean;
  /** Instructions of one run. */
  readonly instructionLimit: number;
  readonly memoryModel?: MemoryModel | undefined;
  /** Sees everything that happens in the runs; costs time. */
  readonly watch?: (machine: Machine, ...seen: Parameters<Recorder>) => void;
  /** Is told, in the first runs, of what else they come across. */
  readonly notes?: RunNotes | undefined;
  /** How many of them. */
  readonly notedRuns?: number;
  /** Instead of the usual ones. */
  readonly plans?: Generator<ExplorePlan, void>;
}

/** The regular schedules, with each kind of inputs, and some more. */
const FEWEST_RUNS = 60;
/** Of fewer steps there are so few interleavings that fewer runs per step are enough, too. */
const SHORT_PROGRAM_STEPS = 64;

export const DEFAULT_EXPLORE_LIMITS = { timeLimitMs: 400, runLimit: 600, instructionLimit: 400_000 } as const;

/** A run that broke the property, complete enough to be run again. */
export interface FoundRun {
  readonly violation: Violation;
  readonly choices: readonly Choice[];
  readonly inputs: RecordedInputs;
  readonly threadLimit: number;
  /** Which scheduler found it. */
  readonly strategy: string;
  /** After the choices these threads went on one after the other, until they waited, span or ended. */
  readonly settling?: readonly number[];
}

export interface ExploreStatistics {
  readonly runs: number;
  readonly instructions: number;
  readonly timeMs: number;
  /** Runs in which all threads waited for one another. */
  readonly deadlocks: number;
  /** Runs that met undefined behaviour that no check was asked for, or a limit of the interpreter. */
  readonly gaveUp: number;
  /** Runs cut by the limit of instructions or threads, or by an assumption. */
  readonly cut: number;
}

/** Neither did all threads wait for one another, nor was the run given up or cut. */
export function someRunEnded({ runs, deadlocks, gaveUp, cut }: ExploreStatistics): boolean {
  return runs > deadlocks + gaveUp + cut;
}

export interface ExploreResult {
  readonly found: FoundRun | null;
  readonly statistics: ExploreStatistics;
}

/** Programs that create threads in an endless loop get no more than this; bugs need few. */
const THREAD_LIMIT = 32;

/**
 * A program that creates thousands of threads before it goes on gets them all in every second run: main creates them,
 * and of the crowd only the first few ever run. Such runs are long.
 */
const CROWD = { runningThreads: 8, instructionLimit: 3_000_000, timeFactor: 5 } as const;

/** To take notes makes a run slower: so many runs are enough. */
const NOTED_RUNS = 10;
/** Runs for the sake of notes may take so much longer than usual ones. */
const NOTES_FACTOR = 10;

/** To see whether all threads wait takes few instructions, and memory is compared as a whole. */
const SETTLING_INSTRUCTIONS = 6_000;
const LARGEST_SETTLED = 1_000_000;
/** The first runs, and one in so many of the others. */
const FIRST_SETTLED = 8;
const SETTLED_INTERVAL = 8;

/** Makes runs, and more of them when asked again: it goes on where it stopped. */
export class Explorer {
  readonly #program: CompiledProgram;
  readonly #options: ExploreOptions;
  readonly #random: Random;
  readonly #boundaries: ReturnType<typeof boundaryValues>;
  readonly #seen: SeenRuns = { steps: 100, threads: 1, varies: false, isRepeating: false, crowd: 0, crowdSteps: 20 };
  readonly #holds = new Holds();
  readonly #memory: Memory;
  #settled = 0;
  #noted = 0;
  #longest = 0;
  readonly #ordinary: Generator<ExplorePlan, void>;
  readonly #crowded: Generator<ExplorePlan, void>;

  constructor(program: CompiledProgram, options: ExploreOptions) {
    this.#program = program;
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#boundaries = boundaryValues(program.code);
    this.#memory = new Memory(program.layout);
    this.#ordinary = options.plans ?? plans(this.#random, this.#seen);
    this.#crowded = crowdPlans(this.#random, this.#seen);
  }

  /**
   * Until something is found or a limit is reached; `timeLimitMs` instead of that of the options. Crowds get longer,
   * but never more than `mostMs`.
   */
  explore(
    timeLimitMs = this.#options.timeLimitMs,
    mostMs = Infinity,
    runLimit = this.#options.runLimit,
  ): ExploreResult {
    const { clock, mustStop, untilOneEnds = false } = this.#options;
    const start = clock();
    const statistics = { runs: 0, instructions: 0, timeMs: 0, deadlocks: 0, gaveUp: 0, cut: 0 };
    let found: FoundRun | null = null;
    while (!found && statistics.runs < Math.min(runLimit, this.#enoughRuns())) {
      if (untilOneEnds && someRunEnded(statistics)) break;
      const deadline = start + Math.min(mostMs, timeLimitMs * (this.#seen.crowd > 0 ? CROWD.timeFactor : 1));
      if (clock() > deadline || mustStop?.()) break;
      found = this.#makeRun(statistics, deadline);
    }
    statistics.timeMs = clock() - start;
    return { found, statistics };
  }

  #enoughRuns(): number {
    const { runsPerStep, fewestRuns = FEWEST_RUNS } = this.#options;
    if (runsPerStep === undefined) return Infinity;
    const perStep = runsPerStep * Math.min(1, this.#longest / SHORT_PROGRAM_STEPS);
    return Math.max(fewestRuns, perStep * this.#longest) - (this.#seen.isRepeating ? REPEATED_PLANS : 0);
  }

  #makeRun(statistics: Writable<ExploreStatistics>, deadline: number): FoundRun | null {
    const isCrowded = this.#seen.crowd > 0 && statistics.runs % 2 === 1;
    const plan = next(isCrowded ? this.#crowded : this.#ordinary);
    const { source, recorded } = recordingInputs(plan.mode, this.#random, this.#boundaries, plan.values);
    const threadLimit = isCrowded ? MOST_THREADS : THREAD_LIMIT;
    const { checks, memoryModel } = this.#options;
    const notes =
      !isCrowded && this.#noted++ < (this.#options.notedRuns ?? NOTED_RUNS) ? this.#options.notes : undefined;
    // Whatever is drawn after the run is 0, as it is when the run is repeated.
    let isOver = false;
    const inputs: InputSource = {
      nondet: (request) => {
        if (isOver) return 0;
        const { frame } = request.thread;
        this.#seen.varies ||= drawAt(frame.function.source, frame.pc - 1) !== 'unused';
        return source.nondet(request);
      },
      byte: (region, offset) => {
        if (isOver) return 0;
        this.#seen.varies = true;
        return source.byte(region, offset);
      },
    };
    const machine = new Machine(this.#program, {
      checks,
      inputs,
      threadLimit,
      memoryModel,
      notes,
      reusedMemory: this.#memory,
    });
    const { watch } = this.#options;
    if (watch) machine.recorder = (...seen) => watch(machine, ...seen);
    const limits = isCrowded
      ? { instructions: CROWD.instructionLimit, threads: CROWD.runningThreads, deadline }
      : { instructions: limitOf(statistics.runs, this.#options), threads: Infinity, deadline };
    const scheduler = isCrowded ? plan.scheduler : this.#holds.around(plan.scheduler);
    const delays = machine.buffers && new Delays(machine, machine.buffers, this.#random);
    const choices = runPlan(machine, scheduler, limits, this.#options, delays);
    isOver = true;
    const settling = this.#settle(machine, limits);
    this.#learn(machine, choices, isCrowded);
    if (delays) this.#seen.varies = true;
    statistics.runs++;
    statistics.instructions += machine.instructions;
    if (machine.violation && machine.violation.check !== 'unsupported')
      return { violation: machine.violation, choices, inputs: recorded, strategy: plan.name, threadLimit, ...settling };
    if (machine.status === 'gave-up' || machine.violation) statistics.gaveUp++;
    else if (machine.status === 'running' && machine.runnable.length === 0) countWaiting(machine, statistics);
    else if (machine.status === 'running') statistics.cut++;
    return null;
  }

  /** A run that was cut may have come to where all threads that are left wait, some of them in loops. */
  #settle(machine: Machine, { threads }: RunLimits): { readonly settling: readonly number[] } | null {
    const isAsked = this.#options.checks.has('deadlock') && machine.status === 'running' && threads === Infinity;
    const mayLoop = this.#program.code.loops.length > 0;
    if (!isAsked || !mayLoop || machine.memory.top > LARGEST_SETTLED) return null;
    const count = this.#settled++;
    if (count >= FIRST_SETTLED && count % SETTLED_INTERVAL !== 0) return null;
    const settling = Array.from({ length: THREAD_LIMIT }, (_, id) => id);
    runIntoDeadlock(machine, settling, SETTLING_INSTRUCTIONS);
    return machine.violation ? { settling } : null;
  }

  #learn(machine: Machine, choices: readonly number[], isCrowded: boolean): void {
    const seen = this.#seen;
    this.#longest = Math.max(this.#longest, choices.length);
    if (isCrowded) seen.crowdSteps = Math.max(seen.crowdSteps, choices.length - machine.threads.length);
    else {
      this.#holds.learn(machine, choices, this.#random);
      const hasMoreThreads = seen.threads > 1 && machine.threads.length > seen.threads;
      const isHeld = machine.threads.some(({ status }) => status === 'stuck');
      if (machine.status === 'running' || isHeld || hasMoreThreads) seen.varies = true;
      seen.steps = Math.max(seen.steps, Math.min(choices.length, 5_000));
      seen.threads = Math.max(seen.threads, machine.threads.length);
    }
    seen.crowd = crowdAfter(machine, seen.crowd, isCrowded);
  }
}

/** Runs that look for nothing, for the sake of the notes. */
export function takeNotes(program: CompiledProgram, options: ExploreOptions, notes: RunNotes): void {
  const explorer = new Explorer(program, { ...options, notes, notedRuns: options.runLimit });
  const { clock, timeLimitMs, runLimit } = options;
  const end = clock() + NOTES_FACTOR * timeLimitMs;
  for (let runs = 0; runs < runLimit && clock() < end; ) runs += explorer.explore(end - clock()).statistics.runs;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function crowdAfter(machine: Machine, crowd: number, isCrowded: boolean): number {
  const threads = machine.threads.length;
  if (isCrowded) return threads >= MOST_THREADS ? -1 : crowd === Infinity ? threads : crowd;
  return crowd === 0 && threads >= THREAD_LIMIT ? Infinity : crowd;
}

function countWaiting(machine: Machine, statistics: { deadlocks: number; cut: number }): void {
  if (machine.threads.some((thread) => thread.status === 'stuck')) statistics.cut++;
  else statistics.deadlocks++;
}

/** Plans never end. */
function next(source: Generator<ExplorePlan, void>): ExplorePlan {
  const { value } = source.next();
  invariant(value, 'there is always another plan');
  return value;
}

/**
 * A thread that failed an assumption for good (say, main expects all others to have finished) came too early: in the
 * next runs it is held back before that place for as long as others can run, one step earlier each time until that
 * helps.
 */
class Holds {
  readonly #limits = new Map<number, number>();

  /** The scheduler with the holds learnt so far. */
  around(scheduler: Scheduler): Scheduler {
    if (this.#limits.size === 0) return scheduler;
    const steps = new Map<number, number>();
    return (candidates, current, machine) => {
      if (current && current.status !== 'blocked') steps.set(current.id, (steps.get(current.id) ?? 0) + 1);
      const free = candidates.filter(
        (thread) => (steps.get(thread.id) ?? 0) < (this.#limits.get(thread.id) ?? Infinity),
      );
      if (free.length === 1) return free[0] as Thread;
      return scheduler(free.length > 0 ? free : candidates, current, machine);
    };
  }

  learn(machine: Machine, choices: readonly number[], random: Random): void {
    for (const thread of machine.threads) {
      if (thread.status !== 'stuck') continue;
      const steps = choices.filter((id) => id === thread.id).length;
      this.#limits.set(thread.id, Math.max(1, Math.min(this.#limits.get(thread.id) ?? steps, steps) - 1));
    }
    // From time to time everything is forgotten, since a hold also hides schedules.
    if (random.chance(1, 16)) this.#limits.clear();
  }
}

/** Clocks are slow to read: every so many steps is enough. */
const CLOCK_INTERVAL = 256;

/** Most bugs are shallow, and threads that spin eat up any limit: only one run in so many may be long. */
const LONG_RUN_INTERVAL = 12;
const SHORT_RUN_INSTRUCTIONS = 12_000;

function limitOf(run: number, options: ExploreOptions): number {
  const isLong = run % LONG_RUN_INTERVAL === LONG_RUN_INTERVAL - 1;
  return isLong ? options.instructionLimit : Math.min(options.instructionLimit, SHORT_RUN_INSTRUCTIONS);
}

interface RunLimits {
  readonly instructions: number;
  /** Threads beyond these never run. */
  readonly threads: number;
  readonly deadline: number;
}

function runPlan(
  machine: Machine,
  scheduler: Scheduler,
  limits: RunLimits,
  options: ExploreOptions,
  delays: Delays | null,
): Choice[] {
  const choices: Choice[] = [];
  let current: Thread | null = null;
  while (machine.status === 'running' && machine.instructions < limits.instructions) {
    const candidates = machine.runnableAmong(limits.threads);
    const commit = delays?.choose(candidates.length === 0) ?? null;
    if (commit !== null) {
      choices.push(commit);
      continue;
    }
    if (candidates.length === 0) break;
    const next: Thread = scheduler(candidates, current, machine);
    choices.push(next.id);
    machine.step(next, options.instructionLimit);
    if (next.status === 'blocked' && options.checks.has('deadlock') && declareDeadlock(machine)) break;
    current = next;
    if (choices.length % CLOCK_INTERVAL === 0 && (options.clock() > limits.deadline || options.mustStop?.())) break;
  }
  return choices;
}

/** The found run as a schedule by names, ready for replay. */
export function scheduleOf(program: CompiledProgram, found: FoundRun, options: ExploreOptions): Schedule {
  const machineOptions = {
    checks: options.checks,
    inputs: replayingInputs(found.inputs),
    threadLimit: found.threadLimit,
    memoryModel: options.memoryModel,
  };
  const schedule = scheduleOfRun(program, found.choices, machineOptions, options.instructionLimit);
  const stuck = found.settling ?? found.violation.waits?.map(({ thread }) => thread);
  return stuck ? { ...schedule, deadlock: stuck } : schedule;
}
