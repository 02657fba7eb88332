/**
 * Terms: the word-level graph that symbolic execution builds. A term is a bit-vector value of some width; a Boolean is
 * a term of width 1. Terms are hash-consed: equal terms are the same number, so that sharing and simplification happen
 * as they are made. Every term carries the set of values it can have (value-set.ts); a term with one possible value
 * becomes that constant, and comparisons that the sets decide fold away.
 *
 * `refine` is the identity on bits with a smaller set of values: what a branch taken or an assumption passed tells
 * about a term. Outside the code that the condition guards its value means nothing, and nothing there looks at it.
 *
 * Arithmetic and comparisons are simplified here, bits in simplify-bits.ts, widths and choices in simplify-widths.ts,
 * equalities in equalities.ts, floats in float-terms.ts.
 *
 * Who owns it: one `TermGraph` belongs to one symbolic execution, which alone adds terms; afterwards it is read.
 */

import { invariant } from '../support/invariant.ts';
import { Equalities, type PushedEquality } from './equalities.ts';
import { simplifyAnd, simplifyOr, simplifyXor } from './simplify-bits.ts';
import { listConjuncts } from './simplify-guards.ts';
import { simplifyChoice, simplifyConcatenation, simplifyExtension, simplifyExtraction } from './simplify-widths.ts';
import { type FloatOperation, TERM_OPERATIONS, type TermOperation } from './term-operations.ts';
import { TupleTable } from './tuple-table.ts';
import type { ValueSet } from './value-set.ts';
import * as sets from './value-set.ts';
import * as arithmetic from './value-set-arithmetic.ts';
import * as bits from './value-set-bits.ts';
import { compareSets, refineLeft } from './value-set-comparisons.ts';

declare const termBrand: unique symbol;
export type Term = number & { readonly [termBrand]: true };

export type { FloatOperation, TermOperation };

const CODE = Object.fromEntries(TERM_OPERATIONS.map((name, code) => [name, code])) as Record<TermOperation, number>;
const COMMUTATIVE = new Set<TermOperation>(['and', 'or', 'xor', 'add', 'mul', 'eq', 'fadd', 'fmul', 'feq']);

export class TermGraph {
  readonly #operation: number[] = [];
  readonly #width: number[] = [];
  readonly #a: number[] = [];
  readonly #b: number[] = [];
  readonly #c: number[] = [];
  readonly #set: ValueSet[] = [];
  /** By width, then by value. */
  readonly #constants: Map<bigint, Term>[] = [];
  readonly #table = new TupleTable();
  /** The refinements of each term, which differ in their sets. */
  readonly #refinements = new Map<Term, Term[]>();
  readonly #names = new Map<Term, string>();
  readonly #anyTruth = sets.topSet(1);
  readonly #equalities = new Equalities(this, (a, b) => this.#make('eq', 1, a, b, 0, () => this.#anyTruth));
  readonly true: Term;
  readonly false: Term;

  constructor() {
    this.false = this.constant(1, 0n);
    this.true = this.constant(1, 1n);
  }

  get size(): number {
    return this.#operation.length;
  }

  // -------------------------------------------------------------- reading

  operationOf(term: Term): TermOperation {
    return TERM_OPERATIONS[this.#operation[term] as number] as TermOperation;
  }

  widthOf(term: Term): number {
    return this.#width[term] as number;
  }

  setOf(term: Term): ValueSet {
    return this.#set[term] as ValueSet;
  }

  /** The operands that are terms, in order. */
  operandsOf(term: Term): Term[] {
    const [a, b, c] = [this.#a[term] as Term, this.#b[term] as Term, this.#c[term] as Term];
    switch (this.operationOf(term)) {
      case 'constant':
      case 'variable':
        return [];
      case 'refine':
      case 'not':
      case 'zext':
      case 'sext':
      case 'extract':
      case 'ftof':
      case 'stof':
      case 'ftos':
        return [a];
      case 'ite':
        return [a, b, c];
      default:
        return [a, b];
    }
  }

  /** One of the operands that are terms. */
  operand(term: Term, index: 0 | 1 | 2): Term {
    return (index === 0 ? this.#a[term] : index === 1 ? this.#b[term] : this.#c[term]) as Term;
  }

  /** The lowest bit taken by an `extract`. */
  extractLow(term: Term): number {
    return this.#b[term] as number;
  }

  constantOf(term: Term): bigint | null {
    return this.#operation[term] === CODE.constant ? sets.singleValue(this.setOf(term)) : null;
  }

  nameOf(variable: Term): string {
    return this.#names.get(variable) ?? '';
  }

  isTrue(term: Term): boolean {
    return term === this.true;
  }

  isFalse(term: Term): boolean {
    return term === this.false;
  }

  // -------------------------------------------------------------- leaves

  constant(width: number, value: bigint): Term {
    const v = BigInt.asUintN(width, value);
    this.#constants[width] ??= new Map<bigint, Term>();
    const ofWidth = this.#constants[width];
    const known = ofWidth.get(v);
    if (known !== undefined) return known;
    const term = this.#push('constant', width, 0, 0, 0, sets.constantSet(width, v));
    ofWidth.set(v, term);
    return term;
  }

  boolean(value: boolean): Term {
    return value ? this.true : this.false;
  }

  /** A fresh unknown of which the set is known. A set of one value gives that constant. */
  variable(set: ValueSet, name: string): Term {
    const only = sets.singleValue(set);
    if (only !== null) return this.constant(set.width, only);
    const term = this.#push('variable', set.width, 0, 0, 0, set);
    this.#names.set(term, name);
    return term;
  }

  /** The same value, known to lie in the set as well. */
  refine(term: Term, set: ValueSet): Term {
    const base = this.unrefined(term);
    const met = sets.meetSets(this.setOf(term), set);
    if (sets.isEmpty(met) || sets.sameSet(met, this.setOf(term))) return term;
    if (sets.sameSet(met, this.setOf(base))) return base;
    const only = sets.singleValue(met);
    if (only !== null) return this.constant(met.width, only);
    const refinements = this.#refinements.get(base) ?? [];
    const known = refinements.find((t) => sets.sameSet(this.setOf(t), met));
    if (known !== undefined) return known;
    const made = this.#push('refine', met.width, base, 0, 0, met);
    refinements.push(made);
    this.#refinements.set(base, refinements);
    return made;
  }

  unrefined(term: Term): Term {
    return this.#operation[term] === CODE.refine ? (this.#a[term] as Term) : term;
  }

  // -------------------------------------------------------------- Booleans and bits

  not(a: Term): Term {
    if (this.#operation[a] === CODE.not) return this.#a[a] as Term;
    const value = this.constantOf(a);
    const width = this.widthOf(a);
    if (value !== null) return this.constant(width, ~value);
    return this.#make('not', width, a, 0, 0, () => (width === 1 ? this.#anyTruth : bits.notSet(this.setOf(a))));
  }

  and(a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    return simplifyAnd(this, a, b) ?? this.#make('and', width, a, b, 0, () => this.#bitSet(bits.andSets, a, b));
  }

  or(a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    return simplifyOr(this, a, b) ?? this.#make('or', width, a, b, 0, () => this.#bitSet(bits.orSets, a, b));
  }

  /** The parts of a conjunction, in the order in which they were added; a term that is none is its own only part. */
  conjuncts(term: Term): Term[] {
    return listConjuncts(this, term);
  }

  andAll(terms: readonly Term[]): Term {
    let all = this.true;
    for (const t of terms) all = this.and(all, t);
    return all;
  }

  orAll(terms: readonly Term[]): Term {
    let any = this.false;
    for (const t of terms) any = this.or(any, t);
    return any;
  }

  xor(a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    return simplifyXor(this, a, b) ?? this.#make('xor', width, a, b, 0, () => this.#bitSet(bits.xorSets, a, b));
  }

  /** Sets of Booleans tell nothing: terms with one value are constants. */
  #bitSet(compute: (a: ValueSet, b: ValueSet) => ValueSet, a: Term, b: Term): ValueSet {
    return this.widthOf(a) === 1 ? this.#anyTruth : compute(this.setOf(a), this.setOf(b));
  }

  /** True when one of the terms is made as the complement of the other. */
  isComplement(a: Term, b: Term): boolean {
    return (
      (this.#operation[a] === CODE.not && this.#a[a] === b) || (this.#operation[b] === CODE.not && this.#a[b] === a)
    );
  }

  // -------------------------------------------------------------- arithmetic

  add(a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    const [x, y] = [this.constantOf(a), this.constantOf(b)];
    if (x !== null && y !== null) return this.constant(width, x + y);
    if (x === 0n) return b;
    if (y === 0n) return a;
    if (x !== null) return this.add(b, a);
    if (y !== null && this.#operation[a] === CODE.add) {
      const inner = this.constantOf(this.#b[a] as Term);
      if (inner !== null) return this.add(this.#a[a] as Term, this.constant(width, inner + y));
    }
    return this.#make('add', width, a, b, 0, () => arithmetic.addSets(this.setOf(a), this.setOf(b)));
  }

  negate(a: Term): Term {
    return this.add(this.not(a), this.constant(this.widthOf(a), 1n));
  }

  sub(a: Term, b: Term): Term {
    if (a === b) return this.constant(this.widthOf(a), 0n);
    const y = this.constantOf(b);
    if (y !== null) return this.add(a, this.constant(this.widthOf(b), -y));
    return this.add(a, this.negate(b));
  }

  mul(a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    const [x, y] = [this.constantOf(a), this.constantOf(b)];
    if (x !== null && y !== null) return this.constant(width, x * y);
    if (x === 0n || y === 1n) return a;
    if (y === 0n || x === 1n) return b;
    return this.#make('mul', width, a, b, 0, () => arithmetic.multiplySets(this.setOf(a), this.setOf(b)));
  }

  /** Division by zero gives all ones (unsigned) or ±1, remainder the dividend, as in SMT-LIB: a check stands before. */
  divide(operation: 'udiv' | 'urem' | 'sdiv' | 'srem', a: Term, b: Term): Term {
    const width = this.#sameWidth(a, b);
    const [setA, setB] = [this.setOf(a), this.setOf(b)];
    const isQuotient = operation === 'udiv' || operation === 'sdiv';
    if (this.constantOf(b) === 1n) return isQuotient ? a : this.constant(width, 0n);
    if (operation === 'sdiv' || operation === 'srem') {
      const arePositive = sets.minSigned(setA) >= 0n && sets.minSigned(setB) > 0n;
      if (arePositive) return this.divide(isQuotient ? 'udiv' : 'urem', a, b);
    }
    const product = operation === 'udiv' ? this.#equalities.factor(a) : null;
    if (product !== null && product.by === this.constantOf(b)) return product.term;
    if (operation === 'urem' && sets.maxUnsigned(setA) < sets.minUnsigned(setB)) return a;
    const compute = {
      udiv: arithmetic.divideUnsignedSets,
      urem: arithmetic.remainderUnsignedSets,
      sdiv: arithmetic.divideSignedSets,
      srem: arithmetic.remainderSignedSets,
    }[operation];
    return this.#make(operation, width, a, b, 0, () => compute(setA, setB));
  }

  /** Amounts of the width and more shift everything out (`ashr`: leave the sign). Both sides have the same width. */
  shift(operation: 'shl' | 'lshr' | 'ashr', a: Term, amount: Term): Term {
    const width = this.#sameWidth(a, amount);
    if (this.constantOf(amount) === 0n) return a;
    const compute = {
      shl: bits.shiftLeftSets,
      lshr: bits.shiftRightLogicalSets,
      ashr: bits.shiftRightArithmeticSets,
    }[operation];
    return this.#make(operation, width, a, amount, 0, () => compute(this.setOf(a), this.setOf(amount)));
  }

  // -------------------------------------------------------------- comparisons

  eq(a: Term, b: Term): Term {
    this.#sameWidth(a, b);
    return this.#equalities.of(a, b);
  }

  /** A truth value that is the same as an equality of two terms, or as an inequality, and does not look like it. */
  pushedEquality(term: Term): PushedEquality | undefined {
    return this.#equalities.pushed(term);
  }

  less(comparison: 'ult' | 'slt', a: Term, b: Term): Term {
    this.#sameWidth(a, b);
    if (a === b) return this.false;
    const decided = compareSets(comparison, this.setOf(a), this.setOf(b));
    if (decided !== null) return this.boolean(decided);
    if (this.constantOf(b) !== null) {
      const [below, notBelow] = [true, false].map((truth) =>
        sets.singleValue(refineLeft(comparison, truth, this.setOf(a), this.setOf(b))),
      );
      if (below != null) return this.eq(a, this.constant(this.widthOf(a), below));
      if (notBelow != null) return this.not(this.eq(a, this.constant(this.widthOf(a), notBelow)));
    }
    return this.#make(comparison, 1, a, b, 0, () => this.#anyTruth);
  }

  // -------------------------------------------------------------- choice and widths

  ite(condition: Term, then: Term, otherwise: Term): Term {
    const width = this.#sameWidth(then, otherwise);
    const simpler = simplifyChoice(this, condition, then, otherwise);
    if (simpler !== null) return simpler;
    return this.#make('ite', width, condition, then, otherwise, () =>
      width === 1 ? this.#anyTruth : sets.joinSets(this.setOf(then), this.setOf(otherwise)),
    );
  }

  extend(a: Term, width: number, signed: boolean): Term {
    const from = this.widthOf(a);
    invariant(width >= from, 'extension to a smaller width');
    if (width === from) return a;
    const isNegative = signed && sets.minSigned(this.setOf(a)) < 0n;
    const simpler = simplifyExtension(this, a, width, isNegative);
    if (simpler !== null) return simpler;
    return this.#make(isNegative ? 'sext' : 'zext', width, a, 0, 0, () =>
      isNegative ? bits.signExtendSet(this.setOf(a), width) : bits.zeroExtendSet(this.setOf(a), width),
    );
  }

  /** The bits low .. low+width-1. */
  extract(a: Term, low: number, width: number): Term {
    const simpler = simplifyExtraction(this, a, low, width);
    return simpler ?? this.#make('extract', width, a, low, 0, () => bits.extractSet(this.setOf(a), low, width));
  }

  concat(high: Term, low: Term): Term {
    const simpler = simplifyConcatenation(this, high, low);
    if (simpler !== null) return simpler;
    const width = this.widthOf(high) + this.widthOf(low);
    return this.#make('concat', width, high, low, 0, () => bits.concatSets(this.setOf(high), this.setOf(low)));
  }

  /** A floating-point operation: float-terms.ts says what they mean and folds what can be folded. */
  floating(operation: FloatOperation, width: number, a: Term, b: Term, set: ValueSet): Term {
    return this.#make(operation, width, a, b, 0, () => set);
  }

  /** `a ≠ 0` as a Boolean. */
  isNonZero(a: Term): Term {
    return this.widthOf(a) === 1 ? a : this.not(this.eq(a, this.constant(this.widthOf(a), 0n)));
  }

  // -------------------------------------------------------------- internals

  #sameWidth(a: Term, b: Term): number {
    const width = this.widthOf(a);
    invariant(width === this.widthOf(b), `operands of widths ${width} and ${this.widthOf(b)}`);
    return width;
  }

  #make(operation: TermOperation, width: number, a: number, b: number, c: number, compute: () => ValueSet): Term {
    let [x, y] = [a, b];
    if (COMMUTATIVE.has(operation) && x > y && this.constantOf(y as Term) === null) [x, y] = [y, x];
    const code = CODE[operation] | (width << 8);
    const known = this.#table.get(code, x, y, c);
    if (known >= 0) return known as Term;
    const set = compute();
    const only = sets.singleValue(set);
    const term = only !== null ? this.constant(width, only) : this.#push(operation, width, x, y, c, set);
    this.#table.set(code, x, y, c, term);
    return term;
  }

  #push(operation: TermOperation, width: number, a: number, b: number, c: number, set: ValueSet): Term {
    this.#operation.push(CODE[operation]);
    this.#width.push(width);
    this.#a.push(a);
    this.#b.push(b);
    this.#c.push(c);
    this.#set.push(set);
    return (this.#operation.length - 1) as Term;
  }

  /**
   * Widens all sets but those of constants and of the given terms, as if nothing were known about values. No terms are
   * made afterwards.
   */
  forgetSets(except: ReadonlySet<Term>): void {
    for (let term = 0 as Term; term < this.size; term++) {
      if (this.#operation[term] !== CODE.constant && !except.has(term))
        this.#set[term] = sets.topSet(this.widthOf(term));
    }
  }
}
