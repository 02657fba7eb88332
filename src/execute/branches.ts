/**
 * Branches and closing jumps: which side of a branch is followed, and how often a loop goes back. A branch that the
 * terms decide is followed on one side only; otherwise the state is copied, and one copy waits where it jumps to.
 */

import { followsConstants, jumpsBack, loopBound } from '../program/bounds.ts';
import type { Instruction, Loop, LoopId, Value } from '../program/code.ts';
import { isAlwaysIdle } from '../program/spin-loops.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { noteDecision, rangesOf, turnOf, waitAt } from './frame.ts';
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
  forgetInnerTurns(thread, id, instruction.target, pc);
  return { state, pc: instruction.target };
}

/**
 * The loops inside of one that goes back begin anew. Their turns are not compared with those of the last time either:
 * in between, the loop around them has changed what they only read.
 */
function forgetInnerTurns({ frame, execution }: ThreadContext, id: LoopId, head: number, end: number): void {
  const spins = execution.spinLoops.of(frame.function);
  for (const { loop: inner, closing } of rangesOf(frame.function)) {
    if (inner === id || closing < head || closing > end) continue;
    frame.turns.delete(inner);
    for (const point of frame.arrivals.keys()) if (spins.get(point)?.loop === inner) frame.arrivals.delete(point);
  }
}
