/**
 * What a backend's trace of the sequential program says about threads: which thread ran when, past which of its labels,
 * where it was interrupted, which values it drew, and what it violated. The interpreter follows such a run
 * (follow-run.ts).
 *
 * Where a thread stands is told by control code: each call of a thread function goes from label `pc` to label `cs`, and
 * a jump line `__lazuli_J(…)` that is reached between them is a labelled statement that is carried out. A backend that
 * tells assignments only is taken to have carried out the labels near which it assigns; what is told too much that way
 * the interpreter passes over.
 *
 * In the schema ul, `__lazuli_s` tells whether the thread runs: a label whose control code is passed while it does is
 * carried out, unless it stops there.
 */

import type { CheckName } from '../program/check-names.ts';
import { WAITING } from '../sequentialize/ask-deadlock.ts';
import { FIRST, SECOND } from '../sequentialize/ask-race.ts';
import { PROBES } from '../sequentialize/probed-thread.ts';
import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import { type Loc, NOWHERE } from '../support/source.ts';
import type { ContentField } from './allocated-contents.ts';
import type { BackendStep } from './backend.ts';
import { readCheck } from './read-check.ts';

export interface BackendRun {
  /** In the order of time; neighbours are of different threads. */
  readonly segments: readonly RunSegment[];
  readonly inputs: readonly RunInput[];
  /** What threads allocated, in the order of time. */
  readonly allocations: readonly RunAllocation[];
  /** Under a weak memory model: the stores that threads make, in the order of time. */
  readonly stores: readonly RunStore[];
  /** The stores among them that reach memory late, in the order of time. */
  readonly arrivals: readonly RunArrival[];
  /** Threads in the order of their creation, main first, by their numbers in the bounded program. */
  readonly created: readonly number[];
  readonly failure: RunFailure;
  /** The run ends in a deadlock: the threads that wait for ever, and those that have ended. */
  readonly deadlock?: readonly number[];
  /** The run ends before the accesses of two threads that race. */
  readonly race?: readonly number[];
}

export interface RunSegment {
  readonly thread: number;
  /** The labels whose statements are carried out, in this order. */
  readonly labels: readonly number[];
  /** The label at which the thread is interrupted; null when it runs on to its end or to the failure. */
  readonly stop: number | null;
}

/** A store by its number among those of its thread (sequentialize/delay-stores.ts). */
export interface RunStore {
  readonly thread: number;
  readonly number: number;
  /** It reaches memory where it stands. */
  readonly isAtOnce: boolean;
}

/** A store reaches memory before the segment with this number. */
export interface RunArrival {
  readonly thread: number;
  readonly number: number;
  readonly segment: number;
}

/** A nondeterministic value. */
export interface RunInput {
  readonly thread: number;
  readonly loc: Loc;
  /** The variable, or the part of one, that gets it: `t[1]`. */
  readonly target: string;
  readonly value: string;
}

export interface RunAllocation {
  readonly thread: number;
  /** The backend's name of the object. */
  readonly object: string;
  readonly contents: readonly ContentField[];
}

export interface RunFailure {
  readonly check: CheckName;
  readonly message: string;
  readonly thread: number;
  readonly loc: Loc;
}

export interface RunSource {
  readonly steps: readonly BackendStep[];
  /** What the backend says of the assertion that fails. */
  readonly description: string;
  readonly output: Sequentialized;
  /** How the functions begin that draw a value: `nondet_`. */
  readonly drawing: string;
}

/** null when the backend told no steps in which an assertion of a thread fails. */
export function readRun(source: RunSource): BackendRun | null {
  const reader = new RunReader(source);
  for (const step of source.steps) {
    const failure = reader.read(step);
    if (failure !== null) return reader.finish(failure);
  }
  return null;
}

/** What stands in a line of the emitted file. */
interface EmittedLine {
  readonly thread: number;
  readonly label: number;
  readonly isJump: boolean;
  /** Control code of the schema ul. */
  readonly isControl: boolean;
  readonly draws: boolean;
}

interface Draft {
  readonly thread: number;
  readonly labels: number[];
  stop: number | null;
}

interface DraftInput {
  readonly thread: number;
  readonly line: number;
  readonly assignments: Assignment[];
}

type Assignment = Extract<BackendStep, { kind: 'assignment' }>;

class RunReader {
  readonly #source: RunSource;
  readonly #lines: readonly (EmittedLine | null)[];
  /** By line, from 0. */
  readonly #places: readonly Loc[];
  readonly #threads: ReadonlyMap<string, number>;
  readonly #tellsLocations: boolean;
  readonly #segments: Draft[] = [];
  readonly #inputs: DraftInput[] = [];
  readonly #allocations: RunAllocation[] = [];
  readonly #stores: RunStore[] = [];
  readonly #arrivals: RunArrival[] = [];
  /** The turn, and the stores that arrive in later ones. */
  #turn = 0;
  #late: { readonly thread: number; readonly number: number; readonly arrives: number }[] = [];
  /** The line of the last call; 0 where there is none yet. */
  #callLine = 0;
  readonly #created: number[] = [0];
  /** By thread: where its last call stopped, and where its next one stops. */
  readonly #pc = new Map<number, number>();
  #stop = 0;
  /** Of the schema ul: what `__lazuli_s` is, and the label that the thread has come to and may yet stop at. */
  #mode: string | null = null;
  #arrived: number | null = null;
  /** The schedule has ended, and these threads try their next steps. */
  #isOver = false;
  readonly #guessed = new Map<string, Set<number>>();
  /** The line whose drawn value is being told; 0 for none. */
  #drawing = 0;

  constructor(source: RunSource) {
    this.#source = source;
    this.#lines = readLines(source.output, source.drawing);
    this.#places = source.output.lineMap.flat();
    this.#threads = new Map(source.output.threads.map(({ functionName, number }) => [functionName, number]));
    this.#tellsLocations = source.steps.some(({ kind }) => kind === 'location');
  }

  /** Returns the failure, if the step is one. */
  read(step: BackendStep): RunFailure | null {
    if (this.#isOver) return this.#readEnd(step);
    switch (step.kind) {
      case 'call': {
        const thread = this.#threads.get(step.callee);
        if (thread !== undefined) this.#begin(thread);
        if (step.line > 0) this.#callLine = step.line;
        return null;
      }
      case 'allocation': {
        const at = this.#lines[this.#callLine - 1];
        if (at) this.#allocations.push({ thread: at.thread, object: step.object, contents: step.contents });
        return null;
      }
      case 'return':
        return null;
      case 'assignment':
        this.#readControl(step);
        this.#readArrival(step);
        this.#readInput(step);
        this.#readPlace(step.line, false);
        return null;
      case 'location':
        // In a loop, the line draws again.
        this.#drawing = 0;
        this.#readPlace(step.line, true);
        return null;
      case 'failure': {
        const { description } = this.#source;
        const at = this.#lines[step.line - 1];
        if (!at) return null;
        const loc = this.#places[step.line - 1] ?? NOWHERE;
        return { ...readCheck(step.description || description), thread: at.thread, loc };
      }
    }
  }

  /** The schedule has ended, and threads try their next steps (sequentialize/ask-deadlock.ts). */
  #readEnd(step: BackendStep): RunFailure | null {
    if (step.kind === 'assignment') this.#readGuess(step);
    if (step.kind !== 'failure') return null;
    return { ...readCheck(step.description || this.#source.description), thread: 0, loc: NOWHERE };
  }

  /** Which threads are guessed to wait, or to race. */
  #readGuess({ target, value }: Assignment): void {
    const [, name, number] = GUESS.exec(target) ?? [];
    if (name === undefined) return;
    const threads = this.#guessed.get(name) ?? new Set();
    this.#guessed.set(name, threads);
    if (value === '0' || value === 'FALSE') threads.delete(Number(number));
    else threads.add(Number(number));
  }

  #begin(thread: number): void {
    if (this.#mode !== null) {
      if (this.#segments.at(-1)?.thread !== thread) this.#segments.push({ thread, labels: [], stop: null });
      return;
    }
    // The schema lazy2 calls the functions of threads that do not exist yet, and holds them at their start.
    if (this.#stop === 0 && !this.#created.includes(thread)) return;
    const size = this.#source.output.threads[thread]?.size ?? 0;
    const stop = this.#stop >= size ? null : this.#stop;
    const last = this.#segments.at(-1);
    const isInterrupted = this.#arrivals.at(-1)?.segment === this.#segments.length;
    if (last?.thread === thread && !isInterrupted) last.stop = stop;
    else this.#segments.push({ thread, labels: [], stop });
  }

  /** The variables that say when stores reach memory. */
  #readArrival({ target, value, inFunction, line }: Assignment): void {
    if (inFunction === '' || line === 0) return;
    if (target === '__lazuli_now') this.#beginTurn(Number(value));
    const [, thread, number] = /^__lazuli_arrives_(\d+)_(\d+)$/.exec(target) ?? [];
    if (number === undefined) return;
    const store = { thread: Number(thread), number: Number(number) };
    const arrives = Number(value);
    this.#stores.push({ ...store, isAtOnce: arrives === this.#turn });
    if (arrives > this.#turn) this.#late.push({ ...store, arrives });
  }

  /** In the order in which the emitted program lets them arrive. */
  #beginTurn(turn: number): void {
    this.#turn = turn;
    const now = this.#late.filter(({ arrives }) => arrives === turn);
    if (now.length === 0) return;
    this.#late = this.#late.filter(({ arrives }) => arrives !== turn);
    now.sort((one, other) => one.thread - other.thread || one.number - other.number);
    const segment = this.#segments.length;
    for (const { thread, number } of now) this.#arrivals.push({ thread, number, segment });
  }

  /** The variables that say how far threads go and which there are. */
  #readControl(step: Assignment): void {
    const { target, value, inFunction, line } = step;
    const [, name, separate, index] = CONTROL.exec(target) ?? [];
    const isInitial = inFunction === '' || line === 0;
    if (target === PROBES && !isInitial) this.#isOver = true;
    this.#readGuess(step);
    if (name === undefined || isInitial) return;
    if (name === 's') this.#setMode(value, line);
    const thread = Number(separate ?? index ?? 0);
    if (name === 'cs') this.#stop = Number(value);
    else if (name === 's') return;
    else if (name === 'pc') this.#pc.set(thread, Number(value));
    else if (value !== '0' && !this.#created.includes(thread)) this.#created.push(thread);
  }

  /** A thread that is resumed has come to the label of this line; one that is suspended stops at it. */
  #setMode(mode: string, line: number): void {
    this.#mode = mode;
    const at = this.#lines[line - 1];
    const last = this.#segments.at(-1);
    if (mode === EXECUTE && at?.isControl) this.#arrived = at.label;
    if (mode !== SUSPEND || !at || !last) return;
    this.#arrived = null;
    last.stop = at.label === this.#source.output.threads[at.thread]?.size ? null : at.label;
  }

  /** The label that the thread has come to is carried out. */
  #passLabel(): void {
    if (this.#arrived !== null) this.#segments.at(-1)?.labels.push(this.#arrived);
    this.#arrived = null;
  }

  #readModePlace({ label, isControl }: EmittedLine, isLocation: boolean): void {
    if (isControl && !isLocation) return;
    this.#passLabel();
    if (isControl && this.#mode === EXECUTE) this.#arrived = label;
  }

  #readPlace(line: number, isLocation: boolean): void {
    const at = this.#lines[line - 1];
    if (!at) return;
    if (this.#mode !== null) {
      this.#readModePlace(at, isLocation);
      return;
    }
    let last = this.#segments.at(-1);
    if (last?.thread !== at.thread) {
      // A backend that tells no calls.
      this.#begin(at.thread);
      last = this.#segments.at(-1);
    }
    const isWithin = at.label >= (this.#pc.get(at.thread) ?? 0) && at.label < this.#stop;
    const isCarriedOut = isLocation ? at.isJump : !this.#tellsLocations;
    if (last && isCarriedOut && isWithin && last.labels.at(-1) !== at.label) last.labels.push(at.label);
  }

  /** A declaration is told twice, without and with its value; so is a drawn value. */
  #readInput(step: Assignment): void {
    const { line, inFunction } = step;
    const at = this.#lines[line - 1];
    if (!at || (inFunction === '' && !isDrawn(step))) return;
    const last = this.#inputs.at(-1);
    if (!at.draws) this.#drawing = 0;
    else if (this.#drawing === line) last?.assignments.push(step);
    else {
      this.#inputs.push({ thread: at.thread, line, assignments: [step] });
      this.#drawing = line;
    }
  }

  finish(failure: RunFailure): BackendRun {
    this.#passLabel();
    const last = this.#segments.at(-1);
    if (last && !this.#isOver) last.stop = null;
    const inputs = this.#inputs.map((draft) => this.#toInput(draft));
    const run = {
      segments: this.#segments,
      inputs,
      allocations: this.#allocations,
      stores: this.#stores,
      arrivals: this.#arrivals,
      created: this.#created,
      failure,
    };
    const guessed = (name: string) => [...(this.#guessed.get(name) ?? [])];
    if (failure.check === 'race') return { ...run, race: [...guessed(FIRST), ...guessed(SECOND)] };
    return failure.check === 'deadlock' ? { ...run, deadlock: [...guessed(WAITING), ...this.#ended()] } : run;
  }

  /** The threads that have come to their last labels. */
  #ended(): number[] {
    const { threads } = this.#source.output;
    return threads.flatMap(({ number, size }) => (this.#pc.get(number) === size ? [number] : []));
  }

  /** Where the line computes with the value, CBMC names the drawn value itself. */
  #toInput({ thread, line, assignments }: DraftInput): RunInput {
    const loc = this.#places[line - 1] ?? NOWHERE;
    const target = assignments.findLast((step) => !isDrawn(step))?.target ?? '';
    const value = (assignments.findLast(isDrawn) ?? assignments.at(-1))?.value ?? '0';
    return { thread, loc, target, value };
  }
}

const CONTROL = /^__lazuli_(pc|cs|active|created|s)(?:_(\d+)|\[(\d+)\])?$/;

const GUESS = new RegExp(`^(${[WAITING, FIRST, SECOND].join('|')})(\\d+)$`);

/** The modes of the schema ul, as traces tell them. */
const EXECUTE = '1';
const SUSPEND = '2';

function isDrawn({ target }: Assignment): boolean {
  return target.startsWith('return_value_');
}

/** By line, from 0; null for lines that are no statements of thread functions. */
function readLines({ text, threads }: Sequentialized, drawing: string): (EmittedLine | null)[] {
  const starts = new Map(threads.map(({ functionName, number }) => [`static void ${functionName}(void) {`, number]));
  let thread: number | null = null;
  let label = -1;
  return text.split('\n').map((line) => {
    const started = starts.get(line);
    if (started !== undefined) {
      thread = started;
      label = -1;
    }
    if (line === '}') thread = null;
    const jump = /^\s*__lazuli_J\((?:\d+, )?(\d+), \d+\);$/.exec(line);
    const control = /^\s*__lazuli_(?:CONTR|END)\(\d+, (\d+)\);?$/.exec(line);
    const found = jump ?? control;
    if (found) label = Number(found[1]);
    if (thread === null || label < 0) return null;
    return {
      thread,
      label,
      isJump: jump !== null,
      isControl: control !== null,
      draws: line.includes(` ${drawing}`) || line.includes(`)${drawing}`),
    };
  });
}
