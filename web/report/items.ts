/**
 * What the list of steps shows, after folding and filters: steps, and in place of a dull stretch one item that unfolds
 * it. Plain data, so that ten thousand steps are filtered in a moment; the list draws only what is in view.
 */

import type { Step } from './decode.ts';

export type Item = { readonly kind: 'step'; readonly step: number } | FoldItem;

export interface FoldItem {
  readonly kind: 'fold';
  readonly from: number;
  /** After the last. */
  readonly to: number;
}

export interface Wishes {
  readonly isAllShown: boolean;
  /** Null: all. */
  readonly thread: number | null;
  /** A part of the name of a variable; empty: all. */
  readonly variable: string;
  /** The first steps of folds that were opened. */
  readonly opened: ReadonlySet<number>;
}

/** The shortest stretch that is folded. */
const SHORTEST_FOLD = 2;

export function chooseItems(steps: readonly Step[], wishes: Wishes): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < steps.length; ) {
    let end = at;
    while (steps[end]?.template.isDull) end++;
    const isFolded = end - at >= SHORTEST_FOLD && !wishes.isAllShown && !wishes.opened.has(at);
    if (isFolded && !isFiltered(wishes)) {
      items.push({ kind: 'fold', from: at, to: end });
      at = end;
      continue;
    }
    for (const last = Math.max(end, at + 1); at < last; at++) {
      if (isWanted(steps[at] as Step, wishes)) items.push({ kind: 'step', step: at });
    }
  }
  return items;
}

function isFiltered({ thread, variable }: Wishes): boolean {
  return thread !== null || variable !== '';
}

function isWanted({ template, values }: Step, { thread, variable }: Wishes): boolean {
  if (thread !== null && template.thread !== thread) return false;
  return variable === '' || values.some(({ name }) => name.includes(variable));
}
