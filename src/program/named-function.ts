/** Which function an expression denotes, where the program's text says so. */

import type { Expression, FunctionSymbol } from './tree.ts';

/** The function that an expression surely denotes. */
export function knownFunction(expression: Expression): FunctionSymbol | null {
  let at = expression;
  while (at.kind === 'cast' || (at.kind === 'address' && at.operand.kind === 'function')) at = at.operand;
  return at.kind === 'function' ? at.symbol : null;
}

/** The function that a call names, if it does. */
export function namedFunction(callee: Expression): FunctionSymbol | null {
  let at = callee;
  while (at.kind === 'dereference' || at.kind === 'address' || at.kind === 'cast') {
    if (at.kind === 'cast' && at.castKind !== 'function-to-pointer' && !at.implicit) return null;
    at = at.operand;
  }
  return at.kind === 'function' ? at.symbol : null;
}
