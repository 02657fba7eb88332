/**
 * Lvalues, lowered: a register, or an address in memory with the type that is accessed there. This file finds them,
 * and reads or writes them, bit-fields and atomic objects included.
 */

import type { RegisterId, ScalarType, Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { type AccessMode, atomicMode, PLAIN } from '../program/memory-order.ts';
import type { Expression, VariableSymbol } from '../program/tree.ts';
import { hasVariableSize, isBool } from '../program/type-operations.ts';
import { QUALIFIER_ATOMIC, type Type } from '../program/types.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { loadFrom, offsetBy, storeTo } from './accesses.ts';
import { recordAddress } from './aggregates.ts';
import { checkIndex } from './checks.ts';
import { enterObject, type FunctionContext, pointerType, type Storage } from './context.ts';
import { lowerValue } from './expressions.ts';
import { initialiseObject } from './initializers.ts';
import { type BitContainer, bitContainer, differenceScalar, scalarOf } from './shapes.ts';
import { binary, constant, convert, type IntegerScalar, integerScalar, unary } from './values.ts';

export type Lvalue =
  | { readonly kind: 'register'; readonly register: RegisterId; readonly type: Type }
  | {
      readonly kind: 'memory';
      readonly address: Value;
      readonly type: Type;
      readonly bits: BitField | null;
      readonly mode: AccessMode;
    };

interface BitField {
  readonly container: BitContainer;
  readonly width: number;
}

// ---------------------------------------------------------------- finding it

export function lowerLvalue(f: FunctionContext, expression: Expression): Lvalue {
  const { type } = expression;
  switch (expression.kind) {
    case 'variable':
      return variableLvalue(f, expression.symbol, type);
    case 'dereference':
      return memory(lowerElementAddress(f, expression.operand, false), type);
    case 'index':
      return memory(lowerIndex(f, expression, false), type);
    case 'member':
      return memberLvalue(f, expression);
    case 'string':
      return memory(objectAddress(f, f.program.stringObject(expression)), type);
    case 'compound-literal':
      return memory(lowerCompoundLiteral(f, expression.symbol, expression.loc), type);
    default:
      // Record values that are no lvalues in C still lie somewhere: `f().x`.
      if (type.kind === 'record') return memory(recordAddress(f, expression), type);
      if (type.kind === 'array' && expression.kind === 'cast') return lowerLvalue(f, expression.operand);
      f.program.unsupported(expression.loc, 'this kind of assignment target is');
      return memory(constant(0n, pointerType(f)), type);
  }
}

export function memory(address: Value, type: Type, bits: BitField | null = null): Lvalue {
  return { kind: 'memory', address, type, bits, mode: modeOf(type) };
}

function objectAddress(f: FunctionContext, object: Extract<Value, { kind: 'object-address' }>['object']): Value {
  return { kind: 'object-address', type: pointerType(f), object, offset: 0 };
}

export function storageOf(f: FunctionContext, symbol: VariableSymbol): Storage {
  if (symbol.duration !== 'automatic') return { kind: 'object', object: f.program.staticObject(symbol) };
  const known = f.variables.get(symbol);
  if (known) return known;
  const storage = makeStorage(f, symbol);
  f.variables.set(symbol, storage);
  return storage;
}

/** Scalars whose address nobody takes live in registers. */
function makeStorage(f: FunctionContext, symbol: VariableSymbol): Storage {
  const scalar = scalarOf(symbol.type, f.model);
  if (scalar && !symbol.addressTaken) {
    return { kind: 'register', register: f.builder.newRegister(scalar, symbol) };
  }
  const size = hasVariableSize(symbol.type) ? 0 : sizeOf(symbol.type, f.model);
  return { kind: 'object', object: f.program.localObject(symbol.name, symbol, symbol.type, size, symbol.loc) };
}

export function variableLvalue(f: FunctionContext, symbol: VariableSymbol, type: Type): Lvalue {
  const storage = storageOf(f, symbol);
  switch (storage.kind) {
    case 'register':
      return { kind: 'register', register: storage.register, type };
    case 'object':
      return memory(objectAddress(f, storage.object), type);
    case 'indirect':
      return memory(storage.address, type);
  }
}

function memberLvalue(f: FunctionContext, expression: Extract<Expression, { kind: 'member' }>): Lvalue {
  const { object, field, type } = expression;
  const record = object.type;
  invariant(record.kind === 'record', 'a member of a record');
  const base = lowerLvalue(f, object);
  invariant(base.kind === 'memory', 'records lie in memory');
  if (field.bits === null) return memory(offsetBy(f, base.address, field.offset), type);
  const container = bitContainer(record.declaration, field, f.model);
  const address = offsetBy(f, base.address, container.offset);
  return memory(address, type, { container, width: field.bits.width });
}

function lowerCompoundLiteral(f: FunctionContext, symbol: VariableSymbol, loc: Loc): Value {
  if (symbol.duration !== 'automatic') return objectAddress(f, f.program.staticObject(symbol));
  const object = f.program.localObject(
    symbol.name || 'literal',
    symbol,
    symbol.type,
    sizeOf(symbol.type, f.model),
    loc,
  );
  enterLiteral(f, object, symbol, loc);
  return objectAddress(f, object);
}

/** A literal lives as long as the enclosing block, not only as the full expression. */
function enterLiteral(
  f: FunctionContext,
  object: Extract<Value, { kind: 'object-address' }>['object'],
  symbol: VariableSymbol,
  loc: Loc,
): void {
  const scopes = f.builder.scopes;
  const open = f.scopeNodes.findLastIndex((node) => node !== null);
  const inner = scopes.splice(Math.max(open, 0) + 1);
  if (symbol.initializer) initialiseObject(f, object, symbol.type, symbol.initializer, loc);
  else enterObject(f, object, null, false, loc);
  pushAll(scopes, inner);
}

// ---------------------------------------------------------------- addresses of elements

/** The address that `*operand` denotes; `a + i` under the star is checked like `a[i]`. */
export function lowerElementAddress(f: FunctionContext, operand: Expression, onlyAddress: boolean): Value {
  if (operand.kind === 'pointer-offset' && operand.operator === '+') {
    return lowerElement(f, operand.pointer, operand.offset, operand.loc, onlyAddress);
  }
  return lowerValue(f, operand);
}

export function lowerIndex(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'index' }>,
  onlyAddress: boolean,
): Value {
  return lowerElement(f, expression.base, expression.index, expression.loc, onlyAddress);
}

function lowerElement(f: FunctionContext, base: Expression, index: Expression, loc: Loc, onlyAddress: boolean): Value {
  const pointer = f.builder.share(stableBefore(f, lowerValue(f, base), index, loc), loc);
  const value = lowerValue(f, index);
  checkIndex(f, base, value, loc, onlyAddress);
  invariant(base.type.kind === 'pointer', 'an index of a pointer');
  return f.builder.shallow(binary('add', pointer, scale(f, value, base.type.target, loc)), loc);
}

/** The left operand's value, kept when evaluating the right operand may change the variables it is made of. */
export function stableBefore(f: FunctionContext, left: Value, right: Expression, loc: Loc): Value {
  return changesVariables(right) ? f.builder.stabilise(left, loc) : left;
}

/**
 * Whether evaluating an expression may assign to variables. Cheap and rough: anything but leaves and plain operators
 * may.
 */
function changesVariables(expression: Expression): boolean {
  let at = expression;
  for (;;) {
    switch (at.kind) {
      case 'integer':
      case 'float':
      case 'string':
      case 'variable':
      case 'function':
      case 'label-address':
        return false;
      case 'cast':
      case 'unary':
      case 'address':
      case 'dereference':
        at = at.operand;
        break;
      case 'member':
        at = at.object;
        break;
      case 'index':
        if (changesVariables(at.index)) return true;
        at = at.base;
        break;
      case 'arithmetic':
      case 'comparison':
        if (changesVariables(at.right)) return true;
        at = at.left;
        break;
      default:
        return true;
    }
  }
}

/** A number of elements as a number of bytes, in the word that addresses are computed in. */
export function scale(f: FunctionContext, count: Value, element: Type, loc: Loc): Value {
  // Signed counts are extended with their sign, then computed modulo the word.
  const word = pointerType(f);
  const wide = convert(convert(count, differenceScalar(f.model)), word);
  return binary('mul', wide, convert(sizeValue(f, element, loc), word));
}

/** The size of a type in bytes, also of a variable-length array. */
export function sizeValue(f: FunctionContext, type: Type, loc: Loc): Value {
  const word = integerScalar(pointerType(f).bits, false);
  if (!hasVariableSize(type)) return constant(sizeOf(type, f.model), word);
  invariant(type.kind === 'array', 'only arrays have variable size');
  const length = typeof type.length === 'number' ? constant(type.length, word) : lengthValue(f, type.length, loc);
  return binary('mul', convert(length, word), sizeValue(f, type.element, loc));
}

function lengthValue(f: FunctionContext, length: Expression | null, loc: Loc): Value {
  if (length === null) {
    f.program.unsupported(loc, 'the size of an array without length is');
    return constant(0n, pointerType(f));
  }
  const known = f.lengths.get(length);
  if (known) return known;
  const value = f.builder.keep(lowerValue(f, length), loc);
  f.lengths.set(length, value);
  return value;
}

/** Evaluates the lengths of variable-length arrays in a type, where its declaration is reached. */
export function evaluateLengths(f: FunctionContext, type: Type, loc: Loc): void {
  let at = type;
  for (;;) {
    if (at.kind === 'array') {
      // A length that came in through a typedef was evaluated there.
      if (at.length !== null && typeof at.length !== 'number') lengthValue(f, at.length, loc);
      at = at.element;
    } else if (at.kind === 'pointer') at = at.target;
    else return;
  }
}

// ---------------------------------------------------------------- reading and writing

export function isAtomic(type: Type): boolean {
  return (type.qualifiers & QUALIFIER_ATOMIC) !== 0;
}

/** Without a word about its order, an access to an atomic object is sequentially consistent. */
export function modeOf(type: Type): AccessMode {
  return isAtomic(type) ? atomicMode('seq_cst') : PLAIN;
}

function scalarAt(f: FunctionContext, type: Type, loc: Loc): ScalarType {
  const scalar = scalarOf(type, f.model);
  if (scalar === null) {
    f.program.unsupported(
      loc,
      type.kind === 'complex' ? 'complex numbers are' : `access to a value of kind ${type.kind} is`,
    );
    return integerScalar(32, true);
  }
  if (scalar.kind === 'float' && scalar.bits !== 32 && scalar.bits !== 64) {
    f.program.unsupported(loc, `floating point of ${scalar.bits} bits is`);
    return { kind: 'float', bits: 64 };
  }
  return scalar;
}

export function readLvalue(f: FunctionContext, lvalue: Lvalue, loc: Loc): Value {
  const scalar = scalarAt(f, lvalue.type, loc);
  if (lvalue.kind === 'register') return f.builder.read(lvalue.register);
  if (lvalue.bits) return readBits(f, lvalue, lvalue.bits, loc);
  return loadFrom(f, lvalue.address, scalar, lvalue.mode, loc);
}

/** Writes a value of the lvalue's type; returns what a later read would give. */
export function writeLvalue(f: FunctionContext, lvalue: Lvalue, value: Value, loc: Loc): Value {
  const type = scalarAt(f, lvalue.type, loc);
  if (lvalue.kind === 'register') {
    f.builder.set(lvalue.register, value, loc);
    return f.builder.read(lvalue.register);
  }
  const shared = f.builder.share(value, loc);
  if (lvalue.bits) return writeBits(f, lvalue, lvalue.bits, shared, loc);
  storeTo(f, lvalue.address, shared, type, lvalue.mode, loc);
  return shared;
}

type MemoryLvalue = Extract<Lvalue, { kind: 'memory' }>;

function readBits(f: FunctionContext, lvalue: MemoryLvalue, bits: BitField, loc: Loc): Value {
  const whole = loadContainer(f, lvalue, bits.container, loc);
  return extractBits(f, binary('shr', whole, constant(bits.container.shift, bits.container.type)), bits, lvalue.type);
}

/** Reads a container, byte by byte where the layout is odd. */
function loadContainer(f: FunctionContext, { address, mode }: MemoryLvalue, container: BitContainer, loc: Loc): Value {
  const parts = container.pieces.map((piece) => {
    const part = convert(loadFrom(f, offsetBy(f, address, piece.offset), piece.type, mode, loc), container.type);
    return binary('shl', part, constant(8 * piece.offset, container.type));
  });
  return parts.reduce((whole, part) => binary('or', whole, part));
}

function storeContainer(
  f: FunctionContext,
  { address, mode }: MemoryLvalue,
  container: BitContainer,
  whole: Value,
  loc: Loc,
): void {
  const shared = container.pieces.length > 1 ? f.builder.keep(whole, loc) : whole;
  for (const piece of container.pieces) {
    const value = convert(binary('shr', shared, constant(8 * piece.offset, container.type)), piece.type);
    storeTo(f, offsetBy(f, address, piece.offset), value, piece.type, mode, loc);
  }
}

/** The low bits of a container's value, extended as the field's type says. */
function extractBits(f: FunctionContext, value: Value, bits: BitField, type: Type): Value {
  const target = scalarOf(type, f.model) as IntegerScalar;
  const container = bits.container.type;
  if (target.signed && !isBool(type)) {
    const up = constant(container.bits - bits.width, container);
    const signed = integerScalar(container.bits, true);
    return convert(binary('shr', convert(binary('shl', value, up), signed), up), target);
  }
  return convert(binary('and', value, constant(mask(bits.width), container)), target);
}

function writeBits(f: FunctionContext, lvalue: MemoryLvalue, bits: BitField, value: Value, loc: Loc): Value {
  const { type: container, shift } = bits.container;
  const low = binary('and', convert(value, container), constant(mask(bits.width), container));
  const placed = binary('shl', low, constant(shift, container));
  let whole = placed;
  if (bits.width < container.bits) {
    const old = loadContainer(f, lvalue, bits.container, loc);
    const hole = unary('not', constant(mask(bits.width) << BigInt(shift), container));
    whole = binary('or', binary('and', old, hole), placed);
  }
  storeContainer(f, lvalue, bits.container, whole, loc);
  return extractBits(f, low, bits, lvalue.type);
}

function mask(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}
