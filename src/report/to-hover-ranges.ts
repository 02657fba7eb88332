/** What the value analysis says, as pages show it on names: by the name of the variable, a line for each part of it. */

import { describeRange } from '../ranges/describe-range.ts';
import { nameAllocations } from '../ranges/name-allocations.ts';
import type { RangeAnalysis } from '../ranges/variable-ranges.ts';
import type { HoverRanges } from './html-ranges.ts';
import { describeScope, scopeOf } from './range-scope.ts';
import { visibleRanges } from './ranges.ts';

export function toHoverRanges(found: RangeAnalysis, unwinding: string): HoverRanges {
  const analysis = nameAllocations(found);
  const texts = new Map<string, string[]>();
  for (const range of visibleRanges(analysis, false)) {
    const [name] = /^[A-Za-z_]\w*/.exec(range.name) ?? [];
    if (name === undefined || range.kind === 'allocation') continue;
    const where = range.function === null || range.kind === 'global' ? '' : ` in ${range.function}`;
    const line = `${range.name}${where}: ${describeRange(range, analysis)}`;
    const lines = texts.get(name) ?? [];
    // Blocks of one function may have variables of the same name.
    if (!lines.includes(line)) texts.set(name, [...lines, line]);
  }
  return { scope: describeScope(scopeOf(analysis), unwinding), texts };
}
