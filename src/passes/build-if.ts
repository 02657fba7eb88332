/**
 * An `if` again, after its branches have changed: without an empty branch, and with `else if` where that is all there
 * is.
 */

import { block, negated } from '../program/build-tree.ts';
import type { Expression, Statement } from '../program/tree.ts';

type If = Extract<Statement, { kind: 'if' }>;

/** One of the branches is not empty. */
export function buildIf(
  arm: If,
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[],
): If {
  const { loc } = arm;
  const only = otherwise[0];
  if (only === undefined) return { ...arm, condition, then: block(then, arm.then.loc), otherwise: null };
  if (then.length === 0) {
    return { ...arm, condition: negated(condition, loc), then: block(otherwise, loc), otherwise: null };
  }
  const isChain = otherwise.length === 1 && only.kind === 'if';
  return { ...arm, condition, then: block(then, arm.then.loc), otherwise: isChain ? only : block(otherwise, loc) };
}
