/**
 * How many copies of a loop's body the bounds ask for: what was said of this loop by its name, then the number of
 * iterations if the text tells it, then the bound for its form.
 */

import type { BoundOptions, LoopInfo } from '../pass.ts';

/** `info` is null for a loop that is not in the source. */
export function loopBound(info: LoopInfo | null, options: BoundOptions): number {
  if (!info) return options.unwind;
  const named = options.unwindset.get(info.name);
  if (named !== undefined) return named;
  if (info.tripCount !== null && options.unwindConstantLoops) return info.tripCount;
  return (info.form === 'for' ? options.forUnwind : options.whileUnwind) ?? options.unwind;
}
