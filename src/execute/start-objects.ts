/**
 * Objects come to life: locals when their scope is entered, allocations when they are asked for. Each instance of such
 * an instruction makes one object, which is the same in all iterations.
 */

import type { Instruction } from '../program/code.ts';
import { invariant } from '../support/invariant.ts';
import type { Term } from '../values/terms.ts';
import { type AllocationSize, boundAllocation } from './bound-allocation.ts';
import type { MemoryObject } from './cells.ts';
import { leaveObjects } from './end-objects.ts';
import type { Execution } from './execution.ts';
import type { Frame } from './frame.ts';
import { noteAllocation } from './leaks.ts';
import type { ThreadMemory } from './memory.ts';
import type { State } from './state.ts';
import type { ThreadBuilder } from './step-builder.ts';
import type { Position, ThreadSteps } from './thread-steps.ts';

/** What the execution of one thread consists of. */
export interface ThreadParts {
  readonly execution: Execution;
  readonly builder: ThreadBuilder;
  readonly steps: ThreadSteps;
  readonly memory: ThreadMemory;
  /** The locals of the thread, in the order in which they came to life. */
  readonly entered: MemoryObject[];
  /** What the thread has allocated, and where it did, in that order. */
  readonly allocated: { readonly object: MemoryObject; readonly guard: Term }[];
}

/** `length`: that of a variable-length array, as evaluated. */
export function enterObject(
  parts: ThreadParts,
  frame: Frame,
  instruction: Extract<Instruction, { kind: 'enter-object' }>,
  length: Term | null,
  state: State,
  position: Position,
): void {
  const { execution, builder } = parts;
  const declared = execution.code.objects[instruction.object];
  invariant(declared, 'an object that is not declared is entered');
  const size = length ? allocationSize(parts, state, length, position) : { bytes: declared.size, term: null };
  const key = `local ${builder.index} ${position.key} ${instruction.object}`;
  const object = execution.knowledge.object(
    key,
    () => ({ name: declared.name, declared, kind: 'local', creator: position.key }),
    size.bytes,
  );
  const former = frame.objects.get(instruction.object);
  if (former) leaveObjects(parts, state, [former], position);
  frame.objects.set(instruction.object, object);
  parts.entered.push(object);
  execution.options.recorder?.enterObject(object, frame.function);
  startObject(parts, state, object, size.term, instruction.zeroed);
}

/** Gives the new object. */
export function allocateObject(
  parts: ThreadParts,
  instruction: Extract<Instruction, { kind: 'allocate' }>,
  length: Term,
  state: State,
  position: Position,
): MemoryObject {
  const { execution, builder, memory } = parts;
  const size = allocationSize(parts, state, length, position);
  const key = `heap ${builder.index} ${position.key}`;
  const kind = instruction.isLocal ? 'local' : 'heap';
  const object = execution.knowledge.object(
    key,
    () => ({ name: 'allocation', declared: null, kind, creator: position.key }),
    size.bytes,
  );
  execution.options.recorder?.enterObject(object, null);
  parts.allocated.push({ object, guard: state.guard });
  startObject(parts, state, object, size.term, instruction.zeroed);
  noteAllocation(execution, memory, state, object, true, execution.graph.true, position);
  return object;
}

function allocationSize(
  { execution, builder, steps }: ThreadParts,
  state: State,
  size: Term,
  position: Position,
): AllocationSize {
  const cut = (guard: Term, where: string) =>
    builder.addCut(steps.stepForCondition(state, position), guard, { kind: 'limit', where, loc: position.loc });
  return boundAllocation(execution.graph, state, size, position.loc, cut);
}

function startObject(
  { execution, memory }: ThreadParts,
  state: State,
  object: MemoryObject,
  size: Term | null,
  zeroed: boolean,
): void {
  if (zeroed) object.isZeroed = true;
  if (size) execution.sizes.set(object.id, size);
  memory.visibility.addObject(state, object);
}
