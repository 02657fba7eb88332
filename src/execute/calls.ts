/**
 * Calls: each is inlined as it is met, up to the bound of recursion. A call through a pointer goes to every function
 * whose address the pointer may hold, each under its condition.
 */

import { recursionBound } from '../program/bounds.ts';
import type { CallSignature, CodeFunction, Instruction } from '../program/code.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import { convertInteger } from './evaluate.ts';
import { instanceKey } from './frame.ts';
import { calleesOf, UNCONSTRAINED_FUNCTION } from './indirect-calls.ts';
import { passArguments } from './pass-arguments.ts';
import { refineState } from './refine-state.ts';
import { forkState, type State } from './state.ts';
import type { ThreadContext } from './thread-context.ts';
import type { Position } from './thread-steps.ts';

const MOST_CONSTANT_RECURSION = 200;

/** A thread after an activation: with the registers of the caller, and the value that was returned. */
export interface Returned {
  readonly state: State;
  readonly result: Term | null;
}

/** Executes an activation; null if no path comes back. */
export type RunFunction = (
  fn: CodeFunction,
  args: readonly Term[],
  state: State,
  path: string,
  place: Loc | null,
) => Returned | null;

type CallInstruction = Extract<Instruction, { kind: 'call' }>;

interface Site {
  readonly thread: ThreadContext;
  readonly run: RunFunction;
  readonly signature: CallSignature;
  readonly pc: number;
  readonly position: Position;
}

export function call(
  thread: ThreadContext,
  run: RunFunction,
  instruction: CallInstruction,
  state: State,
  pc: number,
): State | null {
  const { frame } = thread;
  const { graph } = thread.execution;
  const args = instruction.args.map((arg) => thread.value(arg));
  const { callee, signature } = instruction;
  const site = { thread, run, signature, pc, position: thread.position(instruction.loc, pc) };
  const returned =
    typeof callee === 'number'
      ? enter(site, thread.functionOf(callee), args, state)
      : callThrough(site, thread.value(callee), args, state);
  if (!returned) return null;
  const { state: after, result } = returned;
  thread.enterState(after);
  if (instruction.register !== null) {
    const width = frame.function.registers[instruction.register]?.type?.bits ?? 32;
    const value = result ? convertInteger(graph, result, false, width) : graph.constant(width, 0n);
    thread.locate(frame, instruction);
    thread.set(after, instruction.register, value);
  }
  return after;
}

function callThrough(site: Site, pointer: Term, args: readonly Term[], state: State): Returned | null {
  const { thread, signature, pc, position } = site;
  const { graph } = thread.execution;
  const { callees, isFollowed } = calleesOf(thread.execution, pointer, signature);
  thread.steps.require(state, isFollowed, 'unsupported', UNCONSTRAINED_FUNCTION, position);
  const isValid = graph.orAll(callees.map(({ select }) => select));
  thread.steps.require(state, isValid, 'pointer', 'call through an invalid function pointer', position);
  let after: State | null = null;
  let result: Term | null = null;
  const wanted = signature.result;
  for (const [i, { id, select }] of callees.entries()) {
    const path = i + 1 === callees.length ? state : forkState(state);
    path.guard = graph.and(path.guard, select);
    if (graph.isFalse(path.guard) || !refineState(graph, path, select, true)) continue;
    const known = args.map((arg) => thread.memory.refined(path, arg));
    const returned = enter(site, thread.functionOf(id), known, path);
    if (!returned) continue;
    const given = returned.result ?? (wanted ? graph.constant(wanted.bits, 0n) : null);
    const value = given && wanted ? convertInteger(graph, given, false, wanted.bits) : null;
    result = result && value ? graph.ite(select, value, result) : value;
    after = after ? thread.merge(returned.state, after, pc) : returned.state;
  }
  return after && { state: after, result };
}

function enter(site: Site, fn: CodeFunction, args: readonly Term[], state: State): Returned | null {
  const { thread, signature, pc, position } = site;
  const { frame, execution } = thread;
  const active = thread.frames.filter((each) => each.function === fn);
  const isConstant = active.length > 0 && active[active.length - 1]?.entryGuard === state.guard;
  const bound = recursionBound(fn.name, execution.options.bounds);
  const most = isConstant ? Math.max(MOST_CONSTANT_RECURSION, bound) : bound;
  if (active.length > most) {
    thread.cut(state, 'recursion', fn.name, position);
    return null;
  }
  const passed = passArguments(execution.graph, fn, args, signature);
  thread.locate(frame, position);
  return site.run(fn, passed, state, `${instanceKey(frame, pc)}/`, frame.place ?? position.loc);
}
