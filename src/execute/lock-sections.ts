/**
 * Locks, as the steps show them: a cell that is taken only where it was found free, in one step, and freed only by the
 * thread that holds it. Between the two lies a *section*. Two sections of one lock never overlap: either all steps of
 * the first come before all of the second or the other way round, and the first was left before the second is entered.
 * So one question orders all their steps (order.ts), whatever they access.
 *
 * What is looked for: the cell has a constant first value, *free*. A thread writes another constant only where a read
 * in the same step saw *free* (assumed, or on the path), and holds the lock from then on. It writes *free* only while
 * it holds the lock. Anything else, and the cell is no lock but memory like any other.
 *
 * If every read of the cell is of one of these kinds, it tells nobody anything but whether he may enter: then the order
 * of the sections says it all, and reads need not be tied to writes (`isClosed`). A failed trylock is another kind.
 *
 * Which paths hold the lock is decided by the guards' Boolean skeleton (contradict.ts). Where paths meet that entered
 * it in different places, as after a loop around a condition variable, one of several sections is left, each on its
 * paths.
 */

import { isWeak } from '../program/memory-model.ts';
import { type Assumed, contradict } from '../values/contradict.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { readTest } from './read-test.ts';
import type { Access, Assumption, CellId, SteppedProgram, SteppedThread } from './steps.ts';

export interface LockSection {
  readonly lock: CellId;
  readonly thread: number;
  /** The step that enters it, and under which guard. */
  readonly acquire: number;
  readonly guard: Term;
  /** What the cell holds in the section. */
  readonly value: Term;
  /** The ways out, in program order. There may be none. */
  readonly releases: readonly { readonly step: number; readonly guard: Term }[];
}

/** A read by the thread that holds the lock. */
export interface HolderRead {
  readonly thread: number;
  readonly step: number;
  readonly access: Access;
  /** What the holder wrote. */
  readonly value: Term;
}

interface Lock {
  readonly cell: CellId;
  readonly sections: readonly LockSection[];
  readonly holderReads: readonly HolderRead[];
  readonly isClosed: boolean;
}

export class LockSections {
  readonly locks: readonly Lock[];
  readonly #graph: TermGraph;
  readonly #byThread = new Map<number, LockSection[]>();

  constructor(graph: TermGraph, locks: readonly Lock[]) {
    this.#graph = graph;
    this.locks = locks;
    for (const section of locks.flatMap(({ sections }) => sections)) {
      const known = this.#byThread.get(section.thread);
      if (known) known.push(section);
      else this.#byThread.set(section.thread, [section]);
    }
  }

  /** Of each lock that the thread surely holds when it comes to this step under this guard, the section. */
  around(thread: number, step: number, guard: Term): LockSection[] {
    return (this.#byThread.get(thread) ?? []).filter(
      (section) => section.acquire <= step && isHeld(this.#graph, section, guard, step),
    );
  }

  /** The thread surely holds the lock there, in one section of it or in another. */
  isHeld(thread: number, step: number, guard: Term, lock: CellId): boolean {
    const sections = (this.#byThread.get(thread) ?? []).filter((each) => each.lock === lock && each.acquire <= step);
    const isOutside = sections.map((section) => ({ term: insideOf(this.#graph, section, step), truth: false }));
    return sections.length > 0 && contradict(this.#graph, [{ term: guard, truth: true }, ...isOutside]);
  }
}

/** When the section is entered and not left in a step before this one. */
function insideOf(graph: TermGraph, { guard, releases }: LockSection, step: number): Term {
  const isLeft = releases.filter((release) => release.step < step).map((release) => release.guard);
  return graph.and(guard, graph.not(graph.orAll(isLeft)));
}

/** Whoever comes to the step under the guard is in the section: entered it, and did not leave it in an earlier step. */
function isHeld(graph: TermGraph, section: LockSection, guard: Term, step: number): boolean {
  const here: Assumed = { term: guard, truth: true };
  if (!contradict(graph, [here, { term: section.guard, truth: false }])) return false;
  return section.releases.every(
    (release) => release.step >= step || contradict(graph, [here, { term: release.guard, truth: true }]),
  );
}

/** Nobody comes here under the guard who is in the section. */
function isLeft(graph: TermGraph, section: LockSection, guard: Term): boolean {
  return contradict(graph, [
    { term: guard, truth: true },
    { term: section.guard, truth: true },
    ...section.releases.map((release) => ({ term: release.guard, truth: false })),
  ]);
}

interface LockAccess {
  readonly step: number;
  readonly access: Access;
}

export function findLockSections(program: SteppedProgram): LockSections {
  const accesses = new Map<CellId, LockAccess[][]>();
  for (const { index, steps } of program.threads) {
    for (const [step, { accesses: list }] of steps.entries()) {
      for (const access of list) {
        for (const { cell } of access.targets) {
          const known = accesses.get(cell) ?? program.threads.map(() => []);
          accesses.set(cell, known);
          known[index]?.push({ step, access });
        }
      }
    }
  }
  const locks = program.cells.flatMap(({ id, initial }) => {
    const free = program.graph.constantOf(initial);
    const lists = accesses.get(id);
    const lock = free === null || !lists ? null : new LockFinder(program, id, free).find(lists);
    return lock ? [lock] : [];
  });
  return new LockSections(program.graph, locks);
}

type OpenLockSection = LockSection & { readonly releases: { step: number; guard: Term }[] };

class LockFinder {
  readonly #program: SteppedProgram;
  readonly #graph: TermGraph;
  readonly #cell: CellId;
  readonly #free: bigint;
  readonly #sections: OpenLockSection[] = [];
  readonly #holderReads: HolderRead[] = [];
  #isClosed = true;

  constructor(program: SteppedProgram, cell: CellId, free: bigint) {
    this.#program = program;
    this.#graph = program.graph;
    this.#cell = cell;
    this.#free = free;
  }

  find(lists: readonly (readonly LockAccess[])[]): Lock | null {
    const isPlain = ({ access: { targets } }: LockAccess) =>
      targets.length === 1 && this.#graph.isTrue(targets[0]?.select as Term);
    if (!lists.every((list) => list.every(isPlain))) return null;
    for (const [t, list] of lists.entries()) {
      if (!this.#walk(this.#program.threads[t] as SteppedThread, list)) return null;
    }
    if (this.#sections.length === 0) return null;
    return { cell: this.#cell, sections: this.#sections, holderReads: this.#holderReads, isClosed: this.#isClosed };
  }

  /** False when the thread does not use the cell as a lock. */
  #walk(thread: SteppedThread, list: readonly LockAccess[]): boolean {
    const own: OpenLockSection[] = [];
    const entering = new Set<Access>();
    for (const [i, item] of list.entries()) {
      const { step, access } = item;
      if (access.kind === 'read') {
        const writes = list.slice(i + 1).filter((other) => other.step === step && other.access.kind === 'write');
        if (writes.some((write) => this.#enters(thread, item, write))) entering.add(access);
        else this.#noteRead(thread, item, own);
        continue;
      }
      const value = this.#graph.constantOf(access.value);
      if (value === null || !this.#actsAtOnce(thread, item)) return false;
      if (value !== this.#free) {
        const reads = list.slice(0, i).filter((other) => entering.has(other.access) && other.step === step);
        if (!reads.some((read) => this.#enters(thread, read, item))) return false;
        if (!own.every((section) => isLeft(this.#graph, section, access.guard))) return false;
        own.push({
          lock: this.#cell,
          thread: thread.index,
          acquire: step,
          guard: access.guard,
          value: access.value,
          releases: [],
        });
        continue;
      }
      const inside = this.#holders(own, access.guard, step);
      if (inside.length === 0) return false;
      const isOnly = inside.length === 1;
      for (const { section, term } of inside)
        section.releases.push({ step, guard: isOnly ? access.guard : this.#graph.and(access.guard, term) });
    }
    for (const section of own) this.#sections.push(section);
    return true;
  }

  /** Under a weak memory model: what was stored in the section has arrived when it is left. */
  #actsAtOnce({ steps }: SteppedThread, { step, access }: LockAccess): boolean {
    if (!isWeak(this.#program.memoryModel) || access.kind === 'read') return true;
    return !access.isDelayed && steps[step]?.drains === true;
  }

  /**
   * Whenever the write happens, the read before it in the step saw the free value: that is assumed, or the write is
   * only made on such paths. Where an assertion of the step fails the assumption is void, so there must be none.
   */
  #enters(thread: SteppedThread, read: LockAccess, write: LockAccess): boolean {
    const graph = this.#graph;
    if (read.access.kind !== 'read' || write.access.kind !== 'write') return false;
    const { result, guard } = read.access;
    if (graph.constantOf(write.access.value) === this.#free) return false;
    if (thread.assertions.some(({ step }) => step === read.step)) return false;
    const here: Assumed = { term: write.access.guard, truth: true };
    if (!contradict(graph, [here, { term: guard, truth: false }])) return false;
    const isFree = (term: Term) => {
      const test = readTest(graph, term);
      return test !== null && test.variable === result && test.isEqual && test.constant === this.#free;
    };
    const assumed = thread.assumptions.some(
      (assumption: Assumption) =>
        assumption.step === read.step &&
        isFree(assumption.condition) &&
        contradict(graph, [here, { term: assumption.guard, truth: false }]),
    );
    if (assumed) return true;
    this.#isClosed = false;
    return conjunctsOf(graph, write.access.guard).some(isFree);
  }

  #noteRead(thread: SteppedThread, { step, access }: LockAccess, own: readonly OpenLockSection[]): void {
    const [holder, ...others] = this.#holders(own, access.guard, step);
    if (holder && others.every(({ section }) => section.value === holder.section.value)) {
      this.#holderReads.push({ thread: thread.index, step, access, value: holder.section.value });
    } else this.#isClosed = false;
  }

  /** Whoever comes to the step under the guard is in one of these sections, and when it is in which; none if unsure. */
  #holders(
    own: readonly OpenLockSection[],
    guard: Term,
    step: number,
  ): { readonly section: OpenLockSection; readonly term: Term }[] {
    const here: Assumed = { term: guard, truth: true };
    const inside = own
      .map((section) => ({ section, term: insideOf(this.#graph, section, step + 1) }))
      .filter(({ term }) => !contradict(this.#graph, [here, { term, truth: true }]));
    const isSure = contradict(this.#graph, [here, ...inside.map(({ term }) => ({ term, truth: false }))]);
    return isSure ? inside : [];
  }
}

function conjunctsOf(graph: TermGraph, guard: Term): Term[] {
  const parts: Term[] = [];
  const work = [guard];
  for (let term = work.pop(); term !== undefined; term = work.pop()) {
    if (graph.operationOf(term) === 'and') work.push(graph.operand(term, 0), graph.operand(term, 1));
    else parts.push(term);
  }
  return parts;
}
