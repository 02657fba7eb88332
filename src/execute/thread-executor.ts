/**
 * Symbolic execution of one thread. Calls are inlined and loops unwound as they are met; branches that the terms decide
 * are followed on one side only; otherwise the state is copied, and copies that meet again are merged. Instructions are
 * visited in increasing order, so that all paths to an instruction have arrived when it is executed; a closing jump
 * goes back with the state of the paths that take it, while the others wait behind the loop (the method of CBMC's
 * symbolic execution).
 */

import type { CodeFunction, FunctionId, Instruction } from '../program/code.ts';
import { drawAt } from '../program/draws.ts';
import { PLAIN } from '../program/memory-order.ts';
import { canWait } from '../program/waiting-routines.ts';
import { assertNever } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { canonicalFloat } from '../values/float-terms.ts';
import type { Term } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { branch, closeLoop, type Next } from './branches.ts';
import { call, type Returned, type RunFunction } from './calls.ts';
import { freeObject, leaveObjects } from './end-objects.ts';
import type { Execution } from './execution.ts';
import { type Frame, makeFrame, nextWaiting, waitAt } from './frame.ts';
import { leaveOutIdleTurns } from './idle-turns.ts';
import { checkLeaks, giveUpLeaks } from './leaks.ts';
import { objectSize } from './object-size.ts';
import { refineState } from './refine-state.ts';
import { spawnThread } from './spawn-thread.ts';
import { allocateObject, enterObject } from './start-objects.ts';
import type { State } from './state.ts';
import type { ThreadBuilder } from './step-builder.ts';
import { ThreadContext } from './thread-context.ts';
import type { Position } from './thread-steps.ts';

export class ThreadExecutor {
  readonly #thread: ThreadContext;
  readonly #run: RunFunction = (...activation) => this.#runFunction(...activation);

  constructor(execution: Execution, builder: ThreadBuilder) {
    this.#thread = new ThreadContext(execution, builder);
  }

  /** Runs the thread from the start of a function to its end. `place`: where it was created. */
  run(id: FunctionId, args: readonly Term[], state: State, place: Loc | null): void {
    const { recorder, builder } = this.#thread;
    if (recorder) recorder.place = recorder.placeOfThread(builder.index);
    this.#runFunction(this.#thread.functionOf(id), args, state, '', place);
  }

  // -------------------------------------------------------------- activations

  #runFunction(
    fn: CodeFunction,
    args: readonly Term[],
    state: State,
    path: string,
    place: Loc | null,
  ): Returned | null {
    const { recorder, frames } = this.#thread;
    const callerRegisters = state.registers;
    const frame = makeFrame(fn, path, state.guard, fn.isModel ? place : null);
    frames.push(frame);
    state.registers = [...args];
    if (recorder) for (const [i, arg] of args.entries()) recorder.setRegister(fn, i, arg);
    const end = this.#runInstructions(frame, state);
    frames.pop();
    if (!end) return null;
    const result = end.registers[fn.registers.length] ?? null;
    end.registers = [...callerRegisters];
    return { state: end, result };
  }

  #runInstructions(frame: Frame, first: State): State | null {
    const thread = this.#thread;
    const { instructions, id } = frame.function;
    const watched = thread.execution.options.watched?.get(id);
    const spins = thread.execution.spinLoops.of(frame.function);
    const end = instructions.length;
    let current: State | null = first;
    let pc = 0;
    let visited = 0;
    for (;;) {
      const waiting = frame.waiting.get(pc);
      if (waiting) {
        frame.waiting.delete(pc);
        // Those that parted last meet first: what tells them apart from the others is then one condition.
        for (const state of waiting.reverse()) current = current ? thread.merge(current, state, pc) : state;
      }
      const spin = current && spins.get(pc);
      if (current && spin) current = leaveOutIdleTurns(thread, spin, current);
      if (!current) {
        const next = nextWaiting(frame);
        if (next === null) return null;
        pc = next;
        continue;
      }
      if (pc >= end) {
        if (nextWaiting(frame) !== null) {
          waitAt(frame, end, current);
          current = null;
          continue;
        }
        return current;
      }
      if ((++visited & 1023) === 0) thread.execution.poll();
      const instruction = instructions[pc] as Instruction;
      thread.enterState(current);
      thread.locate(frame, instruction);
      if (watched?.has(pc)) thread.steps.visit(current, { function: id, pc }, instruction.kind === 'halt');
      const next: Next = this.#execute(frame, instruction, current, pc);
      current = next.state;
      pc = next.pc;
    }
  }

  // -------------------------------------------------------------- instructions

  #execute(frame: Frame, instruction: Instruction, state: State, pc: number): Next {
    const go = (): Next => ({ state, pc: pc + 1 });
    const stop: Next = { state: null, pc: pc + 1 };
    const thread = this.#thread;
    const { execution, builder, steps, memory, recorder } = thread;
    const position = thread.position(instruction.loc, pc);
    switch (instruction.kind) {
      case 'set':
        thread.set(state, instruction.register, thread.value(instruction.value));
        return go();
      case 'load':
        this.#load(instruction, state, position);
        return go();
      case 'store':
        if (recorder) recorder.accessType = instruction.type;
        memory.write(
          state,
          thread.value(instruction.address),
          thread.value(instruction.value),
          instruction.type.bits / 8,
          position,
        );
        return go();
      case 'jump':
        if (instruction.target <= pc) return closeLoop(thread, instruction, state, pc);
        waitAt(frame, instruction.target, state);
        return stop;
      case 'branch':
        return branch(thread, instruction, state, pc);
      case 'call':
        return { state: call(thread, this.#run, instruction, state, pc), pc: pc + 1 };
      case 'return':
        if (instruction.value) state.registers[frame.function.registers.length] = thread.value(instruction.value);
        if (builder.index === 0 && thread.frames.length === 1) {
          checkLeaks(thread, state, position);
          steps.halt(state);
        }
        if (!thread.endsProgram()) leaveObjects(thread, state, thread.objectsLeftWith([frame]), position);
        waitAt(frame, frame.function.instructions.length, state);
        return stop;
      case 'assume':
        return this.#assume(state, thread.isTrue(instruction.condition), position) ? go() : stop;
      case 'assert':
        this.#assert(instruction, state, position);
        return go();
      case 'nondet': {
        const width = instruction.type.bits;
        const set = instruction.isBool ? sets.rangeSet(width, 0n, 1n) : sets.topSet(width);
        const place = { thread: builder.index, key: position.key, offset: null, draw: drawAt(frame.function, pc) };
        const value = execution.unknowns.input(place, set, instruction.source);
        const isFloat = instruction.type.kind === 'float';
        thread.set(state, instruction.register, isFloat ? canonicalFloat(execution.graph, value) : value);
        return go();
      }
      case 'enter-object': {
        const length = instruction.size ? thread.value(instruction.size) : null;
        enterObject(thread, frame, instruction, length, state, position);
        return go();
      }
      case 'leave-object': {
        const object = frame.objects.get(instruction.object);
        if (object) leaveObjects(thread, state, [object], position);
        return go();
      }
      case 'allocate': {
        const object = allocateObject(thread, instruction, thread.value(instruction.size), state, position);
        const width = frame.function.registers[instruction.register]?.type.bits ?? execution.wordBits;
        thread.set(state, instruction.register, execution.graph.constant(width, object.base));
        return go();
      }
      case 'free':
        freeObject(thread, state, thread.value(instruction.address), position);
        return go();
      case 'object-size':
        thread.set(state, instruction.register, objectSize(execution, thread.value(instruction.address), position));
        return go();
      case 'atomic-begin':
        steps.enterCodeSection(state, frame.function.isModel ? 'model' : 'program', position.loc);
        return go();
      case 'atomic-end':
        steps.leaveSection(state);
        return go();
      case 'fence':
        steps.fence(state, instruction.order, position.loc);
        return go();
      case 'spawn':
        return spawnThread(thread, instruction, state, position) ? go() : stop;
      case 'self':
        thread.set(state, instruction.register, execution.graph.constant(32, BigInt(builder.index)));
        return go();
      case 'halt':
        checkLeaks(thread, state, position);
        steps.halt(state);
        return stop;
      case 'end-thread':
        if (builder.index === 0) giveUpLeaks(thread, state, position);
        // Undefined for main's, too; where nobody asks, they stay, as they do in practice.
        if (builder.index !== 0 || execution.options.checks.has('pointer'))
          leaveObjects(thread, state, thread.objectsLeftWith(thread.frames), position);
        return stop;
      default:
        return assertNever(instruction);
    }
  }

  #load(instruction: Extract<Instruction, { kind: 'load' }>, state: State, position: Position): void {
    const { execution, memory } = this.#thread;
    const address = this.#thread.value(instruction.address);
    const bits = memory.read(state, address, instruction.type.bits / 8, position);
    const isFloat = instruction.type.kind === 'float';
    this.#thread.set(state, instruction.register, isFloat ? canonicalFloat(execution.graph, bits) : bits);
  }

  /** Where nothing has failed so far, the condition holds from here on; what follows a failure does not matter. */
  #assert(instruction: Extract<Instruction, { kind: 'assert' }>, state: State, position: Position): void {
    const { execution, steps, frame } = this.#thread;
    const condition = this.#thread.isTrue(instruction.condition);
    const isTheirs = instruction.check === 'unsupported' && frame.place !== null;
    const where = isTheirs ? { key: position.key, loc: frame.place as Loc, mode: PLAIN, isModel: true } : position;
    steps.require(state, condition, instruction.check, instruction.message, where);
    refineState(execution.graph, state, condition, true);
  }

  /** False when no path gets past the condition. */
  #assume(state: State, condition: Term, position: Position): boolean {
    const { execution, steps, frame } = this.#thread;
    if (this.#goesOnAnyway(state, condition)) return true;
    const waits = state.atomicDepth > 0 && canWait(frame.function);
    if (waits) steps.wait(state, condition, position, holderOf(frame.function, state));
    else steps.assume(state, condition, position);
    return !execution.graph.isFalse(condition) && refineState(execution.graph, state, condition, true);
  }

  /**
   * Whether a thread that would wait for ever goes on all the same, because the threads that will wake it are still to
   * be executed. Only in the first iteration, which is then repeated: a main that joins n threads would else need n
   * iterations to get to its end.
   */
  #goesOnAnyway(state: State, condition: Term): boolean {
    const { knowledge, graph } = this.#thread.execution;
    if (!knowledge.isFirst || state.atomicDepth === 0 || !graph.isFalse(condition)) return false;
    knowledge.structureChanged = true;
    return true;
  }
}

/** The term for the thread that a routine of the models waits for, where it is one in particular. */
function holderOf({ name, registers }: CodeFunction, state: State): Term | null {
  const holder = HOLDERS.get(name);
  const register = holder === undefined ? -1 : registers.findIndex(({ variable }) => variable?.name === holder);
  return state.registers[register] ?? null;
}

/** By routine: the variable that has the number of the thread, plus one, that holds the lock or that is joined. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['__lazuli_mutex_lock', 'owner'],
  ['pthread_spin_lock', 'owner'],
  ['__lazuli_join', 'thread'],
]);
