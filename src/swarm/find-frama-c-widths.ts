/**
 * The widths of variables as the papers found them: Frama-C's Eva analyses the sequentialized program, which shows it the variables after each
 * assignment. Its intervals hold for the bounds and rounds of that program only.
 *
 * Eva ends an execution where the behaviour is undefined. Overflow is none for CBMC, so Eva is told to wrap; where it finds that
 * uninitialised memory may be read, which CBMC reads as any value, its intervals are not used.
 */

import { framaC } from '../backends/frama-c.ts';
import type { FramaCValue } from '../backends/read-frama-c-ranges.ts';
import type { BoundedProgram } from '../passes/pipeline.ts';
import type { Initializer, VariableSymbol } from '../program/tree.ts';
import { isInteger } from '../program/type-operations.ts';
import type { FoundWidths } from '../sequentialize/find-widths.ts';
import { type BitVector, vectorOfInterval } from '../sequentialize/narrow-variables.ts';
import { type SequentializeOptions, sequentialize } from '../sequentialize/sequentialize.ts';
import { shownName } from '../sequentialize/show-values.ts';
import { findFramaCRanges } from './find-frama-c-ranges.ts';

export type FramaCWidthsResult = FoundWidths | { readonly kind: 'unknown'; readonly reason: string };

/** Arithmetic wraps around, as in CBMC without checks. */
const WRAPPING = ['-no-warn-signed-overflow', '-no-warn-left-shift-negative', '-no-warn-right-shift-negative'];

export async function findFramaCWidths(
  bounded: BoundedProgram,
  options: Omit<SequentializeOptions, 'spelling'>,
  timeoutMs: number,
  executable?: string,
): Promise<FramaCWidthsResult> {
  const { text } = sequentialize(bounded, { ...options, spelling: framaC.spelling, showsValues: true });
  const { dataModel } = bounded.program;
  const found = await findFramaCRanges({ text, dataModel, options: WRAPPING, timeoutMs, executable });
  if (found.kind === 'unknown') return found;
  if (found.readsUninitialised) {
    return { kind: 'none', reason: 'Frama-C finds that uninitialised memory may be read' };
  }
  const { shown } = found.ranges;
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
