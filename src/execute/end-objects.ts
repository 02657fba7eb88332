/** Objects end: locals when their scope is left, allocations when they are freed. */

import type { Term } from '../values/terms.ts';
import type { MemoryObject } from './cells.ts';
import { noteAllocation } from './leaks.ts';
import type { ThreadParts } from './start-objects.ts';
import type { State } from './state.ts';
import type { Position } from './thread-steps.ts';

/** `free`: the address is NULL or that of a live allocation, which ends. */
export function freeObject(parts: ThreadParts, state: State, address: Term, position: Position): void {
  const { execution, steps, memory } = parts;
  const { graph, knowledge } = execution;
  steps.asSection(state, () => {
    const width = graph.widthOf(address);
    let valid = graph.eq(address, graph.constant(width, 0n));
    const ended: { object: MemoryObject; select: Term }[] = [];
    const objects = graph.setOf(address).parts.flatMap(({ low, high }) => knowledge.objectsIn(low, high));
    for (const object of new Set(objects)) {
      if (object.kind !== 'heap') continue;
      const select = graph.eq(address, graph.constant(width, object.base));
      if (graph.isFalse(select)) continue;
      knowledge.recordEnd(object, memory.visibility.isSecret(state, object));
      valid = graph.or(valid, graph.and(select, memory.isAlive(state, object, position)));
      ended.push({ object, select });
    }
    steps.require(state, valid, 'free', 'free of something that is not a live allocation', position);
    for (const { object, select } of ended) {
      // What is freed is written, as far as data races are concerned.
      const cell = knowledge.aliveCell(object);
      memory.writeHidden(state, cell, select, graph.false, position, steps.touch(state, position, cell));
      noteAllocation(execution, memory, state, object, false, select, position);
    }
  });
}

/** The scope of locals ends, in one step; nobody can read what was in them any more. */
export function leaveObjects(
  parts: ThreadParts,
  state: State,
  objects: readonly MemoryObject[],
  position: Position,
): void {
  const { execution, steps, memory } = parts;
  steps.asSection(state, () => {
    for (const object of objects) {
      execution.knowledge.recordEnd(object, memory.visibility.isSecret(state, object));
      for (const cell of object.cells.values()) state.memory.delete(cell.id);
      const { graph, knowledge } = execution;
      memory.writeHidden(state, knowledge.aliveCell(object), graph.true, graph.false, position);
    }
  });
}
