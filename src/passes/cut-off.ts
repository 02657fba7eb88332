/** Where a bound cuts executions off: an assumption that ends the path, or an assertion that says that there is one. */

import type { Statement } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { PassContext } from './pass.ts';
import { fail, stop } from './primitives.ts';

/** `what` is cut: a loop or the recursion of a function. */
export function cutOff(context: PassContext, what: string, loc: Loc): Statement[] {
  if (!context.options.unwindingAssertions) return [stop(loc)];
  return fail('unwinding', `unwinding assertion: ${what}`, () => context.fresh.id(), loc);
}
