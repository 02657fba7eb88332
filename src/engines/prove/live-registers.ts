/** Which registers of a function may still be read before they are assigned again, before each instruction. */

import type { CodeFunction, Instruction, Value } from '../../program/code.ts';
import { operandsOf } from '../../program/validate-code.ts';

export function findLiveRegisters({ instructions }: CodeFunction): readonly ReadonlySet<number>[] {
  const live = instructions.map((instruction) => {
    const read = new Set<number>();
    for (const value of operandsOf(instruction)) collectRegisters(value, read);
    return read;
  });
  for (let changed = true; changed; ) {
    changed = false;
    for (let pc = instructions.length - 1; pc >= 0; pc--) {
      const instruction = instructions[pc] as Instruction;
      const written = 'register' in instruction ? instruction.register : null;
      const into = live[pc] as Set<number>;
      const size = into.size;
      for (const next of successorsOf(instruction, pc)) {
        for (const register of live[next] ?? []) if (register !== written) into.add(register);
      }
      changed ||= into.size > size;
    }
  }
  return live;
}

function successorsOf(instruction: Instruction, pc: number): readonly number[] {
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

function collectRegisters(value: Value, into: Set<number>): void {
  switch (value.kind) {
    case 'register':
      into.add(value.register);
      return;
    case 'unary':
    case 'convert':
      collectRegisters(value.operand, into);
      return;
    case 'binary':
    case 'overflows':
      for (const each of [value.left, value.right]) collectRegisters(each, into);
      return;
    case 'select':
      for (const each of [value.condition, value.then, value.otherwise]) collectRegisters(each, into);
      return;
    default:
  }
}
