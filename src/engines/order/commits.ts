/**
 * Under TSO and PSO a delayed store has two events: its step, which its own thread sees at once, and its *commit*, when
 * it reaches memory and the others see it. Commits stand in chains of their own, numbered after the threads; what is in
 * one chain comes in its order. All stores of a thread are one chain under TSO. Under PSO those that surely go to one
 * and the same cell are, and a store through a pointer, which may go to several, is a chain of its own.
 *
 * A commit comes after its step, and before every step of its thread that waits for the buffer (a drain). Under PSO a
 * store comes after older ones to its cell, a release store after all older ones, and a release fence stands between
 * what is before and behind it. Where guards decide whether that is so, it is said by clauses, otherwise by edges.
 *
 * A store whose guard is false has a commit that does nothing. It is ordered like the others, which excludes no
 * execution: put it right behind its step and what has to come before it. What has to come after it has to come after
 * all those, too. (Not so for what a release store alone demands, which therefore needs its guard.)
 */

import type { Access, CellId, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import { contradict } from '../../values/contradict.ts';
import type { Term } from '../../values/terms.ts';
import type { Edge, StepRef } from './must-order.ts';

/** Where all conditions hold, one event comes before the other. The later one is passed, or nothing is said. */
export interface ConditionalEdge extends Edge {
  readonly conditions: readonly Term[];
}

type Write = Extract<Access, { kind: 'write' }>;

/** A delayed store with its commit. */
interface Store {
  readonly step: number;
  readonly guard: Term;
  /** For each cell: that the store goes there. */
  readonly cells: ReadonlyMap<CellId, Term>;
  readonly isRelease: boolean;
  readonly commit: StepRef;
}

export class Commits {
  /** How many events each thread, and behind the threads each chain, has. */
  readonly sizes: readonly number[];
  readonly edges: Edge[] = [];
  readonly conditional: ConditionalEdge[] = [];
  readonly #program: SteppedProgram;
  /** The stores of each chain. */
  readonly #chains: StepRef[][] = [];
  readonly #byStep = new Map<string, StepRef>();

  constructor(program: SteppedProgram) {
    this.#program = program;
    for (const thread of program.threads) {
      const stores = this.#collect(thread);
      for (const { step, commit } of stores) this.edges.push({ from: { thread: thread.index, step }, to: commit });
      if (program.memoryModel === 'pso') this.#orderPartly(thread, stores);
      this.#drain(thread, stores);
    }
    this.sizes = [...program.threads.map(({ steps }) => steps.length), ...this.#chains.map(({ length }) => length)];
  }

  /** The commit of the store that a step makes; null when it makes none that is delayed. */
  commitOf({ thread, step }: StepRef): StepRef | null {
    return this.#byStep.get(`${thread} ${step}`) ?? null;
  }

  /** The step whose store an event commits; null when it is no commit. */
  storeOf({ thread, step }: StepRef): StepRef | null {
    return this.#chains[thread - this.#program.threads.length]?.[step] ?? null;
  }

  // -------------------------------------------------------------- building

  #collect({ index, steps }: SteppedThread): Store[] {
    const isTso = this.#program.memoryModel === 'tso';
    const chains = new Map<CellId | null, number>();
    const stores: Store[] = [];
    for (const [step, { guard, accesses }] of steps.entries()) {
      const writes = accesses.filter((access): access is Write => access.kind === 'write' && access.isDelayed);
      const [first] = writes;
      if (!first) continue;
      const cells = this.#cellsOf(writes);
      const commit = this.#append({ thread: index, step }, chains, isTso ? null : onlyKey(cells));
      const { mode } = first;
      const isRelease = mode.kind === 'atomic' && mode.order !== 'relaxed' && mode.order !== 'acquire';
      stores.push({ step, guard, cells, isRelease, commit });
      this.#byStep.set(`${index} ${step}`, commit);
    }
    return stores;
  }

  /** Puts a store at the end of the chain with this key; without a key, into one of its own. */
  #append(store: StepRef, chains: Map<CellId | null, number>, key: CellId | null | undefined): StepRef {
    const known = key === undefined ? undefined : chains.get(key);
    const chain = known ?? this.#chains.length;
    if (known === undefined) this.#chains.push([]);
    if (key !== undefined) chains.set(key, chain);
    const list = this.#chains[chain] as StepRef[];
    list.push(store);
    return { thread: this.#program.threads.length + chain, step: list.length - 1 };
  }

  #cellsOf(writes: readonly Write[]): Map<CellId, Term> {
    const { graph } = this.#program;
    const cells = new Map<CellId, Term>();
    for (const { targets } of writes) {
      for (const { cell, select } of targets) cells.set(cell, graph.or(cells.get(cell) ?? graph.false, select));
    }
    return cells;
  }

  #order(from: Store, to: StepRef, conditions: readonly Term[]): void {
    const { graph } = this.#program;
    const open = conditions.filter((condition) => !graph.isTrue(condition));
    if (open.some((condition) => graph.isFalse(condition))) return;
    if (open.length === 0) this.edges.push({ from: from.commit, to });
    else this.conditional.push({ from: from.commit, to, conditions: open });
  }

  /** PSO: stores of one cell, release stores, release fences. */
  #orderPartly({ fences }: SteppedThread, stores: readonly Store[]): void {
    const releasing = fences.filter(({ order }) => order !== 'acquire' && order !== 'relaxed');
    for (const [at, store] of stores.entries()) {
      const older = stores.slice(0, at).filter(({ commit }) => commit.thread !== store.commit.thread);
      for (const before of older) {
        for (const [cell, here] of store.cells) {
          const there = before.cells.get(cell);
          if (there !== undefined) this.#order(before, store.commit, [store.guard, here, before.guard, there]);
        }
      }
      if (!store.isRelease) continue;
      for (const before of lastOfChains(older)) this.#order(before, store.commit, [store.guard]);
    }
    for (const { step, guard } of releasing) {
      const after = firstOfChains(stores.filter((store) => store.step > step));
      for (const before of lastOfChains(stores.filter((store) => store.step <= step))) {
        for (const { commit } of after) {
          if (commit.thread !== before.commit.thread) this.#order(before, commit, [guard]);
        }
      }
    }
  }

  /** Steps that wait until everything before has arrived: what is new in each chain since the last such step. */
  #drain({ index, steps }: SteppedThread, stores: readonly Store[]): void {
    const { graph } = this.#program;
    let first = 0;
    for (const [step, { drains, creation, guard }] of steps.entries()) {
      if (!drains && !creation) continue;
      const pending = stores.slice(first).filter((store) => store.step < step);
      // No store that is made is left pending by the step that does not take part.
      const always = pending.every((store) =>
        contradict(graph, [
          { term: store.guard, truth: true },
          { term: guard, truth: false },
        ]),
      );
      for (const store of lastOfChains(pending))
        this.#order(store, { thread: index, step }, [always ? graph.true : guard]);
      if (always) first += pending.length;
    }
  }
}

/** Undefined when there are several. */
function onlyKey(cells: ReadonlyMap<CellId, Term>): CellId | undefined {
  const [only] = cells.keys();
  return cells.size === 1 ? only : undefined;
}

function lastOfChains(stores: readonly Store[]): Store[] {
  return [...new Map(stores.map((store) => [store.commit.thread, store])).values()];
}

function firstOfChains(stores: readonly Store[]): Store[] {
  return lastOfChains(stores.toReversed());
}
