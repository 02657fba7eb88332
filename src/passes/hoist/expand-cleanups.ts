/**
 * GNU `cleanup(f)` as calls in the text: `f(&x)` at the end of the scope of x, and before every jump out of it, in
 * reverse order of the declarations. The value of a `return`, or of a statement expression, is kept in a variable
 * first.
 *
 * A function is walked twice: the first time tells which cleanups are due at each label, so that the second knows what
 * a `goto` leaves behind. The checker refuses jumps into the scope of such a variable, and computed jumps beside one.
 * The end of the thread or of the program is no normal way out, and makes no calls.
 */

import { block, declaration, expressionStatement, variable } from '../../program/build-tree.ts';
import type { FreshSymbols } from '../../program/fresh-symbols.ts';
import { mapInitializer } from '../../program/substitute.ts';
import type {
  BlockStatement,
  Expression,
  FunctionDefinition,
  LabelSymbol,
  Statement,
  VariableSymbol,
} from '../../program/tree.ts';
import { asOne, ifChain, mapExpression, walkStatement } from '../../program/visit-tree.ts';
import { pushAll } from '../../support/push-all.ts';
import type { Loc } from '../../support/source.ts';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** A block or `for`, and the cleanups that are due when it is left. */
interface Scope {
  readonly node: object;
  readonly due: Expression[];
}

/** Where a label stands: the scopes around it, and how many cleanups are due in each. */
type DueCleanups = readonly { readonly node: object; readonly count: number }[];

export function expandCleanups(definition: FunctionDefinition, fresh: FreshSymbols): FunctionDefinition {
  if (!hasCleanups(definition.body)) return definition;
  const finder = new CleanupExpander(fresh, new Map());
  finder.block(definition.body);
  return { ...definition, body: new CleanupExpander(fresh, finder.found).block(definition.body) };
}

function hasCleanups(body: Statement): boolean {
  let found = false;
  walkStatement(body, {
    statement: (statement) => {
      if (statement.kind !== 'declaration' || statement.item.kind !== 'variable') return;
      if (statement.item.symbol.cleanup !== null) found = true;
    },
  });
  return found;
}

class CleanupExpander {
  readonly found = new Map<LabelSymbol, DueCleanups>();
  readonly #fresh: FreshSymbols;
  readonly #places: ReadonlyMap<LabelSymbol, DueCleanups>;
  readonly #scopes: Scope[] = [];
  readonly #renamed = new Map<VariableSymbol, VariableSymbol>();
  /** How many scopes stay open after `break` and after `continue`. */
  #breakHeight = 0;
  #continueHeight = 0;

  constructor(fresh: FreshSymbols, places: ReadonlyMap<LabelSymbol, DueCleanups>) {
    this.#fresh = fresh;
    this.#places = places;
  }

  block(body: BlockStatement): BlockStatement {
    return { ...body, items: this.#inScope(body, body.endLoc, () => this.#items(body.items)) };
  }

  #items(items: readonly Statement[]): Statement[] {
    return items.flatMap((item) => this.#statement(item));
  }

  /** What `work` gives, and the calls at its end. */
  #inScope(node: object, end: Loc, work: () => Statement[]): Statement[] {
    const scope: Scope = { node, due: [] };
    this.#scopes.push(scope);
    const items = work();
    this.#scopes.pop();
    return isLeft(items) ? items : [...items, ...callsOf(scope, 0, end)];
  }

  /** The calls of the scopes that a jump leaves, and of what it passes in those that stay open. */
  #leave(height: number, loc: Loc, kept: DueCleanups = []): Statement[] {
    const calls: Statement[] = [];
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const scope = this.#scopes[i] as Scope;
      if (i >= height) pushAll(calls, callsOf(scope, 0, loc));
      else if (kept[i]) pushAll(calls, callsOf(scope, kept[i]?.count ?? 0, loc));
    }
    return calls;
  }

  // -------------------------------------------------------------- statements

  #statement(statement: Statement): Statement[] {
    const { loc } = statement;
    switch (statement.kind) {
      case 'block':
        return [this.block(statement)];
      case 'declaration':
        return [this.#declaration(statement)];
      case 'expression':
        return [{ ...statement, expression: this.#expression(statement.expression) }];
      case 'if':
        return [this.#if(statement)];
      case 'while':
      case 'do':
        return [{ ...statement, condition: this.#expression(statement.condition), body: this.#loopBody(statement) }];
      case 'for':
        return this.#for(statement);
      case 'switch':
        return [this.#switch(statement)];
      case 'label':
        this.found.set(
          statement.label,
          this.#scopes.map(({ node, due }) => ({ node, count: due.length })),
        );
        return [statement];
      case 'goto':
        return [...this.#leaveTo(statement.label, loc), statement];
      case 'break':
        return [...this.#leave(this.#breakHeight, loc), statement];
      case 'continue':
        return [...this.#leave(this.#continueHeight, loc), statement];
      case 'return':
        return this.#return(statement);
      default:
        return [statement];
    }
  }

  #declaration(statement: Of<'declaration'>): Statement {
    const { item } = statement;
    if (item.kind !== 'variable' || item.symbol.duration !== 'automatic') return statement;
    const symbol = this.#withOwnInitializer(item.symbol);
    const cleanup = item.symbol.cleanup && this.#expression(item.symbol.cleanup);
    if (cleanup) this.#scopes[this.#scopes.length - 1]?.due.push(cleanup);
    return symbol === item.symbol ? statement : { ...statement, item: { ...item, symbol } };
  }

  /** A variable whose initializer is rebuilt is another one. */
  #withOwnInitializer(symbol: VariableSymbol): VariableSymbol {
    const { initializer, name, type, loc, alignment, addressTaken } = symbol;
    if (!initializer) return symbol;
    const own = this.#fresh.variable({ name, type, loc, alignment, addressTaken, copyOf: symbol });
    this.#renamed.set(symbol, own);
    own.initializer = mapInitializer(initializer, (value) => this.#expression(value));
    return own;
  }

  #if(statement: Of<'if'>): Statement {
    const { arms, last } = ifChain(statement);
    const built = arms.map((arm) => ({
      ...arm,
      condition: this.#expression(arm.condition),
      then: asOne(this.#statement(arm.then), arm.then),
    }));
    let otherwise = last && asOne(this.#statement(last), last);
    for (const arm of built.reverse()) otherwise = { ...arm, otherwise };
    return otherwise as Statement;
  }

  #loopBody({ body }: Of<'while'> | Of<'do'> | Of<'for'>): Statement {
    const height = this.#scopes.length;
    return this.#withHeights(height, height, () => asOne(this.#statement(body), body));
  }

  /** What is declared in its head ends when the loop has ended. */
  #for(statement: Of<'for'>): Statement[] {
    const hasScope = statement.init.some(({ kind }) => kind === 'declaration');
    const items = this.#inScope(statement, statement.loc, () => {
      const init = this.#items(statement.init);
      const condition = statement.condition && this.#expression(statement.condition);
      const step = statement.step && this.#expression(statement.step);
      const loop: Statement = { ...statement, init, condition, step, body: this.#loopBody(statement) };
      const isDue = (this.#scopes[this.#scopes.length - 1]?.due.length ?? 0) > 0;
      return hasScope && isDue ? [...init, { ...loop, init: [] }] : [loop];
    });
    return items.length === 1 ? items : [block(items, statement.loc)];
  }

  #switch(statement: Of<'switch'>): Statement {
    const value = this.#expression(statement.value);
    const work = () => asOne(this.#statement(statement.body), statement.body);
    return { ...statement, value, body: this.#withHeights(this.#scopes.length, this.#continueHeight, work) };
  }

  #withHeights<T>(breakHeight: number, continueHeight: number, work: () => T): T {
    const before = [this.#breakHeight, this.#continueHeight] as const;
    [this.#breakHeight, this.#continueHeight] = [breakHeight, continueHeight];
    const result = work();
    [this.#breakHeight, this.#continueHeight] = before;
    return result;
  }

  #leaveTo(label: LabelSymbol, loc: Loc): Statement[] {
    const place = this.#places.get(label);
    if (!place) return [];
    let height = 0;
    while (height < this.#scopes.length && this.#scopes[height]?.node === place[height]?.node) height++;
    return this.#leave(height, loc, place);
  }

  #return(statement: Of<'return'>): Statement[] {
    const { loc } = statement;
    const calls = this.#leave(0, loc);
    if (statement.value === null) return [...calls, statement];
    const value = this.#expression(statement.value);
    if (calls.length === 0) return [{ ...statement, value }];
    if (value.type.kind === 'void') return [expressionStatement(value, loc), ...calls, { ...statement, value: null }];
    const kept = this.#kept(value);
    return [block([kept.statement, ...calls, { ...statement, value: kept.value }], loc)];
  }

  // -------------------------------------------------------------- expressions

  #kept(value: Expression): { readonly statement: Statement; readonly value: Expression } {
    const { type, loc } = value;
    const initializer = { kind: 'scalar', value } as const;
    const symbol = this.#fresh.variable({ name: 'result', type, loc, initializer });
    return { statement: declaration(symbol), value: variable(symbol, loc) };
  }

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      if (node.kind === 'statement-expression') return { ...node, body: this.#valueBlock(node.body, node.type) };
      if (node.kind === 'compound-literal') return { ...node, symbol: this.#withOwnInitializer(node.symbol) };
      if (node.kind !== 'variable') return node;
      const symbol = this.#renamed.get(node.symbol);
      return symbol ? { ...node, symbol } : node;
    });
  }

  /** The block of a statement expression: its value is that of the last statement, from before the calls. */
  #valueBlock(body: BlockStatement, type: Expression['type']): BlockStatement {
    const last = body.items[body.items.length - 1];
    if (last?.kind !== 'expression' || type.kind === 'void') return this.block(body);
    let value = last.expression;
    const items = this.#inScope(body, body.endLoc, () => {
      const statements = this.#items(body.items.slice(0, -1));
      value = this.#expression(last.expression);
      if ((this.#scopes[this.#scopes.length - 1]?.due.length ?? 0) === 0) return statements;
      const kept = this.#kept(value);
      value = kept.value;
      return [...statements, kept.statement];
    });
    return { ...body, items: [...items, { ...last, expression: value }] };
  }
}

/** The calls of a scope beyond the first ones, the last first. */
function callsOf({ due }: Scope, first: number, loc: Loc): Statement[] {
  return due
    .slice(first)
    .reverse()
    .map((call) => expressionStatement({ ...call, loc }, loc));
}

function isLeft(items: readonly Statement[]): boolean {
  const kind = items[items.length - 1]?.kind;
  return kind === 'return' || kind === 'goto' || kind === 'break' || kind === 'continue';
}
