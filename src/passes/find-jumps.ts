/**
 * Which statements contain labels or jumps, and where these lead. Statements that contain none are the same in every
 * copy of a loop's body, so that the copies share them, and later passes treat a shared statement once however often it
 * occurs. The answers are kept: asking for all statements of a tree takes time linear in the number of different ones.
 */

import type { LabelSymbol, Statement } from '../program/tree.ts';
import { statementsOf, walkPlainStatements } from '../program/visit-tree.ts';

/** Everything that differs between copies. */
const JUMPS: ReadonlySet<Statement['kind']> = new Set(['label', 'goto', 'computed-goto', 'break', 'continue'] as const);
/** What control can arrive at from elsewhere. */
const LABELS: ReadonlySet<Statement['kind']> = new Set(['label'] as const);

export class JumpFinder {
  readonly #jumps = new PartFinder(({ kind }) => JUMPS.has(kind));
  readonly #labels = new PartFinder(({ kind }) => LABELS.has(kind));

  /** Whether a label, `goto`, `break` or `continue` stands in the statement. */
  hasJumps(statement: Statement): boolean {
    return this.#jumps.isIn(statement);
  }

  hasLabels(statement: Statement): boolean {
    return this.#labels.isIn(statement);
  }
}

/** Whether a statement, or one in it, passes a test, which must always give the same answer. */
export class PartFinder {
  readonly #test: (statement: Statement) => boolean;
  readonly #known = new Map<Statement, boolean>();

  constructor(test: (statement: Statement) => boolean) {
    this.#test = test;
  }

  isIn(statement: Statement): boolean {
    switch (statement.kind) {
      case 'block':
      case 'if':
      case 'while':
        return this.#known.get(statement) ?? this.#look(statement);
      default:
        return this.#test(statement);
    }
  }

  #look(statement: Statement): boolean {
    if (statement.kind === 'if' && statement.otherwise?.kind === 'if') return this.#lookAlong(statement);
    const parts = statementsOf(statement);
    let found = this.#test(statement);
    for (let at = 0; at < parts.length && !found; at++) found = this.isIn(parts[at] as Statement);
    this.#known.set(statement, found);
    return found;
  }

  /** Along `else if` by a loop: chains can be long. */
  #lookAlong(statement: Statement): boolean {
    const chain: Statement[] = [];
    let found = false;
    let at: Statement | null = statement;
    while (at?.kind === 'if' && !found) {
      chain.push(at);
      found = this.#test(at) || this.isIn(at.then);
      at = at.otherwise;
    }
    if (!found && at !== null) found = this.isIn(at);
    // What was found is in every part of the chain that was looked at; without a finding, none has it.
    for (const part of chain) this.#known.set(part, found);
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
