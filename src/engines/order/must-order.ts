/**
 * What comes before what in every execution: program order, a thread's creation before its first step, and waiting
 * (a join): a step that is only passed when a cell has another value than at first comes after the first write that
 * can have made it so, if one thread alone writes the cell. `isBefore(a, b)` means: if b is passed, a has been passed
 * before. Order literals are made only for pairs that this leaves open.
 *
 * Commits of delayed stores are events, too, in chains behind the threads (commits.ts), with the edges that they have
 * in every execution.
 *
 * Kept as vector clocks: for each step, how many steps of each other thread are surely before it. Steps without an
 * incoming edge share their predecessor's clock. Waiting edges that close a circle (threads that join one another) are
 * all left out: no execution passes them, but that is the solver's business.
 */

import { type ReadTest, readTest } from '../../execute/read-test.ts';
import type { Access, CellId, Step, SteppedProgram } from '../../execute/steps.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import type { Commits } from './commits.ts';

/** A step by thread and index; or a commit, by its chain. */
export interface StepRef {
  readonly thread: number;
  readonly step: number;
}

export interface Edge {
  readonly from: StepRef;
  readonly to: StepRef;
}

type Clocks = readonly (readonly Int32Array[])[];

export class MustOrder {
  /** Creations, waiting and commits; program order is not among them. */
  readonly edges: readonly Edge[];
  readonly #clocks: Clocks;

  /** `isPlain`: without waiting. */
  constructor(program: SteppedProgram, commits: Commits, isPlain: boolean) {
    const created = [...creationEdges(program), ...commits.edges];
    const all = isPlain ? created : [...created, ...waitingEdges(program, commits)];
    const clocks = computeClocks(commits.sizes, all);
    this.edges = clocks ? all : created;
    this.#clocks = clocks ?? (computeClocks(commits.sizes, created) as Clocks);
  }

  /** If `b` is passed, `a` of another thread or chain has been passed before it. */
  isBefore(a: StepRef, b: StepRef): boolean {
    return (this.#clocks[b.thread]?.[b.step]?.[a.thread] ?? 0) > a.step;
  }
}

function creationEdges({ threads }: SteppedProgram): Edge[] {
  return threads.flatMap(({ index, spawn }) =>
    spawn ? [{ from: { thread: spawn.thread, step: spawn.step }, to: { thread: index, step: 0 } }] : [],
  );
}

/** Null when the edges close a circle. */
function computeClocks(sizes: readonly number[], edges: readonly Edge[]): Clocks | null {
  const incoming = new Map<string, StepRef[]>();
  for (const { from, to } of edges) {
    const key = `${to.thread} ${to.step}`;
    incoming.set(key, [...(incoming.get(key) ?? []), from]);
  }
  const none = new Int32Array(sizes.length);
  let clocks: Int32Array[][] = sizes.map((size) => Array.from({ length: size }, () => none));
  // Each turn carries what is known over one more edge.
  for (let turn = 0; turn <= edges.length + 1; turn++) {
    let changed = false;
    const next = sizes.map((size, index) => {
      let current: Int32Array = none;
      return Array.from({ length: size }, (_, l) => {
        for (const from of incoming.get(`${index} ${l}`) ?? []) {
          current = joined(current, clocks[from.thread]?.[from.step] ?? none, from);
        }
        if (!sameClock(current, clocks[index]?.[l] as Int32Array)) changed = true;
        return current;
      });
    });
    clocks = next;
    for (const index of sizes.keys()) {
      if (clocks[index]?.some((clock, l) => (clock[index] as number) > l)) return null;
    }
    if (!changed) return clocks;
  }
  return null;
}

/** The clock of a step after which `from`, with its own clock, is known to be before it. */
function joined(clock: Int32Array, other: Int32Array, from: StepRef): Int32Array {
  const result = clock.slice();
  for (const [t, count] of other.entries()) result[t] = Math.max(result[t] as number, count);
  result[from.thread] = Math.max(result[from.thread] as number, from.step + 1);
  return result;
}

function sameClock(a: Int32Array, b: Int32Array): boolean {
  return a === b || a.every((count, t) => count === b[t]);
}

// ---------------------------------------------------------------- waiting

interface CellWrites {
  /** The only thread that writes the cell; -1 when there are several. */
  thread: number;
  readonly writes: { readonly step: number; readonly value: Term }[];
}

/**
 * Steps that surely wait for another thread's write, as a join waits for the thread's end. They wait for the commit of
 * a delayed one, if all writes to the cell commit in one order.
 */
function waitingEdges(program: SteppedProgram, commits: Commits): Edge[] {
  const { graph } = program;
  const writes = collectWrites(program);
  const initial = new Map(program.cells.map((cell) => [cell.id, cell.initial]));
  const edges: Edge[] = [];
  for (const thread of program.threads) {
    const mayFail = new Set(thread.assertions.map(({ step }) => step));
    for (const { step, guard, condition } of thread.assumptions) {
      if (!graph.isTrue(guard) || mayFail.has(step)) continue;
      const test = readTest(graph, condition);
      const cell = test && cellReadBy(graph, thread.steps[step] as Step, test.variable);
      const known = cell === null ? undefined : writes.get(cell);
      if (!test || cell === null || !known || known.thread < 0 || known.thread === thread.index) continue;
      const first = initial.get(cell);
      if (first === undefined || canPass(graph, first, test)) continue;
      const write = known.writes.find(({ value }) => canPass(graph, value, test));
      if (!write) continue;
      const to = { thread: thread.index, step };
      const from = { thread: known.thread, step: write.step };
      const events = known.writes.map((each) => commits.commitOf({ thread: known.thread, step: each.step }));
      const isChain = events.every((event) => event !== null && event.thread === events[0]?.thread);
      edges.push({ from, to });
      if (isChain) edges.push({ from: commits.commitOf(from) as StepRef, to });
    }
  }
  return edges;
}

function collectWrites({ threads }: SteppedProgram): Map<CellId, CellWrites> {
  const found = new Map<CellId, CellWrites>();
  for (const { index, steps } of threads) {
    for (const [step, { accesses }] of steps.entries()) {
      for (const access of accesses) if (access.kind === 'write') noteWrite(found, index, step, access);
    }
  }
  return found;
}

function noteWrite(
  found: Map<CellId, CellWrites>,
  thread: number,
  step: number,
  access: Extract<Access, { kind: 'write' }>,
): void {
  for (const { cell } of access.targets) {
    const known = found.get(cell) ?? { thread, writes: [] };
    found.set(cell, known);
    if (known.thread !== thread) known.thread = -1;
    known.writes.push({ step, value: access.value });
  }
}

/** The cell that the step surely reads the variable from. */
function cellReadBy(graph: TermGraph, step: Step, variable: Term): CellId | null {
  const read = step.accesses.find((access) => access.kind === 'read' && access.result === variable);
  const target = read?.targets[0];
  if (!read || !target || read.targets.length > 1) return null;
  return graph.isTrue(step.guard) && graph.isTrue(read.guard) && graph.isTrue(target.select) ? target.cell : null;
}

/** A read of this value may pass the test. */
function canPass(graph: TermGraph, value: Term, { constant, isEqual }: ReadTest): boolean {
  const known = graph.constantOf(value);
  return known === null || (known === constant) === isEqual;
}
