/**
 * The state of one thread at one point of its symbolic execution: a path condition and what the paths that lead here
 * have made of registers and of memory. Where paths meet, states are merged: values that differ become choices on what
 * distinguishes the paths.
 *
 * Who owns it: a state belongs to the executor of one thread. `forkState` copies it before two paths go on.
 */

import { ForkMap } from '../support/fork-map.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { joinSets } from '../values/value-set.ts';
import { mergeWritten, type WrittenCells } from './first-contents.ts';
import type { StepBuilder } from './step-builder.ts';
import { mergeSums, type Sums } from './sums.ts';

/**
 * An atomic section: all its visible accesses belong to one step, whatever paths they lie on. Shared by the states of
 * all paths since its begin, so that the step that one of them opens serves the others too.
 */
export interface AtomicSection {
  /** Null until the first visible access. */
  step: StepBuilder | null;
  /** What it is a section of: a single access, the program's text, or a thread routine. */
  readonly kind: SectionKind;
}

export type SectionKind = 'access' | 'program' | 'model';

export interface State {
  guard: Term;
  /** Registers of the current activation; undefined where nothing was stored yet. */
  registers: (Term | undefined)[];
  /** Values of memory cells that this thread knows for sure: those that only it can write. By cell id. */
  memory: ForkMap<number, Term>;
  /** What passed conditions tell about terms: the term to use instead. */
  refinements: ForkMap<Term, Term>;
  /** A thread may have been created on a path to here. */
  spawned: boolean;
  /** How many this thread has created on the paths to here; null where that depends on the path. */
  created: number | null;
  /**
   * Objects that the thread made on the paths to here, by id, not counting those of main before the first thread.
   * Copied on change.
   */
  made: ReadonlySet<number>;
  /** Those of them of which others may know the address. Copied on change. */
  published: ReadonlySet<number>;
  /** Those whose address was made into something else that tells it (carried-addresses.ts). Copied on change. */
  disguised: ReadonlySet<number>;
  /** Depth of atomic sections. */
  atomicDepth: number;
  /** The atomic section that is open; null outside of sections. */
  section: AtomicSection | null;
  /** How far this thread has moved the cells that only count, on the paths to here. By cell id. */
  sums: ReadonlyMap<number, Sums>;
  /** Values of shared cells as they stand in the open atomic section. By cell id. */
  sectionMemory: Map<number, Term>;
  /** Cells that this thread, or one before its creation, has certainly written for all to see (first-contents.ts). */
  written: WrittenCells;
}

export function initialState(graph: TermGraph, spawned: boolean, written: WrittenCells = new ForkMap()): State {
  return {
    guard: graph.true,
    registers: [],
    memory: new ForkMap(),
    refinements: new ForkMap(),
    spawned,
    created: 0,
    made: new Set(),
    published: new Set(),
    disguised: new Set(),
    atomicDepth: 0,
    section: null,
    sums: new Map(),
    sectionMemory: new Map(),
    written,
  };
}

export function forkState(state: State): State {
  return {
    ...state,
    registers: [...state.registers],
    memory: state.memory.fork(),
    refinements: state.refinements.fork(),
    sectionMemory: new Map(state.sectionMemory),
    written: state.written.fork(),
  };
}

/**
 * One state for two paths that meet. `initialOf` gives the value that a cell has where a state does not mention it. The
 * caller has made sure that both agree on `spawned`, `published` and atomic sections: at most one section of the two
 * has a step, or they are the same.
 */
export function mergeStates(graph: TermGraph, a: State, b: State, initialOf: (cell: number) => Term): State {
  const choose = distinguish(graph, a.guard, b.guard);
  const pick = (x: Term | undefined, y: Term | undefined) =>
    x === undefined ? y : y === undefined ? x : graph.ite(choose, x, y);
  const registers: (Term | undefined)[] = [];
  for (let i = 0; i < Math.max(a.registers.length, b.registers.length); i++)
    registers.push(pick(a.registers[i], b.registers[i]));
  const memory = a.memory.fork();
  for (const cell of a.memory.differingKeys(b.memory)) {
    const [x, y] = [a.memory.get(cell), b.memory.get(cell)];
    if (x !== y) memory.set(cell, graph.ite(choose, x ?? initialOf(cell), y ?? initialOf(cell)));
  }
  const sectionMemory = new Map<number, Term>();
  for (const [cell, value] of a.sectionMemory) {
    const other = b.sectionMemory.get(cell);
    if (other !== undefined) sectionMemory.set(cell, graph.ite(choose, value, other));
  }
  const refinements = a.refinements.fork();
  for (const term of a.refinements.differingKeys(b.refinements)) {
    const [x, y] = [a.refinements.get(term), b.refinements.get(term)];
    if (x !== y) joinRefinements(graph, refinements, term, x, y);
  }
  return {
    guard: graph.or(a.guard, b.guard),
    registers,
    memory,
    refinements,
    spawned: a.spawned || b.spawned,
    created: a.created === b.created ? a.created : null,
    made: a.made === b.made ? a.made : new Set([...a.made, ...b.made]),
    published: a.published === b.published ? a.published : new Set([...a.published, ...b.published]),
    disguised: a.disguised === b.disguised ? a.disguised : new Set([...a.disguised, ...b.disguised]),
    atomicDepth: a.atomicDepth,
    section: a.section?.step ? a.section : b.section,
    sums: mergeSums(a.sums, b.sums),
    sectionMemory,
    written: mergeWritten(a.written, b.written),
  };
}

/** What is known of a term where two paths meet: it lies in what one of them knows or in what the other does. */
function joinRefinements(
  graph: TermGraph,
  refinements: State['refinements'],
  term: Term,
  x: Term | undefined,
  y: Term | undefined,
): void {
  const known =
    x === undefined || y === undefined ? term : graph.refine(term, joinSets(graph.setOf(x), graph.setOf(y)));
  if (known === term) refinements.delete(term);
  else refinements.set(term, known);
}

/** A condition that holds on the paths of `a` and not on those of `b`, as short as the guards allow. */
function distinguish(graph: TermGraph, a: Term, b: Term): Term {
  const others = new Set(graph.conjuncts(b));
  for (const part of graph.conjuncts(a)) if (others.has(graph.not(part))) return part;
  return a;
}
