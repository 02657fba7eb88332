/**
 * For `atomicStatements`: which expressions are worth an atomic section. One that calls a function is not made atomic (the
 * function's own statements are); one without an access to memory needs no section.
 */

import type { Expression } from '../../program/tree.ts';
import type { FunctionContext } from './context.ts';
import { scalarOf } from './shapes.ts';

export function isWorthASection(f: FunctionContext, expression: Expression): boolean {
  const found = { calls: false, accesses: 0 };
  const work: Expression[] = [expression];
  for (let at = work.pop(); at && !found.calls; at = work.pop()) {
    if (at.kind === 'call' || at.kind === 'statement-expression') found.calls = true;
    else if (isAccess(f, at)) found.accesses++;
    work.push(...childrenOf(at));
  }
  return !found.calls && found.accesses > 0;
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

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
    case 'address':
    case 'dereference':
    case 'cast':
      return [expression.operand];
    case 'index':
      return [expression.base, expression.index];
    case 'member':
      return [expression.object];
    case 'arithmetic':
    case 'pointer-difference':
    case 'comparison':
    case 'logical':
    case 'comma':
      return [expression.left, expression.right];
    case 'pointer-offset':
      return [expression.pointer, expression.offset];
    case 'conditional':
      return [expression.condition, ...(expression.then ? [expression.then] : []), expression.otherwise];
    case 'assignment':
    case 'compound-assignment':
      return [expression.target, expression.value];
    case 'increment':
      return [expression.target];
    case 'call':
      return [expression.callee, ...expression.args];
    case 'builtin':
      return expression.args;
    case 'va-arg':
      return [expression.list];
    default:
      return [];
  }
}
