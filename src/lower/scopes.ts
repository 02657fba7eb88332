/**
 * Scopes: those of blocks and other nodes, and those of full expressions, in which their temporary objects live. A full
 * expression is one atomic step where statements are to be atomic.
 */

import type { Value } from '../program/code.ts';
import type { Expression } from '../program/tree.ts';
import { childrenOf } from '../program/visit-tree.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { isWorthASection } from './atomic-statements.ts';
import type { FunctionContext } from './context.ts';
import { lowerJump, lowerValue } from './expressions.ts';
import type { Label } from './function-builder.ts';
import { binary, INT, zeroOf } from './values.ts';

/** Opens a scope for a syntax node, or for a full expression (null). */
export function inScope(f: FunctionContext, node: object | null, end: Loc, body: () => void): void {
  f.builder.enterScope();
  f.scopeNodes.push(node);
  body();
  f.builder.leaveScope(end);
  f.scopeNodes.pop();
}

/** A full expression: its temporary objects end with it, and on demand it is one atomic step. */
export function inFullExpression(
  f: FunctionContext,
  expressions: readonly Expression[],
  loc: Loc,
  body: () => void,
): void {
  const isSection =
    f.program.options.atomicStatements && expressions.some((expression) => isWorthASection(f, expression));
  if (isSection) f.builder.emit({ kind: 'atomic-begin', loc });
  inScope(f, null, loc, body);
  if (isSection) f.builder.emit({ kind: 'atomic-end', loc });
}

/**
 * Branches on a condition as a full expression: falls through when it holds, goes to the label otherwise (or the other
 * way round).
 */
export function lowerCondition(f: FunctionContext, condition: Expression, label: Label, jumpIf: boolean): void {
  const { builder } = f;
  const isSection = f.program.options.atomicStatements && isWorthASection(f, condition);
  const before = builder.scopes.length;
  if (!isSection && !needsScope(condition)) {
    lowerJump(f, condition, label, jumpIf);
    invariant(builder.scopes.length === before, 'conditions leave no scope open');
    return;
  }
  // The value is kept, so that temporary objects end and the section ends before the branch.
  let value: Value = zeroOf(INT);
  inFullExpression(f, [condition], condition.loc, () => {
    value = builder.keep(lowerValue(f, condition), condition.loc);
  });
  builder.branch(
    jumpIf ? binary('eq', value, zeroOf(value.type)) : binary('ne', value, zeroOf(value.type)),
    label,
    condition.loc,
  );
}

/** Expressions that make no temporary objects themselves. */
const PLAIN: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  ...(['integer', 'float', 'string', 'variable', 'function'] as const),
  ...(['unary', 'cast', 'address', 'dereference', 'member', 'index'] as const),
  ...(['increment', 'assignment', 'compound-assignment'] as const),
  ...(['comparison', 'arithmetic', 'logical'] as const),
]);

/** Whether evaluating a condition may make temporary objects: only calls do. */
function needsScope(expression: Expression): boolean {
  if (expression.kind !== 'call') return !PLAIN.has(expression.kind) || childrenOf(expression).some(needsScope);
  const { type, args } = expression;
  const isRecord = type.kind === 'record' || args.some((arg) => arg.type.kind === 'record');
  return isRecord || args.some(needsScope) || isVariadic(expression);
}

function isVariadic(call: Extract<Expression, { kind: 'call' }>): boolean {
  const type = call.callee.type.kind === 'pointer' ? call.callee.type.target : call.callee.type;
  return type.kind !== 'function' || type.variadic;
}
