/**
 * Runs in which whole crowds run to their end: hundreds of threads, each of which gets its turn. The usual runs
 * (explore.ts) let few threads run, which is enough for most bugs; but what a proof says of the number of threads is
 * about all of them. Few schedules, all regular: threads go on in turn, upwards or downwards, some steps each, main as
 * far as it comes or as slowly as the others.
 */

import type { CheckName } from '../../program/code.ts';
import { createRandom, type Random } from '../../support/random.ts';
import type { CompiledProgram } from '../../trace/interpreter/compile-instructions.ts';
import { declareDeadlock } from '../../trace/interpreter/deadlock.ts';
import { Machine } from '../../trace/interpreter/machine.ts';
import type { Recorder, Thread, Violation } from '../../trace/interpreter/state.ts';
import { boundaryValues, type InputMode, recordingInputs } from './inputs.ts';

export interface CrowdRunsOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly seed: number;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly timeLimitMs: number;
  readonly watch: Recorder;
}

interface Turns {
  /** Steps of main, and of every other thread, in a turn; 0: any number, another one each time. */
  readonly main: number;
  readonly others: number;
  readonly isDownwards: boolean;
}

const FAR = 100_000;

/** The first shows whether there is a crowd at all. */
const TURNS: readonly Turns[] = [
  { main: FAR, others: FAR, isDownwards: false },
  // All of them are at the same place.
  { main: FAR, others: 1, isDownwards: false },
  // Each ends before the next one is there.
  { main: 1, others: FAR, isDownwards: true },
  { main: FAR, others: 3, isDownwards: true },
  { main: FAR, others: 0, isDownwards: false },
  { main: 0, others: 0, isDownwards: true },
];
const MODES: readonly InputMode[] = ['boundary', 'random', 'zero'];

/** With fewer threads the usual runs have all of them. */
const LEAST_CROWD = 32;
/** The models of thread routines know no more that run (constants.h there). */
const MOST_THREADS = 512;
const INSTRUCTIONS = 1_500_000;
const LONGEST_STEP = 20_000;
/** A thread that goes on without a write has its turn some other time. */
const IDLE_STEPS = 200;
const LONGEST_RANDOM = 8;
/** Clocks are slow to read: every so many turns is enough. */
const CLOCK_INTERVAL = 64;

/** What some run breaks, if any does. */
export function runCrowds(program: CompiledProgram, options: CrowdRunsOptions): Violation | null {
  const random = createRandom(options.seed);
  const boundaries = boundaryValues(program.code);
  const deadline = options.clock() + options.timeLimitMs;
  for (const [i, turns] of TURNS.entries()) {
    const { source: inputs } = recordingInputs(MODES[i % MODES.length] as InputMode, random, boundaries);
    const machine = new Machine(program, { checks: options.checks, inputs, threadLimit: MOST_THREADS });
    machine.recorder = options.watch;
    runInTurns(machine, turns, random, () => options.clock() > deadline);
    if (options.checks.has('deadlock') && machine.status === 'running' && machine.runnable.length === 0)
      declareDeadlock(machine);
    const { violation } = machine;
    if (violation && violation.check !== 'unsupported') return violation;
    if (machine.threads.length < LEAST_CROWD || options.clock() > deadline) return null;
  }
  return null;
}

/** Until nobody can go on, or a limit is met. */
function runInTurns(machine: Machine, { main, others, isDownwards }: Turns, random: Random, isLate: () => boolean) {
  const stepsOf = ({ id }: Thread) => (id === 0 ? main : others) || 1 + random.below(LONGEST_RANDOM);
  const isOver = () => machine.status !== 'running' || machine.instructions > INSTRUCTIONS;
  let turns = 0;
  for (let hasMoved = true; hasMoved && !isOver(); ) {
    hasMoved = false;
    const { length } = machine.threads;
    for (let i = 0; i < length && !isOver(); i++) {
      const thread = machine.threads[isDownwards ? length - 1 - i : i] as Thread;
      if (advance(machine, thread, stepsOf(thread))) hasMoved = true;
      if (++turns % CLOCK_INTERVAL === 0 && isLate()) return;
    }
  }
}

/** Up to so many steps; whether there was one. */
function advance(machine: Machine, thread: Thread, most: number): boolean {
  let [hasMoved, idle, writes] = [false, 0, machine.writes];
  for (let steps = 0; steps < most && idle < IDLE_STEPS && machine.instructions <= INSTRUCTIONS; steps++) {
    if (machine.status !== 'running' || !machine.canRun(thread)) break;
    machine.step(thread, LONGEST_STEP);
    if (thread.status === 'blocked') break;
    hasMoved = true;
    idle = machine.writes === writes ? idle + 1 : 0;
    writes = machine.writes;
  }
  return hasMoved;
}
