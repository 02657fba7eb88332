/**
 * Symbolic execution of one thread. Calls are inlined and loops unwound as they are met; branches that the terms decide
 * are followed on one side only; otherwise the state is copied, and copies that meet again are merged. Instructions are
 * visited in increasing order, so that all paths to an instruction have arrived when it is executed; a closing jump
 * goes back with the state of the paths that take it, while the others wait behind the loop (the method of CBMC's
 * symbolic execution).
 */

import { followsConstants, jumpsBack, loopBound, recursionBound } from '../program/bounds.ts';
import type {
  CallSignature,
  CodeFunction,
  FunctionId,
  Instruction,
  Loop,
  LoopId,
  ObjectId,
  Value,
} from '../program/code.ts';
import { type AccessMode, PLAIN } from '../program/memory-order.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { canonicalFloat } from '../values/float-terms.ts';
import type { Term } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { freeObject, leaveObjects } from './end-objects.ts';
import { convertInteger, type EvaluationContext, evaluate, isTrueTerm } from './evaluate.ts';
import type { Execution } from './execution.ts';
import { type Frame, instanceKey, makeFrame, nextWaiting, noteDecision, rangesOf, turnOf } from './frame.ts';
import { calleesOf } from './indirect-calls.ts';
import type { Cell, MemoryObject } from './knowledge.ts';
import { checkLeaks, giveUpLeaks } from './leaks.ts';
import { ThreadMemory } from './memory.ts';
import { objectSize } from './object-size.ts';
import { passArguments } from './pass-arguments.ts';
import { refineState } from './refine-state.ts';
import { allocateObject, enterObject, type ThreadParts } from './start-objects.ts';
import { forkState, mergeStates, type State } from './state.ts';
import type { ThreadBuilder } from './step-builder.ts';
import type { CutKind } from './steps.ts';
import { type Position, ThreadSteps } from './thread-steps.ts';
import { UnsupportedError } from './unsupported.ts';
import { recordRegister, type ValueRecorder } from './value-recorder.ts';

/** As many as the models and the interpreter have room for, with main. */
const MOST_THREADS = 512;
const MOST_CONSTANT_RECURSION = 200;

export class ThreadExecutor {
  readonly #execution: Execution;
  readonly #builder: ThreadBuilder;
  readonly #steps: ThreadSteps;
  readonly #memory: ThreadMemory;
  readonly #recorder: ValueRecorder | undefined;
  readonly #parts: ThreadParts;
  readonly #frames: Frame[] = [];
  readonly #context: EvaluationContext & { state: State; loc: Loc };

  constructor(execution: Execution, builder: ThreadBuilder) {
    this.#execution = execution;
    this.#builder = builder;
    this.#recorder = execution.options.recorder;
    this.#steps = new ThreadSteps(execution, builder);
    this.#memory = new ThreadMemory(execution, builder.index, this.#steps);
    this.#parts = { execution, builder, steps: this.#steps, memory: this.#memory };
    this.#context = {
      graph: execution.graph,
      loc: 0 as Loc,
      state: null as unknown as State,
      register: (index) => this.#register(index),
      objectAddress: (object) => this.#objectOf(object as ObjectId).base,
      functionAddress: (id) => execution.functionAddress(id),
      notice: (operation, operands, result) =>
        this.#memory.noteOperation(this.#context.state, operation, operands, result),
    };
  }

  /** Runs the thread from the start of a function to its end. `place`: where it was created. */
  run(id: FunctionId, args: readonly Term[], state: State, place: Loc | null): State | null {
    if (this.#recorder) this.#recorder.place = this.#recorder.placeOfThread(this.#builder.index);
    return this.#runFunction(this.#functionOf(id), args, state, '', place);
  }

  #functionOf(id: FunctionId): CodeFunction {
    return this.#execution.code.functions[id] as CodeFunction;
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame;
  }

  #position(loc: Loc, pc: number): Position {
    return new FramePosition(this.#frame, pc, loc);
  }

  // -------------------------------------------------------------- activations

  /** Executes an activation; the returned state has the caller's registers and, in `result`, the value returned. */
  #runFunction(fn: CodeFunction, args: readonly Term[], state: State, path: string, place: Loc | null): State | null {
    const callerRegisters = state.registers;
    const recorder = this.#recorder;
    const frame = makeFrame(fn, path, state.guard, fn.isModel ? place : null);
    this.#frames.push(frame);
    state.registers = [...args];
    if (recorder) for (const [i, arg] of args.entries()) recorder.setRegister(fn, i, arg);
    const end = this.#runInstructions(frame, state);
    this.#frames.pop();
    if (!end) return null;
    const result = end.registers[fn.registers.length];
    end.registers = [...callerRegisters];
    this.#result = result ?? null;
    return end;
  }

  #result: Term | null = null;

  #runInstructions(frame: Frame, first: State): State | null {
    const { instructions, id } = frame.function;
    const watched = this.#execution.options.watched?.get(id);
    const end = instructions.length;
    let current: State | null = first;
    let pc = 0;
    let visited = 0;
    for (;;) {
      const waiting = frame.waiting.get(pc);
      if (waiting) {
        frame.waiting.delete(pc);
        // Those that parted last meet first: what tells them apart from the others is then one condition.
        for (const state of waiting.reverse()) current = current ? this.#merge(current, state, pc) : state;
      }
      if (!current) {
        const next = nextWaiting(frame);
        if (next === null) return null;
        pc = next;
        continue;
      }
      if (pc >= end) {
        if (nextWaiting(frame) !== null) {
          this.#wait(frame, end, current);
          current = null;
          continue;
        }
        return current;
      }
      if ((++visited & 1023) === 0) this.#execution.poll();
      const instruction = instructions[pc] as Instruction;
      this.#context.state = current;
      this.#locate(frame, instruction);
      if (watched?.has(pc)) this.#steps.visit(current, { function: id, pc });
      const next: Next = this.#execute(frame, instruction, current, pc);
      current = next.state;
      pc = next.pc;
    }
  }

  #wait(frame: Frame, pc: number, state: State): void {
    const list = frame.waiting.get(pc);
    if (list) list.push(state);
    else frame.waiting.set(pc, [state]);
  }

  #merge(a: State, b: State, pc: number): State {
    const { graph, knowledge } = this.#execution;
    const loc = this.#frame.function.instructions[pc]?.loc ?? this.#context.loc;
    if (a.atomicDepth !== b.atomicDepth) {
      throw new UnsupportedError(loc, 'an atomic section is open on one path to this place and closed on another');
    }
    if (a.section !== b.section && a.section?.step && b.section?.step) {
      throw new UnsupportedError(loc, 'an atomic section that begins at different places on two paths to this place');
    }
    this.#memory.align(a, b, this.#position(loc, pc));
    return mergeStates(graph, a, b, (cell) => this.#execution.initialOf(knowledge.cells[cell] as Cell));
  }

  // -------------------------------------------------------------- instructions

  #execute(frame: Frame, instruction: Instruction, state: State, pc: number): Next {
    const go = (): Next => ({ state, pc: pc + 1 });
    const stop: Next = { state: null, pc: pc + 1 };
    const position = this.#position(instruction.loc, pc);
    const memory = this.#memory;
    switch (instruction.kind) {
      case 'set':
        this.#set(state, instruction.register, this.#value(instruction.value));
        return go();
      case 'load':
        this.#load(instruction, state, position);
        return go();
      case 'store':
        if (this.#recorder) this.#recorder.accessType = instruction.type;
        memory.write(
          state,
          this.#value(instruction.address),
          this.#value(instruction.value),
          instruction.type.bits / 8,
          position,
        );
        return go();
      case 'jump':
        if (instruction.target <= pc) return this.#closeLoop(frame, instruction, state, pc);
        this.#wait(frame, instruction.target, state);
        return stop;
      case 'branch':
        return this.#branch(frame, instruction, state, pc);
      case 'call':
        return { state: this.#call(frame, instruction, state, pc), pc: pc + 1 };
      case 'return':
        if (instruction.value) state.registers[frame.function.registers.length] = this.#value(instruction.value);
        if (this.#builder.index === 0 && this.#frames.length === 1) {
          checkLeaks(this.#parts, state, position);
          this.#steps.halt(state);
        }
        if (!this.#endsProgram()) leaveObjects(this.#parts, state, this.#objectsLeftWith([frame]), position);
        this.#wait(frame, frame.function.instructions.length, state);
        return stop;
      case 'assume':
        return this.#assume(state, isTrueTerm(this.#context, instruction.condition), position) ? go() : stop;
      case 'assert':
        this.#assert(instruction, state, position);
        return go();
      case 'nondet': {
        const width = instruction.type.bits;
        const set = instruction.isBool ? sets.rangeSet(width, 0n, 1n) : sets.topSet(width);
        const place = { thread: this.#builder.index, key: position.key, offset: null };
        const value = this.#execution.input(place, set, instruction.source);
        const isFloat = instruction.type.kind === 'float';
        this.#set(state, instruction.register, isFloat ? canonicalFloat(this.#execution.graph, value) : value);
        return go();
      }
      case 'enter-object': {
        const length = instruction.size ? this.#value(instruction.size) : null;
        enterObject(this.#parts, frame, instruction, length, state, position);
        return go();
      }
      case 'leave-object': {
        const object = frame.objects.get(instruction.object);
        if (object) leaveObjects(this.#parts, state, [object], position);
        return go();
      }
      case 'allocate': {
        const object = allocateObject(this.#parts, instruction, this.#value(instruction.size), state, position);
        const width = frame.function.registers[instruction.register]?.type.bits ?? this.#execution.wordBits;
        this.#set(state, instruction.register, this.#execution.graph.constant(width, object.base));
        return go();
      }
      case 'free':
        freeObject(this.#parts, state, this.#value(instruction.address), position);
        return go();
      case 'object-size':
        this.#set(state, instruction.register, objectSize(this.#execution, this.#value(instruction.address), position));
        return go();
      case 'atomic-begin':
        this.#steps.enterSection(state, frame.function.isModel ? 'model' : 'program');
        return go();
      case 'atomic-end':
        this.#steps.leaveSection(state);
        return go();
      case 'fence':
        this.#builder.addFence(state.guard, instruction.order);
        return go();
      case 'spawn':
        return this.#spawn(instruction, state, position) ? go() : stop;
      case 'self':
        this.#set(state, instruction.register, this.#execution.graph.constant(32, BigInt(this.#builder.index)));
        return go();
      case 'halt':
        checkLeaks(this.#parts, state, position);
        this.#steps.halt(state);
        // Nobody sees what an atomic section did in which the program ends.
        if (state.section?.step) this.#steps.assume(state, this.#execution.graph.false, position);
        return stop;
      case 'end-thread':
        if (this.#builder.index === 0) giveUpLeaks(this.#parts, state, position);
        else leaveObjects(this.#parts, state, this.#objectsLeftWith(this.#frames), position);
        return stop;
      default:
        return assertNever(instruction);
    }
  }

  #load(instruction: Extract<Instruction, { kind: 'load' }>, state: State, position: Position): void {
    const address = this.#value(instruction.address);
    const bits = this.#memory.read(state, address, instruction.type.bits / 8, position);
    const isFloat = instruction.type.kind === 'float';
    this.#set(state, instruction.register, isFloat ? canonicalFloat(this.#execution.graph, bits) : bits);
  }

  #locate(frame: Frame, { loc }: Pick<Instruction, 'loc'>): void {
    this.#context.loc = loc;
    if (this.#recorder) this.#recorder.place = frame.place ?? loc;
  }

  #set(state: State, register: number, value: Term): void {
    state.registers[register] = value;
    if (this.#recorder) recordRegister(this.#recorder, this.#frame.function, register, value, this.#context.loc);
  }

  #value(value: Value): Term {
    return evaluate(this.#context, value);
  }

  #register(index: number): Term {
    const term = this.#context.state.registers[index];
    if (term === undefined) {
      const type = this.#frame.function.registers[index]?.type;
      return this.#execution.graph.constant(type?.bits ?? 32, 0n);
    }
    const value = this.#memory.refined(this.#context.state, term);
    this.#recorder?.readRegister(this.#frame.function, index, value);
    return value;
  }

  #objectOf(id: ObjectId): MemoryObject {
    const local = this.#frame.objects.get(id);
    if (local) return local;
    const declared = this.#execution.code.objects[id];
    invariant(
      declared && declared.duration !== 'automatic',
      `object ${declared?.name ?? id} is used before it is entered`,
    );
    const object = this.#execution.staticObject(id, this.#builder.index);
    if (object.kind === 'thread') this.#memory.adoptThreadLocal(object);
    return object;
  }

  /** The locals of activations that end, and with the first one those of the thread. */
  #objectsLeftWith(frames: readonly Frame[]): MemoryObject[] {
    const locals = frames.flatMap(({ objects }) => [...objects.values()]);
    return frames.includes(this.#frames[0] as Frame) ? [...locals, ...this.#memory.threadLocals] : locals;
  }

  /** The program ends when main returns: nobody sees its locals end. */
  #endsProgram(): boolean {
    const depth = this.#frames.length;
    return this.#builder.index === 0 && (depth === 1 || (depth === 2 && this.#frame.function.name === 'main'));
  }

  /** Where nothing has failed so far, the condition holds from here on; what follows a failure does not matter. */
  #assert(instruction: Extract<Instruction, { kind: 'assert' }>, state: State, position: Position): void {
    const condition = isTrueTerm(this.#context, instruction.condition);
    const isTheirs = instruction.check === 'unsupported' && this.#frame.place !== null;
    const where = isTheirs
      ? { key: position.key, loc: this.#frame.place as Loc, mode: PLAIN, isModel: true }
      : position;
    this.#steps.require(state, condition, instruction.check, instruction.message, where);
    refineState(this.#execution.graph, state, condition, true);
  }

  /** False when no path gets past the condition. */
  #assume(state: State, condition: Term, position: Position): boolean {
    if (this.#goesOnAnyway(state, condition)) return true;
    const waits = state.atomicDepth > 0 && this.#frame.function.isModel;
    if (waits) this.#steps.wait(state, condition, position);
    else this.#steps.assume(state, condition, position);
    return !this.#execution.graph.isFalse(condition) && refineState(this.#execution.graph, state, condition, true);
  }

  /**
   * Whether a thread that would wait for ever goes on all the same, because the threads that will wake it are still to
   * be executed. Only in the first iteration, which is then repeated: a main that joins n threads would else need n
   * iterations to get to its end.
   */
  #goesOnAnyway(state: State, condition: Term): boolean {
    const { knowledge, graph } = this.#execution;
    if (!knowledge.isFirst || state.atomicDepth === 0 || !graph.isFalse(condition)) return false;
    knowledge.structureChanged = true;
    return true;
  }

  // -------------------------------------------------------------- control flow

  #branch(frame: Frame, instruction: Extract<Instruction, { kind: 'branch' }>, state: State, pc: number): Next {
    const { graph } = this.#execution;
    const condition = isTrueTerm(this.#context, instruction.condition);
    const closes = instruction.target <= pc;
    const decided = this.#decide(state, condition);
    if (decided !== null) {
      noteDecision(frame, pc, instruction.target, this.#operandsOf(instruction.condition));
      if (decided) return { state, pc: pc + 1 };
      if (closes) return this.#closeLoop(frame, instruction, state, pc);
      this.#wait(frame, instruction.target, state);
      return { state: null, pc: pc + 1 };
    }
    const jumping = forkState(state);
    jumping.guard = graph.and(state.guard, graph.not(condition));
    const jumps = refineState(graph, jumping, condition, false);
    state.guard = graph.and(state.guard, condition);
    const stays = refineState(graph, state, condition, true);
    if (!closes) {
      if (jumps) this.#wait(frame, instruction.target, jumping);
      return { state: stays ? state : null, pc: pc + 1 };
    }
    if (stays) this.#wait(frame, pc + 1, state);
    return jumps ? this.#closeLoop(frame, instruction, jumping, pc) : { state: null, pc: pc + 1 };
  }

  /**
   * The constants that a condition compares, as a text that changes when they do; null when it compares anything else.
   */
  #operandsOf(condition: Value): string | null {
    if (condition.kind === 'binary') {
      const [left, right] = [this.#operandsOf(condition.left), this.#operandsOf(condition.right)];
      return left === null || right === null ? null : `${left} ${right}`;
    }
    const value = this.#execution.graph.constantOf(this.#value(condition));
    return value === null ? null : `${value}`;
  }

  /** Whether the condition is certain here, from itself or from what the path has passed. */
  #decide(state: State, condition: Term): boolean | null {
    const { graph } = this.#execution;
    if (graph.isTrue(condition)) return true;
    if (graph.isFalse(condition)) return false;
    if (graph.isFalse(graph.and(state.guard, graph.not(condition)))) return true;
    return graph.isFalse(graph.and(state.guard, condition)) ? false : null;
  }

  /** Takes a closing jump, or cuts the paths that would take it once too often. */
  #closeLoop(
    frame: Frame,
    instruction: Extract<Instruction, { kind: 'jump' | 'branch' }>,
    state: State,
    pc: number,
  ): Next {
    const id = instruction.loop as LoopId;
    const loop = this.#execution.code.loops[id] as Loop;
    const { bounds, limits } = this.#execution.options;
    const turn = turnOf(frame, id);
    const isFree =
      turn.progress && followsConstants(loop, bounds) && turn.taken - turn.counted < limits.constantIterations;
    if (!isFree && turn.counted >= jumpsBack(loop, loopBound(loop, bounds))) {
      this.#cut(state, 'loop', loop.name, this.#position(instruction.loc, pc));
      return { state: null, pc: pc + 1 };
    }
    turn.taken++;
    if (!isFree) turn.counted++;
    turn.progress = false;
    this.#execution.poll();
    for (const { loop: inner, closing } of rangesOf(frame.function)) {
      if (inner !== id && closing >= instruction.target && closing <= pc) frame.turns.delete(inner);
    }
    return { state, pc: instruction.target };
  }

  #cut(state: State, kind: CutKind, where: string, position: Position): void {
    const loc = this.#frame.place ?? position.loc;
    this.#builder.addCut(this.#steps.stepForCondition(state, position), state.guard, { kind, where, loc });
  }

  // -------------------------------------------------------------- calls

  #call(frame: Frame, instruction: Extract<Instruction, { kind: 'call' }>, state: State, pc: number): State | null {
    const args = instruction.args.map((arg) => this.#value(arg));
    const position = this.#position(instruction.loc, pc);
    let after: State | null;
    let result: Term | null = null;
    if (typeof instruction.callee === 'number') {
      after = this.#enter(
        frame,
        this.#functionOf(instruction.callee),
        args,
        instruction.signature,
        state,
        pc,
        position,
      );
      result = this.#result;
    } else {
      const pointer = this.#value(instruction.callee);
      ({ after, result } = this.#callThrough(frame, pointer, args, instruction, state, pc, position));
    }
    if (!after) return null;
    this.#context.state = after;
    if (instruction.register !== null) {
      const type = frame.function.registers[instruction.register]?.type;
      const width = type?.bits ?? 32;
      const value = result
        ? convertInteger(this.#execution.graph, result, false, width)
        : this.#execution.graph.constant(width, 0n);
      this.#locate(frame, instruction);
      this.#set(after, instruction.register, value);
    }
    return after;
  }

  #callThrough(
    frame: Frame,
    pointer: Term,
    args: readonly Term[],
    instruction: Extract<Instruction, { kind: 'call' }>,
    state: State,
    pc: number,
    position: Position,
  ): { after: State | null; result: Term | null } {
    const { graph } = this.#execution;
    const callees = calleesOf(this.#execution, pointer, instruction.signature);
    const isValid = graph.orAll(callees.map(({ select }) => select));
    this.#steps.require(state, isValid, 'pointer', 'call through an invalid function pointer', position);
    let after: State | null = null;
    let result: Term | null = null;
    const wanted = instruction.signature.result;
    for (const [i, { id, select }] of callees.entries()) {
      const path = i + 1 === callees.length ? state : forkState(state);
      path.guard = graph.and(path.guard, select);
      if (graph.isFalse(path.guard) || !refineState(graph, path, select, true)) continue;
      const known = args.map((arg) => this.#memory.refined(path, arg));
      const ended = this.#enter(frame, this.#functionOf(id), known, instruction.signature, path, pc, position);
      if (!ended) continue;
      const given = this.#result ?? (wanted ? graph.constant(wanted.bits, 0n) : null);
      const value = given && wanted ? convertInteger(graph, given, false, wanted.bits) : null;
      result = result && value ? graph.ite(select, value, result) : value;
      after = after ? this.#merge(ended, after, pc) : ended;
    }
    return { after, result };
  }

  #enter(
    frame: Frame,
    fn: CodeFunction,
    args: readonly Term[],
    signature: CallSignature,
    state: State,
    pc: number,
    position: Position,
  ): State | null {
    this.#result = null;
    const active = this.#frames.filter((f) => f.function === fn);
    const isConstant = active.length > 0 && active[active.length - 1]?.entryGuard === state.guard;
    const most = isConstant ? MOST_CONSTANT_RECURSION : recursionBound(fn.name, this.#execution.options.bounds);
    if (active.length > most) {
      this.#cut(state, 'recursion', fn.name, position);
      return null;
    }
    const passed = passArguments(this.#execution.graph, fn, args, signature);
    this.#locate(frame, position);
    return this.#runFunction(fn, passed, state, `${instanceKey(frame, pc)}/`, frame.place ?? position.loc);
  }

  // -------------------------------------------------------------- threads

  /** False when there would be too many threads: the path ends. */
  #spawn(instruction: Extract<Instruction, { kind: 'spawn' }>, state: State, position: Position): boolean {
    const { graph, knowledge } = this.#execution;
    const index = knowledge.threadOf(`${this.#builder.index} ${position.key}`);
    if (index >= MOST_THREADS) {
      this.#cut(state, 'limit', `more than ${MOST_THREADS} threads`, position);
      return false;
    }
    const start = this.#value(instruction.start);
    const argument = this.#value(instruction.argument);
    this.#settleGuard(state, position);
    this.#steps.enterSection(state);
    const step = this.#steps.openStep(state, position);
    step.effect = true;
    step.creation = { key: position.key, guard: state.guard };
    this.#memory.exposeEarly(state, position);
    this.#memory.publishAddressesIn(state, argument, position);
    this.#steps.leaveSection(state);
    const spawn = { thread: this.#builder.index, step: step.index, guard: state.guard };
    this.#execution.pending.push({ index, spawn, start, argument, place: this.#frame.place ?? position.loc });
    this.#recorder?.spawn(index);
    this.#set(state, instruction.register, graph.constant(32, BigInt(index)));
    return true;
  }

  /**
   * Before main creates its first thread: if all other paths have ended, the path condition becomes an assumption on
   * the step that follows, so that everything after it is unconditional.
   */
  #settleGuard(state: State, position: Position): void {
    const { graph } = this.#execution;
    if (state.spawned || state.atomicDepth > 0 || graph.isTrue(state.guard)) return;
    if (this.#frames.some((frame) => nextWaiting(frame) !== null)) return;
    const step = this.#builder.addStep(graph.true, position.loc);
    this.#builder.addAssumption(step.index, graph.true, state.guard, false);
    state.guard = graph.true;
  }
}

/** Keys are long, and few are asked for. */
class FramePosition implements Position {
  readonly #frame: Frame;
  readonly #pc: number;
  readonly loc: Loc;

  constructor(frame: Frame, pc: number, loc: Loc) {
    this.#frame = frame;
    this.#pc = pc;
    this.loc = loc;
  }

  get key(): string {
    return instanceKey(this.#frame, this.#pc);
  }

  get isModel(): boolean {
    return this.#frame.function.isModel;
  }

  get mode(): AccessMode {
    const instruction = this.#frame.function.instructions[this.#pc];
    return instruction?.kind === 'load' || instruction?.kind === 'store' ? instruction.mode : PLAIN;
  }
}

interface Next {
  readonly state: State | null;
  readonly pc: number;
}
