/**
 * Global variables whose values are followed like those of private variables. A thread follows the parts that no other
 * thread writes once there are threads besides main (`FixedParts.isSteady`). Main knows them from their initializers
 * on. What main does before it creates the first thread is so known to the threads: each starts with what its creator
 * knows, where it creates it, of parts that nobody writes any more. Keys and kinds of mutexes are known in this way,
 * and what `init` functions put into global variables. Parts that the thread alone writes, its own copies of
 * thread-local variables for instance, have their initial values then.
 *
 * Why this is sound: between the creation and the thread's first step, and between its steps, others run, but they do
 * not write these parts; nobody does so through a pointer either, since the address goes nowhere. Before main creates
 * the first thread there are no others.
 *
 * Left out: variables with more than a few scalars, unions, bit-fields and what is volatile.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import { zeroOf } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isInteger, qualifiersOf, sameType, unqualified } from '../../program/type-operations.ts';
import { QUALIFIER_VOLATILE } from '../../program/types.ts';
import { walkExpression } from '../../program/visit-tree.ts';
import type { FixedParts } from './find-fixed-parts.ts';
import { type GlobalPart, isKnownValue, type ThreadGlobals } from './known-values.ts';
import { type ByteRange, initialValue, scalarParts, type VariableScalar } from './variable-parts.ts';

/** Variables with more scalars than this are not followed. */
const MOST_SCALARS = 64;

/** A part of a global variable, and the value that it is known to have. */
export interface KnownPart extends GlobalPart {
  readonly value: Expression;
}

function isOrdinary({ type }: VariableScalar): boolean {
  return !(qualifiersOf(type) & QUALIFIER_VOLATILE);
}

export class FollowedGlobals {
  readonly #parts: FixedParts;
  readonly #model: DataModel;
  readonly #scalars = new Map<VariableSymbol, readonly VariableScalar[]>();
  readonly #globals = new Set<VariableSymbol>();
  /** By thread: what its creator knows where it creates it. */
  readonly #handed = new Map<number, readonly KnownPart[]>();

  constructor(program: BoundedProgram, parts: FixedParts) {
    this.#parts = parts;
    this.#model = program.dataModel;
    for (const item of program.globals) {
      if (item.kind !== 'variable') continue;
      this.#globals.add(item.symbol);
      if (!item.isDefinition || !parts.isClosed(item.symbol)) continue;
      const scalars = scalarParts(item.symbol.type, this.#model, MOST_SCALARS);
      if (scalars !== null) this.#scalars.set(item.symbol, scalars.filter(isOrdinary));
    }
  }

  /** What a thread follows. */
  ofThread(thread: number): ThreadGlobals {
    const steady = new Map<VariableSymbol, readonly ByteRange[]>();
    const steadyParts = (symbol: VariableSymbol) => {
      const known = steady.get(symbol);
      if (known) return known;
      const scalars = this.#scalars.get(symbol) ?? [];
      const found = scalars.filter((part) => this.#parts.isSteady(thread, symbol, part));
      steady.set(symbol, found);
      return found;
    };
    return { model: this.#model, steadyParts };
  }

  /** What is known where a thread begins. */
  knownAtStart(thread: number): readonly KnownPart[] {
    const known = [...(this.#handed.get(thread) ?? [])];
    for (const [symbol, scalars] of this.#scalars) {
      for (const part of scalars) {
        const value = this.#holdsInitial(thread, symbol, part) ? this.#initialOf(symbol, part) : null;
        if (value !== null) known.push({ symbol, range: part, value });
      }
    }
    return known;
  }

  /** A thread is created where these parts have these values. */
  create(thread: number, known: readonly KnownPart[]): void {
    const isForOther = ({ symbol, range, value }: KnownPart) =>
      (!this.#scalars.has(symbol) || this.#parts.isSettled(symbol, range)) && this.#isForAll(value);
    this.#handed.set(thread, known.filter(isForOther));
  }

  #holdsInitial(thread: number, symbol: VariableSymbol, part: ByteRange): boolean {
    if (!this.#parts.isSteady(thread, symbol, part)) return false;
    return thread === 0 || (this.#parts.isKept(symbol, part) && !this.#parts.isSettled(symbol, part));
  }

  #initialOf(symbol: VariableSymbol, part: VariableScalar): Expression | null {
    const type = unqualified(part.type);
    if (type.kind === 'enum') return null;
    if (isInteger(type)) {
      const value = this.#parts.initialInteger(symbol, part, type);
      return value === null ? null : { kind: 'integer', value, spelling: null, type, loc: symbol.loc };
    }
    const initial = initialValue(symbol.initializer, symbol.type, part, this.#model);
    if (initial === null) return null;
    if (initial.value === null) return zeroOf(type, symbol.loc);
    return isKnownValue(initial.value) && sameType(unqualified(initial.value.type), type) ? initial.value : null;
  }

  /** Local variables of the creator are out of the other thread's sight. */
  #isForAll(value: Expression): boolean {
    let isForAll = true;
    walkExpression(value, {
      expression: (node) => {
        if (node.kind === 'variable' && !this.#globals.has(node.symbol)) isForAll = false;
      },
    });
    return isForAll;
  }
}
