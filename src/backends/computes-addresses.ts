/**
 * Whether a program makes pointers from numbers that it has computed or that may be negative: tags taken out of
 * addresses, addresses put together from halves, results such as `(void *)(long)error`. The interpreter's addresses are
 * numbers like those of a real machine. CBMC's have the number of the object in their upper bits, so that a program
 * that uses these bits otherwise has counterexamples there that nobody else can follow.
 */

import { isSignedName } from '../program/integer-range.ts';
import type { Expression, Program } from '../program/tree.ts';
import { childrenOf, walkStatementOnce } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';

export function computesAddresses(program: Program): boolean {
  let found = false;
  for (const item of program.items) {
    if (item.kind !== 'function') continue;
    walkStatementOnce(item.definition.body, {
      expression: (node) => {
        if (node.kind === 'cast' && node.castKind === 'integer-to-pointer' && isComputed(node.operand)) found = true;
      },
    });
  }
  return found;
}

/** Neither a constant nor the value of an unsigned variable as it is. */
function isComputed(expression: Expression): boolean {
  const stack: Expression[] = [expression];
  let hasVariables = false;
  let isChanged = false;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'variable') hasVariables = true;
    if (at.kind === 'arithmetic' || at.kind === 'unary' || maybeNegative(at)) isChanged = true;
    pushAll(stack, childrenOf(at));
  }
  return hasVariables && isChanged;
}

function maybeNegative({ kind, type }: Expression): boolean {
  return kind === 'variable' && type.kind === 'integer' && isSignedName(type.name);
}
