/**
 * For `atomicStatements`: which expressions are worth an atomic section. One that calls a function is not made atomic
 * (the function's own statements are), unless the call is what is left of a failed `assert`; one without an access to
 * memory needs no section.
 */

import { knownFunction } from '../program/named-function.ts';
import type { Expression } from '../program/tree.ts';
import { verifierMeaning } from '../program/verifier-names.ts';
import { childrenOf } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';
import type { FunctionContext } from './context.ts';
import { scalarOf } from './shapes.ts';

export function isWorthASection(f: FunctionContext, expression: Expression): boolean {
  const found = { calls: false, accesses: 0 };
  const work: Expression[] = [expression];
  for (let at = work.pop(); at && !found.calls; at = work.pop()) {
    if ((at.kind === 'call' && !isFailure(at)) || at.kind === 'statement-expression') found.calls = true;
    else if (isAccess(f, at)) found.accesses++;
    pushAll(work, childrenOf(at));
  }
  return !found.calls && found.accesses > 0;
}

/** What the macros of headers call when an assertion fails. */
function isFailure({ callee }: Extract<Expression, { kind: 'call' }>): boolean {
  const symbol = knownFunction(callee);
  return symbol !== null && symbol.definition === null && verifierMeaning(symbol.name) === 'failed-assertion';
}

function isAccess(f: FunctionContext, expression: Expression): boolean {
  switch (expression.kind) {
    case 'variable': {
      const { symbol } = expression;
      return symbol.duration !== 'automatic' || symbol.addressTaken || scalarOf(symbol.type, f.model) === null;
    }
    case 'dereference':
    case 'index':
    case 'builtin':
    case 'va-arg':
      return true;
    default:
      return false;
  }
}
