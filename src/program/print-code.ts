/**
 * Prints code as a readable listing, one instruction a line with its index, for `--dump=steps` and for goldens.
 * Deterministic: the same code gives the same text.
 */

import { assertNever } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc, SourceMap } from '../support/source.ts';
import type { BinaryOperation, Code, CodeFunction, CodeObject, Instruction, ScalarType, Value } from './code.ts';
import { printMode } from './memory-order.ts';

/** How many initial values of an object are listed. */
const INITIAL_LIMIT = 16;

export function printCode(code: Code): string {
  const lines: string[] = [];
  for (const object of code.objects) if (object.duration !== 'automatic') pushAll(lines, printObject(object, code));
  for (const each of code.functions) {
    if (lines.length > 0) lines.push('');
    pushAll(lines, printFunction(each, code));
  }
  return `${lines.join('\n')}\n`;
}

export function printScalarType(type: ScalarType): string {
  if (type.kind === 'float') return `f${type.bits}`;
  return type.pointer ? 'ptr' : `${type.signed ? 'i' : 'u'}${type.bits}`;
}

function printObject(object: CodeObject, code: Code): string[] {
  const duration = object.duration === 'thread' ? 'thread ' : '';
  const head = `${duration}object ${object.name}#${object.id}: ${object.size} bytes${object.isConstant ? ', constant' : ''}`;
  const initial = object.initial.slice(0, INITIAL_LIMIT).map(({ offset, type, value }) => {
    return `  +${offset}: ${printScalarType(type)} = ${printValue(value, code, null)}`;
  });
  const left = object.initial.length - INITIAL_LIMIT;
  return left > 0 ? [head, ...initial, `  … and ${left} more`] : [head, ...initial];
}

export function printFunction(each: CodeFunction, code: Code): string[] {
  const parameters = each.signature.parameters.map((type, i) => `${registerName(i, each)}: ${printScalarType(type)}`);
  const result = each.signature.result ? ` -> ${printScalarType(each.signature.result)}` : '';
  const lines = [`function ${each.name}(${parameters.join(', ')})${result}`];
  let line = '';
  each.instructions.forEach((instruction, pc) => {
    const place = placeOf(instruction.loc, code.sources);
    const note = place !== line && place !== '' ? `  ; ${place}` : '';
    line = place;
    lines.push(`${String(pc).padStart(5)}  ${printInstruction(instruction, each, code)}${note}`);
  });
  return lines;
}

function placeOf(loc: Loc, sources: SourceMap): string {
  const place = sources.place(loc);
  return place ? `${place.file}:${place.line}` : '';
}

export function printInstruction(instruction: Instruction, each: CodeFunction, code: Code): string {
  const value = (operand: Value) => printValue(operand, code, each);
  const register = (id: number) => registerName(id, each);
  switch (instruction.kind) {
    case 'set':
      return `${register(instruction.register)} := ${value(instruction.value)}`;
    case 'load':
      return `${register(instruction.register)} := load ${printAccess(instruction)} [${value(instruction.address)}]`;
    case 'store':
      return `store ${printAccess(instruction)} [${value(instruction.address)}] := ${value(instruction.value)}`;
    case 'jump':
      return `jump ${instruction.target}${printLoop(instruction, code)}`;
    case 'branch':
      return `unless ${value(instruction.condition)} jump ${instruction.target}${printLoop(instruction, code)}`;
    case 'call': {
      const callee =
        typeof instruction.callee === 'number'
          ? (code.functions[instruction.callee]?.name ?? '?')
          : `[${value(instruction.callee)}]`;
      const result = instruction.register === null ? '' : `${register(instruction.register)} := `;
      return `${result}call ${callee}(${instruction.args.map(value).join(', ')})`;
    }
    case 'return':
      return instruction.value ? `return ${value(instruction.value)}` : 'return';
    case 'assume':
      return `assume ${value(instruction.condition)}`;
    case 'assert':
      return `assert ${value(instruction.condition)} (${instruction.check}: ${instruction.message})`;
    case 'nondet':
      return `${register(instruction.register)} := nondet ${instruction.isBool ? 'bool' : printScalarType(instruction.type)} (${instruction.source})`;
    case 'enter-object':
    case 'leave-object':
      return printObjectLife(instruction, each, code);
    case 'allocate': {
      const how = `${instruction.isLocal ? 'local ' : ''}${instruction.zeroed ? 'zeroed ' : ''}`;
      return `${register(instruction.register)} := allocate ${how}${value(instruction.size)}`;
    }
    case 'free':
      return `free ${value(instruction.address)}`;
    case 'object-size':
      return `${register(instruction.register)} := object-size ${value(instruction.address)}`;
    case 'spawn':
      return `${register(instruction.register)} := spawn ${value(instruction.start)}(${value(instruction.argument)})`;
    case 'self':
      return `${register(instruction.register)} := self`;
    case 'fence':
      return `fence ${instruction.order}`;
    case 'atomic-begin':
    case 'atomic-end':
    case 'end-thread':
    case 'halt':
      return instruction.kind;
    default:
      return assertNever(instruction);
  }
}

function printAccess(instruction: Extract<Instruction, { kind: 'load' | 'store' }>): string {
  return `${printMode(instruction.mode)}${printScalarType(instruction.type)}`;
}

function printLoop(instruction: Extract<Instruction, { kind: 'jump' | 'branch' }>, code: Code): string {
  return instruction.loop === null ? '' : ` (closes ${code.loops[instruction.loop]?.name ?? '?'})`;
}

function printObjectLife(
  instruction: Extract<Instruction, { kind: 'enter-object' | 'leave-object' }>,
  each: CodeFunction,
  code: Code,
): string {
  const name = `${code.objects[instruction.object]?.name ?? '?'}#${instruction.object}`;
  if (instruction.kind === 'leave-object') return `leave ${name}`;
  const size = instruction.size ? ` of ${printValue(instruction.size, code, each)} bytes` : '';
  return `enter ${name}${size}${instruction.zeroed ? ' zeroed' : ''}`;
}

/** A register is shown by its variable's name and its number. */
function registerName(id: number, each: CodeFunction | null): string {
  const variable = each?.registers[id]?.variable;
  return variable ? `${variable.name}%${id}` : `%${id}`;
}

/** As C spells them. */
export const SPELLINGS: Readonly<Record<BinaryOperation, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  rem: '%',
  shl: '<<',
  shr: '>>',
  and: '&',
  or: '|',
  xor: '^',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
};

export function printValue(value: Value, code: Code, each: CodeFunction | null): string {
  const inner = (part: Value) => printValue(part, code, each);
  switch (value.kind) {
    case 'constant':
      return String(value.value);
    case 'float-constant':
      return `${value.value}f`;
    case 'register':
      return registerName(value.register, each);
    case 'object-address': {
      const name = `&${code.objects[value.object]?.name ?? '?'}#${value.object}`;
      return value.offset === 0 ? name : `(${name} + ${value.offset})`;
    }
    case 'function-address':
      return `&${code.functions[value.function]?.name ?? '?'}`;
    case 'unary':
      return `${value.operation === 'neg' ? '-' : '~'}${inner(value.operand)}`;
    case 'binary':
      return `(${inner(value.left)} ${SPELLINGS[value.operation]} ${inner(value.right)})`;
    case 'convert':
      return `${printScalarType(value.type)}(${inner(value.operand)})`;
    case 'select':
      return `(${inner(value.condition)} ? ${inner(value.then)} : ${inner(value.otherwise)})`;
    case 'overflows':
      return `overflows(${inner(value.left)} ${value.operation} ${inner(value.right)})`;
    default:
      return assertNever(value);
  }
}
