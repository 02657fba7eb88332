/**
 * Which statements contain labels or jumps, and where these lead. Statements that contain none are the same in every
 * copy of a loop's body, so that the copies share them, and later passes treat a shared statement once however often it
 * occurs. The answers are kept: asking for all statements of a tree takes time linear in the number of different ones.
 */

import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, statementsOf, walkPlainStatements } from '../program/visit-tree.ts';

const JUMP = 1;
const LABEL = 2;

export class JumpFinder {
  readonly #parts = new PartFinder((part) => (isJump(part) ? JUMP : 0) | (part.kind === 'label' ? LABEL : 0));

  /** Whether a label, `goto`, `break` or `continue` stands in the statement. */
  hasJumps(statement: Statement): boolean {
    return (this.#parts.find(statement) & JUMP) !== 0;
  }

  /** Whether control can arrive in the statement from elsewhere. */
  hasLabels(statement: Statement): boolean {
    return (this.#parts.find(statement) & LABEL) !== 0;
  }
}

/** Everything that differs between copies. */
export function isJump({ kind }: Statement): boolean {
  switch (kind) {
    case 'label':
    case 'goto':
    case 'computed-goto':
    case 'break':
    case 'continue':
      return true;
    default:
      return false;
  }
}

/** All bits that a test gives for a statement and for those in it. The test must always give the same answer. */
export class PartFinder {
  readonly #test: (statement: Statement) => number;
  readonly #known = new Map<Statement, number>();

  constructor(test: (statement: Statement) => number) {
    this.#test = test;
  }

  find(statement: Statement): number {
    switch (statement.kind) {
      case 'block':
      case 'if':
      case 'while':
        return this.#known.get(statement) ?? this.#look(statement);
      default:
        return this.#test(statement);
    }
  }

  #look(statement: Statement): number {
    if (statement.kind === 'if' && statement.otherwise?.kind === 'if') return this.#lookAlong(statement);
    const parts = statementsOf(statement);
    let found = this.#test(statement);
    for (let at = 0; at < parts.length; at++) found |= this.find(parts[at] as Statement);
    this.#known.set(statement, found);
    return found;
  }

  /** Along `else if` by a loop: chains can be long. */
  #lookAlong(statement: Extract<Statement, { kind: 'if' }>): number {
    const { arms, last } = ifChain(statement);
    let found = last === null ? 0 : this.find(last);
    for (const arm of arms.toReversed()) {
      found |= this.#test(arm) | this.find(arm.then);
      this.#known.set(arm, found);
    }
    return found;
  }
}

export type JumpCounts = Map<LabelSymbol, number>;

/** How many jumps in the statements lead to each label. */
export function countJumps(items: readonly Statement[]): JumpCounts {
  const count: JumpCounts = new Map();
  for (const item of items) {
    walkPlainStatements(item, (part) => {
      if (part.kind === 'goto') count.set(part.label, (count.get(part.label) ?? 0) + 1);
    });
  }
  return count;
}

/** Whether there are jumps into the statements from outside, `all` being the jumps of the function. */
export function isEntered(items: readonly Statement[], all: JumpCounts): boolean {
  const inside = countJumps(items);
  let entered = false;
  for (const item of items) {
    walkPlainStatements(item, (part) => {
      if (part.kind === 'label' && (all.get(part.label) ?? 0) > (inside.get(part.label) ?? 0)) entered = true;
    });
  }
  return entered;
}

/** The labels that jumps lead back to. */
export function backwardTargets(body: Statement, jumps: JumpFinder = new JumpFinder()): Set<LabelSymbol> {
  const placed = new Set<LabelSymbol>();
  const found = new Set<LabelSymbol>();
  const visit = (statement: Statement) => {
    if (statement.kind === 'label') placed.add(statement.label);
    if (statement.kind === 'goto' && placed.has(statement.label)) found.add(statement.label);
  };
  walkPlainStatements(body, visit, (statement) => jumps.hasJumps(statement));
  return found;
}
