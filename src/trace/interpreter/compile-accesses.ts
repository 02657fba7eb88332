/**
 * Loads and stores as closures, with the state of all bytes looked at each time; the common widths have their own. What
 * is far has no state in the array, and goes the slower way.
 */

import type { Instruction } from '../../program/code.ts';
import type { ValueCompiler } from './compile-values.ts';
import { FAR } from './far-memory.ts';
import type { Machine } from './machine.ts';
import { ALIVE, bytesOf, CONSTANT, INITIALISED } from './memory.ts';
import type { Frame, Operation, Scalar } from './state.ts';
import { overlaps, seenThrough } from './store-buffer.ts';

type Load = Extract<Instruction, { kind: 'load' }>;
type Store = Extract<Instruction, { kind: 'store' }>;

export function compileLoad(instruction: Load, values: ValueCompiler<Frame>): Operation {
  const { register, type } = instruction;
  const address = values.address(instruction.address);
  const size = bytesOf(type);
  const isWord = type.kind === 'integer' && type.bits === 32;
  const signed = type.kind === 'integer' && type.signed;
  return (machine, frame) => {
    const at = address(frame);
    const { memory } = machine;
    const { buffer } = frame.thread;
    if (buffer.length > 0 && buffer.some((store) => overlaps(store, at, size))) {
      loadThrough(machine, frame, at, instruction);
      return;
    }
    const { state } = memory;
    let all = ALIVE | INITIALISED;
    for (let i = 0; i < size; i++) all &= state[at + i] as number; // undefined outside counts as 0
    if ((all & (ALIVE | INITIALISED)) !== (ALIVE | INITIALISED) && !machine.prepareLoad(at, size, frame, instruction))
      return;
    let value: Scalar;
    if (isWord && at < FAR) value = signed ? memory.view.getInt32(at, true) : memory.view.getUint32(at, true);
    else value = memory.read(at, type);
    frame.registers[register] = value;
    machine.spinWatch?.noteLoad(at, size);
    if (machine.recorder !== null) {
      machine.recorder({ kind: 'read', address: at, type, value, old: null }, frame, instruction);
    }
  };
}

/** A load of bytes some of which the thread has stored itself, though they are not in memory yet. */
function loadThrough(machine: Machine, frame: Frame, at: number, instruction: Load): void {
  const { memory } = machine;
  const { type, register } = instruction;
  const value = seenThrough(memory, frame.thread.buffer, at, type, () =>
    machine.prepareLoad(at, bytesOf(type), frame, instruction) ? memory.read(at, type) : null,
  );
  if (value === null) return;
  frame.registers[register] = value;
  machine.spinWatch?.noteLoad(at, bytesOf(type));
  machine.recorder?.({ kind: 'read', address: at, type, value, old: null }, frame, instruction);
}

export function compileStore(instruction: Store, values: ValueCompiler<Frame>): Operation {
  const { type } = instruction;
  const address = values.address(instruction.address);
  const value = values.any(instruction.value);
  const size = bytesOf(type);
  const isWord = type.kind === 'integer' && type.bits === 32;
  return (machine, frame) => {
    const at = address(frame);
    const { memory } = machine;
    const { state } = memory;
    let all = ALIVE;
    let any = 0;
    for (let i = 0; i < size; i++) {
      const byte = state[at + i] as number;
      all &= byte;
      any |= byte;
    }
    const isFar = at >= FAR && memory.isAccessible(at, size, true);
    if ((all !== ALIVE || (any & CONSTANT) !== 0) && !isFar) {
      machine.refuseAccess(at, size, true, frame, instruction);
      return;
    }
    if (machine.section !== null) machine.section.saveBytes(memory, at, size);
    const result = value(frame);
    const isPending = machine.buffers?.takes(frame, at, result, instruction) ?? false;
    if (machine.recorder !== null) {
      const old = memory.isInitialised(at, size) ? memory.read(at, type) : null;
      machine.recorder({ kind: 'write', address: at, type, value: result, old, isPending }, frame, instruction);
    }
    if (isPending) return;
    machine.spinWatch?.noteStore(at, size, type, result, frame);
    if (isWord && !isFar) memory.view.setInt32(at, result as number, true);
    else memory.write(at, type, result);
    if (!isFar) for (let i = 0; i < size; i++) state[at + i] = ALIVE | INITIALISED;
    machine.writes++;
  };
}
