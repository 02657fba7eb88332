/**
 * Of which executions ranges speak: all interleavings, but only within the bounds, if an execution may be cut off
 * there, and only up to the first violation. Without this a range would read as a proof.
 */

import { UNCONSTRAINED_ADDRESS } from '../execute/known-addresses.ts';
import { type CutKind, unsupportedWhere } from '../execute/steps.ts';
import type { RangeAnalysis } from '../ranges/variable-ranges.ts';
import type { Place } from '../support/source.ts';

export interface RangeScope {
  /** The loops, recursions and others that some execution may leave, without repetitions. */
  readonly cuts: readonly { readonly kind: CutKind; readonly where: string; readonly place: Place | null }[];
  /** What was left out besides. */
  readonly limits: readonly string[];
}

/**
 * Such a pointer would have to hold the address of an object by chance. Mostly nobody uses it at all, which the
 * analysis cannot know.
 */
const nowhere = unsupportedWhere(UNCONSTRAINED_ADDRESS);

export function scopeOf({ program, execution }: RangeAnalysis): RangeScope {
  const { sources, limits } = execution.code;
  const cuts = new Map<string, RangeScope['cuts'][number]>();
  for (const { kind, where, loc } of program.threads.flatMap((thread) => thread.cuts)) {
    if (!cuts.has(where)) cuts.set(where, { kind, where, place: sources.place(loc) });
  }
  return { cuts: [...cuts.values()], limits };
}

/** So many places are named. */
const MOST_NAMED = 4;

export function describeScope({ cuts, limits }: RangeScope, unwinding: string): string[] {
  const all = 'These are the values in all interleavings, up to the first violation';
  const others = cuts.filter(({ where }) => where !== nowhere);
  const pointers = describePointers(cuts.filter(({ where }) => where === nowhere));
  if (others.length === 0 && limits.length === 0)
    return [`${all}. Nothing was cut off: they hold beyond the bounds.`, ...pointers];
  const left = [
    ...(others.length === 0 ? [] : [`Cut off: ${listPlaces(others)}.`]),
    ...(limits.length === 0 ? [] : [`Left out: ${limits.join(', ')}.`]),
  ];
  return [
    `${all}, within the bounds: loops and recursion ${unwinding}.`,
    `${left.join(' ')} Beyond that, there may be others.`,
    ...pointers,
  ];
}

function listPlaces(cuts: RangeScope['cuts']): string {
  const names = cuts.map(({ kind, where, place }) => `${LEADS[kind]}${where}${lineOf(place)}`);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function lineOf(place: Place | null): string {
  return place ? ` (line ${place.line})` : '';
}

function describePointers(cuts: RangeScope['cuts']): string[] {
  return cuts.map(
    ({ place }) =>
      `An unconstrained pointer (uninitialised, or an input) that happens to hold the address of an object would not be followed${lineOf(place)}.`,
  );
}

const LEADS: Readonly<Record<CutKind, string>> = {
  loop: 'the loop ',
  recursion: 'recursion of ',
  limit: '',
  unsupported: '',
};
