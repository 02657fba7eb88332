/** The steps of the last iteration, with the cells that they touch: what symbolic execution hands out. */

import * as sets from '../values/value-set.ts';
import { type Cell, cellName, type MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import type { Knowledge } from './knowledge.ts';
import { pruneSteps } from './prune-steps.ts';
import type { CellId, SharedCell, SteppedProgram, SteppedThread } from './steps.ts';

export function finishProgram(execution: Execution, threads: readonly SteppedThread[]): SteppedProgram {
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
      const initial = execution.reach.isPublishedLater(cell) ? graph.constant(width, 0n) : execution.initial.of(cell);
      const others = execution.unwritten.has(cell)
        ? sets.topSet(width)
        : cell.summary || cell.isSummary
          ? graph.setOf(initial)
          : sets.emptySet(width);
      const set = sets.joinSets(execution.knowledge.sightOf(cell).set, others);
      return { id: id as CellId, name: cellName(cell), width, initial, set };
    });
  return {
    graph: execution.graph,
    threads,
    cells,
    inputs: execution.unknowns.inputs,
    memoryModel: execution.options.memoryModel ?? 'sc',
    objects: execution.knowledge.addresses,
  };
}

/** The sparse objects whose contents matter to some condition, and whose places are not told apart yet. */
export function findNeeded(knowledge: Knowledge, program: SteppedProgram): MemoryObject[] {
  const summaries = program.cells.filter(({ id }) => knowledge.cells[id]?.isSummary);
  if (summaries.length === 0) return [];
  const live = new Set(pruneSteps(program).cells);
  return summaries.filter((cell) => live.has(cell)).map(({ id }) => (knowledge.cells[id] as Cell).object);
}
