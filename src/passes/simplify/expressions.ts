/**
 * Expressions without side effects. `simplifyValue` returns an expression that only computes, after emitting the
 * statements that do the rest, from left to right; C leaves most orders open, and this is one of those it allows. Where
 * an operand was computed before a later one has an effect, its value is kept in a temporary.
 */

import {
  arithmetic,
  assign,
  cast,
  converted,
  expressionStatement,
  ifStatement,
  integer,
  negated,
  pointerOffset,
  truth,
  variable,
} from '../../program/build-tree.ts';
import { atomicBegin, atomicEnd, PRIMITIVES, primitiveOf } from '../../program/primitives.ts';
import type { Expression, Statement } from '../../program/tree.ts';
import { isBool, isInteger, promoted, unqualified } from '../../program/type-operations.ts';
import { QUALIFIER_ATOMIC } from '../../program/types.ts';
import { leftOperand, mapChildren } from '../../program/visit-tree.ts';
import { assertNever, InvariantError, invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { initializerAssignments } from '../initializer-assignments.ts';
import { simplifyBuiltin } from './builtins.ts';
import { isInHalves, readInHalves } from './halves.ts';
import type { Simplifier } from './simplifier.ts';
import { simplifyStatement } from './statements.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

// ---------------------------------------------------------------- values

/**
 * An expression without side effects that has the value; while statements are split, with at most one shared access.
 */
export function simplifyValue(s: Simplifier, expression: Expression): Expression {
  // Along the left operands with a loop: sums can be long.
  const spine: Expression[] = [];
  let at = expression;
  for (let next = leftOperand(at); next !== null && at.kind !== 'comma'; next = leftOperand(at)) {
    spine.push(at);
    at = next;
  }
  let value = simplifyOperand(s, at);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) value = simplifyBinary(s, node, value);
  return value;
}

function simplifyOperand(s: Simplifier, expression: Expression): Expression {
  switch (expression.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'function':
      return expression;
    case 'variable':
    case 'dereference':
    case 'index':
    case 'member':
    case 'compound-literal':
      return readPlace(s, simplifyPlace(s, expression));
    case 'address': {
      const operand = simplifyPlace(s, expression.operand);
      return operand.kind === 'dereference' ? operand.operand : { ...expression, operand };
    }
    case 'unary':
      return { ...expression, operand: simplifyValue(s, expression.operand) };
    case 'cast':
      return simplifyCast(s, expression);
    case 'pointer-difference': {
      const [left, right] = simplifyList(s, [expression.left, expression.right]) as [Expression, Expression];
      return { ...expression, left, right };
    }
    case 'conditional':
      return simplifyConditional(s, expression);
    case 'comma':
      simplifyEffects(s, expression.left);
      return simplifyValue(s, expression.right);
    case 'assignment':
      return simplifyAssignment(s, expression, true) as Expression;
    case 'compound-assignment':
    case 'increment':
      return simplifyUpdate(s, expression, true) as Expression;
    case 'call': {
      const call = simplifyCall(s, expression);
      return saveCall(s, call);
    }
    case 'builtin':
      return simplifyBuiltin(s, expression);
    case 'statement-expression':
      return simplifyStatementExpression(s, expression) ?? integer(0, expression.loc);
    case 'arithmetic':
    case 'pointer-offset':
    case 'comparison':
    case 'logical':
      throw new Error('left operands are taken by the caller');
    case 'va-arg':
      return simplifyVariableArgument(s, expression);
    case 'variable-size':
    case 'label-address':
      throw new InvariantError('hoisting has put numbers in their place');
    default:
      return assertNever(expression);
  }
}

function readPlace(s: Simplifier, place: Expression): Expression {
  return isInHalves(s, place) ? readInHalves(s, place) : place;
}

/** A list that others may touch is read, and written when it has moved on. */
function simplifyVariableArgument(s: Simplifier, expression: Of<'va-arg'>): Expression {
  const { loc, type } = expression;
  const place = simplifyPlace(s, expression.list);
  const result = s.newTemporary(type, loc);
  if (!s.isSharedPlace(place)) {
    s.emit(assign(result, { ...expression, list: place }, loc));
    return result;
  }
  const to = s.stabilise(place);
  const list = s.newTemporary(to.type, loc);
  s.emit(assign(list, to, loc), assign(result, { ...expression, list }, loc), assign(to, list, loc));
  return result;
}

/** A call's result in a temporary, or nothing for void. */
function saveCall(s: Simplifier, call: Expression): Expression {
  if (call.type.kind === 'void') {
    s.emit(expressionStatement(call));
    return cast(integer(0, call.loc), call.type, 'to-void', call.loc);
  }
  const temporary = s.newTemporary(call.type, call.loc);
  s.emit(assign(temporary, call, call.loc));
  return temporary;
}

function simplifyCast(s: Simplifier, expression: Of<'cast'>): Expression {
  const { castKind, operand } = expression;
  if (castKind === 'array-to-pointer' || castKind === 'function-to-pointer') {
    return { ...expression, operand: simplifyPlace(s, operand) };
  }
  if (castKind === 'to-void') {
    simplifyEffects(s, operand);
    return { ...expression, operand: integer(0, expression.loc) };
  }
  const value = simplifyValue(s, operand);
  // A number of the same type by another name.
  if (castKind === 'qualification' && isInteger(expression.type)) return value;
  return { ...expression, operand: value };
}

/** Operands in order: what a later one does must not change an earlier one, nor may two of them touch shared memory. */
export function simplifyList(s: Simplifier, operands: readonly Expression[], separately = false): Expression[] {
  let values: Expression[] = [];
  for (const operand of operands) {
    const { value, statements } = s.collect(() => simplifyValue(s, operand));
    const shared = s.splits && !separately && s.count(value) > 0;
    values = values.map((earlier) => {
      const mustSave = !s.isUnaffected(earlier, statements) || (shared && s.count(earlier) > 0);
      return mustSave ? s.save(earlier) : earlier;
    });
    s.emitAll(statements);
    values.push(value);
  }
  return values;
}

/** The node with its left operand already simplified. */
function simplifyBinary(s: Simplifier, node: Expression, left: Expression): Expression {
  if (node.kind === 'logical') return simplifyLogical(s, node, left);
  const right = node.kind === 'pointer-offset' ? node.offset : (node as Of<'arithmetic'>).right;
  const { value, statements } = s.collect(() => simplifyValue(s, right));
  const collide = s.splits && s.count(left) > 0 && s.count(value) > 0;
  const first = collide || !s.isUnaffected(left, statements) ? s.save(left) : left;
  s.emitAll(statements);
  if (node.kind === 'pointer-offset') return { ...node, pointer: first, offset: value };
  invariant(node.kind === 'arithmetic' || node.kind === 'comparison', 'a binary operator');
  return { ...node, left: first, right: value };
}

/** `a && b` stays when `b` has no effect and the two make at most one shared access; otherwise it becomes an `if`. */
function simplifyLogical(s: Simplifier, node: Of<'logical'>, left: Expression): Expression {
  const { value: right, statements } = s.collect(() => simplifyValue(s, node.right));
  const collide = s.splits && s.count(left) > 0 && s.count(right) > 0;
  if (statements.length === 0 && !collide) return { ...node, left, right };
  const { loc } = node;
  const result = s.newTemporary(node.type, loc);
  s.emit(assign(result, truth(left), loc));
  const condition = node.operator === '&&' ? result : negated(result, loc);
  s.emit(ifStatement(condition, [...statements, assign(result, truth(right), loc)], null, loc));
  return result;
}

function simplifyConditional(s: Simplifier, expression: Of<'conditional'>): Expression {
  const { loc, type } = expression;
  let condition = simplifyValue(s, expression.condition);
  if (expression.then === null) condition = s.save(condition);
  const then = s.collect(() =>
    expression.then === null ? converted(condition, type) : simplifyValue(s, expression.then),
  );
  const otherwise = s.collect(() => simplifyValue(s, expression.otherwise));
  const isPure = then.statements.length === 0 && otherwise.statements.length === 0;
  const shared = s.count(condition) + s.count(then.value) + s.count(otherwise.value);
  // A record in shared memory is read in parts.
  const limit = type.kind === 'record' ? 0 : 1;
  if (isPure && (!s.splits || shared <= limit) && type.kind !== 'void') {
    return { ...expression, condition, then: then.value, otherwise: otherwise.value };
  }
  if (type.kind === 'void') {
    s.emit(ifStatement(condition, then.statements, otherwise.statements, loc));
    return cast(integer(0, loc), type, 'to-void', loc);
  }
  const result = s.newTemporary(type, loc);
  const ending = (value: Expression) => s.collect(() => s.store(result, value, loc)).statements;
  s.emit(
    ifStatement(
      condition,
      [...then.statements, ...ending(then.value)],
      [...otherwise.statements, ...ending(otherwise.value)],
      loc,
    ),
  );
  return result;
}

function simplifyStatementExpression(s: Simplifier, expression: Of<'statement-expression'>): Expression | null {
  const { items } = expression.body;
  const last = items[items.length - 1];
  const hasValue = last?.kind === 'expression' && expression.type.kind !== 'void';
  for (const item of hasValue ? items.slice(0, -1) : items) simplifyStatement(s, item);
  return hasValue ? s.save(simplifyValue(s, last.expression)) : null;
}

// ---------------------------------------------------------------- places

/**
 * An lvalue that can be read or written without further effects. When it is shared, finding it touches nothing shared.
 */
export function simplifyPlace(s: Simplifier, lvalue: Expression): Expression {
  switch (lvalue.kind) {
    case 'variable':
    case 'string':
    case 'function':
      return lvalue;
    case 'member':
      return { ...lvalue, object: simplifyPlace(s, lvalue.object) };
    case 'dereference':
      return { ...lvalue, operand: settled(s, simplifyValue(s, lvalue.operand)) };
    case 'index':
      return simplifyIndex(s, lvalue);
    case 'compound-literal': {
      const symbol = s.context.literals.get(lvalue.symbol) ?? lvalue.symbol;
      const target = variable(symbol, lvalue.loc);
      const { initializer } = lvalue.symbol;
      if (initializer) {
        for (const statement of initializerAssignments(target, initializer, lvalue.loc))
          simplifyStatement(s, statement);
      }
      return target;
    }
    case 'cast':
      if (lvalue.castKind === 'qualification') return simplifyPlace(s, lvalue.operand);
      return materialized(s, lvalue);
    default:
      // A member of what a function returns, of an assignment's value, and the like.
      return materialized(s, lvalue);
  }
}

function materialized(s: Simplifier, rvalue: Expression): Expression {
  const value = simplifyValue(s, rvalue);
  if (value.kind === 'variable') return value;
  const temporary = s.newTemporary(value.type, value.loc);
  s.store(temporary, value, value.loc);
  return temporary;
}

/** A pointer about to be followed: read from shared memory in a step of its own. */
function settled(s: Simplifier, pointer: Expression): Expression {
  return s.splits && s.count(pointer) > 0 ? s.save(pointer) : pointer;
}

function simplifyIndex(s: Simplifier, node: Of<'index'>): Expression {
  const base = simplifyValue(s, node.base);
  const { value: index, statements } = s.collect(() => simplifyValue(s, node.index));
  const place: Expression = { ...node, base, index };
  const isShared = s.splits && s.isSharedPlace(place);
  const collide = isShared || (s.splits && s.count(base) > 0 && s.count(index) > 0);
  const first = (collide && s.count(base) > 0) || !s.isUnaffected(base, statements) ? s.saveBase(base) : base;
  s.emitAll(statements);
  return { ...node, base: first, index: isShared && s.count(index) > 0 ? s.save(index) : index };
}

// ---------------------------------------------------------------- assignments

/** Emits the assignment. The value, when it is wanted, is stable. */
function simplifyAssignment(s: Simplifier, expression: Of<'assignment'>, wantsValue: boolean): Expression | null {
  const { loc } = expression;
  let target = simplifyPlace(s, expression.target);
  const direct = wantsValue ? null : directSource(s, target, expression.value);
  if (direct) {
    s.store(target, simplifySource(s, direct), loc);
    return null;
  }
  const { value, statements } = s.collect(() => simplifyValue(s, expression.value));
  if (statements.length > 0 && !s.isStablePlace(target) && !isPlaceUnaffected(s, target, statements)) {
    target = s.stabilise(target);
  }
  s.emitAll(statements);
  return emitAssignment(s, target, value, wantsValue, loc);
}

function isPlaceUnaffected(s: Simplifier, target: Expression, statements: readonly Statement[]): boolean {
  return s.isUnaffected({ kind: 'address', operand: target, type: target.type, loc: target.loc }, statements);
}

/** A call whose result can go straight into a private variable; a nondeterministic value can go anywhere. */
function directSource(s: Simplifier, target: Expression, value: Expression): Of<'call'> | Of<'builtin'> | null {
  if (value.kind === 'builtin' && value.name === PRIMITIVES.nondet) return value;
  if (target.kind !== 'variable' || s.isSharedPlace(target)) return null;
  if (value.kind === 'call') return value;
  return value.kind === 'builtin' && primitiveOf(value) ? value : null;
}

function simplifySource(s: Simplifier, source: Of<'call'> | Of<'builtin'>): Expression {
  if (source.kind === 'call') return simplifyCall(s, source);
  return { ...source, args: simplifyList(s, source.args) };
}

function emitAssignment(
  s: Simplifier,
  target: Expression,
  value: Expression,
  wantsValue: boolean,
  loc: Loc,
): Expression | null {
  const collide = s.splits && s.isSharedPlace(target) && s.count(value) > 0 && !s.copiesInParts(target, value);
  const kept = collide || wantsValue ? s.save(value) : value;
  s.store(target, kept, loc);
  if (!wantsValue) return null;
  const isBitField = target.kind === 'member' && target.field.bits !== null;
  return isBitField ? s.save(target) : kept;
}

/** `x op= v`, `++x`, `x++`: a read and a write, in one atomic section when the object is atomic. */
function simplifyUpdate(
  s: Simplifier,
  expression: Of<'compound-assignment'> | Of<'increment'>,
  wantsValue: boolean,
): Expression | null {
  const { loc } = expression;
  let target = simplifyPlace(s, expression.target);
  const operand = s.collect(() =>
    expression.kind === 'increment' ? integer(1, loc) : simplifyValue(s, expression.value),
  );
  if (!s.isStablePlace(target)) target = s.stabilise(target);
  s.emitAll(operand.statements);
  const isAtomic = (expression.target.type.qualifiers & QUALIFIER_ATOMIC) !== 0;
  const split = s.splits && s.isSharedPlace(target);
  const step = split || isAtomic ? s.save(operand.value) : operand.value;
  if (isAtomic) s.emit(atomicBegin(loc, s.context.options.seeks === 'race' ? 'operation' : null));
  const isPostfix = expression.kind === 'increment' && !expression.isPrefix;
  const wantsOld = wantsValue && isPostfix;
  const old = split || isAtomic || wantsOld ? saveRead(s, target) : target;
  const next = converted(updated(expression, old, step), unqualified(target.type));
  const kept = wantsValue && !isPostfix ? s.save(next) : next;
  s.store(target, kept, loc);
  if (isAtomic) s.emit(atomicEnd(loc));
  if (!wantsValue) return null;
  return isPostfix ? old : kept;
}

function saveRead(s: Simplifier, target: Expression): Expression {
  if (isInHalves(s, target)) return s.save(readInHalves(s, target));
  const temporary = s.newTemporary(target.type, target.loc);
  s.emit(assign(temporary, target, target.loc));
  return temporary;
}

function updated(
  expression: Of<'compound-assignment'> | Of<'increment'>,
  old: Expression,
  step: Expression,
): Expression {
  const { loc } = expression;
  const { type } = old;
  if (expression.kind === 'increment') {
    const operator = expression.operator === '++' ? '+' : '-';
    if (type.kind === 'pointer') return pointerOffset(operator, old, step, loc);
    if (isBool(type)) return operator === '+' ? integer(1, loc) : negated(old, loc);
    const computation = type.kind === 'float' ? unqualified(type) : promoted(type);
    return arithmetic(operator, converted(old, computation), converted(step, computation), loc);
  }
  const { operator, computation } = expression;
  if (type.kind === 'pointer') {
    invariant(operator === '+' || operator === '-', 'an offset of a pointer');
    return pointerOffset(operator, old, step, loc);
  }
  return arithmetic(operator, converted(old, computation), step, loc);
}

// ---------------------------------------------------------------- calls and effects

/** The call with simplified operands; the caller makes a statement of it. */
export function simplifyCall(s: Simplifier, call: Of<'call'>): Expression {
  const isDirect = call.callee.kind === 'function';
  const operands = isDirect ? call.args : [call.callee, ...call.args];
  // Arguments become assignments to parameters, one after the other: each may touch shared memory.
  const values = simplifyList(s, operands, true);
  const callee = isDirect ? call.callee : s.save(values.shift() as Expression);
  return { ...call, callee, args: values.map((value) => s.fetched(value)) };
}

/** Emits what the expression does; its value is not needed. */
export function simplifyEffects(s: Simplifier, expression: Expression): void {
  switch (expression.kind) {
    case 'assignment':
      simplifyAssignment(s, expression, false);
      break;
    case 'compound-assignment':
    case 'increment':
      simplifyUpdate(s, expression, false);
      break;
    case 'call':
      s.emit(expressionStatement(simplifyCall(s, expression)));
      break;
    case 'comma': {
      const parts: Expression[] = [];
      let at: Expression = expression;
      for (; at.kind === 'comma'; at = at.left) parts.push(at.right);
      simplifyEffects(s, at);
      for (const part of parts.reverse()) simplifyEffects(s, part);
      break;
    }
    case 'cast':
      simplifyEffects(s, expression.operand);
      break;
    case 'conditional':
      simplifyEffectsOfConditional(s, expression);
      break;
    case 'logical': {
      const condition = simplifyValue(s, expression.left);
      const { statements } = s.collect(() => simplifyEffects(s, expression.right));
      const guard = expression.operator === '&&' ? condition : negated(condition, expression.loc);
      if (statements.length > 0) s.emit(ifStatement(guard, statements, null, expression.loc));
      break;
    }
    case 'statement-expression':
      for (const item of expression.body.items) simplifyStatement(s, item);
      break;
    case 'variable':
    case 'integer':
    case 'float':
    case 'string':
    case 'function':
      break;
    case 'builtin':
      simplifyBuiltin(s, expression);
      break;
    default:
      // Nothing happens at the top; something may below it.
      mapChildren(expression, (child) => {
        simplifyEffects(s, child);
        return child;
      });
  }
}

function simplifyEffectsOfConditional(s: Simplifier, expression: Of<'conditional'>): void {
  const condition = simplifyValue(s, expression.condition);
  const { then: thenPart } = expression;
  const then = s.collect(() => thenPart && simplifyEffects(s, thenPart)).statements;
  const otherwise = s.collect(() => simplifyEffects(s, expression.otherwise)).statements;
  if (then.length === 0 && otherwise.length === 0) return;
  if (then.length === 0) s.emit(ifStatement(negated(condition, expression.loc), otherwise, null, expression.loc));
  else s.emit(ifStatement(condition, then, otherwise, expression.loc));
}
