// How many bits variables get with --bitvectors: by the engine's own value analysis, or by Frama-C's. The first answers
// quickly or says why not, and then variables keep their types; the second must be installed.

import { clockMs } from '../host/clock.ts';
import { findFramaCWidths } from '../host/find-frama-c-widths.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import type { Program } from '../program/tree.ts';
import { explainNoAnswer, limitAnalysis } from '../ranges/limit-analysis.ts';
import { type FoundWidths, findWidths } from '../sequentialize/find-widths.ts';
import type { SequentializeOptions } from '../sequentialize/sequentialize.ts';

export type WidthSource = 'builtin' | 'frama-c';

export type RequestedWidths = FoundWidths | { readonly kind: 'failed'; readonly reason: string };

export interface WidthRequest {
  readonly source: WidthSource;
  /** As it was read, and after the passes. */
  readonly program: Program;
  readonly bounded: BoundedProgram;
  readonly options: Omit<SequentializeOptions, 'spelling'>;
  readonly timeoutMs: number;
}

export async function requestWidths(request: WidthRequest): Promise<RequestedWidths> {
  const { source, bounded, options, timeoutMs } = request;
  if (source === 'builtin') return findOwnWidths(request);
  const found = await findFramaCWidths(bounded, options, timeoutMs);
  return found.kind === 'unknown' ? { kind: 'failed', reason: found.reason } : found;
}

function findOwnWidths({ program, bounded, timeoutMs }: WidthRequest): FoundWidths {
  try {
    return findWidths(program, bounded, limitAnalysis(timeoutMs, clockMs));
  } catch (fault) {
    const reason = explainNoAnswer(fault);
    if (reason === null) throw fault;
    return { kind: 'none', reason };
  }
}
