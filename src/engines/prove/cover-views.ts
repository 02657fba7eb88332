/**
 * A proof by enumeration for threads of any number: all *views* of a few threads. A view is what fixed threads and
 * shared variables are, and where a few threads of replicated bodies stand, with what they hold. Kept are all views
 * that some state of the program may have; the others are excluded, so that this is the strongest invariant in clauses
 * about so many threads. Where few values are possible at all, it is found sooner than clauses are: tickets that are
 * counted round, flags and turns.
 *
 * Why it is sound: of every state that is reached, all views are kept. At first no thread exists, and that view is
 * kept. A step changes what is shared and one thread. Of a view after it, take the same threads before, and the one
 * that moved, if it is another: the views of all so many of them are kept, by induction, so that they are a
 * *configuration* from which the step was taken, and the view after it was kept. A thread that is created is in the
 * view from before its creation, as one that is idle; there are always more of these. Idle too are those that have
 * ended.
 *
 * Left alone: programs whose threads are known to one another by number, allocations that threads may hold, and
 * deadlocks, where a step looks at more than one thread. (P. Abdulla, F. Haziza, L. Holik: "All for the price of few",
 * VMCAI 2013.)
 */

import { invariant } from '../../support/invariant.ts';
import type { Term } from '../../values/terms.ts';
import type { CoverResult } from './cover-states.ts';
import type { Body, Model } from './graph.ts';
import {
  hasFewInputs,
  open,
  type ReachedState,
  type SpawnedThread,
  StateSteps,
  type TakenStep,
  variablesOf,
} from './state-steps.ts';
import type { TransitionSystem } from './transition-system.ts';

const VIEWS_BETWEEN_POLLS = 8;

export interface ViewOptions {
  /** Of so many threads of replicated bodies. */
  readonly threads: number;
  readonly mostViews: number;
  /** Throws when time is up. */
  readonly poll: () => void;
}

/** Why the model's threads cannot be seen each for itself; null where they can. */
export function findBound(model: Model): string | null {
  if (model.peers.length > 0) return 'threads are joined';
  return model.heap === null ? null : 'threads hold allocations';
}

/** Of a system with one slot. The states of the result have one thread in that slot. */
export function coverViews(system: TransitionSystem, model: Model, options: ViewOptions): CoverResult {
  invariant(system.slots === 1 && findBound(model) === null, 'one slot stands for each thread');
  if (!hasFewInputs(system)) return open('too many values of an input');
  if (looksAtThreads(system, model)) return open('a step looks at several threads');
  return new ViewCover(system, model, options).run();
}

/** Whether a step of a fixed thread depends on the thread in the slot, or any on its number. */
function looksAtThreads({ graph, state, transitions }: TransitionSystem, { bodies }: Model): boolean {
  const numbers = new Set(bodies.map(({ self }) => self));
  if (state.some(({ variable }) => variable !== null && numbers.has(variable))) return true;
  const ofSlot = new Set<Term>(state.flatMap(({ slot, term }) => (slot === null ? [] : [term])));
  const isOfSlot = (term: Term) => ofSlot.has(term);
  return transitions.some((each) => {
    return (
      each.slot === null && ([...variablesOf(graph, each)].some(isOfSlot) || [...each.changes.keys()].some(isOfSlot))
    );
  });
}

/** What a thread's step comes to, in numbers of what is shared and of threads. */
interface Outcome {
  readonly shared: number;
  readonly thread: number;
  readonly spawned: readonly number[];
}

/** The threads of a view, in order of their numbers. */
interface View {
  readonly shared: number;
  readonly threads: readonly number[];
}

/** What a thread is that has no part in anything. */
const IDLE = 0;

class ViewCover {
  readonly #steps: StateSteps;
  readonly #model: Model;
  readonly #options: ViewOptions;
  /** The group and the values of the slot; all others are shared. */
  readonly #group: number;
  readonly #isLocal: readonly boolean[];
  readonly #first: ReachedState;
  readonly #shared: ReachedState[] = [];
  readonly #threads: ReachedState[] = [];
  readonly #numberOf = new Map<string, number>();
  readonly #outcomes = new Map<string, readonly Outcome[]>();
  /** By what is shared: keys of views, and threads that are seen in some of them. */
  readonly #seen: { readonly views: Set<string>; readonly threads: Set<number> }[] = [];
  readonly #queue: View[] = [];
  #failure: string | null = null;

  constructor(system: TransitionSystem, model: Model, options: ViewOptions) {
    this.#steps = new StateSteps(system);
    this.#model = model;
    this.#options = options;
    this.#group = this.#steps.groups.findIndex(([first]) => first?.slot === 0);
    this.#isLocal = this.#steps.variables.map(({ slot }) => slot === 0);
    this.#first = this.#steps.initial();
    this.#numberThread(this.#first);
  }

  run(): CoverResult {
    const { threads, mostViews, poll } = this.#options;
    this.#add({ shared: this.#numberShared(this.#first), threads: Array.from({ length: threads }, () => IDLE) });
    for (let i = 0; i < this.#queue.length && this.#failure === null; i++) {
      if (i % VIEWS_BETWEEN_POLLS === 0) poll();
      this.#follow(this.#queue[i] as View);
      if (this.#queue.length > mostViews) return open('too many views');
    }
    if (this.#failure !== null) return open(this.#failure);
    const states = this.#seen.flatMap(({ threads: seen }, shared) =>
      [...seen].map((thread) =>
        this.#join(this.#shared[shared] as ReachedState, this.#threads[thread] as ReachedState),
      ),
    );
    return { kind: 'covered', states, variables: this.#steps.variables, groups: this.#steps.groups };
  }

  // -------------------------------------------------------------- views

  #follow({ shared, threads }: View): void {
    for (const after of this.#outcomesOf(shared, null)) this.#addAll(after.shared, threads, after.spawned);
    for (const other of (this.#seen[shared] as { threads: Set<number> }).threads) {
      const all = [...threads, other];
      if (!this.#isConfiguration(shared, all)) continue;
      for (const [i, mover] of all.entries()) {
        if (mover === IDLE || all.indexOf(mover) < i) continue;
        for (const after of this.#outcomesOf(shared, mover))
          this.#addAll(after.shared, all.with(i, after.thread), after.spawned);
      }
    }
  }

  /** Whether the views of all threads but one are kept, whichever that is. */
  #isConfiguration(shared: number, threads: readonly number[]): boolean {
    const { views } = this.#seen[shared] as { views: Set<string> };
    return threads.every((each, i) => threads.indexOf(each) < i || views.has(keyOf(threads.toSpliced(i, 1))));
  }

  /** All views of these threads, where created ones may be among those that were idle. */
  #addAll(shared: number, threads: readonly number[], spawned: readonly number[]): void {
    const [created, ...more] = spawned;
    const idle = created === undefined ? -1 : threads.indexOf(IDLE);
    if (created !== undefined) this.#addAll(shared, threads, more);
    if (created !== undefined && idle !== -1) this.#addAll(shared, threads.with(idle, created), more);
    if (created !== undefined) return;
    if (threads.length === this.#options.threads) this.#add({ shared, threads });
    else for (const i of threads.keys()) this.#add({ shared, threads: threads.toSpliced(i, 1) });
  }

  /** And those in which somebody is not seen. */
  #add({ shared, threads }: View): void {
    const key = keyOf(threads);
    this.#seen[shared] ??= { views: new Set(), threads: new Set() };
    const seen = this.#seen[shared];
    if (seen.views.has(key)) return;
    seen.views.add(key);
    for (const each of threads) seen.threads.add(each);
    this.#queue.push({ shared, threads });
    for (const [i, each] of threads.entries()) if (each !== IDLE) this.#add({ shared, threads: threads.with(i, IDLE) });
  }

  // -------------------------------------------------------------- steps

  /** Of a thread, or of all fixed ones with null. */
  #outcomesOf(shared: number, thread: number | null): readonly Outcome[] {
    const key = `${shared} ${thread}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const found: Outcome[] = [];
    const slot = thread === null ? null : 0;
    const state = this.#join(this.#shared[shared] as ReachedState, this.#threads[thread ?? IDLE] as ReachedState);
    const listener = (taken: TakenStep) => {
      found.push({
        shared: this.#numberShared(taken.state),
        thread: this.#numberThread(taken.state),
        spawned: taken.spawned.map((each) => this.#numberSpawned(each)),
      });
      return null;
    };
    this.#failure ??= this.#steps.follow(state, listener, slot);
    this.#outcomes.set(key, found);
    return found;
  }

  /** A new thread of a body, with its argument. */
  #numberSpawned({ body: id, argument }: SpawnedThread): number {
    const { argument: given, entry } = this.#model.bodies[id] as Body;
    const counters = this.#steps.groups[this.#group] as StateSteps['groups'][number];
    const at = this.#first.at.with(
      this.#group,
      counters.findIndex(({ pc }) => pc?.body === id && pc.node === entry),
    );
    const values = this.#steps.variables.map(({ variable, slot }, i) =>
      slot === 0 && variable === given ? argument : (this.#first.values[i] as bigint | null),
    );
    return this.#numberThread({ at, values });
  }

  // -------------------------------------------------------------- numbers

  #numberShared({ at, values }: ReachedState): number {
    const own = this.#join({ at, values }, this.#first);
    return this.#number('shared', this.#shared, own);
  }

  #numberThread({ at, values }: ReachedState): number {
    const counters = this.#steps.groups[this.#group] as StateSteps['groups'][number];
    if (this.#threads.length > 0 && counters[at[this.#group] as number]?.pc?.state === 'ended') return IDLE;
    return this.#number('thread', this.#threads, this.#join(this.#first, { at, values }));
  }

  #number(what: string, among: ReachedState[], state: ReachedState): number {
    const key = `${what} ${state.at.join()} ${state.values.join()}`;
    const known = this.#numberOf.get(key) ?? among.length;
    if (known < among.length) return known;
    among.push(state);
    this.#numberOf.set(key, known);
    return known;
  }

  /** What is shared of one, and the thread of the other. */
  #join(shared: ReachedState, thread: ReachedState): ReachedState {
    return {
      at: shared.at.with(this.#group, thread.at[this.#group] as number),
      values: shared.values.map((value, i) => (this.#isLocal[i] ? (thread.values[i] as bigint | null) : value)),
    };
  }
}

function keyOf(threads: readonly number[]): string {
  return threads.toSorted((a, b) => a - b).join();
}
