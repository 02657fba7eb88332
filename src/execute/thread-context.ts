/**
 * What the execution of one thread consists of: its steps, its view of memory, its activations, and where it stands.
 * The files that execute instructions (thread-executor.ts, branches.ts, calls.ts, spawn-thread.ts) are handed it.
 */

import type { CodeFunction, FunctionId, Instruction, ObjectId, Value } from '../program/code.ts';
import { type AccessMode, PLAIN } from '../program/memory-order.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import type { Cell, MemoryObject } from './cells.ts';
import { type EvaluationContext, evaluate, isTrueTerm } from './evaluate.ts';
import type { Execution } from './execution.ts';
import { type Frame, instanceKey } from './frame.ts';
import { ThreadMemory } from './memory.ts';
import type { ThreadParts } from './start-objects.ts';
import { mergeStates, type State } from './state.ts';
import type { ThreadBuilder } from './step-builder.ts';
import type { CutKind } from './steps.ts';
import { type Position, ThreadSteps } from './thread-steps.ts';
import { UnsupportedError } from './unsupported.ts';
import { recordRegister, type ValueRecorder } from './value-recorder.ts';

export class ThreadContext implements ThreadParts {
  readonly execution: Execution;
  readonly builder: ThreadBuilder;
  readonly steps: ThreadSteps;
  readonly memory: ThreadMemory;
  readonly recorder: ValueRecorder | undefined;
  /** The activations, innermost last. */
  readonly frames: Frame[] = [];
  readonly entered: MemoryObject[] = [];
  readonly allocated: ThreadParts['allocated'] = [];
  readonly #evaluation: EvaluationContext & { state: State; loc: Loc };

  constructor(execution: Execution, builder: ThreadBuilder) {
    this.execution = execution;
    this.builder = builder;
    this.recorder = execution.options.recorder;
    this.steps = new ThreadSteps(execution, builder);
    this.memory = new ThreadMemory(execution, builder.index, this.steps);
    this.#evaluation = {
      graph: execution.graph,
      loc: 0 as Loc,
      state: null as unknown as State,
      register: (index) => this.#register(index),
      objectAddress: (object) => this.#objectOf(object as ObjectId).base,
      functionAddress: (id) => execution.functionAddress(id),
      notice: (operation, operands, result) =>
        this.memory.visibility.noteOperation(this.#evaluation.state, operation, operands, result),
    };
  }

  // -------------------------------------------------------------- where the thread stands

  get frame(): Frame {
    return this.frames[this.frames.length - 1] as Frame;
  }

  get loc(): Loc {
    return this.#evaluation.loc;
  }

  functionOf(id: FunctionId): CodeFunction {
    return this.execution.code.functions[id] as CodeFunction;
  }

  position(loc: Loc, pc: number): Position {
    return new FramePosition(this.frame, pc, loc);
  }

  /** Expressions are evaluated in this state from here on. */
  enterState(state: State): void {
    this.#evaluation.state = state;
  }

  locate(frame: Frame, { loc }: Pick<Instruction, 'loc'>): void {
    this.#evaluation.loc = loc;
    if (this.recorder) this.recorder.place = frame.place ?? loc;
  }

  /** The locals of activations that end, and with the first one those of the thread. */
  objectsLeftWith(frames: readonly Frame[]): MemoryObject[] {
    const locals = frames.flatMap(({ objects }) => [...objects.values()]);
    return frames.includes(this.frames[0] as Frame) ? [...locals, ...this.memory.visibility.threadLocals] : locals;
  }

  /** The program ends when main returns: nobody sees its locals end. */
  endsProgram(): boolean {
    const depth = this.frames.length;
    return this.builder.index === 0 && (depth === 1 || (depth === 2 && this.frame.function.name === 'main'));
  }

  // -------------------------------------------------------------- values

  value(value: Value): Term {
    return evaluate(this.#evaluation, value);
  }

  isTrue(value: Value): Term {
    return isTrueTerm(this.#evaluation, value);
  }

  set(state: State, register: number, value: Term): void {
    state.registers[register] = value;
    if (this.recorder) recordRegister(this.recorder, this.frame.function, register, value, this.loc);
  }

  #register(index: number): Term {
    const { state } = this.#evaluation;
    const term = state.registers[index];
    if (term === undefined) {
      const type = this.frame.function.registers[index]?.type;
      return this.execution.graph.constant(type?.bits ?? 32, 0n);
    }
    const value = this.memory.refined(state, term);
    this.recorder?.readRegister(this.frame.function, index, value);
    return value;
  }

  #objectOf(id: ObjectId): MemoryObject {
    const local = this.frame.objects.get(id);
    if (local) return local;
    const declared = this.execution.code.objects[id];
    invariant(
      declared && declared.duration !== 'automatic',
      `object ${declared?.name ?? id} is used before it is entered`,
    );
    const object = this.execution.staticObject(id, this.builder.index);
    if (object.kind === 'thread') this.memory.visibility.adoptThreadLocal(object);
    return object;
  }

  // -------------------------------------------------------------- paths

  /** One state for two paths that meet at an instruction of the current activation. */
  merge(a: State, b: State, pc: number): State {
    const { graph, knowledge } = this.execution;
    const loc = this.frame.function.instructions[pc]?.loc ?? this.loc;
    if (a.atomicDepth !== b.atomicDepth) {
      throw new UnsupportedError(loc, 'an atomic section is open on one path to this place and closed on another');
    }
    if (a.section !== b.section && a.section?.step && b.section?.step) {
      throw new UnsupportedError(loc, 'an atomic section that begins at different places on two paths to this place');
    }
    this.memory.align(a, b, this.position(loc, pc));
    return mergeStates(graph, a, b, (cell) => this.execution.initial.of(knowledge.cells[cell] as Cell));
  }

  /** The paths of the state are not followed further. */
  cut(state: State, kind: CutKind, where: string, position: Position): void {
    const loc = this.frame.place ?? position.loc;
    this.builder.addCut(this.steps.stepForCondition(state, position), state.guard, { kind, where, loc });
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
