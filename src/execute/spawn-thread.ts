/**
 * The creation of a thread: a step of its creator, in which main's first objects and the argument become visible to
 * others. The new thread is executed after its creator.
 */

import type { Instruction } from '../program/code.ts';
import { writtenBefore } from './first-contents.ts';
import { nextWaiting } from './frame.ts';
import type { State } from './state.ts';
import type { ThreadContext } from './thread-context.ts';
import type { Position } from './thread-steps.ts';

/** As many as the models and the interpreter have room for, with main. */
const MOST_THREADS = 512;

const NUMBERS = 'a look at identifiers of threads, where it depends on the execution which are created first';

/** Main has created all threads with smaller numbers on every path to here, and nobody else creates any. */
function isNumbered({ builder }: ThreadContext, { created }: State, index: number): boolean {
  return builder.index === 0 && created === index - 1;
}

/** False when there would be too many threads: the path ends. */
export function spawnThread(
  thread: ThreadContext,
  instruction: Extract<Instruction, { kind: 'spawn' }>,
  state: State,
  position: Position,
): boolean {
  const { execution, builder, steps, memory } = thread;
  const index = execution.knowledge.threadOf(`${builder.index} ${position.key}`);
  if (index >= MOST_THREADS) {
    thread.cut(state, 'limit', `more than ${MOST_THREADS} threads`, position);
    return false;
  }
  if (!isNumbered(thread, state, index) && execution.seesIdentifiers()) {
    const where = { key: position.key, loc: thread.frame.place ?? position.loc, mode: position.mode, isModel: true };
    steps.require(state, execution.graph.false, 'unsupported', NUMBERS, where);
    return false;
  }
  if (state.created !== null) state.created++;
  const start = thread.value(instruction.start);
  const argument = thread.value(instruction.argument);
  settleGuard(thread, state, position);
  steps.enterSection(state);
  const step = steps.openStep(state, position);
  step.effect = true;
  step.creation = { key: position.key, guard: state.guard };
  memory.exposeEarly(state, position);
  memory.publishAddressesIn(state, argument, position);
  const written = writtenBefore(execution, state, step);
  steps.leaveSection(state);
  const spawn = { thread: builder.index, step: step.index, guard: state.guard };
  execution.pending.push({ index, spawn, start, argument, written, place: thread.frame.place ?? position.loc });
  thread.recorder?.spawn(index);
  thread.set(state, instruction.register, execution.graph.constant(32, BigInt(index)));
  return true;
}

/**
 * Before main creates its first thread: if all other paths have ended, the path condition becomes an assumption on the
 * step that follows, so that everything after it is unconditional.
 */
function settleGuard({ execution, builder, frames }: ThreadContext, state: State, position: Position): void {
  const { graph } = execution;
  if (state.spawned || state.atomicDepth > 0 || graph.isTrue(state.guard)) return;
  if (frames.some((frame) => nextWaiting(frame) !== null)) return;
  const step = builder.addStep(graph.true, position.loc);
  builder.addAssumption(step.index, graph.true, state.guard, false);
  state.guard = graph.true;
}
