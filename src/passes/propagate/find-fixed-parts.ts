/**
 * Parts of global variables that always hold what they are initialised with: nobody writes them, or only with that very value, and the
 * address of the variable goes nowhere, so that all accesses are in the text. The kind of an ordinary mutex is such a part, which
 * decides most branches of its model.
 *
 * Left out: everything but integers, bit-fields, and volatile variables.
 */

import { objectBehind } from '../../analysis/sharing.ts';
import type { DataModel } from '../../program/data-model.ts';
import { evaluateInteger } from '../../program/evaluate-constant.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression, Initializer, Program, Statement, VariableSymbol } from '../../program/tree.ts';
import { hasVariableSize, isComplete, isInteger, qualifiersOf, sameType } from '../../program/type-operations.ts';
import { QUALIFIER_VOLATILE, type Type } from '../../program/types.ts';
import { childrenOf, expressionsOf, walkInitializer, walkStatementOnce } from '../../program/visit-tree.ts';
import { primitiveOf } from '../primitives.ts';

interface Range {
  readonly start: number;
  readonly size: number;
}

/** Bytes of a variable; null where the text does not say which. */
interface Part {
  readonly symbol: VariableSymbol;
  readonly range: Range | null;
}

/** `value` is null for anything but a literal. */
interface Write extends Range {
  readonly value: bigint | null;
}

/** `written` are variables that are also written in ways that the text does not show. */
export function findFixedParts(program: Program, written: Iterable<VariableSymbol>): FixedParts {
  const parts = new FixedParts(program.dataModel, written);
  for (const item of program.items) {
    if (item.kind === 'function') {
      walkStatementOnce(item.definition.body, { statement: (statement) => parts.visit(statement) });
    } else if (item.kind === 'variable' && item.isDefinition) parts.define(item.symbol);
  }
  return parts;
}

export class FixedParts {
  readonly #model: DataModel;
  readonly #defined = new Set<VariableSymbol>();
  /** Variables of which nothing is fixed. */
  readonly #open: Set<VariableSymbol>;
  readonly #writes = new Map<VariableSymbol, Write[]>();

  constructor(model: DataModel, written: Iterable<VariableSymbol>) {
    this.#model = model;
    this.#open = new Set(written);
  }

  /** The value that a place always has, as a literal; null if there is none. */
  valueOf(lvalue: Expression): Expression | null {
    const { type, loc } = lvalue;
    if (!isInteger(type) || type.kind === 'enum') return null;
    const part = this.#partOf(lvalue, () => {});
    if (part === null || part.range === null || !this.#isFixable(part.symbol)) return null;
    const { symbol, range } = part;
    const found = initialValue(symbol.initializer, symbol.type, range, this.#model);
    if (found === null || !(sameType(found.type, type) || (found.value >= 0n && found.value < 128n))) return null;
    for (const write of this.#writes.get(symbol) ?? []) {
      const isApart = write.start + write.size <= range.start || range.start + range.size <= write.start;
      const isSame = write.start === range.start && write.size === range.size && write.value === found.value;
      if (!isApart && !isSame) return null;
    }
    return { kind: 'integer', value: found.value, spelling: null, type: { ...type, qualifiers: 0 }, loc };
  }

  #isFixable(symbol: VariableSymbol): boolean {
    return this.#defined.has(symbol) && !this.#open.has(symbol) && !(qualifiersOf(symbol.type) & QUALIFIER_VOLATILE);
  }

  // -------------------------------------------------------------- finding writes

  define(symbol: VariableSymbol): void {
    this.#defined.add(symbol);
    if (symbol.initializer === null) return;
    walkInitializer(symbol.initializer, {
      expression: (node) => {
        if (node.kind === 'variable') this.#open.add(node.symbol);
      },
    });
  }

  visit(statement: Statement): void {
    const stack: Expression[] = [...expressionsOf(statement)];
    const push = (part: Expression) => stack.push(part);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const primitive = primitiveOf(at);
      if (isLvalue(at)) this.#partOf(at, push);
      else if (at.kind === 'address' || (at.kind === 'cast' && at.castKind === 'array-to-pointer')) {
        this.#openPart(this.#partOf(at.operand, push));
      } else if (at.kind === 'assignment') {
        this.#write(this.#partOf(at.target, push), at.value);
        stack.push(at.value);
      } else if (primitive === 'havoc' || primitive === 'zero') {
        for (const arg of childrenOf(at)) this.#openPart(this.#partOf(arg, push));
      } else stack.push(...childrenOf(at));
    }
  }

  #openPart(part: Part | null): void {
    if (part) this.#open.add(part.symbol);
  }

  #write(part: Part | null, value: Expression): void {
    if (part === null) return;
    const { symbol, range } = part;
    if (range === null) this.#open.add(symbol);
    if (range === null || this.#open.has(symbol)) return;
    const write = { ...range, value: value.kind === 'integer' ? value.value : null };
    const known = this.#writes.get(symbol);
    if (!known) this.#writes.set(symbol, [write]);
    else if (!known.some((other) => isSameWrite(other, write))) known.push(write);
  }

  /** The part that an lvalue denotes, null behind a pointer; what is evaluated on the way is pushed. */
  #partOf(lvalue: Expression, push: (evaluated: Expression) => void): Part | null {
    let offset: number | null = 0;
    let at = lvalue;
    for (;;) {
      if (at.kind === 'variable') return { symbol: at.symbol, range: this.#rangeIn(at.symbol, lvalue, offset) };
      if (at.kind === 'member') {
        offset = offset === null || at.field.bits ? null : offset + at.field.offset;
        at = at.object;
      } else if (at.kind === 'index' || at.kind === 'dereference') {
        const pointer: Expression = at.kind === 'index' ? at.base : at.operand;
        if (at.kind === 'index') {
          const { index } = at;
          const count = index.kind === 'integer' ? Number(index.value) : null;
          offset = offset === null || count === null ? null : offset + count * this.#sizeOf(at.type);
          if (index.kind !== 'integer') push(index);
        }
        const object = objectBehind(pointer);
        if (object === null) push(pointer);
        if (object === null) return null;
        at = object;
      } else {
        push(at);
        return null;
      }
    }
  }

  #rangeIn(symbol: VariableSymbol, lvalue: Expression, start: number | null): Range | null {
    const size = this.#sizeOf(lvalue.type);
    const isInside = start !== null && start >= 0 && size > 0 && start + size <= this.#sizeOf(symbol.type);
    return isInside ? { start, size } : null;
  }

  #sizeOf(type: Type): number {
    return isComplete(type) && !hasVariableSize(type) ? sizeOf(type, this.#model) : 0;
  }
}

function isSameWrite(left: Write, right: Write): boolean {
  return left.start === right.start && left.size === right.size && left.value === right.value;
}

function isLvalue({ kind }: Expression): boolean {
  return kind === 'variable' || kind === 'member' || kind === 'index' || kind === 'dereference';
}

// ---------------------------------------------------------------- initial values

interface InitialValue {
  readonly value: bigint;
  readonly type: Type;
}

/** The integer that an initializer puts at these bytes; null if it is no integer, or only part of one. */
function initialValue(
  initializer: Initializer | null,
  type: Type,
  range: Range,
  model: DataModel,
): InitialValue | null {
  if (initializer === null) return { value: 0n, type };
  switch (initializer.kind) {
    case 'scalar': {
      const { value } = initializer;
      if (range.start !== 0 || range.size !== sizeOf(type, model) || !isInteger(value.type)) return null;
      const constant = evaluateInteger(value, model);
      return constant === null ? null : { value: constant, type };
    }
    case 'characters':
      return null;
    case 'array': {
      if (type.kind !== 'array') return null;
      const stride = sizeOf(type.element, model);
      const index = Math.floor(range.start / stride);
      const item = initializer.items.find(({ first, last }) => first <= index && index <= last);
      const inner = { start: range.start - index * stride, size: range.size };
      if (inner.start + inner.size > stride) return null;
      return initialValue(item?.value ?? null, type.element, inner, model);
    }
    case 'record': {
      for (const { field, value } of initializer.items) {
        const inner = { start: range.start - field.offset, size: range.size };
        const end = sizeOf(field.type, model);
        if (inner.start + inner.size <= 0 || inner.start >= end) continue;
        if (field.bits || inner.start < 0 || inner.start + inner.size > end) return null;
        return initialValue(value, field.type, inner, model);
      }
      return { value: 0n, type };
    }
  }
}
