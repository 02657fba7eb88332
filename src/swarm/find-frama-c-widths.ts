/**
 * The widths of variables as the papers found them: Frama-C's Eva analyses the sequentialized program, which shows it the variables after each
 * assignment. Its intervals hold for the bounds and rounds of that program only.
 *
 * Eva ends an execution where the behaviour is undefined. Overflow is none for CBMC, so Eva is told to wrap; where it finds that
 * uninitialised memory may be read, which CBMC reads as any value, its intervals are not used.
 */

import { framaC } from '../backends/frama-c.ts';
import { type FramaCValue, readFramaCRanges } from '../backends/read-frama-c-ranges.ts';
import type { BoundedProgram } from '../passes/pipeline.ts';
import type { Initializer, VariableSymbol } from '../program/tree.ts';
import { isInteger } from '../program/type-operations.ts';
import type { FoundWidths } from '../sequentialize/find-widths.ts';
import { type BitVector, vectorOfInterval } from '../sequentialize/narrow-variables.ts';
import { type SequentializeOptions, sequentialize } from '../sequentialize/sequentialize.ts';
import { shownName } from '../sequentialize/show-values.ts';
import { invariant } from '../support/invariant.ts';
import { runBackend } from './run-backend.ts';

export type FramaCWidthsResult = FoundWidths | { readonly kind: 'unknown'; readonly reason: string };

/** Eva's words for the alarm. */
const READS_UNINITIALISED = 'accessing uninitialized left-value';

export async function findFramaCWidths(
  bounded: BoundedProgram,
  options: Omit<SequentializeOptions, 'spelling'>,
  timeoutMs: number,
  executable?: string,
): Promise<FramaCWidthsResult> {
  const { verifier } = framaC;
  invariant(verifier, 'Frama-C can be run');
  const { text } = sequentialize(bounded, { ...options, spelling: framaC.spelling, showsValues: true });
  const { answer, stdout } = await runBackend({
    backend: framaC,
    verifier,
    text,
    dataModel: bounded.program.dataModel,
    options: ['-no-warn-signed-overflow', '-no-warn-left-shift-negative', '-no-warn-right-shift-negative'],
    timeoutMs,
    executable,
  });
  const { final, shown } = readFramaCRanges(stdout);
  // It is no matter what Eva could prove, but the analysis must have come to its end.
  if (!final.get('main')) {
    const reason = answer.kind === 'unknown' ? answer.reason : 'Frama-C finds no execution that ends';
    return { kind: 'unknown', reason };
  }
  if (stdout.includes(READS_UNINITIALISED)) {
    return { kind: 'none', reason: 'Frama-C finds that uninitialised memory may be read' };
  }
  return { kind: 'widths', widthOf: (symbol) => widthOf(symbol, shown.get(shownName(symbol)) ?? []) };
}

function widthOf(symbol: VariableSymbol, rows: readonly (readonly FramaCValue[])[]): BitVector | null {
  const first = initialValue(symbol);
  if (first === null) return null;
  let low = first;
  let high = first;
  for (const value of rows.flat()) {
    if (value.kind === 'none') continue;
    if (value.kind !== 'integers' || value.low === null || value.high === null) return null;
    if (value.low < low) low = value.low;
    if (value.high > high) high = value.high;
  }
  return vectorOfInterval({ low, high });
}

/** Of a single integer: zero, unless it is initialised by a constant. */
function initialValue({ type, initializer }: VariableSymbol): bigint | null {
  if (!isInteger(type)) return null;
  return initializer ? constantOf(initializer) : 0n;
}

function constantOf(initializer: Initializer): bigint | null {
  if (initializer.kind !== 'scalar') return null;
  let { value } = initializer;
  while (value.kind === 'cast' && value.castKind === 'integer' && value.implicit) value = value.operand;
  return value.kind === 'integer' ? value.value : null;
}
