/**
 * A read of what no other thread writes need not stand before the step that uses it. `simplify-statements` gives each
 * shared read a temporary, when it does not know the threads yet; here they are known, and where a private variable
 * holds a copy of another variable, the other takes its place:
 *
 *     t = j;  t_1 = i;  i = t_1 + t;      becomes      t = j;  i = i + t;
 *
 * if only this thread writes i. The temporary would be kept from round to round, with a value for every place at which
 * the thread can be interrupted.
 *
 * Why this is sound: the read moves from the assignment `t = x` to a use of t behind it in the same list of statements.
 * Between the two nothing can change x. Other threads never write it (`SharedMemory`, which knows what pointers lead
 * to, and where a thread that is created several times is several threads). The thread itself does not write it in
 * between: control runs straight through the list, since what is known is forgotten at labels, branches and blocks; an
 * assignment to x or a part of it is seen, and one through a pointer counts as one to every variable whose address is
 * taken. So the use has the same value in every interleaving, and no interleaving is lost or gained: the assignment
 * itself was not visible (a read that no other thread's write can meet), and goes when nothing reads t any more. Reads
 * that can fail, through pointers or of elements at unknown places, stay where they are.
 *
 * Lists are treated on their own, so that those which copies of a loop share are treated once.
 */

import { type BoundedProgram, globalVariables, mapThreads } from '../program/bounded-program.ts';
import { primitiveOf } from '../program/primitives.ts';
import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../program/tree.ts';
import { isScalar, sameType, unqualified } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { ifChain, mapExpression, walkInitializer } from '../program/visit-tree.ts';
import { NOWHERE } from '../support/source.ts';
import { type Accesses, addAccesses, newAccesses, rootOf } from './alias/sharing.ts';
import { findShared } from './find-shared.ts';
import type { PassContext } from './pass.ts';
import { accessesOf, dropDeadStores, privateVariables } from './propagate/drop-dead-stores.ts';
import { isDecay } from './propagate/known-values.ts';

export function propagateCopies(program: BoundedProgram, context: PassContext): BoundedProgram {
  const sharing = findShared(program, context);
  const accesses = program.threads.map((thread) => accessesOf(thread.function));
  const escaping = findEscaping(accesses, globalVariables(program));
  return mapThreads(program, ({ number, function: before }) => {
    const about = {
      isSteady: (symbol: VariableSymbol) => !sharing.isShared(number, symbol, 'read'),
      mayChange: (symbol: VariableSymbol) => escaping.has(symbol),
      isOurs: (symbol: VariableSymbol) => context.fresh.originalOf(symbol) === null,
    };
    const definition = new CopyPropagator(before, privateVariables(before, accesses[number]), about).run();
    return definition === before ? before : dropDeadStores(definition);
  });
}

/** Variables that an assignment through a pointer may change. */
function findEscaping(threads: readonly Accesses[], globals: readonly VariableSymbol[]): ReadonlySet<VariableSymbol> {
  const initial = newAccesses();
  for (const { initializer } of globals) {
    if (initializer) walkInitializer(initializer, { expression: (node) => addAccesses(node, initial) });
  }
  return new Set([initial, ...threads].flatMap(({ escapes }) => [...escapes]));
}

/** A private variable, and what it holds a copy of: a variable or a fixed part of one. */
type Copies = Map<VariableSymbol, { readonly source: Expression; readonly root: VariableSymbol }>;

interface AboutVariables {
  /** No other thread writes it. */
  readonly isSteady: (symbol: VariableSymbol) => boolean;
  /** An assignment through a pointer may change it. */
  readonly mayChange: (symbol: VariableSymbol) => boolean;
  /** It is not the user's. */
  readonly isOurs: (symbol: VariableSymbol) => boolean;
}

class CopyPropagator {
  readonly #definition: FunctionDefinition;
  readonly #about: AboutVariables;
  readonly #private: ReadonlySet<VariableSymbol>;
  readonly #treated = new Map<Statement, Statement>();
  #copies: Copies = new Map();

  constructor(definition: FunctionDefinition, among: ReadonlySet<VariableSymbol>, about: AboutVariables) {
    this.#definition = definition;
    this.#about = about;
    this.#private = among;
  }

  /** The definition itself if nothing is to be replaced. */
  run(): FunctionDefinition {
    const { body } = this.#definition;
    const items = this.#items(body.items);
    return items === body.items ? this.#definition : { ...this.#definition, body: { ...body, items } };
  }

  #items(items: readonly Statement[]): readonly Statement[] {
    const around = this.#copies;
    this.#copies = new Map();
    let isSame = true;
    const out = items.map((item) => {
      const treated = this.#statement(item);
      if (treated !== item) isSame = false;
      return treated;
    });
    this.#copies = around;
    return isSame ? items : out;
  }

  #statement(statement: Statement): Statement {
    switch (statement.kind) {
      case 'expression': {
        const expression = this.#effects(statement);
        return expression === statement.expression ? statement : { ...statement, expression };
      }
      case 'if': {
        const condition = this.#value(statement.condition);
        const treated = this.#once(statement, () => this.#branches(statement));
        this.#copies.clear();
        return treated.kind !== 'if' || condition === statement.condition ? treated : { ...treated, condition };
      }
      case 'block':
        this.#copies.clear();
        return this.#once(statement, () => this.#inside(statement));
      case 'declaration':
        return statement;
      default:
        this.#copies.clear();
        return statement;
    }
  }

  #once(statement: Statement, treat: () => Statement): Statement {
    const known = this.#treated.get(statement);
    if (known !== undefined) return known;
    const treated = treat();
    this.#treated.set(statement, treated);
    return treated;
  }

  #inside<S extends Extract<Statement, { kind: 'block' }>>(statement: S): S {
    const items = this.#items(statement.items);
    return items === statement.items ? statement : { ...statement, items };
  }

  #part(part: Statement): Statement {
    if (part.kind === 'block') return this.#inside(part);
    const [only] = this.#items([part]);
    return only ?? part;
  }

  /** The branches of a chain; conditions but the first are evaluated where nothing is known. */
  #branches(statement: Extract<Statement, { kind: 'if' }>): Statement {
    const { arms, last } = ifChain(statement);
    let otherwise = last && this.#part(last);
    for (let at = arms.length - 1; at >= 0; at--) {
      const arm = arms[at] as typeof statement;
      const then = this.#part(arm.then);
      otherwise = then === arm.then && otherwise === arm.otherwise ? arm : { ...arm, then, otherwise };
    }
    return otherwise as Statement;
  }

  // -------------------------------------------------------------- expressions

  #effects(statement: Extract<Statement, { kind: 'expression' }>): Expression {
    const { expression } = statement;
    if (expression.kind !== 'assignment') {
      return this.#isFilling(expression) ? expression : this.#value(expression);
    }
    const value = this.#value(expression.value);
    // A variable that is assigned is not read; other targets are found by what is read in them.
    const target = expression.target.kind === 'variable' ? expression.target : this.#value(expression.target);
    if (isCall(value)) this.#copies.clear();
    this.#forget(target);
    this.#note(target, value);
    return value === expression.value && target === expression.target ? expression : { ...expression, target, value };
  }

  /** Whether a primitive writes what its arguments name, which is then not known any more. */
  #isFilling(expression: Expression): boolean {
    const primitive = primitiveOf(expression);
    if (expression.kind !== 'builtin' || primitive === null) this.#copies.clear();
    else if (primitive === 'havoc' || primitive === 'zero') {
      for (const arg of expression.args) this.#forget(arg);
      return true;
    }
    return false;
  }

  /** Something is written there. */
  #forget(target: Expression): void {
    const symbol = rootOf(target);
    if (symbol !== null) this.#copies.delete(symbol);
    for (const [copy, { root }] of this.#copies) {
      if (symbol === null ? this.#about.mayChange(root) : root === symbol) this.#copies.delete(copy);
    }
  }

  #note(target: Expression, value: Expression): void {
    if (target.kind !== 'variable' || !this.#private.has(target.symbol) || !isScalar(target.type)) return;
    const root = fixedRoot(value);
    if (root === null || root === target.symbol) return;
    if (!sameType(unqualified(target.type), unqualified(value.type))) return;
    if (!this.#private.has(root) && !this.#about.isSteady(root)) return;
    this.#copies.set(target.symbol, { source: value, root });
  }

  #value(expression: Expression): Expression {
    if (this.#copies.size === 0) return expression;
    return mapExpression(expression, (node) => {
      if (node.kind !== 'variable') return node;
      const copy = this.#copies.get(node.symbol);
      if (copy === undefined) return node;
      // What a temporary stands for was read earlier: nobody should take this statement for that read.
      const loc = this.#about.isOurs(node.symbol) ? NOWHERE : node.loc;
      return mapExpression(copy.source, (part) => ({ ...part, loc }));
    });
  }
}

/** A call that stays can do anything. Its value may be converted. */
function isCall(value: Expression): boolean {
  let at = value;
  while (at.kind === 'cast') at = at.operand;
  return at.kind === 'call';
}

/** The variable that a value lies in, if it is a variable, a member or an element at a fixed place; null for others. */
function fixedRoot(value: Expression): VariableSymbol | null {
  let at = value;
  for (;;) {
    if (at.kind === 'variable') return at.symbol;
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'index' && isDecay(at.base) && isWithin(at.index, at.base.operand.type)) at = at.base.operand;
    else return null;
  }
}

function isWithin(index: Expression, type: Type): boolean {
  if (index.kind !== 'integer' || type.kind !== 'array' || typeof type.length !== 'number') return false;
  return index.value >= 0n && index.value < type.length;
}
