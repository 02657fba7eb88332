/**
 * How often a loop runs, where constants that inlining and propagation have brought decide it: `memcpy(&a, &b, 8)`
 * copies eight bytes, `strlen("abc")` looks at four characters. (Loops that give their number away in the source are
 * known before: simplify/trip-count.ts.)
 *
 * The loop is run on the private variables that its tests depend on, from what they hold before it, until a test ends
 * it. What does not touch these variables is passed over; it can only make the loop end earlier. The number is unknown
 * as soon as a branch that is not decided could change one of them, or if nothing decides whether there is another
 * iteration.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { Expression, LabelSymbol, Statement, VariableSymbol } from '../../program/tree.ts';
import {
  itemsOf,
  mapExpression,
  walkExpression,
  walkPlainStatements,
  walkStatement,
} from '../../program/visit-tree.ts';
import { foldNode, truthOf } from '../fold-constants.ts';
import { foldLiteralOffset, literalPointer, readLiteral } from '../propagate/read-literal.ts';

type While = Extract<Statement, { kind: 'while' }>;

/** More iterations are not counted. */
const ITERATION_LIMIT = 2048;

/**
 * The number of iterations; null if it is not known. `before` is what stands before the loop in its block; no jump
 * leads into it.
 */
export function countIterations(before: readonly Statement[], loop: While, model: DataModel): number | null {
  const followed = findFollowed(loop);
  if (followed.size === 0) return null;
  const run = new LoopRun(loop, followed, model);
  for (const symbol of followed) run.start(symbol, before);
  for (let count = 1; count <= ITERATION_LIMIT; count++) {
    const isEntered = run.decide(loop.condition);
    if (isEntered === null) return null;
    if (!isEntered) return count - 1;
    const outcome = run.iterate();
    if (outcome === 'unknown') return null;
    if (outcome === 'left') return count;
  }
  return null;
}

/** Where control goes: on, to the next iteration, out of the loop, or nobody knows. */
type Ending = 'on' | 'again' | 'left' | 'unknown';

class LoopRun {
  readonly #loop: While;
  readonly #followed: ReadonlySet<VariableSymbol>;
  readonly #model: DataModel;
  readonly #values = new Map<VariableSymbol, Expression>();
  readonly #labels = new Set<LabelSymbol>();
  /** Whether some test has decided that this iteration is not the last. */
  #isDecided = false;

  constructor(loop: While, followed: ReadonlySet<VariableSymbol>, model: DataModel) {
    this.#loop = loop;
    this.#followed = followed;
    this.#model = model;
    walkPlainStatements(loop.body, (part) => {
      if (part.kind === 'label') this.#labels.add(part.label);
    });
  }

  /** Looks for what a variable holds: the last statement before the loop that assigns it, with no label between. */
  start(symbol: VariableSymbol, before: readonly Statement[]): void {
    for (let at = before.length - 1; at >= 0; at--) {
      const item = before[at] as Statement;
      const assigned = assignedBy(item);
      if (assigned?.symbol === symbol) {
        this.#assign(symbol, assigned.value);
        return;
      }
      if (contains(item, ({ kind }) => kind === 'label') || changes(item, (other) => other === symbol)) return;
    }
  }

  decide(condition: Expression): boolean | null {
    return truthOf(this.#evaluate(condition), this.#model);
  }

  iterate(): 'again' | 'left' | 'unknown' {
    this.#isDecided = this.#loop.condition.kind !== 'integer';
    const outcome = this.#items(itemsOf(this.#loop.body));
    if (outcome === 'left' || outcome === 'unknown') return outcome;
    return this.#isDecided ? 'again' : 'unknown';
  }

  #items(items: readonly Statement[]): Ending {
    for (const item of items) {
      const outcome = this.#statement(item);
      if (outcome !== 'on') return outcome;
    }
    return 'on';
  }

  #statement(statement: Statement): Ending {
    switch (statement.kind) {
      case 'block':
        return this.#items(statement.items);
      case 'if':
        return this.#if(statement);
      case 'break':
      case 'return':
        return 'left';
      case 'continue':
        return 'again';
      case 'goto':
        return this.#labels.has(statement.label) ? 'unknown' : 'left';
      case 'expression': {
        const assigned = assignedBy(statement);
        if (!assigned) return this.#passOver(statement);
        if (this.#followed.has(assigned.symbol)) this.#assign(assigned.symbol, assigned.value);
        return 'on';
      }
      default:
        return this.#passOver(statement);
    }
  }

  #if(statement: Extract<Statement, { kind: 'if' }>): Ending {
    const holds = this.decide(statement.condition);
    if (holds === null) return this.#passOver(statement);
    const isExit = contains(statement, ({ kind }) => kind === 'break');
    const taken = holds ? statement.then : statement.otherwise;
    const outcome = taken ? this.#items(itemsOf(taken)) : 'on';
    if (isExit && outcome === 'on') this.#isDecided = true;
    return outcome;
  }

  /** A statement that nobody knows the way through: it must not change what is followed, nor skip what does. */
  #passOver(statement: Statement): Ending {
    const isInner = (part: Statement) =>
      part.kind === 'continue' || (part.kind === 'goto' && this.#labels.has(part.label));
    const isHarmless = !changes(statement, (symbol) => this.#followed.has(symbol)) && !contains(statement, isInner);
    return isHarmless ? 'on' : 'unknown';
  }

  // -------------------------------------------------------------- values

  #assign(symbol: VariableSymbol, value: Expression): void {
    const result = this.#evaluate(value);
    const isKnown = result.kind === 'integer' || literalPointer(result, this.#model) !== null;
    if (isKnown) this.#values.set(symbol, result);
    else this.#values.delete(symbol);
  }

  #evaluate(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      if (node.kind === 'variable') return this.#values.get(node.symbol) ?? node;
      return readLiteral(node, this.#model) ?? foldLiteralOffset(foldNode(node, this.#model), this.#model);
    });
  }
}

// ---------------------------------------------------------------- what is followed

/** The private variables that the loop's condition and the conditions of its branches depend on. */
function findFollowed(loop: While): Set<VariableSymbol> {
  const followed = new Set(variablesIn(loop.condition));
  const assignments: { readonly symbol: VariableSymbol; readonly value: Expression }[] = [];
  walkPlainStatements(loop.body, (part) => {
    const assigned = assignedBy(part);
    if (assigned) assignments.push(assigned);
    if (part.kind === 'if' && contains(part, ({ kind }) => kind === 'break'))
      for (const symbol of variablesIn(part.condition)) followed.add(symbol);
  });
  for (let before = -1; before !== followed.size; ) {
    before = followed.size;
    for (const { symbol, value } of assignments) {
      if (followed.has(symbol)) for (const other of variablesIn(value)) followed.add(other);
    }
  }
  return followed;
}

function variablesIn(expression: Expression): VariableSymbol[] {
  const found: VariableSymbol[] = [];
  walkExpression(expression, {
    expression: (node) => {
      if (node.kind === 'variable' && node.symbol.duration === 'automatic' && !node.symbol.addressTaken)
        found.push(node.symbol);
    },
  });
  return found;
}

function assignedBy(item: Statement): { readonly symbol: VariableSymbol; readonly value: Expression } | null {
  if (item.kind !== 'expression' || item.expression.kind !== 'assignment') return null;
  const { target, value } = item.expression;
  return target.kind === 'variable' ? { symbol: target.symbol, value } : null;
}

function contains(item: Statement, test: (part: Statement) => boolean): boolean {
  let found = false;
  walkPlainStatements(item, (part) => {
    if (test(part)) found = true;
  });
  return found;
}

/** Whether a statement may change one of these private variables: assignments do, and primitives that fill it. */
function changes(item: Statement, isMeant: (symbol: VariableSymbol) => boolean): boolean {
  let found = false;
  walkStatement(item, {
    expression: (node) => {
      const target = node.kind === 'assignment' ? node.target : node.kind === 'builtin' ? node.args[0] : undefined;
      if (target?.kind === 'variable' && isMeant(target.symbol)) found = true;
    },
  });
  return found;
}
