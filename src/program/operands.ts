/** What instructions and values are computed from. */

import { assertNever } from '../support/invariant.ts';
import type { Instruction, Value } from './code.ts';

/** The values that an instruction evaluates. */
export function operandsOf(instruction: Instruction): readonly Value[] {
  switch (instruction.kind) {
    case 'set':
      return [instruction.value];
    case 'load':
    case 'free':
    case 'object-size':
      return [instruction.address];
    case 'store':
      return [instruction.address, instruction.value];
    case 'branch':
    case 'assume':
    case 'assert':
      return [instruction.condition];
    case 'call':
      return typeof instruction.callee === 'number' ? instruction.args : [instruction.callee, ...instruction.args];
    case 'return':
      return instruction.value ? [instruction.value] : [];
    case 'enter-object':
      return instruction.size ? [instruction.size] : [];
    case 'allocate':
      return [instruction.size];
    case 'spawn':
      return [instruction.start, instruction.argument];
    case 'jump':
    case 'nondet':
    case 'leave-object':
    case 'atomic-begin':
    case 'atomic-end':
    case 'fence':
    case 'self':
    case 'end-thread':
    case 'halt':
      return [];
    default:
      return assertNever(instruction);
  }
}

/** The values that a value is computed from. */
export function partsOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case 'unary':
    case 'convert':
      return [value.operand];
    case 'binary':
    case 'overflows':
      return [value.left, value.right];
    case 'select':
      return [value.condition, value.then, value.otherwise];
    default:
      return [];
  }
}
