/**
 * Constants in expressions that have no side effects, from the leaves up. Used where substitution has put known values
 * in the place of variables: what they decide need not be carried along.
 */

import { integer, truth } from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { evaluateConstant, evaluateInteger, isTrue } from '../program/evaluate-constant.ts';
import { isSignedName } from '../program/integer-range.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import { childrenOf, mapExpression } from '../program/visit-tree.ts';

export function foldConstants(expression: Expression, model: DataModel): Expression {
  return mapExpression(expression, (node) => foldNode(node, model));
}

/** A node whose operands are folded already. */
export function foldNode(node: Expression, model: DataModel): Expression {
  switch (node.kind) {
    case 'logical':
      return foldLogical(node, model);
    case 'conditional': {
      const decided = truthOf(node.condition, model);
      if (decided === null || node.then === null) return node;
      return decided ? node.then : node.otherwise;
    }
    case 'unary':
    case 'arithmetic':
    case 'comparison':
    case 'cast': {
      const decided = node.kind === 'comparison' ? compareWithZero(node) : null;
      if (decided !== null) return integer(decided ? 1 : 0, node.loc);
      if (node.type.kind !== 'integer' || !(childrenOf(node).every(isLiteral) || asksForAddress(node))) return node;
      const value = evaluateInteger(node, model);
      return value === null
        ? node
        : { kind: 'integer', value, spelling: spellingOf(node), type: node.type, loc: node.loc };
    }
    default:
      return node;
  }
}

/** Larger counts would be of another type. */
const INT_MAX = 2n ** 31n - 1n;

/** Multiples of a size stay such: verifiers take from them which objects an allocation is for. */
function spellingOf(node: Expression): string | null {
  if (node.kind !== 'arithmetic' || node.operator !== '*') return null;
  for (const [count, size] of [
    [node.left, node.right],
    [node.right, node.left],
  ] as const) {
    if (count.kind !== 'integer' || size.kind !== 'integer' || !size.spelling?.startsWith('sizeof(')) continue;
    if (count.value < 1n || count.value > INT_MAX) continue;
    return count.value === 1n ? size.spelling : `${count.value} * ${size.spelling}`;
  }
  return null;
}

/** Whether addresses are compared, which may be fixed. */
function asksForAddress(node: Expression): boolean {
  if (node.kind === 'comparison') return node.left.type.kind === 'pointer';
  return node.kind === 'unary' && node.operator === '!' && node.operand.type.kind === 'pointer';
}

function isLiteral(expression: Expression): boolean {
  return expression.kind === 'integer';
}

function isZero(expression: Expression): boolean {
  const at = expression.kind === 'cast' ? expression.operand : expression;
  return at.kind === 'integer' && at.value === 0n;
}

/** What is known of a comparison with 0 although the other side is not; compilers warn where that is asked. */
function compareWithZero({ operator, left, right }: Extract<Expression, { kind: 'comparison' }>): boolean | null {
  if (isZero(right) && isPlaceInString(left)) {
    if (operator === '!=' || operator === '==') return operator === '!=';
  }
  const least = operator === '<' || operator === '>=' ? right : left;
  if (operator === '==' || operator === '!=' || !isZero(least) || !isUnsigned(least.type)) return null;
  return operator === '<=' || operator === '>=';
}

function isUnsigned(type: Type): boolean {
  return type.kind === 'integer' && !isSignedName(type.name);
}

/** A place in a string, which is never 0. */
function isPlaceInString(expression: Expression): boolean {
  let at = expression;
  while (at.kind === 'cast' && at.type.kind === 'pointer') at = at.operand;
  if (at.kind === 'pointer-offset') {
    if (at.offset.kind !== 'integer' || at.operator !== '+') return false;
    at = at.pointer;
  }
  while (at.kind === 'cast' && at.type.kind === 'pointer') at = at.operand;
  return at.kind === 'string';
}

/** Whether a condition is true or false, or null when that is not known. */
export function truthOf(condition: Expression, model: DataModel): boolean | null {
  const constant = evaluateConstant(condition, model);
  return constant && isTrue(constant);
}

function foldLogical(node: Extract<Expression, { kind: 'logical' }>, model: DataModel): Expression {
  const absorbing = node.operator === '||';
  for (const side of [node.left, node.right]) {
    if (truthOf(side, model) === absorbing) return integer(absorbing ? 1 : 0, node.loc);
  }
  const isNeutral = (side: Expression) => truthOf(side, model) === !absorbing;
  if (isNeutral(node.left)) return isNeutral(node.right) ? integer(absorbing ? 0 : 1, node.loc) : truth(node.right);
  return isNeutral(node.right) ? truth(node.left) : node;
}
