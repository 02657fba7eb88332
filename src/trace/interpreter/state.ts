/**
 * What a run consists of: threads, their frames, the open atomic section, inputs, events. The machine (machine.ts) owns
 * and changes all of it; the compiled instructions (compile-instructions.ts) are its hands.
 */

import type { CheckName, CodeFunction, Instruction, ScalarType } from '../../program/code.ts';
import type { LoopRange } from '../../program/instance-key.ts';
import type { Loc } from '../../support/source.ts';
import type { ValueFrame } from './compile-values.ts';
import type { Machine } from './machine.ts';
import type { Region } from './memory.ts';
import type { Race } from './race-detector.ts';
import type { Spin } from './spin.ts';
import type { PendingStore } from './store-buffer.ts';
import type { Wait } from './waits.ts';

export type Scalar = number | bigint;

/** Carries out one instruction. The pc already points to the next one. */
export type Operation = (machine: Machine, frame: Frame) => void;

export interface CompiledFunction {
  readonly source: CodeFunction;
  readonly operations: readonly Operation[];
  /** 1 for instructions that other threads may notice or depend on. */
  readonly visible: Uint8Array;
  readonly loops: readonly LoopRange[];
  /** How many local objects there are. */
  readonly objectCount: number;
  /** The registers as a new frame has them: zeros of the right kind. */
  readonly emptyRegisters: readonly Scalar[];
}

export interface Frame extends ValueFrame {
  readonly function: CompiledFunction;
  readonly thread: Thread;
  readonly parent: Frame | null;
  readonly depth: number;
  /** Where the parent's call stands, and which of its registers gets the result (-1: none). */
  readonly callPc: number;
  readonly resultRegister: number;
  pc: number;
  /** How often the closing jump of each loop was taken, by index into function.loops. */
  readonly counts: number[];
  /** Allocations that end with the frame. */
  allocas: Region[] | null;
}

export type ThreadStatus =
  | 'ready'
  /** An assumption in an atomic section does not hold now. */
  | 'blocked'
  /** An assumption outside of sections does not hold: never again. */
  | 'stuck'
  | 'finished';

export interface Thread {
  readonly id: number;
  /** The thread that created it, or -1. */
  readonly parent: number;
  frame: Frame;
  status: ThreadStatus;
  /** The machine's count of writes when it blocked: without new ones there is no use in trying again. */
  blockedAt: number;
  /** Of a blocked thread: what it waits in is a thread routine, not an assumption of the user's own. */
  waitsInModel: boolean;
  /** That, where it waits in an atomic section of the user's own, which is undone. */
  waitsFor: Wait | null;
  /** The loop that it goes round for ever, as long as memory stays as it is; null when that is not known. */
  spin: Spin | null;
  /** How many inputs it has read. */
  inputs: number;
  /** Base addresses of its instances of thread-local objects. */
  readonly locals: Map<number, number>;
  /** Stores that have not reached memory, oldest first; always empty under sequential consistency. */
  readonly buffer: PendingStore[];
  /** Release fences since the buffer was last empty. */
  releaseFences: number;
}

export interface Violation {
  readonly check: CheckName;
  readonly message: string;
  readonly loc: Loc;
  readonly thread: number;
  /** Of a deadlock: the threads that never go on. */
  readonly waits?: readonly Wait[];
  /** Of a data race: what it is about and the two sides. */
  readonly race?: Race;
}

export type MachineStatus =
  | 'running'
  /** The program has ended. */
  | 'ended'
  | 'violation'
  /** Undefined behaviour that no check was asked for, or a limit of the interpreter: the run tells nothing more. */
  | 'gave-up';

/** Where values come from that the program does not determine. */
export interface InputSource {
  /** The value of a nondet instruction; the machine brings it into the type's range. */
  nondet(request: InputRequest): Scalar;
  /** A byte of memory that is read before it was written. */
  byte(region: Region, offset: number): number;
}

export interface InputRequest {
  readonly thread: Thread;
  /** The how-manieth input of this thread. */
  readonly ordinal: number;
  readonly instruction: Extract<Instruction, { kind: 'nondet' }>;
}

/** What happens, as a recorder sees it; frames and threads are live objects, to be read at once. */
export type MachineEvent =
  | {
      readonly kind: 'read' | 'write';
      readonly address: number;
      readonly type: ScalarType;
      readonly value: Scalar;
      /** Before a write; null when the bytes were indeterminate. */
      readonly old: Scalar | null;
      /** The write goes to the buffer of its thread. */
      readonly isPending?: boolean;
    }
  /** A pending store reaches memory; frame and instruction are those that made it. */
  | {
      readonly kind: 'commit';
      readonly address: number;
      readonly type: ScalarType;
      readonly value: Scalar;
      readonly old: Scalar | null;
    }
  | { readonly kind: 'set'; readonly register: number; readonly value: Scalar; readonly isInput: boolean }
  | { readonly kind: 'call'; readonly callee: CompiledFunction; readonly args: readonly Scalar[] }
  | { readonly kind: 'return'; readonly value: Scalar | null }
  | { readonly kind: 'branch'; readonly taken: boolean }
  | { readonly kind: 'assume'; readonly holds: boolean }
  | { readonly kind: 'assert'; readonly holds: boolean }
  | { readonly kind: 'blocked' }
  /** The machine's `violation` tells which. */
  | { readonly kind: 'violation' }
  | { readonly kind: 'spawn'; readonly child: number }
  | { readonly kind: 'exit' }
  | { readonly kind: 'atomic-begin' }
  | { readonly kind: 'atomic-end' }
  | { readonly kind: 'fence' }
  | { readonly kind: 'allocate' | 'free'; readonly address: number };

/** `frame` is the one that executes `instruction`, the one before its pc. */
export type Recorder = (event: MachineEvent, frame: Frame, instruction: Instruction) => void;

/** A function that the interpreter carries out itself in place of its code; for tests that compare output. */
export type External = (machine: Machine, args: readonly Scalar[]) => Scalar | null;
