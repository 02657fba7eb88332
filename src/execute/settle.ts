/**
 * The iteration of symbolic execution: all threads are executed one after the other, and again until what is known
 * about memory (knowledge.ts) no longer changes; the steps of the last iteration are the result.
 *
 * What a thread writes is seen at once by those that are executed after it. That saves iterations, but values that grow
 * and grow (a sum of sums) grow faster than they can in the program. So when it shows that some do, they are learned
 * anew, one write in an iteration.
 */

import type { Code } from '../program/code.ts';
import { invariant } from '../support/invariant.ts';
import * as sets from '../values/value-set.ts';
import { showWrites, updateCellValues } from './cell-values.ts';
import { type ExecuteOptions, Execution, type PendingThread } from './execution.ts';
import { type Cell, cellName, type Knowledge, type MemoryObject, sharedCell } from './knowledge.ts';
import { type FormerSets, narrowCells, restoreCells } from './narrow-cells.ts';
import { pruneSteps } from './prune-steps.ts';
import { initialState } from './state.ts';
import { ThreadBuilder } from './step-builder.ts';
import type { AccessTarget, CellId, SharedCell, SteppedProgram, SteppedThread } from './steps.ts';
import { ThreadExecutor } from './thread-executor.ts';
import { ExecutionLimitError } from './unsupported.ts';

const MOST_ITERATIONS = 200;
/**
 * Values are followed instead of widened (see below) as long as that takes so few iterations, and so few terms in all
 * of them together.
 */
const MOST_FOLLOWED_ITERATIONS = 100;
const MOST_FOLLOWED_TERMS = 150_000;
/** When cells have grown in so many iterations, the rest is done slowly. */
const QUICK_GROWTHS = 2;
/** Otherwise cells that grow this often are widened. */
const PATIENCE = 14;
/** So often sets that had jumped are made smaller again. */
const MOST_NARROWINGS = 3;

/**
 * Executes until nothing is learned any more. Throws UnsupportedError or ExecutionLimitError. Null if threads are not
 * numbered as they are created: the knowledge came from an execution that had fewer of them, or that took waits for
 * granted.
 *
 * The iteration over cell values has two ways to end. Either nothing grows any more. Or it has gone on for as many
 * iterations as the program has writes to the cells that still grow: what these hold after n of the writes is covered
 * after n iterations, by induction, because a write uses only values that were there before it; and in a bounded
 * program every write runs at most once. All other cells did not grow in these iterations, so that nothing that they
 * can hold is missing either.
 */
export function settle(code: Code, options: ExecuteOptions, knowledge: Knowledge): SteppedProgram | null {
  const isExperienced = knowledge.threadCount > 0;
  /** The cells that grew, by iteration, since something else was learned. */
  let growths: ReadonlySet<Cell>[] = [];
  let narrowings = 0;
  let isQuick = true;
  let former: FormerSets | null = null;
  let detailed: ReadonlySet<MemoryObject> = new Set();
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    options.onIteration?.();
    knowledge.beginIteration();
    const execution = new Execution(code, knowledge, options, detailed);
    options.recorder?.begin(execution);
    const threads = runThreads(execution, isQuick);
    if (isExperienced && execution.pending.some(({ index }, at) => index !== at + 1)) return null;
    execution.openHiddenObjects();
    const toFollow = countWritesTo(knowledge, growths.slice(-2).reduce(unite, new Set<Cell>()), threads);
    const isShort = iteration < MOST_FOLLOWED_ITERATIONS && toFollow * execution.graph.size <= MOST_FOLLOWED_TERMS;
    updateCellValues(execution, isShort ? Number.POSITIVE_INFINITY : PATIENCE);
    if (knowledge.cellsChanged) {
      knowledge.restoreValues();
      knowledge.isFirst = false;
      [growths, former] = [[], null];
      continue;
    }
    const isStable = !knowledge.structureChanged && knowledge.grown.size === 0;
    growths = knowledge.structureChanged ? [] : [...growths, new Set(knowledge.grown)];
    if (isStable && narrowings < MOST_NARROWINGS && detailed.size === 0) {
      former = narrowCells(execution);
      narrowings++;
      if (former) {
        growths = [];
        continue;
      }
    } else if (former && !isStable) {
      restoreCells(former);
      [growths, former] = [[], null];
      narrowings = MOST_NARROWINGS;
      continue;
    }
    if (isQuick && knowledge.grownSets.size > 0 && growths.length >= QUICK_GROWTHS) {
      isQuick = false;
      knowledge.forgetValues([...growths.reduce(unite)].filter((cell) => !cell.hasJumped));
      growths = [];
      continue;
    }
    if (coversAll(knowledge, growths, threads)) {
      if (threads.some(({ index }, at) => index !== at)) return null;
      const program = finish(execution, threads);
      const needed = findNeeded(knowledge, program);
      if (needed.length === 0) {
        options.recorder?.finish();
        knowledge.forgetValues([...knowledge.grown]);
        return program;
      }
      detailed = new Set([...detailed, ...needed]);
    }
    knowledge.isFirst = false;
  }
  throw new ExecutionLimitError(`the analysis of memory did not settle in ${MOST_ITERATIONS} iterations`);
}

/** The sparse objects whose contents matter to some condition, and whose places are not told apart yet. */
function findNeeded(knowledge: Knowledge, program: SteppedProgram): MemoryObject[] {
  const summaries = program.cells.filter(({ id }) => knowledge.cells[id]?.isSummary);
  if (summaries.length === 0) return [];
  const live = new Set(pruneSteps(program).cells);
  return summaries.filter((cell) => live.has(cell)).map(({ id }) => (knowledge.cells[id] as Cell).object);
}

/** Have the last iterations covered all writes to the cells that grew in them? */
function coversAll(
  knowledge: Knowledge,
  growths: readonly ReadonlySet<Cell>[],
  threads: readonly SteppedThread[],
): boolean {
  const growing = new Set<Cell>();
  let writes = 0;
  for (const [followed, grown] of [...growths].reverse().entries()) {
    const before = growing.size;
    for (const cell of grown) growing.add(cell);
    if (growing.size > before) writes = countWritesTo(knowledge, growing, threads);
    if (followed >= writes) return true;
  }
  return false;
}

function countWritesTo({ cells }: Knowledge, among: ReadonlySet<Cell>, threads: readonly SteppedThread[]): number {
  const isAmong = ({ cell }: AccessTarget) => among.has(sharedCell(cells[cell] as Cell));
  let count = 0;
  for (const { steps } of threads) {
    for (const { accesses } of steps)
      for (const { kind, targets } of accesses) if (kind === 'write' && targets.some(isAmong)) count++;
  }
  return count;
}

function unite(a: ReadonlySet<Cell>, b: ReadonlySet<Cell>): ReadonlySet<Cell> {
  return new Set([...a, ...b]);
}

function runThreads(execution: Execution, isQuick: boolean): SteppedThread[] {
  const { code, graph } = execution;
  const main = new ThreadBuilder(0, 'main', null);
  new ThreadExecutor(execution, main).run(code.main, [], initialState(graph, false), null);
  const threads: SteppedThread[] = [main.finish()];
  for (let at = 0; at < execution.pending.length; at++) {
    const pending = execution.pending[at] as PendingThread;
    const entry = code.threadEntry;
    invariant(entry !== null, 'a thread is created but the program has no thread entry');
    const builder = new ThreadBuilder(pending.index, threadName(execution, pending), pending.spawn);
    const state = initialState(graph, true);
    if (isQuick) showWrites(execution);
    new ThreadExecutor(execution, builder).run(entry, [pending.start, pending.argument], state, pending.place);
    threads.push(builder.finish());
  }
  return threads.sort((a, b) => a.index - b.index);
}

function threadName(execution: Execution, pending: PendingThread): string {
  const names = execution
    .functionsAt(execution.graph.setOf(pending.start))
    .map((id) => execution.code.functions[id]?.name);
  return names.length === 1 ? `${names[0]}` : `thread ${pending.index}`;
}

function finish(execution: Execution, threads: readonly SteppedThread[]): SteppedProgram {
  const used = new Set<number>();
  for (const thread of threads) {
    for (const step of thread.steps) {
      for (const access of step.accesses) for (const target of access.targets) used.add(target.cell);
    }
  }
  const cells: SharedCell[] = [...used]
    .sort((a, b) => a - b)
    .map((id) => {
      const cell = execution.knowledge.cells[id] as Cell;
      const { graph } = execution;
      const width = cell.size === 0 ? 1 : 8 * cell.size;
      const initial = execution.isPublishedLater(cell) ? graph.constant(width, 0n) : execution.initialOf(cell);
      const set = sets.joinSets(
        execution.knowledge.sightOf(cell).set,
        cell.summary || cell.isSummary ? execution.graph.setOf(initial) : sets.emptySet(width),
      );
      return { id: id as CellId, name: cellName(cell), width, initial, set };
    });
  return { graph: execution.graph, threads, cells, inputs: execution.inputs, objects: execution.knowledge.addresses };
}
