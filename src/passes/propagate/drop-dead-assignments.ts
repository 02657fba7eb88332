/**
 * Drops assignments to private variables whose value nobody reads afterwards, and branches that are empty then.
 * Liveness is found backwards over the function; what a dropped assignment would read does not count as read. Where
 * control goes back, at loops and backward jumps, the walk is repeated until the variables that are live there stay the
 * same, from none on.
 *
 * It follows control and so must see every way; the bounded program, whose copies of loops share their statements, is
 * left to drop-dead-stores.ts, which asks only whether there is a reader at all.
 */

import { block } from '../../program/build-tree.ts';
import { primitiveOf } from '../../program/primitives.ts';
import type { Expression, FunctionDefinition, LabelSymbol, Statement, VariableSymbol } from '../../program/tree.ts';
import { ifChain, itemsOf } from '../../program/visit-tree.ts';
import { addAccesses, newAccesses } from '../alias/sharing.ts';
import { buildIf } from '../build-if.ts';
import { privateVariables, withoutDeadStore } from './drop-dead-stores.ts';

type If = Extract<Statement, { kind: 'if' }>;
type While = Extract<Statement, { kind: 'while' }>;

export function dropDeadAssignments(definition: FunctionDefinition): FunctionDefinition {
  const { body } = definition;
  const dropper = new Dropper([...privateVariables(definition)]);
  for (;;) {
    const items = dropper.run(body.items);
    if (!dropper.hasGrown) return { ...definition, body: block(items, body.loc, body.endLoc) };
  }
}

class Dropper {
  /** The numbers of the private variables. */
  readonly #private: ReadonlyMap<VariableSymbol, number>;
  readonly #none: Live;
  readonly #all: Live;
  /** What is live at labels and at the heads of loops, as far as it is found. */
  readonly #atLabel = new Map<LabelSymbol, Live>();
  readonly #atHead = new Map<Statement, Live>();
  /** By expression: the private variables that it reads. */
  readonly #reads = new Map<Expression, Live>();
  /** What is live behind the place that the walk has come to. */
  #live: Live;
  /** For each loop around here, what is live behind it and at its head. */
  readonly #loops: { readonly after: Live; readonly head: Live }[] = [];
  /** Labels and heads that were looked up in this walk: they must not grow afterwards. */
  readonly #used = new Set<LabelSymbol | Statement>();
  hasGrown = false;

  constructor(among: readonly VariableSymbol[]) {
    this.#private = new Map(among.map((symbol, number) => [symbol, number]));
    this.#none = new Uint32Array((among.length + 31) >> 5);
    this.#all = this.#none.map(() => 0xffffffff);
    this.#live = this.#none;
  }

  run(items: readonly Statement[]): Statement[] {
    this.hasGrown = false;
    this.#used.clear();
    this.#live = this.#none;
    return this.#items(items);
  }

  #items(items: readonly Statement[]): Statement[] {
    const reversed: Statement[] = [];
    for (let at = items.length - 1; at >= 0; at--) {
      const kept = this.#statement(items[at] as Statement);
      if (kept !== null) reversed.push(kept);
    }
    return reversed.reverse();
  }

  /** The statement without what is dead in it; null if nothing is left. Changes what is live. */
  #statement(statement: Statement): Statement | null {
    switch (statement.kind) {
      case 'expression':
        return this.#expression(statement);
      case 'block': {
        const items = this.#items(statement.items);
        return items.length === 0 ? null : { ...statement, items };
      }
      case 'if':
        return this.#if(statement);
      case 'while':
        return this.#while(statement);
      case 'label':
        this.#note(this.#atLabel, statement.label, this.#live);
        return statement;
      case 'goto':
        this.#used.add(statement.label);
        this.#live = this.#atLabel.get(statement.label) ?? this.#none;
        return statement;
      case 'break':
        this.#live = this.#loops.at(-1)?.after ?? this.#none;
        return statement;
      case 'continue':
        this.#live = this.#loops.at(-1)?.head ?? this.#none;
        return statement;
      case 'declaration':
      case 'empty':
        return statement;
      default:
        // Nothing else is left by now, or it is not understood: everything may be read.
        this.#live = this.#all;
        return statement;
    }
  }

  #note<K extends LabelSymbol | Statement>(known: Map<K, Live>, place: K, live: Live): void {
    const before = known.get(place) ?? this.#none;
    const now = union(before, live);
    if (now === before) return;
    known.set(place, now);
    if (this.#used.has(place)) this.hasGrown = true;
  }

  #expression(statement: Extract<Statement, { kind: 'expression' }>): Statement | null {
    const [kept] = withoutDeadStore(statement, (symbol) => this.#isDead(symbol));
    if (kept?.kind !== 'expression') return null;
    const { expression } = kept;
    const target = targetOf(expression);
    const number = target?.kind === 'variable' ? this.#private.get(target.symbol) : undefined;
    if (number !== undefined) this.#live = without(this.#live, number);
    this.#read(expression);
    return kept;
  }

  #isDead(symbol: VariableSymbol): boolean {
    const number = this.#private.get(symbol);
    return number !== undefined && !isIn(number, this.#live);
  }

  #read(expression: Expression): void {
    const known = this.#reads.get(expression);
    const found = known ?? this.#findReads(expression);
    if (known === undefined) this.#reads.set(expression, found);
    this.#live = union(this.#live, found);
  }

  #findReads(expression: Expression): Live {
    const accesses = newAccesses();
    addAccesses(expression, accesses);
    const found = this.#none.slice();
    for (const symbol of accesses.reads) {
      const number = this.#private.get(symbol);
      if (number !== undefined) found[number >> 5] = (found[number >> 5] ?? 0) | (1 << (number & 31));
    }
    return found;
  }

  #if(statement: If): Statement | null {
    const { arms, last } = ifChain(statement);
    const after = this.#live;
    let otherwise = last ? this.#items(itemsOf(last)) : [];
    for (const arm of arms.toReversed()) {
      const before = this.#live;
      this.#live = after;
      const then = this.#items(itemsOf(arm.then));
      this.#live = union(before, this.#live);
      if (then.length === 0 && otherwise.length === 0) continue;
      this.#read(arm.condition);
      otherwise = [buildIf(arm, arm.condition, then, otherwise)];
    }
    return otherwise.length > 1 ? block(otherwise, statement.loc) : (otherwise[0] ?? null);
  }

  #while(statement: While): Statement {
    const after = this.#live;
    this.#used.add(statement);
    const head = this.#atHead.get(statement) ?? this.#none;
    this.#live = head;
    this.#loops.push({ after, head });
    const body = this.#items(itemsOf(statement.body));
    this.#loops.pop();
    this.#live = union(this.#live, after);
    this.#read(statement.condition);
    this.#note(this.#atHead, statement, this.#live);
    return { ...statement, body: block(body, statement.body.loc) };
  }
}

/** A whole scalar variable that the expression gives a new value, if it does. */
function targetOf(expression: Expression): Expression | null {
  const primitive = primitiveOf(expression);
  if (primitive === 'havoc' || primitive === 'zero')
    return expression.kind === 'builtin' ? (expression.args[0] ?? null) : null;
  return expression.kind === 'assignment' ? expression.target : null;
}

// ---------------------------------------------------------------- sets

/** Variables by number, as bits. Never changed once they are made. */
type Live = Readonly<Uint32Array>;

function isIn(number: number, live: Live): boolean {
  return ((live[number >> 5] ?? 0) & (1 << (number & 31))) !== 0;
}

function without(live: Live, number: number): Live {
  if (!isIn(number, live)) return live;
  const rest = live.slice();
  rest[number >> 5] = (rest[number >> 5] ?? 0) & ~(1 << (number & 31));
  return rest;
}

/** The first set itself when it has everything. */
function union(left: Live, right: Live): Live {
  if (left === right) return left;
  let result: Uint32Array | null = null;
  for (let i = 0; i < right.length; i++) {
    const both = ((left[i] ?? 0) | (right[i] ?? 0)) >>> 0;
    if (both === left[i]) continue;
    result ??= left.slice();
    result[i] = both;
  }
  return result ?? left;
}
