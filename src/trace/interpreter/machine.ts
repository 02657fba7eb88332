/**
 * The machine: a concrete executor of code with explicit threads. Whoever uses it decides which thread goes on, one
 * visible step or one instruction at a time; the machine itself never chooses. It is written independently of the
 * symbolic engine, whose counterexamples it replays and for which it is the oracle of the tests.
 *
 * Undefined behaviour is a violation when its check is asked for, and otherwise ends the run ('gave-up'): nothing that
 * follows would mean anything.
 */

import type { CheckName, CodeObject, Instruction } from '../../program/code.ts';
import { drawAt } from '../../program/draws.ts';
import { isWeak, type MemoryModel } from '../../program/memory-model.ts';
import { canWait } from '../../program/waiting-routines.ts';
import { invariant } from '../../support/invariant.ts';
import type { CompiledProgram } from './compile-instructions.ts';
import { describeFault } from './describe-fault.ts';
import { createFrame, createThread, frameKey } from './frames.ts';
import { createObject, createStatics, initialise } from './initial-objects.ts';
import { normaliseInput } from './input-values.ts';
import { hasLostMemory } from './lost-memory.ts';
import { INITIALISED, Memory, OutOfMemory, type Region } from './memory.ts';
import { RaceDetector } from './race-detector.ts';
import type { RunNotes } from './run-notes.ts';
import { SectionUndo } from './section-undo.ts';
import type { SpinWatch } from './spin.ts';
import type {
  CompiledFunction,
  External,
  Frame,
  InputSource,
  MachineStatus,
  Recorder,
  Scalar,
  Thread,
  Violation,
} from './state.ts';
import { StoreBuffers } from './store-buffer.ts';
import { waitAt } from './waits.ts';

export interface MachineOptions {
  /** The checks that the machine does itself: pointer, free, leak. Assertions in the code count always. */
  readonly checks: ReadonlySet<CheckName>;
  readonly inputs: InputSource;
  /** The memory of a machine that is no longer used, to save the time of making one. */
  readonly reusedMemory?: Memory;
  readonly depthLimit?: number;
  /** A thread that would create more threads than this is stuck for good. */
  readonly threadLimit?: number;
  /** Name the regions of memory by the instance that creates them: for inputs that are given by name. Costs time. */
  readonly nameRegions?: boolean;
  readonly externals?: ReadonlyMap<string, External>;
  /** Is told of races, and of what is held where, also where races are not looked for. */
  readonly notes?: RunNotes | undefined;
  /** `sc` without it. */
  readonly memoryModel?: MemoryModel | undefined;
}

const DEFAULT_DEPTH_LIMIT = 10_000;
/** What the models provide for. */
export const MOST_THREADS = 16_384;

type Of<K extends Instruction['kind']> = Extract<Instruction, { kind: K }>;

export class Machine {
  readonly program: CompiledProgram;
  readonly memory: Memory;
  readonly threads: Thread[] = [];
  status: MachineStatus = 'running';
  violation: Violation | null = null;
  /** Why the machine gave up. */
  reason = '';
  /** The open atomic section of the running thread. */
  section: SectionUndo | null = null;
  atomicDepth = 0;
  #recorder: Recorder | null = null;
  /** Looks for data races, if that is asked for. */
  readonly races: RaceDetector | null;
  /** Null under sequential consistency. */
  readonly buffers: StoreBuffers | null;
  /** Counts changes of memory and of threads: what a blocked thread waits for. */
  writes = 0;
  /** Instructions carried out. */
  instructions = 0;
  /** While a thread runs alone to see whether it spins: is told of loads and stores, and nothing happens by chance. */
  spinWatch: SpinWatch | null = null;
  readonly #options: MachineOptions;
  /** `writes` at the begin of the open section. */
  #writesBefore = 0;

  constructor(program: CompiledProgram, options: MachineOptions) {
    this.program = program;
    this.#options = options;
    const isRace = options.checks.has('race');
    const { notes = null } = options;
    this.races = isRace || notes ? new RaceDetector(this, notes, isRace) : null;
    notes?.beginRun();
    this.recorder = null;
    const { memoryModel = 'sc', nameRegions = false } = options;
    this.buffers = isWeak(memoryModel) ? new StoreBuffers(this, memoryModel, nameRegions) : null;
    this.memory = options.reusedMemory ?? new Memory(program.layout);
    this.memory.clear();
    const main = program.functions[program.code.main];
    invariant(main, 'a program has a main');
    try {
      createStatics(program, this.memory);
      this.#createThread(main, [], -1);
    } catch (fault) {
      this.#giveUpOn(fault);
    }
  }

  get recorder(): Recorder | null {
    return this.#recorder;
  }

  /** Whoever looks for races sees everything first. */
  set recorder(recorder: Recorder | null) {
    const { races } = this;
    if (!races) this.#recorder = recorder;
    else
      this.#recorder = (event, frame, instruction) => {
        races.observe(event, frame, instruction);
        recorder?.(event, frame, instruction);
      };
  }

  /** What runs meanwhile nobody is told of. */
  unrecorded<T>(run: () => T): T {
    const recorder = this.#recorder;
    this.#recorder = null;
    try {
      return run();
    } finally {
      this.#recorder = recorder;
    }
  }

  // -------------------------------------------------------------- running

  thread(id: number): Thread {
    const thread = this.threads[id];
    invariant(thread, 'a thread that exists');
    return thread;
  }

  /** Whether it is worth letting the thread go on. */
  canRun(thread: Thread): boolean {
    if (this.status !== 'running') return false;
    return thread.status === 'ready' || (thread.status === 'blocked' && thread.blockedAt !== this.writes);
  }

  get runnable(): Thread[] {
    return this.threads.filter((thread) => this.canRun(thread));
  }

  /** Those among the first so many threads. */
  runnableAmong(count: number): Thread[] {
    const runnable: Thread[] = [];
    for (let i = 0; i < count && i < this.threads.length; i++) {
      const thread = this.threads[i] as Thread;
      if (this.canRun(thread)) runnable.push(thread);
    }
    return runnable;
  }

  /** Carries out one instruction. */
  stepInstruction(thread: Thread): void {
    thread.status = 'ready';
    try {
      this.#execute(thread);
    } catch (fault) {
      this.#giveUpOn(fault);
    }
  }

  #execute(thread: Thread): void {
    const { frame } = thread;
    const pc = frame.pc;
    frame.pc = pc + 1;
    this.instructions++;
    (frame.function.operations[pc] as CompiledFunction['operations'][number])(this, frame);
  }

  /**
   * Runs the thread up to and including its next visible event: an access to memory that others may reach, a whole
   * atomic section, the creation or end of a thread. While there is only one thread, nothing is visible but what
   * ends this. Returns false when `limit` instructions were not enough.
   */
  step(thread: Thread, limit: number): boolean {
    thread.status = 'ready';
    const last = this.instructions + limit;
    try {
      while (this.status === 'running') {
        const { frame } = thread;
        const isVisible = frame.function.visible[frame.pc] === 1 || this.atomicDepth > 0;
        this.#execute(thread);
        if (thread.status !== 'ready') return true;
        if (isVisible && this.atomicDepth === 0 && this.threads.length > 1) return true;
        if (this.instructions >= last) return false;
      }
    } catch (fault) {
      this.#giveUpOn(fault);
    }
    return true;
  }

  #giveUpOn(fault: unknown): void {
    if (fault instanceof OutOfMemory) this.giveUp(`out of memory: ${fault.message}`);
    else throw fault;
  }

  giveUp(reason: string): void {
    this.status = 'gave-up';
    this.reason = reason;
  }

  /** The name of the instruction that the thread carries out next (program/instance-key.ts). */
  instanceKey(thread: Thread): string {
    return frameKey(thread.frame, thread.frame.pc);
  }

  // -------------------------------------------------------------- objects

  enterObject(frame: Frame, slot: number, size: number | null, instruction: Of<'enter-object'>): void {
    const { code } = this.program;
    const object = code.objects[instruction.object] as CodeObject;
    if (frame.objects[slot] !== 0) this.leaveObject(frame, slot);
    const creator = this.#creatorOf(frame);
    const region = this.memory.create(
      { size: size ?? object.size, kind: 'local', object: object.id, thread: frame.thread.id, creator },
      object.alignment,
      instruction.zeroed,
    );
    frame.objects[slot] = region.base;
  }

  #creatorOf(frame: Frame): string {
    return this.#options.nameRegions ? frameKey(frame, frame.pc - 1) : frame.function.source.name;
  }

  leaveObject(frame: Frame, slot: number): void {
    const base = frame.objects[slot] as number;
    if (base === 0) return;
    const region = this.memory.find(base);
    invariant(region, 'a local object has a region');
    this.#endRegion(region);
    frame.objects[slot] = 0;
  }

  #endRegion(region: Region): void {
    if (this.section) this.section.saveRegion(this.memory, region);
    this.memory.end(region);
  }

  allocate(frame: Frame, size: number, instruction: Of<'allocate'>): void {
    const creator = this.#creatorOf(frame);
    const kind = instruction.isLocal ? 'alloca' : 'heap';
    if (size > 0x7fff_ffff) throw new OutOfMemory(`an allocation of ${size} bytes`);
    const region = this.memory.create(
      { size, kind, object: -1, thread: frame.thread.id, creator },
      16,
      instruction.zeroed,
    );
    if (instruction.isLocal) {
      frame.allocas ??= [];
      frame.allocas.push(region);
    }
    this.#setRegister(frame, instruction.register, region.base);
    this.recorder?.({ kind: 'allocate', address: region.base }, frame, instruction);
  }

  free(address: number, frame: Frame, instruction: Of<'free'>): void {
    if (address === 0) return;
    const region = this.memory.find(address);
    if (region?.kind !== 'heap' || region.base !== address) {
      this.fail('free', 'free of something that was not allocated', frame, instruction);
    } else if (!region.alive) {
      this.fail('free', 'free of memory that was freed before', frame, instruction);
    } else {
      this.#endRegion(region);
      this.writes++;
      this.recorder?.({ kind: 'free', address }, frame, instruction);
    }
  }

  objectSize(frame: Frame, address: number, instruction: Of<'object-size'>): void {
    const region = this.memory.find(address);
    if (region?.alive) this.#setRegister(frame, instruction.register, region.size);
    else this.fail('pointer', 'the size of an object that does not exist', frame, instruction);
  }

  #setRegister(frame: Frame, register: number, value: number): void {
    const isWide = typeof frame.function.emptyRegisters[register] === 'bigint';
    frame.registers[register] = isWide ? BigInt(value) : value;
  }

  // -------------------------------------------------------------- accesses that are not plain

  /**
   * A load of bytes that are not all alive and initialised: fills in what is indeterminate. False when it is invalid.
   */
  prepareLoad(address: number, size: number, frame: Frame, instruction: Instruction): boolean {
    const { memory } = this;
    const region = memory.isAccessible(address, size, false) ? memory.find(address) : null;
    if (!region) {
      this.refuseAccess(address, size, false, frame, instruction);
      return false;
    }
    for (let at = address; at < address + size; at++) {
      if ((memory.stateAt(at) & INITIALISED) !== 0) continue;
      memory.setByte(at, this.#options.inputs.byte(region, at - region.base));
    }
    return true;
  }

  refuseAccess(address: number, size: number, writing: boolean, frame: Frame, instruction: Instruction): void {
    this.fail('pointer', describeFault(this.program, this.memory, { address, size, writing }), frame, instruction);
  }

  // -------------------------------------------------------------- calls and threads

  #createThread(start: CompiledFunction, args: readonly Scalar[], parent: number): Thread {
    const id = this.threads.length;
    const thread = createThread(id, parent, start, args);
    for (const object of this.program.code.objects) {
      if (object.duration !== 'thread') continue;
      const region = createObject(object, 'thread', id, this.memory);
      initialise(object, region.base, this.program.statics, this.memory);
      thread.locals.set(object.id, region.base);
    }
    this.threads.push(thread);
    return thread;
  }

  call(frame: Frame, callee: CompiledFunction, args: readonly Scalar[], instruction: Of<'call'>): void {
    const external = this.#options.externals?.get(callee.source.name);
    if (external) {
      const result = external(this, args);
      if (instruction.register !== null && result !== null) frame.registers[instruction.register] = result;
      return;
    }
    if (frame.depth >= (this.#options.depthLimit ?? DEFAULT_DEPTH_LIMIT)) {
      this.giveUp('calls nested too deeply');
      return;
    }
    this.recorder?.({ kind: 'call', callee, args }, frame, instruction);
    frame.thread.frame = createFrame(callee, args, frame.thread, frame, frame.pc - 1, instruction.register ?? -1);
  }

  return(frame: Frame, value: Scalar | null, instruction: Of<'return'>): void {
    this.recorder?.({ kind: 'return', value }, frame, instruction);
    this.#leaveFrame(frame);
    const { parent } = frame;
    if (!parent) {
      if (frame.thread.id === 0) this.halt(frame, instruction);
      else this.endThread(frame, instruction);
      return;
    }
    if (this.section) this.section.saveFrame(parent);
    if (frame.resultRegister >= 0) {
      // A function without result, called as if it had one, or with one of another width: see Code on indirect calls.
      const none = parent.function.emptyRegisters[frame.resultRegister] as Scalar;
      const isOther = value !== null && typeof value !== typeof none;
      parent.registers[frame.resultRegister] = isOther ? inOtherWidth(value) : (value ?? none);
    }
    frame.thread.frame = parent;
  }

  spawn(frame: Frame, start: Scalar, argument: Scalar, instruction: Of<'spawn'>): void {
    const { code, functions } = this.program;
    const entry = code.threadEntry === null ? null : functions[code.threadEntry];
    invariant(entry, 'a program that spawns has a thread entry');
    if (this.threads.length >= (this.#options.threadLimit ?? MOST_THREADS)) {
      this.block(frame, instruction);
      frame.thread.status = 'stuck';
      return;
    }
    const child = this.#createThread(entry, [start, argument], frame.thread.id);
    this.#setRegister(frame, instruction.register, child.id);
    this.writes++;
    this.recorder?.({ kind: 'spawn', child: child.id }, frame, instruction);
  }

  #leaveFrame(frame: Frame): void {
    for (let slot = 0; slot < frame.objects.length; slot++) this.leaveObject(frame, slot);
    if (frame.allocas) for (const region of frame.allocas) this.#endRegion(region);
  }

  /** What main leaves behind ends for who asks (POSIX: access is undefined); its stack, that of the process, stays. */
  endThread(frame: Frame, instruction: Instruction): void {
    const { thread } = frame;
    this.buffers?.drain(thread);
    thread.status = 'finished';
    if (thread.id !== 0 || this.#options.checks.has('pointer')) {
      for (let at: Frame | null = frame; at; at = at.parent) this.#leaveFrame(at);
      for (const base of thread.locals.values()) this.#endRegion(this.memory.find(base) as Region);
    }
    this.#closeSection();
    this.writes++;
    this.recorder?.({ kind: 'exit' }, frame, instruction);
    if (this.threads.every((thread) => thread.status === 'finished')) this.#end(frame, instruction);
  }

  halt(frame: Frame, instruction: Instruction): void {
    this.recorder?.({ kind: 'exit' }, frame, instruction);
    frame.thread.status = 'finished';
    this.#end(frame, instruction);
  }

  #end(frame: Frame, instruction: Instruction): void {
    this.#closeSection();
    const { checks } = this.#options;
    const isLeft = (region: Region) => region.kind === 'heap' && region.alive;
    if (checks.has('leak') && this.memory.regions.some(isLeft))
      this.violate('leak', 'allocated memory is never freed', frame, instruction);
    else if (checks.has('lost') && hasLostMemory(this.memory, this.threads))
      this.violate('lost', 'allocated memory can no longer be reached', frame, instruction);
    else this.status = 'ended';
  }

  nondet(frame: Frame, instruction: Of<'nondet'>): void {
    const { thread } = frame;
    if (this.spinWatch && drawAt(frame.function.source, frame.pc - 1) !== 'input') {
      this.#setRegister(frame, instruction.register, 0);
      return;
    }
    const request = { thread, ordinal: thread.inputs++, instruction };
    const value = normaliseInput(this.#options.inputs.nondet(request), instruction.type, instruction.isBool);
    frame.registers[instruction.register] = value;
    this.recorder?.({ kind: 'set', register: instruction.register, value, isInput: true }, frame, instruction);
  }

  // -------------------------------------------------------------- atomic sections

  beginAtomic(frame: Frame, instruction: Instruction): void {
    if (this.atomicDepth++ > 0) return;
    this.buffers?.drain(frame.thread);
    this.#writesBefore = this.writes;
    this.section = new SectionUndo(frame.thread, frame.pc - 1, this.memory, this.threads.length);
    this.recorder?.({ kind: 'atomic-begin' }, frame, instruction);
  }

  endAtomic(frame: Frame, instruction: Instruction): void {
    if (this.atomicDepth === 0 || --this.atomicDepth > 0) return;
    this.section = null;
    this.recorder?.({ kind: 'atomic-end' }, frame, instruction);
  }

  fence(frame: Frame, instruction: Of<'fence'>): void {
    if (this.section === null) this.buffers?.fence(frame.thread, instruction.order);
    this.recorder?.({ kind: 'fence' }, frame, instruction);
  }

  #closeSection(): void {
    this.section = null;
    this.atomicDepth = 0;
  }

  /**
   * An assumption does not hold: the section has had no effect and may be tried again, or the thread is stuck for good.
   */
  block(frame: Frame, instruction: Instruction): void {
    const { thread } = frame;
    if (!this.section) {
      thread.status = 'stuck';
      return;
    }
    thread.waitsInModel = canWait(frame.function.source);
    const isUsers = !this.section.frame.function.source.isModel;
    thread.waitsFor = thread.waitsInModel && isUsers ? waitAt(this, frame) : null;
    this.threads.length = this.section.undo(this.memory);
    this.#closeSection();
    thread.status = 'blocked';
    this.writes = this.#writesBefore;
    thread.blockedAt = this.writes;
    const { loc } = thread.waitsFor ?? instruction;
    this.recorder?.({ kind: 'blocked' }, thread.frame, { ...instruction, loc });
  }

  // -------------------------------------------------------------- faults

  violate(check: CheckName, message: string, frame: Frame, instruction: Instruction): void {
    this.status = 'violation';
    this.violation = { check, message, loc: instruction.loc, thread: frame.thread.id };
    this.recorder?.({ kind: 'violation' }, frame, instruction);
  }

  /** A fault that the machine finds itself: a violation when its check is asked for. */
  fail(check: CheckName, message: string, frame: Frame, instruction: Instruction): void {
    if (this.#options.checks.has(check)) this.violate(check, message, frame, instruction);
    else this.giveUp(message);
  }
}

/** A result of 32 bits as one of 64, or the other way round. */
function inOtherWidth(value: Scalar): Scalar {
  return typeof value === 'number' ? BigInt(value >>> 0) : Number(BigInt.asIntN(32, value));
}
