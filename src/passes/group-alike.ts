/**
 * Groups statements of a loop's body that are alike in all its copies as blocks, so that later passes find hundreds of
 * copies of one block, and treat it once, instead of copies of each of its statements. Alike are statements without
 * labels and jumps that do not mention a counter: a variable whose new value depends on its old one, and which
 * propagation makes a different constant in each copy.
 *
 * An atomic section stays in one list, and an assertion in that of the statement before it: what is visible depends on
 * these neighbours. The blocks mean nothing; they are spliced again when the threads are written.
 */

import { block } from '../program/build-tree.ts';
import { isPrimitiveStatement } from '../program/primitives.ts';
import type { Statement, VariableSymbol } from '../program/tree.ts';
import { ifChain, itemsOf, walkExpression, walkStatementOnce } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';
import type { JumpFinder } from './find-jumps.ts';

const LEAST_STATEMENTS = 2;

export function groupAlike(items: readonly Statement[], jumps: JumpFinder): readonly Statement[] {
  const grouped = new Grouper(findCounters(items), jumps).items(items);
  const [first] = items;
  const isWhole = grouped === items && items.length >= LEAST_STATEMENTS && items.every((item) => !jumps.hasJumps(item));
  return isWhole && first ? [block(items, first.loc)] : grouped;
}

class Grouper {
  readonly #counters: ReadonlySet<VariableSymbol>;
  readonly #jumps: JumpFinder;

  constructor(counters: ReadonlySet<VariableSymbol>, jumps: JumpFinder) {
    this.#counters = counters;
    this.#jumps = jumps;
  }

  items(items: readonly Statement[]): readonly Statement[] {
    const out: Statement[] = [];
    let group: Statement[] = [];
    const close = () => {
      const [first] = group;
      if (first && group.length >= LEAST_STATEMENTS) out.push(block(group, first.loc));
      else pushAll(out, group);
      group = [];
    };
    for (const unit of unitsOf(items)) {
      if (unit.every((item) => this.#isAlike(item))) pushAll(group, unit);
      else {
        close();
        for (const item of unit) out.push(this.#inside(item));
      }
    }
    // A list that is alike as a whole needs no block around it.
    if (out.length === 0) return items;
    close();
    return out;
  }

  #isAlike(statement: Statement): boolean {
    if (this.#jumps.hasJumps(statement)) return false;
    let mentions = false;
    walkStatementOnce(statement, {
      expression: (node) => {
        if (node.kind === 'variable' && this.#counters.has(node.symbol)) mentions = true;
      },
    });
    return !mentions;
  }

  #inside(statement: Statement): Statement {
    switch (statement.kind) {
      case 'block':
        return { ...statement, items: this.items(statement.items) };
      case 'if': {
        const { arms, last } = ifChain(statement);
        let otherwise = last && this.#branch(last);
        for (const arm of arms.toReversed()) otherwise = { ...arm, then: this.#branch(arm.then), otherwise };
        return otherwise as Statement;
      }
      default:
        return statement;
    }
  }

  #branch(statement: Statement): Statement {
    return block(this.items(itemsOf(statement)), statement.loc);
  }
}

/** Statements that must stay in one list: atomic sections, and what an assertion follows. */
function unitsOf(items: readonly Statement[]): readonly (readonly Statement[])[] {
  const units: Statement[][] = [];
  let depth = 0;
  for (const item of items) {
    const last = units.at(-1);
    if (last && (depth > 0 || isPrimitiveStatement(item, 'assert'))) last.push(item);
    else units.push([item]);
    if (isPrimitiveStatement(item, 'atomicBegin')) depth++;
    if (isPrimitiveStatement(item, 'atomicEnd')) depth = Math.max(0, depth - 1);
  }
  return units;
}

/** Variables that are assigned something that mentions them. */
function findCounters(items: readonly Statement[]): Set<VariableSymbol> {
  const counters = new Set<VariableSymbol>();
  for (const item of items) {
    walkStatementOnce(item, {
      expression: (node) => {
        if (node.kind !== 'assignment' || node.target.kind !== 'variable') return;
        const { symbol } = node.target;
        walkExpression(node.value, {
          expression: (part) => {
            if (part.kind === 'variable' && part.symbol === symbol) counters.add(symbol);
          },
        });
      },
    });
  }
  return counters;
}
