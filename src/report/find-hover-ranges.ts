/** The ranges of variables for the pages of a check: the value analysis with small bounds and little time. */

import type { OwnBounds } from '../program/bounds.ts';
import type { CheckName, Code } from '../program/code.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import { explainNoAnswer, limitAnalysis } from '../ranges/limit-analysis.ts';
import { findVariableRanges } from '../ranges/variable-ranges.ts';
import type { HoverRanges } from './html-ranges.ts';
import { toHoverRanges } from './to-hover-ranges.ts';

const LIMIT_MS = 5_000;

/** How often loops are followed where nobody says. */
export const HOVER_UNWIND = 2;

export interface HoverRequest {
  readonly code: Code;
  readonly checks: ReadonlySet<CheckName>;
  readonly bounds: OwnBounds & { readonly unwind: number };
  readonly memoryModel: MemoryModel;
  /** How far loops are followed, in words. */
  readonly unwinding: string;
  readonly clock: () => number;
}

/** Null where the analysis has no answer: a page goes without. */
export function findHoverRanges({
  code,
  checks,
  bounds,
  memoryModel,
  unwinding,
  clock,
}: HoverRequest): HoverRanges | null {
  try {
    const found = findVariableRanges(code, { bounds, limits: limitAnalysis(LIMIT_MS, clock), checks, memoryModel });
    return toHoverRanges(found, unwinding);
  } catch (fault) {
    if (explainNoAnswer(fault) === null) throw fault;
    return null;
  }
}
