/**
 * Initializers. Those of locals become stores, after the object came to life zeroed (unless the stores cover it); those
 * of static objects become lists of constants and addresses, found by the same lowering of expressions: it folds.
 */

import type { InitialValue, ObjectId, Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { PLAIN } from '../program/memory-order.ts';
import type { Initializer, VariableSymbol } from '../program/tree.ts';
import type { Field, RecordDeclaration, Type } from '../program/types.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { offsetBy } from './accesses.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { enterObject, type FunctionContext, pointerType } from './context.ts';
import { lowerValue } from './expressions.ts';
import { memory, writeLvalue } from './lvalues.ts';
import { bitContainer, countLeaves, scalarOf } from './shapes.ts';
import { constant, type IntegerScalar, integerScalar, isConstant, wrap } from './values.ts';

/** What an initializer says, piece by piece. */
interface Visitor {
  scalar(value: Extract<Initializer, { kind: 'scalar' }>, type: Type, offset: number): void;
  bits(value: Extract<Initializer, { kind: 'scalar' }>, record: RecordDeclaration, field: Field, offset: number): void;
  unit(value: number, bytes: number, offset: number, loc: Loc): void;
}

function visit(initializer: Initializer, type: Type, offset: number, f: FunctionContext, visitor: Visitor): void {
  switch (initializer.kind) {
    case 'scalar':
      visitor.scalar(initializer, type, offset);
      break;
    case 'characters': {
      invariant(type.kind === 'array', 'characters fill an array');
      const bytes = sizeOf(type.element, f.model);
      const length = typeof type.length === 'number' ? type.length : initializer.value.units.length;
      const { loc } = initializer.value;
      initializer.value.units.slice(0, length).forEach((unit, i) => {
        visitor.unit(unit, bytes, offset + i * bytes, loc);
      });
      break;
    }
    case 'array': {
      invariant(type.kind === 'array', 'a list for an array');
      const stride = sizeOf(type.element, f.model);
      for (const { first, last, value } of initializer.items) {
        for (let i = first; i <= last; i++) visit(value, type.element, offset + i * stride, f, visitor);
      }
      break;
    }
    case 'record': {
      invariant(type.kind === 'record', 'a list for a record');
      for (const { field, value } of initializer.items) {
        if (field.bits !== null && value.kind === 'scalar') visitor.bits(value, type.declaration, field, offset);
        else visit(value, field.type, offset + field.offset, f, visitor);
      }
      break;
    }
    default:
      assertNever(initializer);
  }
}

// ---------------------------------------------------------------- locals

/** Brings an object to life and gives it the initializer's values. */
export function initialiseObject(
  f: FunctionContext,
  object: ObjectId,
  type: Type,
  initializer: Initializer,
  loc: Loc,
): void {
  enterObject(f, object, null, !coversAll(initializer, type, f), loc);
  const base: Value = { kind: 'object-address', type: pointerType(f), object, offset: 0 };
  visit(initializer, type, 0, f, {
    scalar: (item, itemType, offset) => storeScalar(f, offsetBy(f, base, offset), item, itemType),
    bits: (item, record, field, offset) => {
      const container = bitContainer(record, field, f.model);
      const address = offsetBy(f, base, offset + container.offset);
      const bits = { container, width: field.bits?.width ?? 0 };
      const lvalue = memory(address, field.type, bits);
      writeLvalue(f, lvalue, lowerValue(f, item.value), item.value.loc);
    },
    unit: (value, bytes, offset, unitLoc) => {
      if (value === 0) return;
      const unit = integerScalar((8 * bytes) as 8 | 16 | 32, false);
      const address = offsetBy(f, base, offset);
      f.builder.emit({ kind: 'store', address, value: constant(value, unit), type: unit, mode: PLAIN, loc: unitLoc });
    },
  });
}

function storeScalar(
  f: FunctionContext,
  address: Value,
  item: Extract<Initializer, { kind: 'scalar' }>,
  type: Type,
): void {
  const { value } = item;
  if (type.kind === 'record') {
    copyRecord(f, address, f.builder.share(recordAddress(f, value), value.loc), type, value.loc);
    return;
  }
  writeLvalue(f, memory(address, type), lowerValue(f, value), value.loc);
}

/**
 * Whether each scalar of the object gets a value of its own, so that nothing needs to be zeroed. Bit-fields always do:
 * stores into them read.
 */
function coversAll(initializer: Initializer, type: Type, f: FunctionContext): boolean {
  if (initializer.kind === 'scalar') return true;
  let count = 0;
  let hasBits = false;
  visit(initializer, type, 0, f, {
    scalar: (_, itemType) => {
      count += countLeaves(itemType, f.model);
    },
    bits: () => {
      hasBits = true;
    },
    unit: (value) => {
      if (value !== 0) count++;
    },
  });
  const isUnion = type.kind === 'record' && type.declaration.isUnion;
  return !hasBits && !isUnion && count === countLeaves(type, f.model);
}

// ---------------------------------------------------------------- static objects

/**
 * The initial values of a static object. `f` only evaluates: whatever needs an instruction is no constant and refused.
 */
export function staticInitialValues(f: FunctionContext, symbol: VariableSymbol): InitialValue[] {
  const values: InitialValue[] = [];
  if (!symbol.initializer) return values;
  const bits = new Map<number, InitialValue>();
  visit(symbol.initializer, symbol.type, 0, f, {
    scalar: (item, type, offset) => {
      if (type.kind === 'record') staticRecord(f, item, type, offset, values);
      else addScalar(f, item, type, offset, values);
    },
    bits: (item, record, field, offset) => {
      const container = bitContainer(record, field, f.model);
      const placed = BigInt.asUintN(field.bits?.width ?? 0, staticConstant(f, item)) << BigInt(container.shift);
      for (const { offset: at, type } of container.pieces)
        mergeBits(bits, offset + container.offset + at, type, placed >> BigInt(8 * at));
    },
    unit: (value, bytes, offset) => {
      const type = integerScalar((8 * bytes) as 8 | 16 | 32, false);
      if (value !== 0)
        values.push({ offset, type, value: { kind: 'constant', type, value: wrap(BigInt(value), type) } });
    },
  });
  return [...values, ...bits.values()].sort((a, b) => a.offset - b.offset);
}

/** Adds the bits of one field to a piece of its container. */
function mergeBits(bits: Map<number, InitialValue>, offset: number, type: IntegerScalar, added: bigint): void {
  const old = bits.get(offset)?.value;
  const whole = wrap((old?.kind === 'constant' ? old.value : 0n) | added, type);
  bits.set(offset, { offset, type, value: { kind: 'constant', type, value: whole } });
}

function addScalar(
  f: FunctionContext,
  item: Extract<Initializer, { kind: 'scalar' }>,
  type: Type,
  offset: number,
  values: InitialValue[],
): void {
  const scalar = scalarOf(type, f.model);
  const value = staticValue(f, item);
  if (!scalar || !value || (isConstant(value) && value.value === 0n)) return;
  values.push({ offset, type: scalar, value });
}

/** A record initialised by a compound literal (GNU) or by a copy of one. */
function staticRecord(
  f: FunctionContext,
  item: Extract<Initializer, { kind: 'scalar' }>,
  type: Type,
  offset: number,
  values: InitialValue[],
): void {
  let at = item.value;
  while (at.kind === 'cast') at = at.operand;
  if (at.kind !== 'compound-literal') {
    f.program.unsupported(item.value.loc, 'this initializer of a static record is');
    return;
  }
  for (const value of staticInitialValues(f, { ...at.symbol, type })) {
    values.push({ ...value, offset: offset + value.offset });
  }
}

function staticValue(f: FunctionContext, item: Extract<Initializer, { kind: 'scalar' }>): InitialValue['value'] | null {
  const before = f.builder.length;
  const value = lowerValue(f, item.value);
  const isKnown =
    value.kind === 'constant' ||
    value.kind === 'float-constant' ||
    value.kind === 'object-address' ||
    value.kind === 'function-address';
  if (isKnown && f.builder.length === before) return value;
  f.program.sink.error(item.value.loc, 'not-constant', 'the initializer of a static object is not a constant');
  return null;
}

function staticConstant(f: FunctionContext, item: Extract<Initializer, { kind: 'scalar' }>): bigint {
  const value = staticValue(f, item);
  return value?.kind === 'constant' ? value.value : 0n;
}
