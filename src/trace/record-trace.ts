/**
 * Makes a trace from what a recorder sees while a machine runs. Consecutive events of one thread on one line of one
 * activation are one step; running the line again (a loop) is a new one. Inside the bundled models the step stays at
 * the user's call.
 */

import type { Code, Instruction, ScalarType } from '../program/code.ts';
import { functionAt } from '../program/function-addresses.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import { isModelPlace, type Loc } from '../support/source.ts';
import { describeBitFields } from './describe-bit-fields.ts';
import { describeRace } from './describe-race.ts';
import { Describer } from './describe-values.ts';
import type { Machine } from './interpreter/machine.ts';
import { bytesOf } from './interpreter/memory.ts';
import type { Frame, MachineEvent } from './interpreter/state.ts';
import { takesMutex, type Wait } from './interpreter/waits.ts';
import {
  TRACE_VERSION,
  type Trace,
  type TraceAccess,
  type TraceEvent,
  type TracePlace,
  type TraceStep,
  type TraceValue,
  type TraceWait,
} from './trace.ts';

/** A step that is still growing. */
interface Draft {
  readonly thread: number;
  readonly frame: Frame;
  readonly line: string;
  place: TracePlace | null;
  statement: string;
  readonly callStack: TraceStep['callStack'];
  lastPc: number;
  /** Instructions before it that are not told. */
  hiddenBefore: number;
  readonly values: TraceValue[];
  readonly events: TraceEvent[];
  readonly accesses: TraceAccess[];
}

/** Where the user sees an event: the innermost frame of their own code, and the pc in it. */
interface UserPosition {
  readonly frame: Frame;
  readonly pc: number;
  readonly loc: Loc;
}

export class TraceRecorder {
  readonly #machine: Machine;
  readonly #code: Code;
  readonly #describer: Describer;
  readonly #drafts: Draft[] = [];
  /** Since the last draft. */
  #skipped = 0;
  /** Where each mutex was taken last, by its address. */
  readonly #takenAt = new Map<number, TracePlace | null>();
  /** The routine that each thread was created with. */
  readonly #starts = new Map<number, string>([[0, 'main']]);

  /** Starts to record; the machine must not have run yet. */
  constructor(machine: Machine) {
    this.#machine = machine;
    this.#code = machine.program.code;
    this.#describer = new Describer(this.#code, machine.memory);
    machine.recorder = (event, frame, instruction) => this.#record(event, frame, instruction);
  }

  /** So many instructions were not recorded. */
  skip(instructions: number): void {
    this.#skipped += instructions;
  }

  #record(event: MachineEvent, frame: Frame, instruction: Instruction): void {
    if (event.kind === 'commit') {
      this.#addCommit(event, frame, instruction);
      return;
    }
    const position = userPosition(frame, instruction);
    // After the user's code has ended (a leak), there is no better place than the last.
    if (event.kind === 'violation' && position.frame.function.source.isModel) return;
    const isInternal = frame.function.source.isModel;
    const draft = this.#draftFor(position, frame);
    pushAll(draft.accesses, this.#accessesOf(event, frame));
    switch (event.kind) {
      case 'read':
      case 'write':
        pushAll(draft.values, this.#describeAccess(event, isInternal, frame.thread.id));
        if (event.kind === 'write' && takesMutex(frame, event.address)) this.#takenAt.set(event.address, draft.place);
        break;
      case 'set':
        this.#addSet(draft, event, frame, isInternal);
        break;
      case 'call':
        this.#learnArguments(event);
        if (!isInternal) draft.events.push(this.#describeCall(event));
        break;
      case 'return':
        pushAll(draft.events, isInternal ? this.#describeResult(event, frame) : [this.#describeReturn(event, frame)]);
        break;
      case 'branch':
        if (!isInternal) draft.events.push(event);
        break;
      case 'spawn':
        this.#starts.set(event.child, this.#startGivenTo(frame));
        draft.events.push({ kind: 'create', child: event.child });
        break;
      case 'exit':
      case 'blocked':
        draft.events.push({ kind: event.kind });
        break;
      case 'violation':
        pushAll(draft.values, this.#describeMentioned(draft));
        break;
      case 'allocate':
        draft.events.push(this.#describeAllocation(event.address));
        break;
      case 'free':
        draft.events.push({ kind: 'free', object: this.#describer.value(POINTER, event.address).slice(1) });
        break;
      default:
        break;
    }
  }

  /** What the event does to memory, as a real run of the program would show it. */
  #accessesOf(event: MachineEvent, frame: Frame): TraceAccess[] {
    const { isModel } = frame.function.source;
    const isCalledByUser = frame.parent !== null && !frame.parent.function.source.isModel;
    switch (event.kind) {
      case 'read':
      case 'write': {
        const region = this.#machine.memory.find(event.address);
        const isOwn = region !== null && OWN_KINDS.has(region.kind) && region.thread === frame.thread.id;
        if (isModel) return event.kind === 'write' && !isOwn ? ['effect'] : [];
        if (isOwn) return ['own'];
        const [name = ''] = /^\w+/.exec(this.#describer.cell(event.address, bytesOf(event.type)).name) ?? [];
        return [`${event.kind} ${region?.kind === 'static' ? name : ''}`];
      }
      case 'call':
        return !isModel && event.callee.source.isModel ? [`call ${event.callee.source.name}`] : [];
      case 'return':
        return isModel && isCalledByUser ? ['end'] : [];
      case 'spawn':
        return ['create'];
      case 'exit':
        return ['exit'];
      default:
        return [];
    }
  }

  /** The step that an event belongs to. */
  #draftFor(position: UserPosition, frame: Frame): Draft {
    const { sources } = this.#code;
    // Outside of the user's code (a thread that ends) there is no place to show.
    const place = position.frame.function.source.isModel ? null : sources.place(position.loc);
    const line = place ? `${place.file}:${place.line}` : '';
    const last = this.#drafts[this.#drafts.length - 1];
    const isSame =
      this.#skipped === 0 &&
      last?.thread === frame.thread.id &&
      last.frame === position.frame &&
      last.line === line &&
      position.pc >= last.lastPc;
    if (isSame) {
      last.lastPc = position.pc;
      return last;
    }
    const draft: Draft = {
      thread: frame.thread.id,
      frame: position.frame,
      line,
      place: place && { file: place.file, line: place.line, column: place.column },
      statement: place?.lineText.trim() ?? '',
      callStack: this.#callStack(position.frame),
      lastPc: position.pc,
      hiddenBefore: this.#skipped,
      values: [],
      events: [],
      accesses: [],
    };
    this.#skipped = 0;
    this.#drafts.push(draft);
    return draft;
  }

  #callStack(frame: Frame): TraceStep['callStack'] {
    const stack: { function: string; place: TracePlace | null }[] = [];
    for (let at = frame; at.parent; at = at.parent) {
      const { source } = at.parent.function;
      if (source.isModel) continue;
      stack.push({ function: source.name, place: this.#placeOf(source.instructions[at.callPc]?.loc) });
    }
    return stack.reverse();
  }

  #placeOf(loc: Loc | undefined): TracePlace | null {
    const place = loc === undefined ? null : this.#code.sources.place(loc);
    return place && { file: place.file, line: place.line, column: place.column };
  }

  /** A store arrives: a step of its own, at the place of the store. */
  #addCommit(event: Extract<MachineEvent, { kind: 'commit' }>, frame: Frame, instruction: Instruction): void {
    const position = userPosition(frame, instruction);
    const access = { ...event, kind: 'write' } as const;
    const values = this.#describeAccess(access, frame.function.source.isModel, frame.thread.id);
    const shown = values.filter(({ isInternal }) => !isInternal);
    if (shown.length === 0) return;
    const place = this.#code.sources.place(position.loc);
    this.#drafts.push({
      thread: frame.thread.id,
      frame: position.frame,
      line: '',
      place: place && { file: place.file, line: place.line, column: place.column },
      statement: place?.lineText.trim() ?? '',
      callStack: this.#callStack(position.frame),
      lastPc: Number.POSITIVE_INFINITY,
      hiddenBefore: 0,
      values: [],
      events: shown.map(({ name, value }) => ({ kind: 'commit', name, value })),
      accesses: [],
    });
  }

  /** What another thread has stored where this one reads, if it has not arrived. */
  #findUnseen(address: number, type: ScalarType, thread: number): { thread: number; value: string } | null {
    for (const other of this.#machine.threads) {
      const store = other.id === thread ? undefined : other.buffer.findLast((each) => each.address === address);
      if (store?.type.bits !== type.bits) continue;
      const cell = this.#describer.cell(address, bytesOf(type));
      return { thread: other.id, value: this.#describer.value(type, store.value, cell.type) };
    }
    return null;
  }

  #describeAccess(
    event: Extract<MachineEvent, { kind: 'read' | 'write' }>,
    isModel: boolean,
    thread: number,
  ): TraceValue[] {
    const { kind, type } = event;
    const describer = this.#describer;
    const cell = describer.cell(event.address, bytesOf(type));
    if (kind === 'write') describer.learn(event.value, cell.type);
    const isHidden = cell.isPadding || OPAQUE_MEMBER.test(cell.name) || describer.isTemporary(event.address);
    const isInternal = isModel || isHidden;
    if (cell.bitFields.length > 0 && type.kind === 'integer')
      return describeBitFields(event, cell.bitFields, describer, isInternal);
    const value = describer.value(type, event.value, cell.type);
    const old = event.old === null ? null : describer.value(type, event.old, cell.type);
    const found = kind === 'read' ? this.#findUnseen(event.address, type, thread) : null;
    const unseen = found?.value === value ? null : found;
    const isPending = event.isPending ?? false;
    return [
      {
        kind,
        name: cell.name,
        value,
        old,
        isInternal,
        isUninitialised: false,
        ...(isPending && { isPending }),
        ...(unseen && { unseen }),
      },
    ];
  }

  /** Only variables and inputs are worth showing; temporaries are not. */
  #addSet(draft: Draft, event: Extract<MachineEvent, { kind: 'set' }>, frame: Frame, isInternal: boolean): void {
    const { registers } = frame.function.source;
    const register = registers[event.register];
    const instruction = frame.function.source.instructions[frame.pc - 1];
    if (!register || (!register.variable && !event.isInput)) return;
    const type = register.variable?.type ?? null;
    this.#describer.learn(event.value, type);
    const name = register.variable?.name ?? (instruction?.kind === 'nondet' ? instruction.source : '');
    const value = this.#describer.value(register.type, event.value, type);
    const isUninitialised = isDeclaredOnly(frame, name);
    draft.values.push({
      kind: event.isInput ? 'input' : 'write',
      name,
      value,
      old: null,
      isInternal,
      isUninitialised,
    });
  }

  /**
   * The variables that the violating line mentions and that are not in memory, so that no read tells of them. A name
   * that several variables of the function have is left out.
   */
  #describeMentioned({ frame, statement, values }: Draft): TraceValue[] {
    const words = new Set(statement.match(/[A-Za-z_]\w*/g));
    const known = new Set(values.map(({ name }) => name));
    const { registers } = frame.function.source;
    return registers.flatMap(({ variable, type }, at) => {
      const name = variable?.name ?? '';
      const value = frame.registers[at];
      const isTold = words.has(name) && !known.has(name) && value !== undefined;
      if (!isTold || registers.filter((other) => other.variable?.name === name).length > 1) return [];
      const text = this.#describer.value(type, value, variable?.type);
      return [{ kind: 'read', name, value: text, old: null, isInternal: false, isUninitialised: false }];
    });
  }

  #learnArguments({ callee, args }: Extract<MachineEvent, { kind: 'call' }>): void {
    for (const [i, arg] of args.entries()) this.#describer.learn(arg, callee.source.registers[i]?.variable?.type);
  }

  #describeCall(event: Extract<MachineEvent, { kind: 'call' }>): TraceEvent {
    const { source } = event.callee;
    const args = event.args.map((arg, i) => {
      const type = source.signature.parameters[i];
      return type ? this.#describer.value(type, arg, source.registers[i]?.variable?.type) : String(arg);
    });
    return { kind: 'call', function: source.name, args };
  }

  #describeReturn(event: Extract<MachineEvent, { kind: 'return' }>, frame: Frame): TraceEvent {
    const { signature, resultType } = frame.function.source;
    const isKnown = signature.result !== null && event.value !== null;
    return { kind: 'return', value: isKnown ? this.#describer.value(signature.result, event.value, resultType) : null };
  }

  /** What a thread routine tells the user's code, if it is not just that all went well. */
  #describeResult({ value }: Extract<MachineEvent, { kind: 'return' }>, frame: Frame): TraceEvent[] {
    const { name, signature, resultType } = frame.function.source;
    const isCalledByUser = frame.parent !== null && !frame.parent.function.source.isModel;
    if (!isCalledByUser || !THREAD_ROUTINE.test(name) || value === null || Number(value) === 0) return [];
    if (resultType?.alias !== null || signature.result?.kind !== 'integer' || signature.result.pointer) return [];
    return [{ kind: 'result', function: name, value: String(value) }];
  }

  #describeAllocation(address: number): TraceEvent {
    this.#describer.allocationTypes.forget(address);
    const bytes = this.#machine.memory.find(address)?.size ?? 0;
    return { kind: 'allocate', object: this.#describer.value(POINTER, address).slice(1), bytes };
  }

  #describeLeaks(): TraceEvent[] {
    const left = this.#machine.memory.regions.filter(({ kind, alive }) => kind === 'heap' && alive);
    return left.map((region) => ({ kind: 'leak', object: this.#describer.region(region) }));
  }

  /** The trace, after the machine has found a violation. */
  finish(): Trace {
    const { violation, threads } = this.#machine;
    invariant(violation, 'a trace ends with a violation');
    const last = this.#drafts[this.#drafts.length - 1];
    if (violation.check === 'leak' && last) pushAll(last.events, this.#describeLeaks());
    last?.events.push({ kind: 'violation', check: violation.check, message: violation.message });
    if (last && last.place === null) this.#showCreation(last);
    const drafts = this.#tellingDrafts();
    let running: number | null = null;
    const steps = drafts.map((draft, index): TraceStep => {
      const { thread, place, statement, callStack, values, events, accesses } = draft;
      // A thread whose store arrives does not run.
      const isArrival = events[0]?.kind === 'commit';
      const isContextSwitch = !isArrival && running !== null && running !== thread;
      if (!isArrival) running = thread;
      const { name, isModel } = draft.frame.function.source;
      const shown = isModel ? this.#startOf(thread) : name;
      const hidden = draft.hiddenBefore > 0 && { hiddenBefore: draft.hiddenBefore };
      const told = { callStack, place, statement, values, events, accesses };
      return { index, thread, isContextSwitch, ...hidden, function: shown, ...told };
    });
    return {
      version: TRACE_VERSION,
      dataModel: this.#code.dataModel,
      violation: {
        check: violation.check,
        message: violation.message,
        thread: violation.thread,
        // Inside of a model the user's call is what is wrong.
        place: isModelPlace(this.#code.sources, violation.loc) ? (last?.place ?? null) : this.#placeOf(violation.loc),
        ...(violation.race && { race: describeRace(violation.race, this.#code) }),
        ...(violation.waits && { waits: violation.waits.map((wait) => this.#describeWait(wait)) }),
      },
      threads: threads.map(({ id, parent }) => ({ id, parent, start: this.#startOf(id) })),
      steps,
      contextSwitches: steps.filter((step) => step.isContextSwitch).length,
    };
  }

  /** Without those in which nothing is to be seen; what lies hidden before these lies before the next. */
  #tellingDrafts(): Draft[] {
    let skipped = 0;
    return this.#drafts.filter((draft) => {
      const { values, events, frame } = draft;
      skipped += draft.hiddenBefore;
      if (events.length === 0 && (values.length === 0 || frame.function.source.isModel)) return false;
      draft.hiddenBefore = skipped;
      skipped = 0;
      return true;
    });
  }

  /** What goes wrong before a thread comes to the user's code is shown where the thread is created. */
  #showCreation(draft: Draft): void {
    const isCreation = ({ events }: Draft) =>
      events.some((event) => event.kind === 'create' && event.child === draft.thread);
    const creation = this.#drafts.find(isCreation);
    if (!creation) return;
    draft.place = creation.place;
    draft.statement = creation.statement;
  }

  #describeWait({ thread, routine, loc, object, holder, spins }: Wait): TraceWait {
    const name = object === null ? null : this.#describer.value(POINTER, object).slice(1);
    const place = isModelPlace(this.#code.sources, loc) ? null : this.#placeOf(loc);
    const heldSince = (object !== null && holder !== null && this.#takenAt.get(object)) || null;
    return { thread, routine, place, object: name, holder, heldSince, ...(spins && { spins }) };
  }

  /** The user's routine among the arguments of the thread routine that creates a thread. */
  #startGivenTo(frame: Frame): string {
    const { functions } = this.#code;
    for (let at: Frame | null = frame; at?.function.source.isModel; at = at.parent) {
      for (const argument of at.registers.slice(0, at.function.source.parameters)) {
        const routine = functions[functionAt(Number(argument), functions.length)];
        if (routine && !routine.isModel) return routine.name;
      }
    }
    return '?';
  }

  #startOf(id: number): string {
    return this.#starts.get(id) ?? '?';
  }
}

/** Any pointer: only printers look at the width. */
/** Kinds of memory that belong to one thread. */
const OWN_KINDS: ReadonlySet<string> = new Set(['local', 'alloca', 'thread']);

const POINTER: ScalarType = { kind: 'integer', bits: 64, signed: false, pointer: true };
/** Members that the headers keep to themselves, such as the words of a mutex. */
const OPAQUE_MEMBER = /\.__/;
const THREAD_ROUTINE = /^(?:pthread|sem|mtx|cnd|thrd)_/;

/** Whether the frame has just given a variable the arbitrary value that it has before anything is assigned to it. */
function isDeclaredOnly({ pc, function: { source } }: Frame, name: string): boolean {
  const { instructions, registers } = source;
  const last = instructions[pc - 1];
  const copied = last?.kind === 'set' && last.value.kind === 'register' ? last.value.register : null;
  const draw = copied === null ? last : instructions[pc - 2];
  if (draw?.kind !== 'nondet' || draw.source !== name) return false;
  if (copied !== null && copied !== draw.register) return false;
  return registers.some(({ variable }) => variable?.name === name);
}

/** The innermost frame that is not of the models; in them, the call that led there. */
function userPosition(frame: Frame, instruction: Instruction): UserPosition {
  let at = frame;
  const { instructions } = frame.function.source;
  let pc = instructions[frame.pc - 1] === instruction ? frame.pc - 1 : instructions.indexOf(instruction);
  let { loc } = instruction;
  while (at.function.source.isModel && at.parent) {
    pc = at.callPc;
    at = at.parent;
    loc = at.function.source.instructions[pc]?.loc ?? loc;
  }
  return { frame: at, pc, loc };
}
