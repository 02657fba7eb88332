/**
 * Integer variables, and arrays of integers, in as few bits as their values need: they are declared as bit-vectors, and every read is
 * converted back to the declared type first, so that arithmetic, comparisons and overflow stay what they were. Only variables
 * that are not exposed (find-exposed.ts) can change their types without anybody noticing; of the temporaries of the passes, those follow that
 * only hold what narrow variables or constants give them.
 *
 * Assigning cuts a value off. So whoever tells the widths must know that no value which is ever read gets lost; what a variable holds
 * before its first assignment need not fit if nobody reads it.
 *
 * Left out: members of records, whose types are shared by all objects of the record, pointers, and volatile variables.
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
  withAlias,
} from '../program/type-operations.ts';
import { QUALIFIER_VOLATILE, type Type } from '../program/types.ts';
import { mapBlock, mapExpression, walkStatement } from '../program/visit-tree.ts';
import { findExposed, rootOf } from './find-exposed.ts';

/** A two's complement number of so many bits, or an unsigned one. */
export interface BitVector {
  readonly bits: number;
  readonly signed: boolean;
}

export interface Narrowing {
  readonly dataModel: DataModel;
  /** In which bits all values fit that are read from a variable, or from the elements of an array; null if that is not known. */
  readonly widthOf: (symbol: VariableSymbol) => BitVector | null;
  /** What names the type; called for each that is used. */
  readonly typedefOf: (vector: BitVector) => TypedefSymbol;
}

/** Definitions of threads and variables, with types changed where that is safe. */
export function narrowVariables(items: readonly TopLevelItem[], narrowing: Narrowing): TopLevelItem[] {
  const vectors = findVectors(items, narrowing);
  const narrower = new Narrower(vectors, narrowing);
  return items.map((item) => {
    if (item.kind === 'variable') return { ...item, symbol: narrower.symbol(item.symbol) };
    return item.kind === 'function' ? { ...item, definition: narrower.definition(item.definition) } : item;
  });
}

/** Integers and arrays of integers that could be declared otherwise, in the order of their declarations. */
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

function elementOf(type: Type): Type {
  let at = type;
  while (at.kind === 'array') at = at.element;
  return at;
}

/** A string cannot initialise an array of bit-vectors. */
function hasCharacters(initializer: Initializer): boolean {
  if (initializer.kind === 'scalar') return false;
  return initializer.kind === 'characters' || initializer.items.some(({ value }) => hasCharacters(value));
}

// ---------------------------------------------------------------- which, and how wide

type Vectors = ReadonlyMap<VariableSymbol, BitVector>;

function findVectors(items: readonly TopLevelItem[], narrowing: Narrowing): Vectors {
  const vectors = new Map<VariableSymbol, BitVector>();
  const unknown: VariableSymbol[] = [];
  for (const symbol of findNarrowable(items)) {
    const vector = narrowing.widthOf(symbol);
    if (vector !== null && isNarrower(vector, symbol, narrowing)) vectors.set(symbol, vector);
    else unknown.push(symbol);
  }
  const assigned = findAssignedValues(items);
  for (const symbol of unknown) {
    const vector = vectorOfValues(symbol, assigned.get(symbol), vectors, narrowing);
    // CBMC sees through conversions of truth values, but not through bit-vectors of one bit.
    if (vector !== null && vector.bits > 1 && isNarrower(vector, symbol, narrowing)) vectors.set(symbol, vector);
  }
  return vectors;
}

function isNarrower({ bits }: BitVector, { type }: VariableSymbol, { dataModel }: Narrowing): boolean {
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
): BitVector | null {
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
export function vectorOfInterval({ low, high }: Interval): BitVector {
  const bitsOf = (value: bigint) => (value === 0n ? 0 : value.toString(2).length);
  if (low >= 0n) return { bits: Math.max(1, bitsOf(high)), signed: false };
  return { bits: 1 + Math.max(bitsOf(-low - 1n), bitsOf(high < 0n ? 0n : high)), signed: true };
}

/** The values of constants, truth values, reads of narrow variables, and what they add up to; null for everything else. */
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
    case 'index': {
      const symbol = rootOf(value);
      const vector = symbol && vectors.get(symbol);
      if (!vector) return null;
      const size = 1n << BigInt(vector.bits);
      const interval = vector.signed ? { low: -size / 2n, high: size / 2n - 1n } : { low: 0n, high: size - 1n };
      return fits(interval, value.type, dataModel) ? interval : null;
    }
    default:
      return null;
  }
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
  /** The variables in their new types. */
  readonly #made = new Set<VariableSymbol>();

  constructor(vectors: Vectors, narrowing: Narrowing) {
    this.#vectors = vectors;
    this.#narrowing = narrowing;
  }

  /** The variable in its new type; itself if it keeps its own. */
  symbol(symbol: VariableSymbol): VariableSymbol {
    const vector = this.#vectors.get(symbol);
    if (!vector) return symbol;
    const known = this.#symbols.get(symbol);
    if (known) return known;
    const made = { ...symbol, type: this.#narrowType(symbol.type, vector) };
    this.#symbols.set(symbol, made);
    this.#made.add(made);
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

  #narrowType(type: Type, vector: BitVector): Type {
    if (type.kind === 'array') return arrayOf(this.#narrowType(type.element, vector), type.length);
    return withAlias(integerType(integerNameOf(type)), this.#narrowing.typedefOf(vector));
  }

  /** Operands are rebuilt already, so that an element of a narrow array has the narrow array below. */
  #node(node: Expression): Expression {
    switch (node.kind) {
      case 'variable': {
        const symbol = this.symbol(node.symbol);
        return symbol === node.symbol ? node : widened({ ...node, symbol, type: symbol.type });
      }
      case 'index': {
        const root = rootOf(node);
        const { type } = node.base;
        const isNarrow = root !== null && this.#made.has(root) && type.kind === 'pointer';
        return isNarrow ? widened({ ...node, type: type.target }) : node;
      }
      case 'cast': {
        const { type } = node.operand;
        const isDecay = node.castKind === 'array-to-pointer' && type.kind === 'array';
        return isDecay ? { ...node, type: pointerTo(type.element) } : node;
      }
      case 'assignment':
        // Only a read of a narrow variable is converted; no other target is a cast.
        return node.target.kind === 'cast' ? { ...node, target: node.target.operand } : node;
      default:
        return node;
    }
  }
}

/** The value of a narrow variable in its declared type. An array has none. */
function widened(place: Expression): Expression {
  if (place.type.kind === 'array') return place;
  return cast(place, integerType(integerNameOf(place.type)), 'integer', place.loc, false);
}
