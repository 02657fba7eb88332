/**
 * Integers in as few bits as their values need: variables, members of records and arrays of either are declared as
 * bit-vectors, and every read is converted back to the declared type first, so that arithmetic, comparisons and
 * overflow stay what they were. Integers that pointers lead to have one type, which the pointers know
 * (group-integers.ts); what somebody may look at in another way keeps its type. Of the temporaries of the passes, those
 * follow that only hold what narrow variables or constants give them.
 *
 * Assigning cuts a value off. So whoever tells the widths must know that no value which is ever read gets lost; what a
 * variable holds before its first assignment need not fit if nobody reads it.
 *
 * Members of records, and what pointers lead to, have whole bytes. A record with narrow members is smaller for the
 * verifier. Sizes in the source were computed from the declared types and are written as numbers, but for those of
 * allocations, where a verifier likes to see the type.
 */

import { cast } from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { integerNameOf, integerWidth, isSignedName, maximumOf, minimumOf } from '../program/integer-range.ts';
import type {
  ArithmeticOperator,
  Expression,
  FunctionDefinition,
  Initializer,
  TopLevelItem,
  TypedefSymbol,
  VariableSymbol,
} from '../program/tree.ts';
import {
  arrayOf,
  integerType,
  isBool,
  isInteger,
  pointerTo,
  qualifiersOf,
  voidType,
  withAlias,
} from '../program/type-operations.ts';
import { type Field, type PointerType, QUALIFIER_VOLATILE, type Type } from '../program/types.ts';
import { mapBlock, mapExpression, walkStatement } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';
import { findExposed } from './find-exposed.ts';
import { elementOf, groupIntegers, type Slot } from './group-integers.ts';

/** A two's complement number of so many bits, or an unsigned one. */
export interface BitVectorType {
  readonly bits: number;
  readonly signed: boolean;
}

export interface Widths {
  /**
   * In which bits all values fit that are read from a variable, from a member, or from the elements of either; null if
   * that is not known.
   */
  readonly widthOf: (slot: Slot) => BitVectorType | null;
  /** Whether nobody can see the layout of the record that a member belongs to. */
  readonly isPlain: (field: Field) => boolean;
  /** Whether the widths count what is assigned by way of pointers. */
  readonly seesPointers: boolean;
}

export interface Narrowing extends Widths {
  readonly dataModel: DataModel;
  /** What names the type; called for each that is used. */
  readonly typedefOf: (vector: BitVectorType) => TypedefSymbol;
}

export interface Narrowed {
  readonly items: readonly TopLevelItem[];
  /** The types of members that changed. */
  readonly fieldTypes: ReadonlyMap<Field, Type>;
}

/** Definitions of threads and variables, with types changed where that is safe. */
export function narrowVariables(items: readonly TopLevelItem[], narrowing: Narrowing): Narrowed {
  const vectors = findVectors(items, narrowing);
  const narrower = new Narrower(vectors, narrowing);
  const narrowed = items.map((item) => {
    if (item.kind === 'variable') return { ...item, symbol: narrower.symbol(item.symbol) };
    return item.kind === 'function' ? { ...item, definition: narrower.definition(item.definition) } : item;
  });
  return { items: narrowed, fieldTypes: narrower.fieldTypes() };
}

/**
 * Integers and arrays of integers that no pointer leads to, and that could be declared otherwise, in the order of their
 * declarations.
 */
export function findNarrowable(items: readonly TopLevelItem[]): VariableSymbol[] {
  const exposed = findExposed(items);
  return declaredVariables(items).filter((symbol) => {
    const { type, initializer, defined } = symbol;
    const scalar = elementOf(type);
    if (!isInteger(scalar) || isBool(scalar) || !defined || exposed.has(symbol)) return false;
    if (qualifiersOf(type) & QUALIFIER_VOLATILE) return false;
    return !initializer || !hasCharacters(initializer);
  });
}

function declaredVariables(items: readonly TopLevelItem[]): VariableSymbol[] {
  const symbols = new Set<VariableSymbol>();
  for (const item of items) {
    if (item.kind === 'variable') symbols.add(item.symbol);
    if (item.kind !== 'function') continue;
    walkStatement(item.definition.body, {
      statement: (statement) => {
        if (statement.kind === 'declaration' && statement.item.kind === 'variable') symbols.add(statement.item.symbol);
      },
    });
  }
  return [...symbols];
}

/** A string cannot initialise an array of bit-vectors. */
function hasCharacters(initializer: Initializer): boolean {
  if (initializer.kind === 'scalar') return false;
  return initializer.kind === 'characters' || initializer.items.some(({ value }) => hasCharacters(value));
}

// ---------------------------------------------------------------- which, and how wide

/** The types of integers, and of what pointers lead to. */
type Vectors = ReadonlyMap<Slot, BitVectorType>;

function findVectors(items: readonly TopLevelItem[], narrowing: Narrowing): Vectors {
  const vectors = new Map<Slot, BitVectorType>();
  const unknown: VariableSymbol[] = [];
  const direct = new Set<Slot>(findNarrowable(items));
  for (const { integers, pointers } of groupIntegers(items)) {
    const slots = [...integers, ...pointers];
    if (!slots.every((slot) => isVariable(slot) || narrowing.isPlain(slot))) continue;
    if (!narrowing.seesPointers && !slots.every((slot) => direct.has(slot))) continue;
    const least = joinVectors(integers.map(narrowing.widthOf));
    const isReached = pointers.length > 0 || !slots.every(isVariable);
    const vector = least && isReached ? inBytes(least) : least;
    if (vector !== null && isNarrower(vector, integers[0] as Slot, narrowing)) {
      for (const slot of slots) vectors.set(slot, vector);
    } else if (slots.length === 1) pushAll(unknown, slots.filter(isVariable));
  }
  const assigned = findAssignedValues(items);
  for (const symbol of unknown) {
    const vector = vectorOfValues(symbol, assigned.get(symbol), vectors, narrowing);
    // CBMC sees through conversions of truth values, but not through bit-vectors of one bit.
    if (vector !== null && vector.bits > 1 && isNarrower(vector, symbol, narrowing)) vectors.set(symbol, vector);
  }
  return vectors;
}

function isVariable(slot: Slot): slot is VariableSymbol {
  return 'kind' in slot;
}

/** Enough for all of them; null if one is not known. */
function joinVectors(vectors: readonly (BitVectorType | null)[]): BitVectorType | null {
  const signed = vectors.some((vector) => vector?.signed);
  let bits = 0;
  for (const vector of vectors) {
    if (vector === null) return null;
    bits = Math.max(bits, vector.bits + (signed && !vector.signed ? 1 : 0));
  }
  return { bits, signed };
}

/**
 * CBMC 5.12 reaches what pointers lead to, and members of records behind them, by counting bytes, but it keeps
 * bit-vectors side by side without gaps. Both agree where everything has whole bytes.
 */
function inBytes({ bits, signed }: BitVectorType): BitVectorType {
  return { bits: 8 * Math.ceil(bits / 8), signed };
}

function isNarrower({ bits }: BitVectorType, { type }: Slot, { dataModel }: Narrowing): boolean {
  return bits < integerWidth(integerNameOf(elementOf(type)), dataModel);
}

function findAssignedValues(items: readonly TopLevelItem[]): ReadonlyMap<VariableSymbol, readonly Expression[]> {
  const values = new Map<VariableSymbol, Expression[]>();
  for (const item of items) {
    if (item.kind !== 'function') continue;
    walkStatement(item.definition.body, {
      expression: (node) => {
        if (node.kind !== 'assignment' || node.target.kind !== 'variable') return;
        const known = values.get(node.target.symbol);
        if (known) known.push(node.value);
        else values.set(node.target.symbol, [node.value]);
      },
    });
  }
  return values;
}

interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

/** For a variable without initializer that starts as zero: enough for that and all that it is assigned. */
function vectorOfValues(
  { type, initializer }: VariableSymbol,
  values: readonly Expression[] | undefined,
  vectors: Vectors,
  { dataModel }: Narrowing,
): BitVectorType | null {
  if (!isInteger(type) || initializer || !values) return null;
  let low = 0n;
  let high = 0n;
  for (const value of values) {
    const interval = intervalOf(value, vectors, dataModel);
    if (interval === null) return null;
    if (interval.low < low) low = interval.low;
    if (interval.high > high) high = interval.high;
  }
  return vectorOfInterval({ low, high });
}

/** The least bit-vector that holds these numbers. */
export function vectorOfInterval({ low, high }: Interval): BitVectorType {
  const bitsOf = (value: bigint) => (value === 0n ? 0 : value.toString(2).length);
  if (low >= 0n) return { bits: Math.max(1, bitsOf(high)), signed: false };
  return { bits: 1 + Math.max(bitsOf(-low - 1n), bitsOf(high < 0n ? 0n : high)), signed: true };
}

/**
 * The values of constants, truth values, reads of narrow variables, and what they add up to; null for everything else.
 */
function intervalOf(value: Expression, vectors: Vectors, dataModel: DataModel): Interval | null {
  switch (value.kind) {
    case 'integer':
      return { low: value.value, high: value.value };
    case 'comparison':
    case 'logical':
      return { low: 0n, high: 1n };
    case 'arithmetic': {
      const left = intervalOf(value.left, vectors, dataModel);
      const right = left && intervalOf(value.right, vectors, dataModel);
      const result = left && right && combine(value.operator, left, right);
      return result && fits(result, value.type, dataModel) ? result : null;
    }
    case 'cast': {
      if (value.castKind !== 'integer') return null;
      const inner = intervalOf(value.operand, vectors, dataModel);
      return inner !== null && fits(inner, value.type, dataModel) ? inner : null;
    }
    case 'variable':
    case 'index':
    case 'member': {
      const slot = slotOf(value);
      const vector = slot && vectors.get(slot);
      if (!vector) return null;
      const size = 1n << BigInt(vector.bits);
      const interval = vector.signed ? { low: -size / 2n, high: size / 2n - 1n } : { low: 0n, high: size - 1n };
      return fits(interval, value.type, dataModel) ? interval : null;
    }
    default:
      return null;
  }
}

/** The variable or member that a value is read from, or from elements of it; null when it is reached by a pointer. */
function slotOf(place: Expression): Slot | null {
  let at = place;
  while (at.kind === 'index' && at.base.kind === 'cast' && at.base.castKind === 'array-to-pointer')
    at = at.base.operand;
  if (at.kind === 'member') return at.field;
  return at.kind === 'variable' ? at.symbol : null;
}

function combine(operator: ArithmeticOperator, left: Interval, right: Interval): Interval | null {
  if (operator === '+') return { low: left.low + right.low, high: left.high + right.high };
  return operator === '-' ? { low: left.low - right.high, high: left.high - right.low } : null;
}

function fits({ low, high }: Interval, type: Type, dataModel: DataModel): boolean {
  const name = integerNameOf(type);
  if (low < 0n && !isSignedName(name)) return false;
  return low >= minimumOf(name, dataModel) && high <= maximumOf(name, dataModel);
}

// ---------------------------------------------------------------- rewriting

class Narrower {
  readonly #vectors: Vectors;
  readonly #narrowing: Narrowing;
  readonly #symbols = new Map<VariableSymbol, VariableSymbol>();
  readonly #typedefs = new Set<TypedefSymbol>();

  constructor(vectors: Vectors, narrowing: Narrowing) {
    this.#vectors = vectors;
    this.#narrowing = narrowing;
  }

  fieldTypes(): ReadonlyMap<Field, Type> {
    const types = new Map<Field, Type>();
    for (const slot of this.#vectors.keys()) if (!isVariable(slot)) types.set(slot, this.#typeOf(slot));
    return types;
  }

  /** The variable in its new type; itself if it keeps its own. */
  symbol(symbol: VariableSymbol): VariableSymbol {
    const known = this.#symbols.get(symbol);
    if (known) return known;
    const initializer = symbol.initializer && this.#initializer(symbol.initializer);
    const isKept = !this.#vectors.has(symbol) && initializer === symbol.initializer;
    const made = isKept ? symbol : { ...symbol, type: this.#typeOf(symbol), initializer };
    this.#symbols.set(symbol, made);
    return made;
  }

  definition(definition: FunctionDefinition): FunctionDefinition {
    const body = mapBlock(definition.body, {
      expression: (expression) => mapExpression(expression, (node) => this.#node(node)),
      statement: (statement) => {
        if (statement.kind !== 'declaration' || statement.item.kind !== 'variable') return [statement];
        return [{ ...statement, item: { ...statement.item, symbol: this.symbol(statement.item.symbol) } }];
      },
    });
    return { ...definition, body };
  }

  #typeOf(slot: Slot): Type {
    const vector = this.#vectors.get(slot);
    return vector ? this.#narrowType(slot.type, vector) : slot.type;
  }

  #narrowType(type: Type, vector: BitVectorType): Type {
    if (type.kind === 'array') return arrayOf(this.#narrowType(type.element, vector), type.length);
    if (type.kind === 'pointer') return pointerTo(this.#narrowType(type.target, vector));
    const typedef = this.#narrowing.typedefOf(vector);
    this.#typedefs.add(typedef);
    return withAlias(integerType(integerNameOf(type)), typedef);
  }

  /** Whether the elements of an array are narrow integers, or pointers to such. */
  #isChanged(type: Type): boolean {
    const element = elementOf(type);
    return this.#isNarrow(element) || this.#leadsToNarrow(element);
  }

  #isNarrow(type: Type): boolean {
    return type.alias !== null && this.#typedefs.has(type.alias);
  }

  /** Operands are rebuilt already, so that what is read from a narrow array or pointer has the narrow type below. */
  #node(node: Expression): Expression {
    switch (node.kind) {
      case 'integer':
        return this.#withoutSize(node);
      case 'builtin':
        return node.name === 'malloc' || node.name === 'calloc' ? this.#withSizes(node) : node;
      case 'variable': {
        const symbol = this.symbol(node.symbol);
        return symbol === node.symbol ? node : this.#read({ ...node, symbol, type: symbol.type });
      }
      case 'member':
        return this.#vectors.has(node.field) ? this.#read({ ...node, type: this.#typeOf(node.field) }) : node;
      case 'index':
        return this.#readBehind(node, node.base.type);
      case 'dereference':
        return this.#readBehind(node, node.operand.type);
      case 'pointer-offset':
        return this.#leadsToNarrow(node.pointer.type) ? { ...node, type: node.pointer.type } : node;
      case 'conditional':
        return node.then && this.#leadsToNarrow(node.then.type) ? { ...node, type: node.then.type } : node;
      case 'address': {
        if (node.operand.kind !== 'cast') return node;
        const { operand } = node.operand;
        return { ...node, operand, type: pointerTo(operand.type) };
      }
      case 'cast':
        return this.#cast(node);
      case 'assignment':
        // Only the value of a narrow place is converted; no other target is a cast.
        return node.target.kind === 'cast' ? { ...node, target: node.target.operand } : node;
      default:
        return node;
    }
  }

  /** The value of a narrow place in its declared type. An array has none. */
  #read(place: Expression): Expression {
    if (!this.#isNarrow(place.type)) return place;
    return cast(place, integerType(integerNameOf(place.type)), 'integer', place.loc, false);
  }

  #readBehind(node: Expression, pointer: Type): Expression {
    return this.#leadsToNarrow(pointer) ? this.#read({ ...node, type: pointer.target }) : node;
  }

  /** Whether a type is a pointer to narrow integers or to arrays of them. */
  #leadsToNarrow(type: Type): type is PointerType {
    return type.kind === 'pointer' && this.#isNarrow(elementOf(type.target));
  }

  /** A null pointer fits all; and there is nothing to convert between pointers to the same narrow integers. */
  #cast(node: Extract<Expression, { kind: 'cast' }>): Expression {
    const { operand, castKind, type } = node;
    if (castKind === 'array-to-pointer' && operand.type.kind === 'array') {
      return this.#isChanged(operand.type) ? { ...node, type: pointerTo(operand.type.element) } : node;
    }
    if (castKind === 'null-to-pointer' && type.kind === 'pointer' && isInteger(type.target)) {
      return { ...node, type: pointerTo(voidType) };
    }
    const isBetweenPointers = castKind === 'pointer' || castKind === 'qualification';
    return isBetweenPointers && this.#leadsToNarrow(operand.type) ? operand : node;
  }

  // -------------------------------------------------------------- sizes

  /** Spelled sizes, by the plain numbers that stand for them. */
  readonly #sizes = new Map<Expression, Expression>();

  #withoutSize(node: Extract<Expression, { kind: 'integer' }>): Expression {
    if (!node.spelling?.includes('sizeof')) return node;
    const number = { ...node, spelling: null };
    this.#sizes.set(number, node);
    return number;
  }

  /** What is allocated has the size that its type has now. */
  #withSizes(allocation: Expression): Expression {
    return mapExpression(allocation, (node) => this.#sizes.get(node) ?? node);
  }

  #initializer(initializer: Initializer): Initializer {
    switch (initializer.kind) {
      case 'scalar': {
        const value = mapExpression(initializer.value, (node) =>
          node.kind === 'integer' ? this.#withoutSize(node) : node,
        );
        return value === initializer.value ? initializer : { ...initializer, value };
      }
      case 'characters':
        return initializer;
      case 'array': {
        const items = initializer.items.map((item) => ({ ...item, value: this.#initializer(item.value) }));
        return items.every(({ value }, i) => value === initializer.items[i]?.value)
          ? initializer
          : { ...initializer, items };
      }
      case 'record': {
        const items = initializer.items.map((item) => ({ ...item, value: this.#initializer(item.value) }));
        return items.every(({ value }, i) => value === initializer.items[i]?.value)
          ? initializer
          : { ...initializer, items };
      }
    }
  }
}
