/**
 * GNU `cleanup(f)`: the variable gets the call `f(&x)`, checked like one in the program, which whoever runs the program
 * makes on every normal way out of the variable's scope. As with gcc, what is no automatic variable ignores the
 * attribute.
 *
 * Left out are the ways on which compilers differ: a jump past the declaration (statements.ts refuses it) and a
 * computed goto, with which gcc leaves scopes without their cleanups and clang does not compile.
 */

import type { VariableSymbol } from '../../program/tree.ts';
import type { Attribute } from '../parse/ast.ts';
import type { AttributeSummary } from './attributes.ts';
import { checkCallOf } from './calls.ts';
import { type Checker, error, errorType, type FunctionState, refuse, warn } from './checker.ts';
import { checkAddress } from './operators.ts';
import { lookUp } from './scope.ts';

/** Gives a variable that has been declared its cleanup, or reports why it gets none. */
export function attachCleanup(c: Checker, symbol: VariableSymbol, attribute: Attribute): void {
  const { args, loc } = attribute;
  if (symbol.duration !== 'automatic') {
    warnIgnored(c, attribute);
    return;
  }
  const [argument] = args;
  if (argument === undefined || args.length !== 1) {
    error(c, loc, 'attribute', "wrong number of arguments specified for 'cleanup' attribute");
    return;
  }
  const callee = argument.kind === 'identifier' ? lookUp(c.scope, argument.name) : null;
  if (callee?.kind !== 'function-symbol') {
    error(c, argument.loc, 'attribute', "'cleanup' argument is not a function");
    return;
  }
  if (symbol.type === errorType) return;
  const variable = { kind: 'variable', symbol, type: symbol.type, loc: symbol.loc } as const;
  const target = { kind: 'function', symbol: callee, type: callee.type, loc: argument.loc } as const;
  const call = checkCallOf(c, target, [checkAddress(c, variable, symbol.loc)], loc);
  if (call.kind !== 'call') return;
  symbol.cleanup = call;
  if (c.function !== null) c.function.hasCleanup = true;
}

/** For declarations that declare no variable. */
export function ignoreCleanup(c: Checker, { cleanup }: Readonly<AttributeSummary>): void {
  if (cleanup !== null) warnIgnored(c, cleanup);
}

function warnIgnored(c: Checker, { loc }: Attribute): void {
  warn(c, loc, 'attribute', "'cleanup' attribute ignored");
}

/** At the end of a function. */
export function refuseComputedGoto(c: Checker, { hasCleanup, computedGoto }: FunctionState): void {
  if (hasCleanup && computedGoto !== null) {
    refuse(c, computedGoto, "a computed 'goto' in a function with a cleanup attribute");
  }
}
