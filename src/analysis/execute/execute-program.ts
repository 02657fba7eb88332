/**
 * Bounded symbolic execution of a whole program: code in, steps out. All threads are executed one after the other, and again until what is
 * known about memory (knowledge.ts) no longer changes; the steps of the last iteration are the result.
 */

import type { Code } from '../../program/code.ts';
import { invariant } from '../../support/invariant.ts';
import { pruneSteps } from '../prune-steps.ts';
import type { CellId, SharedCell, SteppedProgram, SteppedThread } from '../steps.ts';
import * as sets from '../value-set.ts';
import { updateCellValues } from './cell-values.ts';
import { type ExecuteOptions, Execution, type PendingThread } from './execution.ts';
import { type Cell, Knowledge, type MemoryObject } from './knowledge.ts';
import { cellName } from './memory.ts';
import { type FormerSets, narrowCells, restoreCells } from './narrow-cells.ts';
import { initialState } from './state.ts';
import { ThreadBuilder } from './step-builder.ts';
import { ThreadExecutor } from './thread-executor.ts';
import { ExecutionLimitError } from './unsupported.ts';

const MOST_ITERATIONS = 200;
/** With at most this many writes, the values of cells need no widening: see below. */
const MOST_FOLLOWED_WRITES = 64;
/** Otherwise cells that grow this often are widened. */
const PATIENCE = 14;
/** So often sets that had jumped are made smaller again. */
const MOST_NARROWINGS = 3;

/**
 * Throws UnsupportedError or ExecutionLimitError.
 *
 * The iteration over cell values has two ways to end. Either nothing grows any more. Or it has gone on for as many iterations as the
 * program has writes to shared memory: what memory holds after n writes is covered after n iterations, by induction, because a
 * write uses only values that were there before it; and in a bounded program every write runs at most once.
 */
export function executeProgram(code: Code, options: ExecuteOptions): SteppedProgram {
  const knowledge = new Knowledge(code.dataModel === 'ILP32' ? 0xffff_ffffn : 0x7fff_ffff_ffffn);
  let followed = 0;
  let narrowings = 0;
  let former: FormerSets | null = null;
  let detailed: ReadonlySet<MemoryObject> = new Set();
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    options.onIteration?.();
    knowledge.structureChanged = false;
    knowledge.valuesChanged = false;
    const execution = new Execution(code, knowledge, options, detailed);
    options.recorder?.begin(execution);
    const threads = runThreads(execution);
    execution.openHiddenObjects();
    const writes = countWrites(threads);
    updateCellValues(execution, writes <= MOST_FOLLOWED_WRITES ? writes + PATIENCE : PATIENCE);
    if (knowledge.cellsChanged) {
      knowledge.forgetValues();
      knowledge.isFirst = false;
      [followed, former] = [0, null];
      continue;
    }
    const isCovered = followed >= writes && writes <= MOST_FOLLOWED_WRITES;
    const isStable = !knowledge.structureChanged && !knowledge.valuesChanged;
    if (isStable && narrowings < MOST_NARROWINGS && detailed.size === 0) {
      former = narrowCells(execution);
      narrowings++;
      if (former) continue;
    } else if (former && !isStable) {
      restoreCells(former);
      former = null;
      narrowings = MOST_NARROWINGS;
      continue;
    }
    if (isStable || (isCovered && !knowledge.structureChanged)) {
      const program = finish(execution, threads);
      const needed = findNeeded(knowledge, program);
      if (needed.length === 0) {
        options.recorder?.finish();
        return program;
      }
      detailed = new Set([...detailed, ...needed]);
    }
    knowledge.isFirst = false;
    followed = knowledge.structureChanged ? 0 : followed + 1;
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

function countWrites(threads: readonly SteppedThread[]): number {
  let count = 0;
  for (const thread of threads) {
    for (const { accesses } of thread.steps) count += accesses.filter(({ kind }) => kind === 'write').length;
  }
  return count;
}

function runThreads(execution: Execution): SteppedThread[] {
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
        cell.summary ? execution.graph.setOf(initial) : sets.emptySet(width),
      );
      return { id: id as CellId, name: cellName(cell), width, initial, set };
    });
  return { graph: execution.graph, threads, cells, inputs: execution.inputs, objects: execution.knowledge.addresses };
}
