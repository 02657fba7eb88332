/**
 * `__builtin_object_size(p, kind)` where nothing is known of the object, as compilers have it: the largest number for
 * kinds 0 and 1, which ask for an upper bound, and 0 for kinds 2 and 3, which ask for a lower one.
 */

import type { DataModel } from './data-model.ts';
import { evaluateConstant } from './evaluate-constant.ts';
import type { Builtin } from './primitives.ts';

/** -1 stands for the largest number. */
export function unknownObjectSize({ args }: Builtin, model: DataModel): 0 | -1 {
  const kind = args[1] && evaluateConstant(args[1], model);
  return kind?.kind === 'integer' && (kind.value & 2n) !== 0n ? 0 : -1;
}
