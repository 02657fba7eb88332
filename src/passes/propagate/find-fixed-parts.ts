/**
 * What the text tells about parts of global variables whose address goes nowhere, so that all accesses are in the text.
 *
 * A part is *fixed* if it always holds what it is initialised with: nobody writes it, or only with that very value. The
 * kind of an ordinary mutex is such a part, which decides most branches of its model. A part is *settled* if nobody
 * writes it once there are threads besides main, and *steady* for a thread if nobody else does.
 *
 * Of fixed parts only integers are looked for. Left out: bit-fields and volatile variables.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import type { DataModel } from '../../program/data-model.ts';
import { evaluateInteger } from '../../program/evaluate-constant.ts';
import { primitiveOf } from '../../program/primitives.ts';
import type { Expression, Program, Statement, VariableSymbol } from '../../program/tree.ts';
import { isInteger, qualifiersOf, sameType } from '../../program/type-operations.ts';
import { QUALIFIER_VOLATILE, type Type } from '../../program/types.ts';
import {
  childrenOf,
  expressionsOf,
  pushChildren,
  walkInitializer,
  walkPlainStatementsOnce,
} from '../../program/visit-tree.ts';
import { visitStatements } from '../alias/find-shared-memory.ts';
import { rootOf } from '../alias/sharing.ts';
import { areApart, type ByteRange, extentOf, initialValue, rangeOf } from './variable-parts.ts';

/** Stands for main before it creates a thread. */
const BEFORE = -1;

/** Variables with more different writes than this are given up: each is looked at whenever a part is asked for. */
const MOST_WRITES = 256;

const EVERYWHERE: ByteRange = { start: 0, size: Number.POSITIVE_INFINITY };

/** `value` is null for anything but a literal. */
interface Write extends ByteRange {
  readonly value: bigint | null;
  readonly thread: number;
}

/** While threads are not known yet. */
export function findFixedParts(program: Program): FixedParts {
  const parts = new FixedParts(program, []);
  for (const item of program.items) {
    if (item.kind !== 'function') continue;
    walkPlainStatementsOnce(item.definition.body, (statement) => parts.visit(statement, BEFORE));
  }
  return parts;
}

/** In the bounded program, where the arguments of threads are written in ways that the text does not show. */
export function findPartsOfThreads(program: BoundedProgram): FixedParts {
  const { dataModel, globals, threads } = program;
  const written = threads.flatMap(({ argument }) => argument ?? []);
  const parts = new FixedParts({ dataModel, items: globals }, written);
  for (const { number, function: definition } of threads) {
    const visit = (statement: Statement, isBefore: boolean) => parts.visit(statement, isBefore ? BEFORE : number);
    visitStatements(definition.body, number, visit);
  }
  return parts;
}

export class FixedParts {
  readonly #model: DataModel;
  readonly #defined = new Set<VariableSymbol>();
  /** Variables of which nothing is fixed. */
  readonly #open: Set<VariableSymbol>;
  readonly #writes = new Map<VariableSymbol, Write[]>();

  constructor(program: Pick<Program, 'dataModel' | 'items'>, written: Iterable<VariableSymbol>) {
    this.#model = program.dataModel;
    this.#open = new Set(written);
    for (const item of program.items) {
      if (item.kind === 'variable' && item.isDefinition) this.#define(item.symbol);
    }
  }

  /** The value that a place always has, as a literal; null if there is none. */
  valueOf(lvalue: Expression): Expression | null {
    const { type, loc } = lvalue;
    if (!isInteger(type) || type.kind === 'enum') return null;
    const symbol = rootOf(lvalue);
    const range = symbol && this.isClosed(symbol) ? rangeOf(lvalue, this.#model) : null;
    if (symbol === null || range === null) return null;
    const initial = this.initialInteger(symbol, range, type);
    if (initial === null) return null;
    for (const write of this.#writes.get(symbol) ?? []) {
      const isSame = write.start === range.start && write.size === range.size && write.value === initial;
      if (!areApart(write, range) && !isSame) return null;
    }
    return { kind: 'integer', value: initial, spelling: null, type: { ...type, qualifiers: 0 }, loc };
  }

  /** The integer of this type that a variable has there from the start; null if it is none. */
  initialInteger(symbol: VariableSymbol, range: ByteRange, type: Type): bigint | null {
    const found = initialValue(symbol.initializer, symbol.type, range, this.#model);
    if (found === null || (found.value !== null && !isInteger(found.value.type))) return null;
    const value = found.value === null ? 0n : evaluateInteger(found.value, this.#model);
    if (value === null || !(sameType(found.type, type) || (value >= 0n && value < 128n))) return null;
    return value;
  }

  /** Nobody but the thread writes the part once there are several threads. */
  isSteady(thread: number, symbol: VariableSymbol, range: ByteRange): boolean {
    return this.#overlapping(symbol, range).every((write) => write.thread === BEFORE || write.thread === thread);
  }

  /** Nobody writes the part once there are several threads. */
  isSettled(symbol: VariableSymbol, range: ByteRange): boolean {
    return this.isSteady(BEFORE, symbol, range);
  }

  /** The part has its initial value when threads are created. */
  isKept(symbol: VariableSymbol, range: ByteRange): boolean {
    return this.#overlapping(symbol, range).every((write) => write.thread !== BEFORE);
  }

  #overlapping(symbol: VariableSymbol, range: ByteRange): Write[] {
    return (this.#writes.get(symbol) ?? []).filter((write) => !areApart(write, range));
  }

  /** All accesses to the variable are in the text. */
  isClosed(symbol: VariableSymbol): boolean {
    return this.#defined.has(symbol) && !this.#open.has(symbol) && !(qualifiersOf(symbol.type) & QUALIFIER_VOLATILE);
  }

  // -------------------------------------------------------------- finding writes

  #define(symbol: VariableSymbol): void {
    this.#defined.add(symbol);
    if (symbol.initializer === null) return;
    walkInitializer(symbol.initializer, {
      expression: (node) => {
        if (node.kind === 'variable') this.#open.add(node.symbol);
      },
    });
  }

  /** What a thread does in a statement. */
  visit(statement: Statement, thread: number): void {
    const stack: Expression[] = [...expressionsOf(statement)];
    const open = (lvalue: Expression) => {
      const symbol = rootOf(lvalue, stack);
      if (symbol) this.#open.add(symbol);
    };
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const primitive = primitiveOf(at);
      if (isLvalue(at)) rootOf(at, stack);
      else if (at.kind === 'address' || (at.kind === 'cast' && at.castKind === 'array-to-pointer')) open(at.operand);
      else if (at.kind === 'assignment') {
        this.#write(rootOf(at.target, stack), at.target, at.value, thread);
        stack.push(at.value);
      } else if (primitive === 'havoc' || primitive === 'zero') childrenOf(at).forEach(open);
      else pushChildren(at, stack);
    }
  }

  #write(symbol: VariableSymbol | null, target: Expression, value: Expression, thread: number): void {
    if (symbol === null || this.#open.has(symbol) || !this.#defined.has(symbol)) return;
    const isExact = value.kind === 'integer' && rangeOf(target, this.#model) !== null;
    const extent = extentOf(target, this.#model) ?? EVERYWHERE;
    const write = { ...extent, value: isExact ? value.value : null, thread };
    const known = this.#writes.get(symbol);
    if (!known) this.#writes.set(symbol, [write]);
    else if (known.length === MOST_WRITES) this.#open.add(symbol);
    else if (!known.some((other) => isSameWrite(other, write))) known.push(write);
  }
}

function isSameWrite(left: Write, right: Write): boolean {
  const isSamePlace = left.start === right.start && left.size === right.size;
  return isSamePlace && left.value === right.value && left.thread === right.thread;
}

function isLvalue({ kind }: Expression): boolean {
  return kind === 'variable' || kind === 'member' || kind === 'index' || kind === 'dereference';
}
