/**
 * The accesses that evaluating an expression makes, in simplified code: calls are inlined, and the only side effects
 * are assignments and the primitives that fill whole objects.
 */

import type { Expression, VariableSymbol } from '../program/tree.ts';
import { pushChildren } from '../program/visit-tree.ts';
import { fillsObjects, rootOf } from './sharing.ts';

export type AccessKind = 'read' | 'write';

/** `symbol` is the variable that the lvalue lies in, or null where the text does not show it. */
export type AccessTest = (lvalue: Expression, symbol: VariableSymbol | null, kind: AccessKind) => boolean;

/** Whether the test holds for some access; those behind the first one that it holds for are not looked at. */
export function someAccess(whole: Expression, test: AccessTest): boolean {
  const stack: Expression[] = [whole];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    switch (at.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        if (test(at, rootOf(at, stack), 'read')) return true;
        break;
      case 'assignment':
        if (test(at.target, rootOf(at.target, stack), 'write')) return true;
        stack.push(at.value);
        break;
      case 'address':
        rootOf(at.operand, stack);
        break;
      case 'cast':
        if (at.castKind === 'array-to-pointer') rootOf(at.operand, stack);
        else stack.push(at.operand);
        break;
      case 'builtin':
        if (!fillsObjects(at)) stack.push(...at.args);
        else for (const arg of at.args) if (test(arg, rootOf(arg, stack), 'write')) return true;
        break;
      default:
        pushChildren(at, stack);
    }
  }
  return false;
}
