/**
 * The check `leak`: when the program ends (main returns, or somebody calls `exit`), every allocation must have been
 * freed, whether or not a pointer to it is left (the SV-COMP property valid-memcleanup; CBMC's --memory-leak-check).
 * The check `lost` (valid-memtrack) allows what a pointer still reaches. Only concrete runs look for such pointers;
 * here, an execution that leaves anything is one of which nothing is known.
 *
 * What is allocated at a moment depends on the schedule, so it is kept in memory: one object that no pointer reaches
 * has a cell for each allocation, set by `malloc`, cleared by `free`, read at the end. Only when the check is asked
 * for.
 *
 * Nothing happens after the end. An execution that gets there and leaks nothing is of no more interest; one in which
 * others go on is the same as one in which main has not returned yet. So the last step is passed by those that leak
 * only.
 */

import type { Term } from '../values/terms.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import type { ThreadMemory } from './memory.ts';
import type { ThreadParts } from './start-objects.ts';
import type { State } from './state.ts';
import type { Position } from './thread-steps.ts';

function allocations({ knowledge }: Execution): MemoryObject {
  const name = 'allocated';
  return knowledge.object(name, () => ({ name, declared: null, kind: 'static', creator: name }), 0);
}

function tracksLeaks({ options }: Execution): boolean {
  return options.checks.has('leak') || options.checks.has('lost');
}

/** From here on the object counts as allocated, or no longer, where `select` holds. */
export function noteAllocation(
  execution: Execution,
  memory: ThreadMemory,
  state: State,
  object: MemoryObject,
  isAllocated: boolean,
  select: Term,
  position: Position,
): void {
  if (!tracksLeaks(execution) || object.kind !== 'heap') return;
  const all = allocations(execution);
  const cell = execution.knowledge.cellsAt(all, object.id, 1)[0] as Cell;
  const value = execution.graph.constant(8, isAllocated ? 1n : 0n);
  memory.writeHidden(state, cell, select, value, position);
}

/** The program ends here. */
export function checkLeaks({ execution, steps, memory }: ThreadParts, state: State, position: Position): void {
  if (!tracksLeaks(execution)) return;
  const { graph, knowledge } = execution;
  knowledge.expectObjects();
  steps.enterSection(state);
  const left: Term[] = [];
  for (const cell of allocations(execution).cells.values()) {
    left.push(graph.isNonZero(memory.readHidden(state, cell, position)));
  }
  const isAllFreed = graph.not(graph.orAll(left));
  if (execution.options.checks.has('leak'))
    steps.require(state, isAllFreed, 'leak', 'allocated memory is never freed', position);
  else steps.require(state, isAllFreed, 'unsupported', 'whether memory left at the end can still be reached', position);
  steps.endHere(state);
  steps.leaveSection(state);
}

/**
 * Main ends before the program does. Models that are told of the check wait for the other threads there; without them
 * nothing can be said of leaks.
 */
export function giveUpLeaks({ execution, steps }: ThreadParts, state: State, position: Position): void {
  if (!tracksLeaks(execution)) return;
  const message = 'leaks of a program that goes on after main has ended';
  steps.require(state, execution.graph.false, 'unsupported', message, position);
}
