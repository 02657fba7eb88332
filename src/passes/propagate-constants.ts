/**
 * Values that are known in the bounded program. All jumps go forward, so that one walk over a thread finds for each place which private
 * variables (and elements and members of private aggregates) hold a literal or a fixed address there. These take the place of
 * the variables; branches that they decide go, and so does what no control reaches. Numbers of threads become known in this
 * way, counters of loops, and the objects that the models work on.
 *
 * Afterwards, assignments to private variables that nothing reads are dropped.
 */

import { type Accesses, addStatement, newAccesses } from '../analysis/sharing.ts';
import { block, cast, expressionStatement } from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { simplifyAccess } from '../program/substitute.ts';
import type {
  Expression,
  FunctionDefinition,
  LabelSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../program/tree.ts';
import { isScalar, sameType, unqualified, voidType } from '../program/type-operations.ts';
import { childrenOf, ifChain, itemsOf, mapBlock, mapChildren, walkPlainStatements } from '../program/visit-tree.ts';
import { foldNode, truthOf } from './fold-constants.ts';
import type { PassContext } from './pass.ts';
import { primitiveCall, primitiveOf } from './primitives.ts';

export function propagateConstants(program: Program, _context: PassContext): Program {
  const items = program.items.map((item): TopLevelItem => {
    if (item.kind !== 'function') return item;
    const propagated = new Propagator(item.definition, program.dataModel).run();
    return { ...item, definition: dropDeadStores(propagated) };
  });
  return { ...program, items };
}

/** What is known: the value at each place, by `placeKey`. null where control does not come. */
type Environment = ReadonlyMap<string, Expression>;

class Propagator {
  readonly #definition: FunctionDefinition;
  readonly #model: DataModel;
  readonly #private: ReadonlySet<VariableSymbol>;
  #known: Map<string, Expression> | null = new Map();
  readonly #atLabel = new Map<LabelSymbol, Environment>();

  constructor(definition: FunctionDefinition, model: DataModel) {
    this.#definition = definition;
    this.#model = model;
    this.#private = privateVariables(definition);
  }

  run(): FunctionDefinition {
    const { body } = this.#definition;
    return { ...this.#definition, body: block(this.#items(body.items), body.loc, body.endLoc) };
  }

  #items(items: readonly Statement[]): Statement[] {
    return items.flatMap((item) => (this.#known === null && !hasLabels([item]) ? [] : this.#statement(item)));
  }

  #statement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case 'expression':
        return this.#known === null ? [] : this.#expressionStatement(statement);
      case 'block':
        return [{ ...statement, items: this.#items(statement.items) }];
      case 'if':
        return this.#if(statement);
      case 'goto':
        if (this.#known !== null) this.#arrive(statement.label, this.#known);
        this.#known = null;
        return [statement];
      case 'label': {
        if (this.#known !== null) this.#arrive(statement.label, this.#known);
        const here = this.#atLabel.get(statement.label);
        this.#known = here ? new Map(here) : null;
        return here ? [statement] : [];
      }
      default:
        return [statement];
    }
  }

  /** What is known at a label is what is known on every way to it. */
  #arrive(label: LabelSymbol, known: Environment): void {
    const before = this.#atLabel.get(label);
    this.#atLabel.set(label, before ? meet(before, known) : new Map(known));
  }

  #expressionStatement(statement: Extract<Statement, { kind: 'expression' }>): readonly Statement[] {
    const { expression } = statement;
    if (expression.kind === 'assignment') return [{ ...statement, expression: this.#assignment(expression) }];
    const replaced = this.#value(expression);
    const primitive = primitiveOf(replaced);
    if (replaced.kind === 'builtin' && (primitive === 'havoc' || primitive === 'zero')) {
      for (const arg of replaced.args) this.#forget(arg);
    }
    if (replaced.kind === 'builtin' && (primitive === 'assume' || primitive === 'assert')) {
      const decided = truthOf(replaced.args[0] as Expression, this.#model);
      if (decided === true) return [];
      if (decided === false && primitive === 'assume') this.#known = null;
    }
    if (primitive === 'halt') this.#known = null;
    return [{ ...statement, expression: replaced }];
  }

  #assignment(expression: Extract<Expression, { kind: 'assignment' }>): Expression {
    const value = this.#value(expression.value);
    const target = this.#place(expression.target);
    this.#forget(target);
    const key = placeKey(target, this.#private);
    if (key !== null && isScalar(target.type) && isKnownValue(value) && hasTypeOf(value, target)) {
      this.#known?.set(key, value);
    }
    return { ...expression, target, value };
  }

  /** A write to this place: what lies in it, around it or perhaps beside it is no longer known. */
  #forget(lvalue: Expression): void {
    const key = placeKey(lvalue, this.#private);
    const root = rootKey(lvalue);
    if (root === null || this.#known === null) return;
    if (key !== null && isScalar(lvalue.type)) {
      this.#known.delete(key);
      return;
    }
    for (const other of this.#known.keys())
      if (other === root || other.startsWith(`${root}/`)) this.#known.delete(other);
  }

  // -------------------------------------------------------------- expressions

  #value(expression: Expression): Expression {
    switch (expression.kind) {
      case 'variable':
      case 'member':
      case 'index': {
        const place = this.#place(expression);
        const key = placeKey(place, this.#private);
        return (key !== null && this.#known?.get(key)) || place;
      }
      case 'dereference':
        return this.#place(expression);
      case 'address':
        return simplifyAccess({ ...expression, operand: this.#place(expression.operand) });
      case 'cast':
        if (expression.castKind !== 'array-to-pointer') break;
        return { ...expression, operand: this.#place(expression.operand) };
      case 'builtin': {
        const primitive = primitiveOf(expression);
        if (primitive === 'havoc' || primitive === 'zero') return mapChildren(expression, (arg) => this.#place(arg));
        break;
      }
      default:
        break;
    }
    return foldNode(
      mapChildren(expression, (child) => this.#value(child)),
      this.#model,
    );
  }

  #place(lvalue: Expression): Expression {
    switch (lvalue.kind) {
      case 'member':
        return { ...lvalue, object: this.#place(lvalue.object) };
      case 'index':
      case 'dereference':
        return simplifyAccess(mapChildren(lvalue, (child) => this.#value(child)));
      default:
        return lvalue;
    }
  }

  // -------------------------------------------------------------- branches

  #if(statement: Extract<Statement, { kind: 'if' }>): readonly Statement[] {
    const { arms, last } = ifChain(statement);
    const built: { arm: Extract<Statement, { kind: 'if' }>; condition: Expression; then: Statement[] }[] = [];
    const ends: Environment[] = [];
    const branch = (part: Statement, from: Environment | null): Statement[] => {
      this.#known = from && new Map(from);
      const items = this.#items(itemsOf(part));
      if (this.#known) ends.push(this.#known);
      return items;
    };
    let otherwise: Statement[] | null = null;
    for (const arm of arms) {
      const before: Environment | null = this.#known;
      const condition = before ? this.#value(arm.condition) : arm.condition;
      const decided = before ? truthOf(condition, this.#model) : false;
      if (decided === false && !hasLabels([arm.then])) continue;
      const then = branch(arm.then, decided === false ? null : before);
      this.#known = before && new Map(before);
      if (decided === true && !(arm.otherwise && hasLabels([arm.otherwise]))) {
        otherwise = then;
        this.#known = null;
        break;
      }
      built.push({ arm, condition, then });
      if (decided === true) this.#known = null;
    }
    if (otherwise === null) {
      if (last) otherwise = branch(last, this.#known);
      else if (this.#known) ends.push(this.#known);
    }
    const [first, ...rest] = ends;
    this.#known = first ? new Map(rest.reduce(meet, first)) : null;
    return rebuildIf(built, otherwise ?? []);
  }
}

function rebuildIf(
  built: readonly { arm: Extract<Statement, { kind: 'if' }>; condition: Expression; then: Statement[] }[],
  last: Statement[],
): Statement[] {
  let otherwise = last;
  for (const { arm, condition, then } of built.toReversed()) {
    if (then.length === 0 && otherwise.length === 0) continue;
    const [only] = otherwise;
    const isChain = otherwise.length === 1 && only?.kind === 'if';
    const other = otherwise.length === 0 ? null : isChain ? (only ?? null) : block(otherwise, arm.loc);
    otherwise = [{ ...arm, condition, then: block(then, arm.then.loc), otherwise: other }];
  }
  return otherwise;
}

function meet(left: Environment, right: Environment): Environment {
  const both = new Map<string, Expression>();
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other && sameValue(value, other)) both.set(key, value);
  }
  return both;
}

function sameValue(left: Expression, right: Expression): boolean {
  if (left === right) return true;
  if (left.kind === 'integer' && right.kind === 'integer') return left.value === right.value;
  if (left.kind === 'cast' && right.kind === 'cast') {
    return (
      left.castKind === right.castKind && sameType(left.type, right.type) && sameValue(left.operand, right.operand)
    );
  }
  if (left.kind === 'address' && right.kind === 'address') return samePlace(left.operand, right.operand);
  if (left.kind === 'function' && right.kind === 'function') return left.symbol === right.symbol;
  return left.kind === 'variable' && right.kind === 'variable' && left.symbol === right.symbol;
}

function samePlace(left: Expression, right: Expression): boolean {
  if (left.kind === 'variable' && right.kind === 'variable') return left.symbol === right.symbol;
  if (left.kind === 'member' && right.kind === 'member')
    return left.field === right.field && samePlace(left.object, right.object);
  if (left.kind === 'index' && right.kind === 'index') {
    return sameValue(left.index, right.index) && sameValue(left.base, right.base);
  }
  return false;
}

// ---------------------------------------------------------------- places

function privateVariables(definition: FunctionDefinition): Set<VariableSymbol> {
  const accesses: Accesses = newAccesses();
  addStatement(definition.body, accesses);
  const result = new Set<VariableSymbol>();
  walkPlainStatements(definition.body, (statement) => {
    if (statement.kind !== 'declaration' || statement.item.kind !== 'variable') return;
    const { symbol } = statement.item;
    if (!accesses.escapes.has(symbol)) result.add(symbol);
  });
  return result;
}

/** A name for a place in a private variable that the text fixes; null for others. */
function placeKey(lvalue: Expression, among: ReadonlySet<VariableSymbol>): string | null {
  const parts: string[] = [];
  let at = lvalue;
  for (;;) {
    if (at.kind === 'variable') {
      return among.has(at.symbol) ? [`${at.symbol.id}`, ...parts.reverse()].join('/') : null;
    }
    if (at.kind === 'member') {
      const { type } = at.object;
      if (type.kind !== 'record' || type.declaration.isUnion || at.field.bits) return null;
      parts.push(`${at.field.offset}`);
      at = at.object;
    } else if (at.kind === 'index' && at.index.kind === 'integer' && isDecay(at.base)) {
      parts.push(`${at.index.value}`);
      at = at.base.operand;
    } else return null;
  }
}

/** The variable that a place lies in, as the first part of its key; null behind a pointer. */
function rootKey(lvalue: Expression): string | null {
  let at = lvalue;
  for (;;) {
    if (at.kind === 'variable') return `${at.symbol.id}`;
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'index' && isDecay(at.base)) at = at.base.operand;
    else return null;
  }
}

function isDecay(expression: Expression): expression is Extract<Expression, { kind: 'cast' }> {
  return expression.kind === 'cast' && expression.castKind === 'array-to-pointer';
}

function hasTypeOf(value: Expression, target: Expression): boolean {
  return sameType(unqualified(value.type), unqualified(target.type));
}

/** Literals and fixed addresses. */
function isKnownValue(value: Expression): boolean {
  switch (value.kind) {
    case 'integer':
    case 'float':
    case 'function':
      return true;
    case 'cast':
      return value.castKind === 'array-to-pointer' ? isFixedPlace(value.operand) : isKnownValue(value.operand);
    case 'address':
      return isFixedPlace(value.operand);
    default:
      return false;
  }
}

function isFixedPlace(lvalue: Expression): boolean {
  let at = lvalue;
  for (;;) {
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'index' && at.index.kind === 'integer' && isDecay(at.base)) at = at.base.operand;
    else return at.kind === 'variable' || at.kind === 'string';
  }
}

function hasLabels(items: readonly Statement[]): boolean {
  let found = false;
  for (const item of items) {
    walkPlainStatements(item, ({ kind }) => {
      if (kind === 'label') found = true;
    });
  }
  return found;
}

// ---------------------------------------------------------------- dead stores

function dropDeadStores(definition: FunctionDefinition): FunctionDefinition {
  let current = definition;
  // Dropping a store can leave another without a reader; a few rounds do nearly all.
  for (let round = 0; round < 3; round++) {
    const accesses = newAccesses();
    addStatement(current.body, accesses);
    const isPrivate = privateVariables(current);
    const isDead = (symbol: VariableSymbol) => isPrivate.has(symbol) && !accesses.reads.has(symbol);
    let dropped = 0;
    const body = mapBlock(current.body, {
      expression: (expression) => expression,
      statement: (statement) => {
        const kept = withoutDeadStore(statement, isDead);
        if (kept.length !== 1 || kept[0] !== statement) dropped++;
        return kept;
      },
    });
    if (dropped === 0) return current;
    current = { ...current, body };
  }
  return current;
}

/** The statement, or what is left of it when nobody reads what it assigns. */
function withoutDeadStore(statement: Statement, isDead: (symbol: VariableSymbol) => boolean): readonly Statement[] {
  if (statement.kind !== 'expression') return [statement];
  const { expression, loc } = statement;
  if (expression.kind === 'builtin') {
    const primitive = primitiveOf(expression);
    const [target] = expression.args;
    const isFilled = (primitive === 'havoc' || primitive === 'zero') && target?.kind === 'variable';
    return isFilled && isDead(target.symbol) ? [] : [statement];
  }
  if (expression.kind !== 'assignment') return [statement];
  let at = expression.target;
  while (at.kind === 'member' || (at.kind === 'index' && isDecay(at.base))) {
    at = at.kind === 'member' ? at.object : (at.base as Extract<Expression, { kind: 'cast' }>).operand;
  }
  if (at.kind !== 'variable' || !isDead(at.symbol)) return [statement];
  const call = primitiveCall(statement);
  if (call !== null && call.primitive !== 'nondet') return [statement];
  if (call !== null || !followsPointers(expression.value)) return [];
  return [expressionStatement(cast(expression.value, voidType, 'to-void', loc, false), loc)];
}

/** Reading through a pointer can fail, so it stays. */
function followsPointers(expression: Expression): boolean {
  const stack: Expression[] = [expression];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'dereference' || (at.kind === 'index' && !isDecay(at.base))) return true;
    stack.push(...childrenOf(at));
  }
  return false;
}
