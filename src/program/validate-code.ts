/**
 * Checks what every consumer of code relies on: indexes in range, types that fit, jumps that close loops named so,
 * functions that do not run off their end. Returns the faults as text; none means valid. Tests run it after lowering.
 */

import { assertNever } from '../support/invariant.ts';
import type { Code, CodeFunction, Instruction, ScalarType, Value } from './code.ts';
import { operandsOf } from './operands.ts';
import { printInstruction, printScalarType } from './print-code.ts';

export function validateCode(code: Code): string[] {
  const faults: string[] = [];
  if (!code.functions[code.main]) faults.push('main is no function');
  if (code.threadEntry !== null && !code.functions[code.threadEntry]) faults.push('the thread entry is no function');
  code.functions.forEach((each, id) => {
    if (each.id !== id) faults.push(`${each.name}: number ${each.id} at ${id}`);
    validateFunction(each, code, faults);
  });
  code.objects.forEach((object, id) => {
    if (object.id !== id) faults.push(`${object.name}: number ${object.id} at ${id}`);
    for (const { offset, type } of object.initial) {
      if (offset < 0 || offset + bytes(type) > object.size) faults.push(`${object.name}: initial value outside`);
    }
  });
  code.loops.forEach((loop, id) => {
    if (loop.id !== id) faults.push(`loop ${loop.name}: number ${loop.id} at ${id}`);
  });
  return faults;
}

function bytes(type: ScalarType): number {
  return Math.ceil(type.bits / 8);
}

function validateFunction(each: CodeFunction, code: Code, faults: string[]): void {
  const { instructions } = each;
  if (each.parameters !== each.signature.parameters.length)
    faults.push(`${each.name}: parameters do not match its signature`);
  const last = instructions[instructions.length - 1];
  if (!last || !['return', 'jump', 'halt', 'end-thread'].includes(last.kind))
    faults.push(`${each.name}: runs off its end`);
  instructions.forEach((instruction, pc) => {
    const fail = (what: string) => {
      faults.push(`${each.name} ${pc}: ${what}: ${printInstruction(instruction, each, code)}`);
    };
    validateInstruction(instruction, pc, each, code, fail);
  });
}

type Fail = (what: string) => void;

function validateInstruction(instruction: Instruction, pc: number, each: CodeFunction, code: Code, fail: Fail): void {
  for (const value of operandsOf(instruction)) validateValue(value, each, code, fail);
  if ('register' in instruction && instruction.register !== null && !each.registers[instruction.register])
    fail('no such register');
  switch (instruction.kind) {
    case 'set':
      expectRegister(instruction.register, instruction.value.type, each, fail);
      break;
    case 'load':
    case 'nondet':
      expectRegister(instruction.register, instruction.type, each, fail);
      break;
    case 'store':
      if (!sameShape(instruction.value.type, instruction.type)) fail('the value has another type');
      break;
    case 'jump':
    case 'branch':
      validateJump(instruction, pc, each, code, fail);
      break;
    case 'call':
      validateCall(instruction, each, code, fail);
      break;
    case 'return':
      validateReturn(instruction, each, fail);
      break;
    case 'enter-object':
    case 'leave-object':
      if (code.objects[instruction.object]?.duration !== 'automatic') fail('not a local object');
      break;
    default:
      break;
  }
}

function validateJump(
  instruction: Extract<Instruction, { kind: 'jump' | 'branch' }>,
  pc: number,
  each: CodeFunction,
  code: Code,
  fail: Fail,
): void {
  if (instruction.target < 0 || instruction.target >= each.instructions.length) fail('jumps out of the function');
  if (instruction.target <= pc !== (instruction.loop !== null)) fail('backward jumps and only they close loops');
  if (instruction.loop !== null && code.loops[instruction.loop]?.function !== each.id)
    fail('a loop of another function');
}

function validateCall(
  instruction: Extract<Instruction, { kind: 'call' }>,
  each: CodeFunction,
  code: Code,
  fail: Fail,
): void {
  const { signature, args, callee } = instruction;
  if (typeof callee === 'number') {
    const target = code.functions[callee];
    if (!target) fail('no such function');
    else if (target.parameters !== args.length) fail('wrong number of arguments');
  }
  args.forEach((arg, i) => {
    const type = signature.parameters[i];
    if (!type || !sameShape(arg.type, type)) fail(`argument ${i} has another type`);
  });
  if (instruction.register !== null && signature.result)
    expectRegister(instruction.register, signature.result, each, fail);
}

function validateReturn(instruction: Extract<Instruction, { kind: 'return' }>, each: CodeFunction, fail: Fail): void {
  const { result } = each.signature;
  if (instruction.value && !(result && sameShape(instruction.value.type, result))) fail('the result has another type');
}

function expectRegister(register: number, type: ScalarType, each: CodeFunction, fail: Fail): void {
  const known = each.registers[register];
  if (known && !sameShape(known.type, type)) fail(`the register is a ${printScalarType(known.type)}`);
}

function sameShape(a: ScalarType, b: ScalarType): boolean {
  if (a.kind !== b.kind || a.bits !== b.bits) return false;
  return a.kind === 'float' || (b.kind === 'integer' && a.signed === b.signed);
}

function validateValue(value: Value, each: CodeFunction, code: Code, fail: Fail): void {
  switch (value.kind) {
    case 'constant':
      if (value.type.kind !== 'integer') fail('an integer of another type');
      break;
    case 'float-constant':
      if (value.type.kind !== 'float') fail('a float of another type');
      break;
    case 'register':
      if (!each.registers[value.register]) fail('no such register');
      else if (!sameShape(value.type, (each.registers[value.register] as { type: ScalarType }).type))
        fail('a register read with another type');
      break;
    case 'object-address':
      if (!code.objects[value.object]) fail('no such object');
      break;
    case 'function-address':
      if (!code.functions[value.function]) fail('no such function');
      break;
    case 'unary':
    case 'convert':
      validateValue(value.operand, each, code, fail);
      break;
    case 'binary':
      validateBinary(value, each, code, fail);
      break;
    case 'overflows':
      validateValue(value.left, each, code, fail);
      validateValue(value.right, each, code, fail);
      break;
    case 'select':
      for (const part of [value.condition, value.then, value.otherwise]) validateValue(part, each, code, fail);
      if (!sameShape(value.then.type, value.otherwise.type)) fail('the sides of a choice differ in type');
      break;
    default:
      assertNever(value);
  }
}

function validateBinary(value: Extract<Value, { kind: 'binary' }>, each: CodeFunction, code: Code, fail: Fail): void {
  validateValue(value.left, each, code, fail);
  validateValue(value.right, each, code, fail);
  const isShift = value.operation === 'shl' || value.operation === 'shr';
  if (!isShift && !sameShape(value.left.type, value.right.type)) {
    fail(`operands of types ${printScalarType(value.left.type)} and ${printScalarType(value.right.type)}`);
  }
}
