/**
 * The number of iterations of a loop like `for (i = 0; i < 10; i++)`: a private counter that starts at a constant, is
 * compared with a constant, moves by a constant, and is not assigned in the body. A loop that is left early has this
 * many at most.
 */

import type { DataModel } from '../../program/data-model.ts';
import { evaluateInteger } from '../../program/evaluate-constant.ts';
import type { ComparisonOperator, Expression, Statement, VariableSymbol } from '../../program/tree.ts';
import { walkStatement } from '../../program/visit-tree.ts';

type For = Extract<Statement, { kind: 'for' }>;

/** Larger counts are not worth knowing: nobody wants so many copies. */
const COUNT_LIMIT = 100_000n;

export function findTripCount(loop: For, model: DataModel): number | null {
  const [init] = loop.init;
  if (loop.init.length !== 1 || init?.kind !== 'expression' || init.expression.kind !== 'assignment') return null;
  const counter = privateVariable(init.expression.target);
  const start = evaluateInteger(init.expression.value, model);
  if (!counter || start === null || !loop.condition || !loop.step) return null;
  const bound = findBound(loop.condition, counter, model);
  const step = findStep(loop.step, counter, model);
  if (!bound || step === null || step === 0n || isAssigned(loop.body, counter)) return null;
  return countIterations(start, bound.operator, bound.limit, step);
}

function privateVariable(expression: Expression): VariableSymbol | null {
  if (expression.kind !== 'variable') return null;
  const { symbol } = expression;
  return symbol.duration === 'automatic' && !symbol.addressTaken ? symbol : null;
}

function isCounter(expression: Expression, counter: VariableSymbol): boolean {
  let at = expression;
  while (at.kind === 'cast' && at.implicit) at = at.operand;
  return at.kind === 'variable' && at.symbol === counter;
}

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

function findBound(
  condition: Expression,
  counter: VariableSymbol,
  model: DataModel,
): { readonly operator: ComparisonOperator; readonly limit: bigint } | null {
  if (condition.kind !== 'comparison') return null;
  const { left, right, operator } = condition;
  if (isCounter(left, counter)) {
    const limit = evaluateInteger(right, model);
    return limit === null ? null : { operator, limit };
  }
  const limit = isCounter(right, counter) ? evaluateInteger(left, model) : null;
  return limit === null ? null : { operator: MIRRORED[operator], limit };
}

function findStep(step: Expression, counter: VariableSymbol, model: DataModel): bigint | null {
  if (step.kind === 'increment') {
    if (!isCounter(step.target, counter)) return null;
    return step.operator === '++' ? 1n : -1n;
  }
  if (step.kind === 'compound-assignment' && isCounter(step.target, counter)) {
    const amount = evaluateInteger(step.value, model);
    if (amount === null || (step.operator !== '+' && step.operator !== '-')) return null;
    return step.operator === '+' ? amount : -amount;
  }
  if (step.kind !== 'assignment' || !isCounter(step.target, counter)) return null;
  let { value } = step;
  while (value.kind === 'cast' && value.implicit) value = value.operand;
  if (value.kind !== 'arithmetic' || !isCounter(value.left, counter)) return null;
  const amount = evaluateInteger(value.right, model);
  if (amount === null || (value.operator !== '+' && value.operator !== '-')) return null;
  return value.operator === '+' ? amount : -amount;
}

function isAssigned(body: Statement, counter: VariableSymbol): boolean {
  let found = false;
  walkStatement(body, {
    expression: (node) => {
      const changes = node.kind === 'assignment' || node.kind === 'compound-assignment' || node.kind === 'increment';
      if (changes && isCounter(node.target, counter)) found = true;
    },
  });
  return found;
}

function countIterations(start: bigint, operator: ComparisonOperator, limit: bigint, step: bigint): number | null {
  const distance = step > 0n ? limit - start : start - limit;
  const stride = step > 0n ? step : -step;
  const inclusive = operator === '<=' || operator === '>=';
  const isUpward = operator === '<' || operator === '<=';
  const isDownward = operator === '>' || operator === '>=';
  if ((isUpward && step < 0n) || (isDownward && step > 0n) || operator === '==') return null;
  if (operator === '!=') return distance >= 0n && distance % stride === 0n ? toNumber(distance / stride) : null;
  const reach = inclusive ? distance + 1n : distance;
  return reach <= 0n ? 0 : toNumber((reach + stride - 1n) / stride);
}

function toNumber(count: bigint): number | null {
  return count <= COUNT_LIMIT ? Number(count) : null;
}
