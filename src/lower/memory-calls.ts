/**
 * `memcpy`, `memmove` and `memset` of a constant number of bytes, on objects whose type is known at the call: copied or
 * filled scalar by scalar as the type says, like an assignment, instead of byte by byte as the models do. Pointers and
 * integers so stay whole, which keeps what is known about their values. Everything else is left to the models.
 */

import type { ScalarType, Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { PLAIN } from '../program/memory-order.ts';
import type { Expression, FunctionSymbol } from '../program/tree.ts';
import { isComplete } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { loadFrom, offsetBy, storeTo } from './accesses.ts';
import type { FunctionContext } from './context.ts';
import { lowerValue } from './expressions.ts';
import { stableBefore } from './lvalues.ts';
import { bytesOf, countLeaves, type Leaf, leavesOf } from './shapes.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** More scalars than this are left to the model's loop. */
const LEAF_LIMIT = 512;
const BYTE: ScalarType = { kind: 'integer', bits: 8, signed: false, pointer: false };

/** The value of the call, or null when it has to be lowered as any other. */
export function lowerMemoryCall(f: FunctionContext, symbol: FunctionSymbol, call: Call): Value | null {
  const { name, definition } = symbol;
  const [target, second, count] = call.args;
  if (!definition || !target || !second || !count || !f.program.isModel(definition.loc)) return null;
  const bytes = constantOf(count);
  if (bytes === null || bytes <= 0n || bytes > BigInt(LEAF_LIMIT * 16)) return null;
  if (name === 'memset') return lowerFill(f, target, second, Number(bytes), call);
  if (name !== 'memcpy' && name !== 'memmove') return null;
  const leaves = leavesFor(f, [target, second], Number(bytes));
  if (!leaves) return null;
  const to = f.builder.stabilise(stableBefore(f, lowerValue(f, target), second, call.loc), call.loc);
  const from = f.builder.stabilise(lowerValue(f, second), call.loc);
  // All is read before anything is written: the objects of memmove may overlap.
  const values = leaves.map(({ offset, type }) => loadFrom(f, offsetBy(f, from, offset), type, PLAIN, call.loc));
  for (const [i, leaf] of leaves.entries()) store(f, to, leaf, values[i] as Value, call);
  return to;
}

function lowerFill(
  f: FunctionContext,
  target: Expression,
  filler: Expression,
  bytes: number,
  call: Call,
): Value | null {
  const byte = constantOf(filler);
  const leaves = leavesFor(f, [target], bytes);
  if (byte === null || !leaves || leaves.some(({ type }) => type.kind === 'float' && byte !== 0n)) return null;
  const to = f.builder.stabilise(lowerValue(f, target), call.loc);
  for (const leaf of leaves) store(f, to, leaf, pattern(leaf.type, BigInt.asUintN(8, byte)), call);
  return to;
}

function store(f: FunctionContext, to: Value, { offset, type }: Leaf, value: Value, { loc }: Call): void {
  storeTo(f, offsetBy(f, to, offset), value, type, PLAIN, loc);
}

/** A scalar all of whose bytes are the same. */
function pattern(type: ScalarType, byte: bigint): Value {
  if (type.kind === 'float') return { kind: 'float-constant', type, value: 0 };
  let value = 0n;
  for (let i = 0; i < type.bits / 8; i++) value = (value << 8n) | byte;
  return { kind: 'constant', type, value: type.signed ? BigInt.asIntN(type.bits, value) : value };
}

function constantOf(expression: Expression): bigint | null {
  let at = expression;
  while (at.kind === 'cast' && (at.castKind === 'integer' || at.castKind === 'qualification')) at = at.operand;
  return at.kind === 'integer' ? at.value : null;
}

/** The scalars of that many bytes, by the first of the pointers that points to a type that says more than bytes. */
function leavesFor(f: FunctionContext, pointers: readonly Expression[], bytes: number): Leaf[] | null {
  for (const pointer of pointers) {
    const type = pointedType(pointer);
    if (!type || !isComplete(type) || type.kind === 'function') continue;
    const size = sizeOf(type, f.model);
    if (size <= 1 || bytes % size !== 0 || (bytes / size) * countLeaves(type, f.model) > LEAF_LIMIT) continue;
    const leaves = withGaps(leavesOf(type, f.model), size);
    if (leaves.length * (bytes / size) > LEAF_LIMIT) continue;
    return Array.from({ length: bytes / size }, (_, i) => i * size).flatMap((base) =>
      leaves.map((leaf) => ({ offset: base + leaf.offset, type: leaf.type })),
    );
  }
  return null;
}

/** What the pointer pointed to before it became a `void *`. */
function pointedType(pointer: Expression): Type | null {
  let at = pointer;
  while (at.kind === 'cast' && (at.castKind === 'pointer' || at.castKind === 'qualification')) at = at.operand;
  if (at.kind === 'cast' && at.castKind === 'array-to-pointer') {
    const { type } = at.operand;
    return type.kind === 'array' ? type.element : null;
  }
  return at.type.kind === 'pointer' && at.type.target.kind !== 'void' ? at.type.target : null;
}

/** The bytes between the scalars, one by one, so that padding is copied too. */
function withGaps(leaves: readonly Leaf[], size: number): Leaf[] {
  const all: Leaf[] = [];
  let at = 0;
  for (const leaf of leaves) {
    for (; at < leaf.offset; at++) all.push({ offset: at, type: BYTE });
    all.push(leaf);
    at = leaf.offset + bytesOf(leaf.type);
  }
  for (; at < size; at++) all.push({ offset: at, type: BYTE });
  return all;
}
