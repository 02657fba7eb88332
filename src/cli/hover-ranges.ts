// The ranges of variables for the pages of a check, in this thread.

import type { CheckJob } from '../host/check-messages.ts';
import { clockMs } from '../host/clock.ts';
import { createFileReader } from '../host/source-files.ts';
import { findHoverRanges, HOVER_UNWIND } from '../report/find-hover-ranges.ts';
import type { HoverRanges } from '../report/html-ranges.ts';
import { readCode } from '../verify/read-code.ts';
import { describeUnwinding } from './bound-options.ts';

export function hoverRangesOf(job: CheckJob): HoverRanges | null {
  const read = readCode(job, job, { reader: createFileReader() });
  if (read.kind === 'refused') return null;
  const bounds = { ...job, unwind: job.unwind ?? HOVER_UNWIND };
  const unwinding = describeUnwinding(bounds);
  return findHoverRanges({ ...read, bounds, memoryModel: job.memoryModel, unwinding, clock: clockMs });
}
