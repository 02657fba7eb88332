/**
 * The circuit: a growing graph of gates over literals, and clauses asserted about them. It knows nothing of C and
 * nothing of solvers; cnf.ts turns the cone of the clauses into CNF, evaluate.ts computes values.
 *
 * Gates are AND, XOR, ITE (a multiplexer), XOR3 and MAJ (the two outputs of a full adder: as one gate each they
 * propagate better in CNF than a net of smaller ones). Equal gates are made once (structural hashing), after a few
 * local simplifications: constants, equal and complementary operands, and *cofactors*: in `a ∧ b`, b is only looked at
 * where a holds, so that an operand that a decides drops out of b's gate; a multiplexer treats its branches likewise.
 * No gate ever has a constant operand. An operand's variable is always smaller than its gate's, so an ascending walk is
 * a topological one.
 *
 * Variables, gates and clauses are only ever added; the owner of the circuit alone adds.
 */

import { IntegerBuffer } from './integer-buffer.ts';
import { FALSE, type Literal, not, TRUE } from './literal.ts';

export const GATE = { input: 0, and: 1, xor: 2, ite: 3, xor3: 4, maj: 5 } as const;
export type GateKind = (typeof GATE)[keyof typeof GATE];

/** Operands of a gate in the table: unused ones are 0. */
const STRIDE = 4;

export class Circuit {
  /** Per variable: kind, and three operands. Variable 0 does not exist, variable 1 is the constant. */
  readonly #nodes = new IntegerBuffer(1024);
  /** Open addressing with linear probing; an entry is a gate's variable, or 0. */
  #table = new Int32Array(1024);
  #gateCount = 0;
  /** Clauses one after the other, each ended by 0. */
  readonly #clauses = new IntegerBuffer(1024);
  #clauseCount = 0;

  constructor() {
    this.#nodes.extend(2 * STRIDE);
  }

  /** The largest variable in use. */
  get variableCount(): number {
    return this.#nodes.length / STRIDE - 1;
  }

  get gateCount(): number {
    return this.#gateCount;
  }

  get clauseCount(): number {
    return this.#clauseCount;
  }

  /** The asserted clauses, flat, each ended by 0; valid until the next clause is added. */
  get clauses(): Int32Array {
    return this.#clauses.view();
  }

  kind(variable: number): GateKind {
    return this.#nodes.at(variable * STRIDE) as GateKind;
  }

  operand(variable: number, index: 0 | 1 | 2): Literal {
    return this.#nodes.at(variable * STRIDE + 1 + index) as Literal;
  }

  /** A new input: the solver chooses its value. */
  fresh(): Literal {
    return this.#addNode(GATE.input, 0, 0, 0);
  }

  /** Asserts that one of the literals holds. */
  addClause(literals: readonly Literal[]): void {
    const kept = literals.length <= SHORT_CLAUSE ? withoutRepetition(literals) : withoutManyRepetitions(literals);
    if (kept?.length === 1) this.#assertOne(kept[0] as Literal);
    else if (kept) this.#pushClause(kept);
  }

  /** Asserts that all the literals hold. */
  assert(...literals: readonly Literal[]): void {
    for (const literal of literals) this.addClause([literal]);
  }

  and(left: Literal, right: Literal): Literal {
    let [a, b] = [left, right];
    for (;;) {
      if (a === FALSE || b === FALSE || a === not(b)) return FALSE;
      if (a === TRUE || a === b) return b;
      if (b === TRUE) return a;
      const given = this.#cofactor(b, a);
      if (given === b) {
        const other = this.#cofactor(a, b);
        if (other === a) break;
        a = other;
      } else b = given;
    }
    return a < b ? this.#gate(GATE.and, a, b, 0) : this.#gate(GATE.and, b, a, 0);
  }

  or(left: Literal, right: Literal): Literal {
    return not(this.and(not(left), not(right)));
  }

  implies(left: Literal, right: Literal): Literal {
    return not(this.and(left, not(right)));
  }

  iff(left: Literal, right: Literal): Literal {
    return not(this.xor(left, right));
  }

  xor(left: Literal, right: Literal): Literal {
    let a = Math.abs(left) as Literal;
    let b = Math.abs(right) as Literal;
    const negative = left < 0 !== right < 0;
    if (a > b) [a, b] = [b, a];
    let result: Literal;
    if (a === b) result = FALSE;
    else if (a === TRUE) result = not(b);
    else if (this.kind(b) === GATE.xor && this.operand(b, 0) === a) result = this.operand(b, 1);
    else if (this.kind(b) === GATE.xor && this.operand(b, 1) === a) result = this.operand(b, 0);
    else result = this.#gate(GATE.xor, a, b, 0);
    return negative ? not(result) : result;
  }

  /** `condition ? then : otherwise` */
  ite(condition: Literal, then: Literal, otherwise: Literal): Literal {
    if (condition === TRUE) return then;
    if (condition === FALSE) return otherwise;
    const c = Math.abs(condition) as Literal;
    const a = this.#cofactorAll(condition > 0 ? then : otherwise, c);
    const b = this.#cofactorAll(condition > 0 ? otherwise : then, not(c));
    if (a === b) return a;
    if (a === not(b)) return this.xor(c, b);
    if (a === TRUE) return this.or(c, b);
    if (a === FALSE) return this.and(not(c), b);
    if (b === TRUE) return this.or(not(c), a);
    if (b === FALSE) return this.and(c, a);
    return a > 0 ? this.#gate(GATE.ite, c, a, b) : not(this.#gate(GATE.ite, c, not(a), not(b)));
  }

  /** The sum bit of a full adder. */
  xor3(first: Literal, second: Literal, third: Literal): Literal {
    const [a, b, c] = sortThree(Math.abs(first), Math.abs(second), Math.abs(third));
    const negative = (first < 0 !== second < 0) !== third < 0;
    let result: Literal;
    if (a === TRUE) result = not(this.xor(b, c));
    else if (a === b) result = c;
    else if (b === c) result = a;
    else result = this.#gate(GATE.xor3, a, b, c);
    return negative ? not(result) : result;
  }

  /** The carry bit of a full adder: at least two of the three hold. */
  maj(first: Literal, second: Literal, third: Literal): Literal {
    if (first === second || second === not(third)) return first;
    if (second === third || first === not(third)) return second;
    if (first === third || first === not(second)) return third;
    let [a, b, c] = sortThree(first, second, third);
    for (const [one, x, y] of [
      [a, b, c],
      [b, a, c],
      [c, a, b],
    ] as const) {
      if (one === TRUE) return this.or(x, y);
      if (one === FALSE) return this.and(x, y);
    }
    // Majority is its own dual: at most one negative operand remains.
    const negative = b < 0;
    if (negative) [a, b, c] = sortThree(not(a), not(b), not(c));
    const gate = this.#gate(GATE.maj, a, b, c);
    return negative ? not(gate) : gate;
  }

  /** The conjunction of any number of literals, as a balanced tree over the sorted list. */
  andMany(literals: Iterable<Literal>): Literal {
    const kept = new Set<Literal>();
    for (const literal of literals) {
      if (literal === FALSE || kept.has(not(literal))) return FALSE;
      if (literal !== TRUE) kept.add(literal);
    }
    let level = [...kept].sort((a, b) => Math.abs(a) - Math.abs(b));
    while (level.length > 1) {
      const next: Literal[] = [];
      for (let i = 0; i + 1 < level.length; i += 2) {
        next.push(this.and(level[i] as Literal, level[i + 1] as Literal));
      }
      if (level.length % 2 === 1) next.push(level[level.length - 1] as Literal);
      level = next;
    }
    return level[0] ?? TRUE;
  }

  orMany(literals: Iterable<Literal>): Literal {
    const negated: Literal[] = [];
    for (const literal of literals) negated.push(not(literal));
    return not(this.andMany(negated));
  }

  /** A unit clause; a conjunction is asserted part by part, which spares its gate. */
  #assertOne(asserted: Literal): void {
    const stack = [asserted];
    for (let literal = stack.pop(); literal !== undefined; literal = stack.pop()) {
      if (literal > 0 && this.kind(literal) === GATE.and) {
        stack.push(this.operand(literal, 1), this.operand(literal, 0));
      } else this.#pushClause([literal]);
    }
  }

  #pushClause(literals: readonly Literal[]): void {
    for (const literal of literals) this.#clauses.push(literal);
    this.#clauses.push(0);
    this.#clauseCount++;
  }

  /** `literal` where `given` and, if that is a conjunction, its operands hold. Makes no gates. */
  #cofactor(literal: Literal, given: Literal): Literal {
    const direct = this.#cofactorAll(literal, given);
    if (direct !== literal || given < 0 || this.kind(given) !== GATE.and) return direct;
    const left = this.#cofactorAll(literal, this.operand(given, 0));
    return left !== literal ? left : this.#cofactorAll(literal, this.operand(given, 1));
  }

  #cofactorAll(literal: Literal, given: Literal): Literal {
    for (let current = literal; ; ) {
      const next = this.#cofactorOnce(current, given);
      if (next === current) return current;
      current = next;
    }
  }

  #cofactorOnce(literal: Literal, given: Literal): Literal {
    if (literal === given) return TRUE;
    if (literal === not(given)) return FALSE;
    const variable = Math.abs(literal);
    const positive = this.#cofactorGate(variable, given);
    return literal > 0 ? positive : not(positive);
  }

  #cofactorGate(variable: number, given: Literal): Literal {
    const [x, y] = [this.operand(variable, 0), this.operand(variable, 1)];
    switch (this.kind(variable)) {
      case GATE.and:
        if (x === given) return y;
        if (y === given) return x;
        return x === not(given) || y === not(given) ? FALSE : (variable as Literal);
      case GATE.xor:
        if (Math.abs(x) === Math.abs(given)) return given > 0 ? not(y) : y;
        if (Math.abs(y) === Math.abs(given)) return given > 0 ? not(x) : x;
        return variable as Literal;
      case GATE.ite:
        if (x === given) return y;
        return x === not(given) ? this.operand(variable, 2) : (variable as Literal);
      default:
        return variable as Literal;
    }
  }

  /** The sum bit over the operands of a MAJ gate, if that gate exists: the other half of a full adder. */
  findSumOf(maj: number): Literal | undefined {
    const [a, b, c] = [this.operand(maj, 0), this.operand(maj, 1), this.operand(maj, 2)];
    const variable = this.#table[this.#slot(GATE.xor3, ...sortThree(Math.abs(a), b, c))] as number;
    if (variable === 0) return undefined;
    return (a < 0 ? -variable : variable) as Literal;
  }

  #gate(kind: GateKind, a: number, b: number, c: number): Literal {
    const slot = this.#slot(kind, a, b, c);
    const variable = this.#table[slot] as number;
    if (variable !== 0) return variable as Literal;
    const added = this.#addNode(kind, a, b, c);
    this.#table[slot] = added;
    if (++this.#gateCount * 2 > this.#table.length) this.#rehash();
    return added;
  }

  /** Where in the table the gate is, or where it would be put. */
  #slot(kind: GateKind, a: number, b: number, c: number): number {
    const mask = this.#table.length - 1;
    for (let slot = hash(kind, a, b, c) & mask; ; slot = (slot + 1) & mask) {
      const variable = this.#table[slot] as number;
      if (variable === 0) return slot;
      const at = variable * STRIDE;
      if (
        this.#nodes.at(at) === kind &&
        this.#nodes.at(at + 1) === a &&
        this.#nodes.at(at + 2) === b &&
        this.#nodes.at(at + 3) === c
      ) {
        return slot;
      }
    }
  }

  #addNode(kind: GateKind, a: number, b: number, c: number): Literal {
    const variable = this.variableCount + 1;
    this.#nodes.push(kind);
    this.#nodes.push(a);
    this.#nodes.push(b);
    this.#nodes.push(c);
    return variable as Literal;
  }

  #rehash(): void {
    const old = this.#table;
    this.#table = new Int32Array(old.length * 2);
    for (const variable of old) {
      if (variable === 0) continue;
      const [a, b, c] = [this.operand(variable, 0), this.operand(variable, 1), this.operand(variable, 2)];
      this.#table[this.#slot(this.kind(variable), a, b, c)] = variable;
    }
  }
}

function hash(kind: number, a: number, b: number, c: number): number {
  let h = Math.imul(kind, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b);
  h = Math.imul((h ^ (h >>> 15)) + b, 0xc2b2ae35);
  h = Math.imul((h ^ (h >>> 13)) + c, 0x27d4eb2f);
  return (h ^ (h >>> 16)) >>> 0;
}

function sortThree(x: number, y: number, z: number): [Literal, Literal, Literal] {
  let [a, b, c] = [x, y, z];
  if (a > b) [a, b] = [b, a];
  if (b > c) [b, c] = [c, b];
  if (a > b) [a, b] = [b, a];
  return [a, b, c] as [Literal, Literal, Literal];
}

/** Most clauses are so short that a list is searched faster than a set is made. */
const SHORT_CLAUSE = 8;

/** The literals that a clause needs; null when it holds in any case. */
function withoutRepetition(literals: readonly Literal[]): Literal[] | null {
  const kept: Literal[] = [];
  for (const literal of literals) {
    if (literal === TRUE || kept.includes(not(literal))) return null;
    if (literal !== FALSE && !kept.includes(literal)) kept.push(literal);
  }
  return kept;
}

/** The same for long clauses. */
function withoutManyRepetitions(literals: readonly Literal[]): Literal[] | null {
  const kept = new Set(literals);
  kept.delete(FALSE);
  for (const literal of kept) if (literal === TRUE || kept.has(not(literal))) return null;
  return [...kept];
}
