/** Where a bound cuts executions off: an assumption that ends the path, or an assertion that says that there is one. */

import { integer } from '../program/build-tree.ts';
import { assumeWithinBound, fail } from '../program/primitives.ts';
import type { Statement } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { PassContext } from './pass.ts';

/** `what` is cut: a loop, the recursion of a function, the number of threads. */
export function cutOff(context: PassContext, what: string, loc: Loc): Statement[] {
  const stringId = () => context.fresh.id();
  if (!context.options.unwindingAssertions) return [assumeWithinBound(integer(0, loc), what, stringId, loc)];
  return fail('unwinding', `unwinding assertion: ${what}`, stringId, loc);
}
