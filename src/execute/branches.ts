/**
 * Branches and closing jumps: which side of a branch is followed, and how often a loop goes back. A branch that the
 * terms decide is followed on one side only; otherwise the state is copied, and one copy waits where it jumps to.
 */

import { followsConstants, jumpsBack, loopBound } from '../program/bounds.ts';
import type { Instruction, Loop, LoopId, Value } from '../program/code.ts';
import { isAlwaysIdle } from '../program/spin-loops.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { type Frame, noteDecision, rangesOf, turnOf, waitAt } from './frame.ts';
import { leaveOutIdleTurns } from './idle-turns.ts';
import { refineState } from './refine-state.ts';
import { forkState, type State } from './state.ts';
import type { ThreadContext } from './thread-context.ts';

/** How a thread goes on after an instruction; the state is null where no path does. */
export interface Next {
  readonly state: State | null;
  readonly pc: number;
}

export function branch(
  thread: ThreadContext,
  instruction: Extract<Instruction, { kind: 'branch' }>,
  state: State,
  pc: number,
): Next {
  const { frame } = thread;
  const { graph } = thread.execution;
  const condition = thread.isTrue(instruction.condition);
  const closes = instruction.target <= pc;
  const decided = decide(graph, state, condition);
  if (decided !== null) {
    noteDecision(frame, pc, instruction.target, operandsOf(thread, instruction.condition));
    if (decided) return { state, pc: pc + 1 };
    if (closes) return closeLoop(thread, instruction, state, pc);
    waitAt(frame, instruction.target, state);
    return { state: null, pc: pc + 1 };
  }
  const jumping = forkState(state);
  jumping.guard = graph.and(state.guard, graph.not(condition));
  const jumps = refineState(graph, jumping, condition, false);
  state.guard = graph.and(state.guard, condition);
  const stays = refineState(graph, state, condition, true);
  if (!closes) {
    if (jumps) waitAt(frame, instruction.target, jumping);
    return { state: stays ? state : null, pc: pc + 1 };
  }
  if (stays) waitAt(frame, pc + 1, state);
  return jumps ? closeLoop(thread, instruction, jumping, pc) : { state: null, pc: pc + 1 };
}

/** The constants that a condition compares, as a text that changes when they do; null when it compares others. */
function operandsOf(thread: ThreadContext, condition: Value): string | null {
  if (condition.kind === 'binary') {
    const [left, right] = [operandsOf(thread, condition.left), operandsOf(thread, condition.right)];
    return left === null || right === null ? null : `${left} ${right}`;
  }
  const value = thread.execution.graph.constantOf(thread.value(condition));
  return value === null ? null : `${value}`;
}

/** Whether the condition is certain here, from itself or from what the path has passed. */
function decide(graph: TermGraph, state: State, condition: Term): boolean | null {
  if (graph.isTrue(condition)) return true;
  if (graph.isFalse(condition)) return false;
  if (graph.isFalse(graph.and(state.guard, graph.not(condition)))) return true;
  return graph.isFalse(graph.and(state.guard, condition)) ? false : null;
}

/** Takes a closing jump, or cuts the paths that would take it once too often. */
export function closeLoop(
  thread: ThreadContext,
  instruction: Extract<Instruction, { kind: 'jump' | 'branch' }>,
  state: State,
  pc: number,
): Next {
  const { execution, frame } = thread;
  const id = instruction.loop as LoopId;
  const loop = execution.code.loops[id] as Loop;
  const { bounds, limits } = execution.options;
  const turn = turnOf(frame, id);
  forgetInnerArrivals(thread, id, instruction.target, pc);
  const isFree =
    turn.progress && followsConstants(loop, bounds) && turn.taken - turn.counted < limits.constantIterations;
  const spin = execution.spinLoops.of(frame.function).get(instruction.target);
  // Turns are compared from the second one on.
  const isFirst = spin?.loop === id && isAlwaysIdle(spin) && turn.taken === 0;
  if (!isFree && !isFirst && turn.counted >= jumpsBack(loop, loopBound(loop, bounds))) {
    const rest = spin ? leaveOutIdleTurns(thread, spin, state) : state;
    if (rest) thread.cut(rest, 'loop', loop.name, thread.position(instruction.loc, pc));
    return { state: null, pc: pc + 1 };
  }
  turn.taken++;
  if (!isFree) turn.counted++;
  turn.progress = false;
  execution.poll();
  for (const inner of innerLoops(frame, id, instruction.target, pc)) frame.turns.delete(inner);
  return { state, pc: instruction.target };
}

/** The loops inside of one that goes back: they begin anew. */
function innerLoops({ function: fn }: Frame, id: LoopId, head: number, end: number): LoopId[] {
  const inner = rangesOf(fn).filter(({ loop, closing }) => loop !== id && closing >= head && closing <= end);
  return inner.map(({ loop }) => loop);
}

/**
 * Turns of inner loops are not compared with those of the last time: in between, the loop around them has changed what
 * they only read. That holds for the jump that is cut, too, which may lead to where such turns are compared.
 */
function forgetInnerArrivals({ frame, execution }: ThreadContext, id: LoopId, head: number, end: number): void {
  if (frame.arrivals.size === 0) return;
  const spins = execution.spinLoops.of(frame.function);
  const inner = innerLoops(frame, id, head, end);
  for (const point of [...frame.arrivals.keys()]) {
    const loop = spins.get(point)?.loop;
    if (loop !== undefined && inner.includes(loop)) frame.arrivals.delete(point);
  }
}
