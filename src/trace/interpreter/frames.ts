/**
 * Threads and activations of functions: how one begins, and what it is called in names of instances
 * (program/instance-key.ts).
 */

import { type KeyFrame, printInstanceKey } from '../../program/instance-key.ts';
import type { CompiledFunction, Frame, Scalar, Thread } from './state.ts';

/** An activation that is about to begin, with its arguments in the first registers. */
export function createFrame(
  callee: CompiledFunction,
  args: readonly Scalar[],
  thread: Thread,
  parent: Frame | null,
  callPc: number,
  resultRegister: number,
): Frame {
  const registers = callee.emptyRegisters.slice();
  const count = Math.min(args.length, callee.source.parameters);
  for (let i = 0; i < count; i++) registers[i] = args[i] as Scalar;
  return {
    function: callee,
    thread,
    parent,
    depth: parent ? parent.depth + 1 : 0,
    callPc,
    resultRegister,
    pc: 0,
    registers,
    objects: callee.objectCount === 0 ? NO_OBJECTS : new Array<number>(callee.objectCount).fill(0),
    counts: callee.loops.length === 0 ? NO_OBJECTS : new Array<number>(callee.loops.length).fill(0),
    allocas: null,
  };
}

/** Shared by all frames without objects or loops; always empty. */
const NO_OBJECTS: number[] = [];

/** What the activation contributes to the name of an instance. */
function keyFrame(frame: Frame, pc: number): KeyFrame {
  const { loops, source } = frame.function;
  const counts = loops.flatMap(({ loop, head, closing }, i) => {
    return pc >= head && pc <= closing ? [{ loop, count: frame.counts[i] as number }] : [];
  });
  return { function: source.name, pc, counts };
}

/** The name of the instruction at a place of the activation. */
export function frameKey(innermost: Frame, pc: number): string {
  const frames: KeyFrame[] = [];
  let at: number = pc;
  for (let frame: Frame | null = innermost; frame; frame = frame.parent) {
    frames.push(keyFrame(frame, at));
    at = frame.callPc;
  }
  return printInstanceKey(frames.reverse());
}

/** A thread that is about to begin. */
export function createThread(id: number, parent: number, start: CompiledFunction, args: readonly Scalar[]): Thread {
  const thread: { -readonly [K in keyof Thread]: Thread[K] } = {
    id,
    parent,
    frame: null as unknown as Frame, // set at once: frame and thread know each other
    status: 'ready',
    blockedAt: -1,
    waitsInModel: false,
    waitsFor: null,
    spin: null,
    inputs: 0,
    locals: new Map(),
    buffer: [],
    releaseFences: 0,
  };
  thread.frame = createFrame(start, args, thread, null, -1, -1);
  return thread;
}
