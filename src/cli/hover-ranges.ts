// The ranges of variables for the pages of a check: the value analysis with small bounds and little time, in this
// thread. Where it has no answer, a page goes without.

import type { CheckJob } from '../host/check-messages.ts';
import { explainNoAnswer, limitAnalysis } from '../host/limit-analysis.ts';
import { createFileReader } from '../host/source-files.ts';
import { findVariableRanges } from '../ranges/variable-ranges.ts';
import type { HoverRanges } from '../report/html-ranges.ts';
import { toHoverRanges } from '../report/to-hover-ranges.ts';
import { readCode } from '../verify/read-code.ts';
import { describeUnwinding } from './bound-options.ts';

const LIMIT_MS = 5_000;
const UNWIND = 2;

export function findHoverRanges(job: CheckJob): HoverRanges | null {
  const read = readCode(job, job, { reader: createFileReader() });
  if (read.kind === 'refused') return null;
  const { code, checks } = read;
  const { memoryModel } = job;
  const bounds = { ...job, unwind: job.unwind ?? UNWIND };
  try {
    const found = findVariableRanges(code, { bounds, limits: limitAnalysis(LIMIT_MS), checks, memoryModel });
    return toHoverRanges(found, describeUnwinding(bounds));
  } catch (fault) {
    if (explainNoAnswer(fault) === null) throw fault;
    return null;
  }
}
