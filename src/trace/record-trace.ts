/**
 * Makes a trace from what a recorder sees while a machine runs. Consecutive events of one thread on one line of one activation are one
 * step; running the line again (a loop) is a new one. Inside the bundled models the step stays at the user's call.
 */

import type { Code, Instruction } from '../program/code.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { describeValue, nameAddress } from './describe-values.ts';
import { bytesOf } from './interpreter/compile-accesses.ts';
import type { Machine } from './interpreter/machine.ts';
import type { Frame, MachineEvent } from './interpreter/state.ts';
import {
  TRACE_VERSION,
  type Trace,
  type TraceEvent,
  type TracePlace,
  type TraceStep,
  type TraceValue,
} from './trace.ts';

/** A step that is still growing. */
interface Draft {
  readonly thread: number;
  readonly frame: Frame;
  readonly line: string;
  readonly place: TracePlace | null;
  readonly statement: string;
  readonly callStack: TraceStep['callStack'];
  lastPc: number;
  readonly values: TraceValue[];
  readonly events: TraceEvent[];
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
  readonly #drafts: Draft[] = [];

  /** Starts to record; the machine must not have run yet. */
  constructor(machine: Machine) {
    this.#machine = machine;
    this.#code = machine.program.code;
    machine.recorder = (event, frame, instruction) => this.#record(event, frame, instruction);
  }

  #record(event: MachineEvent, frame: Frame, instruction: Instruction): void {
    const position = userPosition(frame, instruction);
    const isInternal = frame.function.source.isModel;
    const draft = this.#draftFor(position, frame);
    switch (event.kind) {
      case 'read':
      case 'write':
        draft.values.push(this.#describeAccess(event, isInternal));
        break;
      case 'set':
        this.#addSet(draft, event, frame, isInternal);
        break;
      case 'call':
        if (!isInternal) draft.events.push(this.#describeCall(event));
        break;
      case 'return':
        if (!isInternal) draft.events.push(this.#describeReturn(event, frame));
        break;
      case 'branch':
        if (!isInternal) draft.events.push(event);
        break;
      case 'spawn':
        draft.events.push({ kind: 'create', child: event.child });
        break;
      case 'exit':
      case 'blocked':
        draft.events.push({ kind: event.kind });
        break;
      default:
        break;
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
      values: [],
      events: [],
    };
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

  #describeAccess(event: Extract<MachineEvent, { kind: 'read' | 'write' }>, isInternal: boolean): TraceValue {
    const { memory } = this.#machine;
    const name = nameAddress(this.#code, memory, event.address, bytesOf(event.type));
    const value = describeValue(this.#code, memory, event.type, event.value);
    const old = event.old === null ? null : describeValue(this.#code, memory, event.type, event.old);
    return { kind: event.kind, name, value, old, isInternal };
  }

  /** Only variables and inputs are worth showing; temporaries are not. */
  #addSet(draft: Draft, event: Extract<MachineEvent, { kind: 'set' }>, frame: Frame, isInternal: boolean): void {
    const register = frame.function.source.registers[event.register];
    const instruction = frame.function.source.instructions[frame.pc - 1];
    if (!register || (!register.variable && !event.isInput)) return;
    const name = register.variable?.name ?? (instruction?.kind === 'nondet' ? instruction.source : '');
    const value = describeValue(this.#code, this.#machine.memory, register.type, event.value);
    draft.values.push({ kind: event.isInput ? 'input' : 'write', name, value, old: null, isInternal });
  }

  #describeCall(event: Extract<MachineEvent, { kind: 'call' }>): TraceEvent {
    const { source } = event.callee;
    const args = event.args.map((arg, i) => {
      const type = source.signature.parameters[i];
      return type ? describeValue(this.#code, this.#machine.memory, type, arg) : String(arg);
    });
    return { kind: 'call', function: source.name, args };
  }

  #describeReturn(event: Extract<MachineEvent, { kind: 'return' }>, frame: Frame): TraceEvent {
    const type = frame.function.source.signature.result;
    const isKnown = type !== null && event.value !== null;
    return {
      kind: 'return',
      value: isKnown ? describeValue(this.#code, this.#machine.memory, type, event.value) : null,
    };
  }

  /** The trace, after the machine has found a violation. */
  finish(): Trace {
    const { violation, threads } = this.#machine;
    invariant(violation, 'a trace ends with a violation');
    const last = this.#drafts[this.#drafts.length - 1];
    last?.events.push({ kind: 'violation', check: violation.check, message: violation.message });
    const drafts = this.#drafts.filter(
      ({ values, events, frame }) => events.length > 0 || (values.length > 0 && !frame.function.source.isModel),
    );
    const steps = drafts.map((draft, index): TraceStep => {
      const { thread, place, statement, callStack, values, events } = draft;
      const isContextSwitch = index > 0 && drafts[index - 1]?.thread !== thread;
      const { name, isModel } = draft.frame.function.source;
      const shown = isModel ? this.#startOf(thread) : name;
      return { index, thread, isContextSwitch, function: shown, callStack, place, statement, values, events };
    });
    return {
      version: TRACE_VERSION,
      dataModel: this.#code.dataModel,
      violation: {
        check: violation.check,
        message: violation.message,
        thread: violation.thread,
        place: this.#placeOf(violation.loc),
      },
      threads: threads.map(({ id, parent }) => ({ id, parent, start: this.#startOf(id) })),
      steps,
      contextSwitches: steps.filter((step) => step.isContextSwitch).length,
    };
  }

  /** The routine that a thread was created with: the first argument of its entry. */
  #startOf(id: number): string {
    let frame = this.#machine.thread(id).frame;
    while (frame.parent) frame = frame.parent;
    if (id === 0) return 'main';
    const type = frame.function.source.signature.parameters[0];
    const start = frame.registers[0];
    return type && start !== undefined ? describeValue(this.#code, this.#machine.memory, type, start) : '?';
  }
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
