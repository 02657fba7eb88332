/**
 * The widths of variables as the papers found them: Frama-C's Eva analyses the sequentialized program, which shows it
 * the variables after each assignment. Its intervals hold for the bounds and rounds of that program only.
 *
 * Eva ends an execution where the behaviour is undefined. Overflow is none for CBMC, so Eva is told to wrap; where it
 * finds that uninitialised memory may be read, which CBMC reads as any value, its intervals are not used.
 */

import { framaC } from '../backends/frama-c.ts';
import type { FramaCValue } from '../backends/read-frama-c-ranges.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import type { Initializer, VariableSymbol } from '../program/tree.ts';
import type { FoundWidths } from '../sequentialize/find-widths.ts';
import { type BitVectorType, vectorOfInterval, type Widths } from '../sequentialize/narrow-variables.ts';
import { type SequentializeOptions, sequentialize } from '../sequentialize/sequentialize.ts';
import { shownName } from '../sequentialize/show-values.ts';
import { pushAll } from '../support/push-all.ts';
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
  const { dataModel } = bounded;
  const found = await findFramaCRanges({ text, dataModel, options: WRAPPING, timeoutMs, executable });
  if (found.kind === 'unknown') return found;
  if (found.readsUninitialised) {
    return { kind: 'none', reason: 'Frama-C finds that uninitialised memory may be read' };
  }
  const { shown } = found.ranges;
  // Eva is asked what assigned variables hold, but not about members and what pointers lead to.
  const widths: Widths = {
    widthOf: (slot) => ('kind' in slot ? widthOf(slot, shown.get(shownName(slot)) ?? []) : null),
    isPlain: () => false,
    seesPointers: false,
  };
  return { kind: 'widths', widths };
}

function widthOf(symbol: VariableSymbol, rows: readonly (readonly FramaCValue[])[]): BitVectorType | null {
  const values = initialValues(symbol);
  if (values === null) return null;
  let [low, high] = [0n, 0n];
  const add = (least: bigint, most: bigint) => {
    if (least < low) low = least;
    if (most > high) high = most;
  };
  for (const value of values) add(value, value);
  for (const value of rows.flat()) {
    if (value.kind === 'none') continue;
    if (value.kind !== 'integers' || value.low === null || value.high === null) return null;
    add(value.low, value.high);
  }
  return vectorOfInterval({ low, high });
}

/**
 * Constants that an integer, or elements of an array, start with; what is not mentioned starts as zero. Null if one is
 * no constant.
 */
function initialValues({ initializer }: VariableSymbol): readonly bigint[] | null {
  const values: bigint[] = [];
  const pending = initializer ? [initializer] : [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'array')
      pushAll(
        pending,
        at.items.map(({ value }) => value),
      );
    else {
      const value = constantOf(at);
      if (value === null) return null;
      values.push(value);
    }
  }
  return values;
}

function constantOf(initializer: Initializer): bigint | null {
  if (initializer.kind !== 'scalar') return null;
  let { value } = initializer;
  while (value.kind === 'cast' && value.castKind === 'integer' && value.implicit) value = value.operand;
  return value.kind === 'integer' ? value.value : null;
}
