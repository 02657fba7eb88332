/**
 * From the circuit to CNF, step by step: each call emits only what is new since the last one, so that a solver can be
 * fed while bounds grow. Only the cone of the asserted clauses and of the literals asked for is emitted.
 *
 * Tseitin's translation: one variable a gate, and clauses that tie it to its operands in both directions. With
 * `polarityAware` (Plaisted and Greenbaum) only the directions in which a gate is used are emitted; another direction
 * follows when it is needed later. ITE gets the two redundant clauses that let equal branches propagate; XOR3 and MAJ
 * are written out in full. A conjunction that has one parent, itself a conjunction or a clause that contains its
 * negation, gets no variable and is melted into that parent; it still may get one later.
 *
 * CNF variables are dense and ascend with the circuit's variables within one call (the order of variables is the
 * solver's first order of decisions). CNF variable 1 is the constant. Models are read back by evaluating the circuit
 * from its inputs, so gates without a CNF variable have values too.
 *
 * Tseitin, "On the complexity of derivation in propositional calculus", 1968; Plaisted and Greenbaum, 1986.
 */

import { type Circuit, GATE } from './circuit.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { IntegerBuffer } from './integer-buffer.ts';
import { type Literal, TRUE } from './literal.ts';

export interface CnfOptions {
  /** Emit only the directions in which a gate is used. */
  readonly polarityAware?: boolean;
}

/** Directions of a definition: DOWN, the gate implies its function; UP, the function implies the gate. */
const DOWN = 1;
const UP = 2;
const BOTH = 3;

export class Cnf {
  readonly #circuit: Circuit;
  readonly #polarityAware: boolean;
  /** Per circuit variable: its CNF variable, or 0. */
  readonly #variables = new IntegerBuffer();
  /** Per circuit variable: the directions already emitted. */
  readonly #emitted = new IntegerBuffer();
  /**
   * Per circuit variable, and zero between calls: parents in the cone (2 for more), directions wanted, melted or not.
   */
  readonly #parents = new IntegerBuffer();
  readonly #wanted = new IntegerBuffer();
  readonly #melted = new IntegerBuffer();
  /** The variables with something to define; the directions still to be followed down from them, in pairs. */
  readonly #cone = new IntegerBuffer();
  readonly #stack = new IntegerBuffer();
  readonly #pending = new IntegerBuffer();
  #clausesRead = 0;
  #variableCount = 1;
  #clauseCount = 0;

  /** The circuit stays the caller's, who goes on adding to it. */
  constructor(circuit: Circuit, options: CnfOptions = {}) {
    this.#circuit = circuit;
    this.#polarityAware = options.polarityAware ?? false;
    this.#extend();
    this.#variables.set(TRUE, 1);
    this.#emitted.set(TRUE, BOTH);
    this.#push(1);
  }

  get variableCount(): number {
    return this.#variableCount;
  }

  /** Clauses emitted so far. */
  get clauseCount(): number {
    return this.#clauseCount;
  }

  /**
   * Emits the new clauses of the circuit with their cone; returns all that is pending, flat, each clause ended by 0.
   */
  takeClauses(): Int32Array {
    this.#extend();
    const clauses = this.#circuit.clauses.subarray(this.#clausesRead);
    this.#clausesRead += clauses.length;
    for (const literal of clauses) if (literal !== 0) this.#refer(literal, literal > 0 ? DOWN : UP, true);
    this.#followCone();
    for (const literal of clauses) if (literal < 0) this.#meltIfAlone(-literal);
    this.#define();
    this.#emitClauses(clauses);
    this.#forgetCone();
    const taken = this.#pending.copy();
    this.#pending.clear();
    return taken;
  }

  /** The CNF literal for a circuit literal, e.g. to assume it; its definition comes with the next `takeClauses`. */
  literal(literal: Literal): number {
    this.#extend();
    this.#refer(literal, BOTH, true);
    this.#followCone();
    this.#define();
    this.#forgetCone();
    return this.#map(literal);
  }

  /** The CNF variable of a circuit variable, or 0 when it has none (yet). */
  variable(variable: number): number {
    return variable < this.#variables.length ? this.#variables.at(variable) : 0;
  }

  /**
   * All values in a model, which is asked for the truth of CNF variables. An input that never reached the solver is
   * false.
   */
  evaluate(model: (variable: number) => boolean): Evaluation {
    return evaluate(this.#circuit, (variable) => {
      const mapped = this.variable(variable);
      return mapped !== 0 && model(mapped);
    });
  }

  #extend(): void {
    const length = this.#circuit.variableCount + 1;
    for (const table of [this.#variables, this.#emitted, this.#parents, this.#wanted, this.#melted])
      table.extend(length);
  }

  #map(literal: number): number {
    return literal < 0 ? -this.#variables.at(-literal) : this.#variables.at(literal);
  }

  /**
   * Wants a literal's variable in the given directions; `newParent` unless the same parent has referred to it before.
   */
  #refer(literal: number, directions: number, newParent: boolean): void {
    const variable = Math.abs(literal);
    const before = this.#wanted.at(variable);
    const missing = (this.#polarityAware ? directions : BOTH) & ~this.#emitted.at(variable) & ~before;
    if (missing === 0 && before === 0) return;
    if (newParent) this.#parents.set(variable, Math.min(this.#parents.at(variable) + 1, 2));
    if (missing === 0) return;
    if (before === 0) this.#cone.push(variable);
    this.#wanted.set(variable, before | missing);
    this.#stack.push(before === 0 ? variable : -variable);
    this.#stack.push(missing);
  }

  /**
   * Follows the wanted directions down to what is emitted already. On the stack, a negative variable was visited
   * before.
   */
  #followCone(): void {
    while (this.#stack.length > 0) {
      const directions = this.#stack.pop();
      const visited = this.#stack.pop();
      this.#referOperands(Math.abs(visited), directions, visited > 0);
    }
  }

  #referOperands(variable: number, directions: number, newParent: boolean): void {
    const kind = this.#circuit.kind(variable);
    if (kind === GATE.input) return;
    const arity = kind === GATE.and || kind === GATE.xor ? 2 : 3;
    for (let index = 0; index < arity; index++) {
      const operand = this.#circuit.operand(variable, index as 0 | 1 | 2);
      const monotone = kind === GATE.and || kind === GATE.maj || (kind === GATE.ite && index > 0);
      const wanted = !monotone ? BOTH : operand > 0 ? directions : swapDirections(directions);
      this.#refer(operand, wanted, newParent);
    }
  }

  /** Melts a conjunction that has no variable yet and no parent but the one that asks. */
  #meltIfAlone(variable: number): void {
    if (this.#circuit.kind(variable) !== GATE.and) return;
    if (this.#parents.at(variable) === 1 && this.#variables.at(variable) === 0) this.#melted.set(variable, 1);
  }

  /** Numbers the cone's variables in ascending order and emits the definitions of its gates. */
  #define(): void {
    const cone = this.#cone.view().sort();
    for (const variable of cone) {
      if (this.#circuit.kind(variable) !== GATE.and) continue;
      for (const index of [0, 1] as const) {
        const operand = this.#circuit.operand(variable, index);
        if (operand > 0) this.#meltIfAlone(operand);
      }
    }
    for (const variable of cone) {
      if (this.#melted.at(variable) === 1 || this.#variables.at(variable) !== 0) continue;
      this.#variables.set(variable, ++this.#variableCount);
    }
    for (const variable of cone) {
      if (this.#melted.at(variable) === 1) continue;
      this.#emitGate(variable, this.#wanted.at(variable));
      this.#emitted.set(variable, this.#emitted.at(variable) | this.#wanted.at(variable));
    }
  }

  #forgetCone(): void {
    for (const variable of this.#cone.view()) {
      this.#parents.set(variable, 0);
      this.#wanted.set(variable, 0);
      this.#melted.set(variable, 0);
    }
    this.#cone.clear();
  }

  #emitClauses(clauses: Int32Array): void {
    for (const literal of clauses) {
      if (literal === 0) this.#endClause();
      else if (literal < 0 && this.#melted.at(-literal) === 1) {
        for (const leaf of this.#leaves(-literal)) this.#pending.push(-this.#map(leaf));
      } else this.#pending.push(this.#map(literal));
    }
  }

  /** The operands of a conjunction, with those of the conjunctions that were melted into it. */
  #leaves(conjunction: number): number[] {
    const leaves = new Set<number>();
    const stack: number[] = [conjunction];
    for (let variable = stack.pop(); variable !== undefined; variable = stack.pop()) {
      for (const index of [0, 1] as const) {
        const operand = this.#circuit.operand(variable, index);
        if (operand > 0 && this.#melted.at(operand) === 1) stack.push(operand);
        else leaves.add(operand);
      }
    }
    return [...leaves];
  }

  #emitGate(variable: number, directions: number): void {
    const kind = this.#circuit.kind(variable);
    if (kind === GATE.input) return;
    const gate = this.#map(variable);
    if (kind === GATE.and) {
      this.#emitAnd(gate, this.#leaves(variable), directions);
      return;
    }
    const a = this.#map(this.#circuit.operand(variable, 0));
    const b = this.#map(this.#circuit.operand(variable, 1));
    if (kind === GATE.xor) {
      this.#emitXor(gate, a, b, directions);
      return;
    }
    const c = this.#map(this.#circuit.operand(variable, 2));
    if (kind === GATE.ite) this.#emitIte(gate, a, b, c, directions);
    else if (kind === GATE.xor3) this.#emitXor3(gate, a, b, c, directions);
    else {
      this.#emitMaj(gate, a, b, c, directions);
      if (this.#emitted.at(variable) === 0) this.#tieToSum(variable, gate, [a, b, c]);
    }
  }

  #emitAnd(gate: number, leaves: readonly number[], directions: number): void {
    const mapped = leaves.map((leaf) => this.#map(leaf));
    if (directions & DOWN) for (const leaf of mapped) this.#push(-gate, leaf);
    if (directions & UP) this.#pushAll([gate, ...mapped.map((leaf) => -leaf)]);
  }

  #emitXor(gate: number, a: number, b: number, directions: number): void {
    if (directions & DOWN) {
      this.#push(-gate, a, b);
      this.#push(-gate, -a, -b);
    }
    if (directions & UP) {
      this.#push(gate, -a, b);
      this.#push(gate, a, -b);
    }
  }

  #emitIte(gate: number, condition: number, a: number, b: number, directions: number): void {
    if (directions & DOWN) {
      this.#push(-gate, -condition, a);
      this.#push(-gate, condition, b);
      this.#push(-gate, a, b);
    }
    if (directions & UP) {
      this.#push(gate, -condition, -a);
      this.#push(gate, condition, -b);
      this.#push(gate, -a, -b);
    }
  }

  #emitXor3(gate: number, a: number, b: number, c: number, directions: number): void {
    if (directions & DOWN) {
      this.#push(-gate, a, b, c);
      this.#push(-gate, a, -b, -c);
      this.#push(-gate, -a, b, -c);
      this.#push(-gate, -a, -b, c);
    }
    if (directions & UP) {
      this.#push(gate, -a, -b, -c);
      this.#push(gate, -a, b, c);
      this.#push(gate, a, -b, c);
      this.#push(gate, a, b, -c);
    }
  }

  #emitMaj(gate: number, a: number, b: number, c: number, directions: number): void {
    for (const [x, y] of [
      [a, b],
      [a, c],
      [b, c],
    ] as const) {
      if (directions & DOWN) this.#push(-gate, x, y);
      if (directions & UP) this.#push(gate, -x, -y);
    }
  }

  /**
   * Redundant clauses of a full adder: sum and carry together decide the operands. They spared a fifth of the conflicts
   * on formulas made of sums. (A sum that is emitted later than its carry goes without.)
   */
  #tieToSum(maj: number, carry: number, operands: readonly number[]): void {
    const found = this.#circuit.findSumOf(maj);
    if (found === undefined || this.#map(found) === 0) return;
    const sum = this.#map(found);
    for (const operand of operands) {
      this.#push(-sum, -carry, operand);
      this.#push(sum, carry, -operand);
    }
  }

  #push(...clause: readonly number[]): void {
    this.#pushAll(clause);
  }

  #pushAll(clause: readonly number[]): void {
    for (const literal of clause) this.#pending.push(literal);
    this.#endClause();
  }

  #endClause(): void {
    this.#pending.push(0);
    this.#clauseCount++;
  }
}

function swapDirections(directions: number): number {
  return ((directions & DOWN) << 1) | ((directions & UP) >> 1);
}
