/** Which registers still matter before an instruction: read on some way from there before they are set. */

import { assertNever } from '../support/invariant.ts';
import type { CodeFunction, Instruction, RegisterId, Value } from './code.ts';
import { operandsOf } from './operands.ts';

export class Liveness {
  readonly #words: number;
  readonly #live: Uint32Array;

  constructor({ instructions, registers }: CodeFunction) {
    this.#words = (registers.length + 31) >> 5;
    this.#live = new Uint32Array(this.#words * (instructions.length + 1));
    const uses = instructions.map((instruction) => [...registersRead(instruction)]);
    for (let changed = true; changed; ) {
      changed = false;
      for (let pc = instructions.length - 1; pc >= 0; pc--) {
        if (this.#update(pc, instructions[pc] as Instruction, uses[pc] as readonly number[])) changed = true;
      }
    }
  }

  isLive(pc: number, register: RegisterId): boolean {
    return (((this.#live[pc * this.#words + (register >> 5)] as number) >>> (register & 31)) & 1) === 1;
  }

  #update(pc: number, instruction: Instruction, uses: readonly number[]): boolean {
    const live = this.#live;
    const at = pc * this.#words;
    const next = new Uint32Array(this.#words);
    for (const successor of successors(instruction, pc)) {
      for (let i = 0; i < next.length; i++) (next[i] as number) |= live[successor * this.#words + i] as number;
    }
    if ('register' in instruction && instruction.register !== null) {
      (next[instruction.register >> 5] as number) &= ~(1 << (instruction.register & 31));
    }
    for (const register of uses) (next[register >> 5] as number) |= 1 << (register & 31);
    let changed = false;
    for (let i = 0; i < next.length; i++) {
      if (live[at + i] === next[i]) continue;
      live[at + i] = next[i] as number;
      changed = true;
    }
    return changed;
  }
}

function successors(instruction: Instruction, pc: number): readonly number[] {
  switch (instruction.kind) {
    case 'jump':
      return [instruction.target];
    case 'branch':
      return [pc + 1, instruction.target];
    case 'return':
    case 'end-thread':
    case 'halt':
      return [];
    default:
      return [pc + 1];
  }
}

function registersRead(instruction: Instruction): Set<number> {
  const found = new Set<number>();
  for (const value of operandsOf(instruction)) collectRegisters(value, found);
  return found;
}

function collectRegisters(value: Value, found: Set<number>): void {
  switch (value.kind) {
    case 'register':
      found.add(value.register);
      return;
    case 'unary':
    case 'convert':
      collectRegisters(value.operand, found);
      return;
    case 'binary':
    case 'overflows':
      collectRegisters(value.left, found);
      collectRegisters(value.right, found);
      return;
    case 'select':
      for (const part of [value.condition, value.then, value.otherwise]) collectRegisters(part, found);
      return;
    case 'constant':
    case 'float-constant':
    case 'object-address':
    case 'function-address':
      return;
    default:
      assertNever(value);
  }
}
