/**
 * Turns of loops that leave everything as it was (program/spin-loops.ts) are left out of executions: where a path comes
 * to the point of a loop for the second time and nothing has changed since the first, it ends, as at an assumption that
 * does not hold.
 *
 * Nothing is lost by that. Whatever an execution reaches after an idle turn it reaches without it: the other threads
 * notice nothing of a turn that only reads, and the thread itself is where it was. What happens within the turn, up to
 * its last read, still happens: a violation there is found, and so is one in a turn that leads out. Which turns are
 * idle is asked of terms, so that a turn may be idle on some paths only, as one with a compare-and-exchange is when
 * that fails: then the others go on.
 *
 * Where deadlocks are looked for, whoever ends so waits: as long as memory holds what the turn has read, it takes the
 * same turn again and again (encode/encode-deadlock.ts). A turn that draws inputs might be another one the next time;
 * it is not left out then. Whether a weak compare-and-exchange fails without reason is an exception: if it fails all
 * the same where it does not, that does not matter.
 *
 * A turn may take locks and give them back (polling-turns.ts).
 *
 * What must be as before: registers that are still needed; memory that the thread knows for sure, but for locals that
 * came to life in the turn or that every turn overwrites first; and memory that others see. A write there counts as
 * none if it writes what the same atomic step read there (a failed test-and-set), or if it is the only one of the turn
 * to a cell that the thread knows for sure, which then holds what it held (a failed compare-and-exchange gives
 * `expected` the value that it had).
 */

import { isWeak } from '../program/memory-model.ts';
import type { SpinLoop } from '../program/spin-loops.ts';
import { pushAll } from '../support/push-all.ts';
import { contradict } from '../values/contradict.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { Cell } from './cells.ts';
import { findPolls, type TurnPolls } from './polling-turns.ts';
import { refinedTerm, refineState } from './refine-state.ts';
import type { ThreadParts } from './start-objects.ts';
import type { State } from './state.ts';
import type { Access, IdleTurn } from './steps.ts';
import type { ThreadContext } from './thread-context.ts';
import { assume, lastAccess, type MadeWrite, writesSince } from './turn-accesses.ts';
import { findWait, isDrawnByWait, type TurnWait } from './waiting-turns.ts';

/** A visit of the point of a loop. */
export interface Arrival {
  readonly guard: Term;
  readonly registers: State['registers'];
  readonly memory: State['memory'];
  readonly spawned: boolean;
  /** How many steps there were, and how many accesses in the last of them. */
  readonly steps: number;
  readonly accesses: number;
  /** How many locals had come to life, and how many inputs and allocations there were. */
  readonly entered: number;
  readonly inputs: number;
  readonly allocations: number;
  /** The turn that led here changed nothing and waited for a condition, until it woke up by luck (waiting-turns.ts). */
  readonly wokeByLuck: Term;
}

/** The paths that come to the point and have not been there before as they are; null if there are none. */
export function leaveOutIdleTurns(thread: ThreadContext, spin: SpinLoop, state: State): State | null {
  const { frame } = thread;
  if (thread.execution.options.keepsIdleTurns) return state;
  const { graph } = thread.execution;
  const before = frame.arrivals.get(spin.point);
  const mayWrite = before && mayLeaveOutWrites(thread);
  const wait = mayWrite && !thread.execution.knowledge.keepsWaits ? findWait(thread, before) : null;
  const polls = mayWrite && !wait ? findPolls(thread, before, state) : null;
  const isAlike = before && state.atomicDepth === 0 && !drawsInputs(thread, before, wait);
  const idle = isAlike ? idleSince(thread, spin, before, state, wait ?? polls) : null;
  frame.arrivals.delete(spin.point);
  const left = idle !== null && wait && before ? graph.and(idle, before.wokeByLuck) : idle;
  const wokeByLuck = idle !== null && wait ? graph.and(idle, wait.isLucky) : graph.false;
  if (before && left !== null && !graph.isFalse(graph.and(state.guard, left))) {
    if (wait)
      thread.execution.leftOutWaits.push({ thread: thread.builder.index, mutex: wait.mutex, reads: wait.reads });
    pushAll(thread.execution.leftOutPolls, polls?.locks ?? []);
    endIdle(thread, spin, before, state, left, { spins: wait === null, polls });
    if (follows(graph, [state.guard], left) || !refineState(graph, state, left, false)) return null;
    state.guard = graph.and(state.guard, graph.not(left));
  }
  if (state.atomicDepth === 0) frame.arrivals.set(spin.point, arrive(thread, state, wokeByLuck));
  return state;
}

/** Whoever is cancelled while it waits is left alone, and so are stores that arrive late. */
function mayLeaveOutWrites({ execution }: ThreadParts): boolean {
  const { code, options } = execution;
  const isCancelled = code.functions.some(({ name, isModel }) => isModel && name === 'pthread_cancel');
  return !isCancelled && !isWeak(options.memoryModel ?? 'sc');
}

function arrive({ execution, builder, entered, allocated }: ThreadParts, state: State, wokeByLuck: Term): Arrival {
  return {
    guard: state.guard,
    registers: [...state.registers],
    memory: state.memory.fork(),
    spawned: state.spawned,
    steps: builder.stepCount,
    accesses: builder.lastStepBuilder()?.accesses.length ?? 0,
    entered: entered.length,
    inputs: execution.unknowns.inputs.length,
    allocations: allocated.length,
    wokeByLuck,
  };
}

/** Whether the next turn may be another one although nothing has changed; of interest only to deadlocks. */
function drawsInputs({ execution }: ThreadParts, before: Arrival, wait: TurnWait | null): boolean {
  if (!execution.options.checks.has('deadlock')) return false;
  const drawn = execution.unknowns.inputs.slice(before.inputs);
  return drawn.some(({ draw, key }) => draw === 'input' && !(wait && isDrawnByWait(key)));
}

/**
 * Where the turn is idle, the thread does not get past its last step. It may get past it where somebody asks what it
 * came to on its way: assertions in the turn are visited, and its accesses may race. A turn that polls has given back
 * what it took.
 */
function endIdle(
  thread: ThreadContext,
  spin: SpinLoop,
  before: Arrival,
  state: State,
  idle: Term,
  { spins, polls }: { readonly spins: boolean; readonly polls: TurnPolls | null },
): void {
  const { execution, builder, steps, frame } = thread;
  const { graph, options } = execution;
  const guard = graph.and(state.guard, idle);
  const last = builder.lastStepBuilder();
  const isOfTurn = last && (last.index >= before.steps || last.accesses.length > before.accesses);
  const isAsked = spin.asserts || polls !== null || options.checks.has('race');
  const turn = spins ? turnSince(thread, spin, before, polls) : null;
  if (isOfTurn && !isAsked) {
    last.guard = graph.or(last.guard, guard);
    builder.addIdleTurn(last.index, guard, graph.false, turn);
    return;
  }
  const loc = frame.function.instructions[spin.point]?.loc ?? thread.loc;
  const position = thread.position(loc, spin.point);
  const place = () => (turn ? steps.stepForWait(state, position) : steps.stepForCondition(state, position));
  const step = isOfTurn ? builder.addStep(state.guard, loc).index : place();
  builder.addIdleTurn(step, guard, graph.false, turn);
}

/**
 * What keeps the thread in the loop; null where nobody asks. A lock that it polls keeps it from nothing: if somebody
 * else has it in the end, the thread waits for that.
 */
function turnSince(
  { execution, builder }: ThreadParts,
  spin: SpinLoop,
  before: Arrival,
  polls: TurnPolls | null,
): IdleTurn | null {
  const { graph, options, unknowns } = execution;
  if (!options.checks.has('deadlock')) return null;
  const reads: Term[] = [];
  for (const { index, accesses } of builder.stepsFrom(Math.max(0, before.steps - 1))) {
    const own = index === before.steps - 1 ? accesses.slice(before.accesses) : accesses;
    const polled = new Set(polls?.locks.map(({ cell }) => cell));
    for (const access of own)
      if (access.kind === 'read' && !access.targets.every(({ cell }) => polled.has(cell))) reads.push(access.result);
  }
  const chances = unknowns.inputs.slice(before.inputs).filter(({ draw }) => draw === 'chance');
  const isForced = chances.reduce((all, { term }) => graph.and(all, graph.not(graph.isNonZero(term))), graph.true);
  return { reads, isForced, looks: spin.looks };
}

/** Writes that nobody notices where the condition holds, if others see to it. */
type Unnoticed = Pick<TurnWait | TurnPolls, 'writes' | 'isWhole'>;

/** When the paths to here have changed nothing but so; null when they certainly have. */
function idleSince(
  thread: ThreadContext,
  spin: SpinLoop,
  before: Arrival,
  state: State,
  unnoticed: Unnoticed | null,
): Term | null {
  const { graph } = thread.execution;
  if (state.spawned !== before.spawned) return null;
  // A path may have come here without a visit of the point, by a jump into the loop.
  const isNew = graph.and(state.guard, graph.not(before.guard));
  let idle: Term = graph.isFalse(isNew) ? graph.true : before.guard;
  for (const condition of conditions(thread, spin, before, state, unnoticed)) {
    if (follows(graph, [state.guard, idle], condition)) continue;
    idle = graph.and(idle, condition);
    if (graph.isFalse(graph.and(state.guard, idle))) return null;
  }
  return idle;
}

function* conditions(
  thread: ThreadContext,
  spin: SpinLoop,
  before: Arrival,
  state: State,
  unnoticed: Unnoticed | null,
): Iterable<Term> {
  if (unnoticed) yield unnoticed.isWhole;
  const { execution, builder, frame } = thread;
  const { graph, knowledge } = execution;
  const same = (a: Term | undefined, b: Term | undefined) => sameValue(graph, state, a, b);
  for (const register of spin.carried) yield same(before.registers[register], state.registers[register]);
  const allocated = thread.allocated.slice(before.allocations);
  for (const { guard } of allocated) yield graph.not(guard);
  // Nobody needs the locals of a turn at the point, nor what a turn overwrites before it reads it.
  const overwritten = spin.overwritten.flatMap((id) => frame.objects.get(id) ?? []);
  const ofTurn = new Set([
    ...thread.entered.slice(before.entered),
    ...overwritten,
    ...allocated.map(({ object }) => object),
  ]);
  for (const id of state.memory.differingKeys(before.memory)) {
    const [a, b] = [before.memory.get(id), state.memory.get(id)];
    const cell = knowledge.cells[id] as Cell;
    if (a === b || ofTurn.has(cell.object)) continue;
    yield same(a ?? execution.initial.of(cell), b ?? execution.initial.of(cell));
  }
  for (const step of builder.stepsFrom(before.steps)) {
    if (step.creation !== null) yield graph.not(step.creation.guard);
  }
  const writes = writesSince(thread, before, state).filter(({ write }) => !unnoticed?.writes.has(write));
  for (const made of writes) {
    const isCompared = made.write.targets.every(({ cell }) => !ofTurn.has((knowledge.cells[cell] as Cell).object));
    if (!isCompared || !isOnlyOfKnown(thread, made, writes)) yield changesNothing(thread, state, made);
  }
}

/** The memory that the thread knows for sure, compared before, tells of such a write whether it changes anything. */
function isOnlyOfKnown(
  { execution, memory }: ThreadParts,
  { write }: MadeWrite,
  writes: readonly MadeWrite[],
): boolean {
  const touches = (other: Access, id: number) => other.targets.some(({ cell }) => cell === id);
  return write.targets.every(
    ({ cell }) =>
      memory.visibility.knowsForSure(execution.knowledge.cells[cell] as Cell) &&
      writes.every((other) => other.write === write || !touches(other.write, cell)),
  );
}

/** When both are the same. What was computed anew on every path hardly ever is: that is not asked. */
function sameValue(graph: TermGraph, state: State, a: Term | undefined, b: Term | undefined): Term {
  if (a === undefined || b === undefined) return a === b ? graph.true : graph.false;
  const [x, y] = [refinedTerm(graph, state, a), refinedTerm(graph, state, b)];
  const isSame = graph.eq(x, y);
  const isOpen = graph.operationOf(x) === 'ite' || graph.operationOf(y) === 'ite';
  return graph.isTrue(isSame) || isOpen ? isSame : graph.false;
}

/** The write is not made on the paths to here, or writes what was there. */
function changesNothing({ execution }: ThreadParts, state: State, { step, index, write }: MadeWrite): Term {
  const { graph } = execution;
  const read = lastAccess(step, index, write);
  const isSilent =
    read?.kind === 'read' && contradict(graph, [...assume(state, write), { term: read.guard, truth: false }])
      ? graph.eq(refinedTerm(graph, state, write.value), refinedTerm(graph, state, read.result))
      : graph.false;
  return graph.or(graph.not(write.guard), isSilent);
}

/** Whether it is certain where all of the others hold. */
function follows(graph: TermGraph, from: readonly Term[], condition: Term): boolean {
  if (graph.isTrue(condition)) return true;
  return contradict(graph, [...from.map((term) => ({ term, truth: true })), { term: condition, truth: false }]);
}
