/** Where a bound cuts executions off: an assumption that ends the path, or an assertion that says that there is one. */

import { expressionStatement, integer } from '../program/build-tree.ts';
import type { Statement } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { PassContext } from './pass.ts';
import { assert, stop } from './primitives.ts';

/** `what` is cut: a loop or the recursion of a function. */
export function cutOff(context: PassContext, what: string, loc: Loc): Statement[] {
  if (!context.options.unwindingAssertions) return [stop(loc)];
  const id = () => context.fresh.id();
  const assertion = assert(integer(0, loc), 'unwinding', `unwinding assertion: ${what}`, id, loc);
  return [expressionStatement(assertion, loc), stop(loc)];
}
