/**
 * Drafts of initializers: what a list has filled so far, open to later items that override parts of it. Arrays keep a
 * sorted list of disjoint ranges, so that `int a[100000000] = {1}` and `[0 ... 999999] = x` cost one entry each;
 * appending in order is constant time. The drafts belong to the list that is being read; `finishDraft` makes them
 * immutable.
 */

import type { Expression, Initializer, StringExpression } from '../../program/tree.ts';
import { arrayOf } from '../../program/type-operations.ts';
import type { ArrayType, Field, RecordDeclaration, RecordType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type { Checker } from './checker.ts';

interface ArrayEntry {
  first: number;
  last: number;
  value: Draft;
}

export interface ArrayDraft {
  readonly kind: 'array';
  readonly type: ArrayType;
  /** The number of elements, or null if the initializer decides it. */
  readonly limit: number | null;
  /** One more than the greatest index filled. */
  length: number;
  readonly entries: ArrayEntry[];
  readonly loc: Loc;
}

export interface RecordDraft {
  readonly kind: 'record';
  readonly type: RecordType;
  readonly fields: readonly Field[];
  /** By position in `fields`. */
  readonly values: Map<number, Draft>;
  readonly loc: Loc;
}

export type AggregateDraft = ArrayDraft | RecordDraft;

export type Draft =
  | AggregateDraft
  | { readonly kind: 'scalar'; readonly value: Expression }
  | { readonly kind: 'characters'; readonly value: StringExpression; readonly type: Type }
  | { readonly kind: 'finished'; readonly initializer: Initializer; readonly length: number };

export function createDraft(c: Checker, type: ArrayType | RecordType, loc: Loc): AggregateDraft {
  if (type.kind === 'record') {
    return { kind: 'record', type, fields: fillableFields(c, type.declaration), values: new Map(), loc };
  }
  const limit = typeof type.length === 'number' ? type.length : null;
  return { kind: 'array', type, limit, length: 0, entries: [], loc };
}

/** All members but unnamed bit-fields. */
function fillableFields(c: Checker, declaration: RecordDeclaration): readonly Field[] {
  const known = c.fillable.get(declaration);
  if (known !== undefined) return known;
  const fields = (declaration.fields ?? []).filter((field) => field.name !== null || field.bits === null);
  c.fillable.set(declaration, fields);
  return fields;
}

/** What a place holds already, or null. A range that is only partly asked for is split, its value copied. */
export function draftAt(draft: AggregateDraft, first: number, last: number): Draft | null {
  if (draft.kind === 'record') return draft.values.get(first) ?? null;
  const entry = draft.entries[firstReaching(draft.entries, first)];
  if (entry === undefined || entry.first > first || last > entry.last) return null;
  return entry.first === first && entry.last === last ? entry.value : copyDraft(entry.value);
}

/** The position of the first entry that ends at `index` or after it. */
function firstReaching(entries: readonly ArrayEntry[], index: number): number {
  const end = entries[entries.length - 1];
  if (end === undefined || end.last < index) return entries.length;
  let low = 0;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as ArrayEntry).last < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fills a place (for an array, all elements of a range), in place of what was there. */
export function setDraft(draft: AggregateDraft, first: number, last: number, value: Draft): void {
  if (draft.kind === 'record') {
    if (draft.type.declaration.isUnion && !draft.values.has(first)) draft.values.clear();
    draft.values.set(first, value);
    return;
  }
  draft.length = Math.max(draft.length, last + 1);
  const { entries } = draft;
  const from = firstReaching(entries, first);
  if (from === entries.length) {
    entries.push({ first, last, value });
    return;
  }
  const replacement: ArrayEntry[] = [];
  let to = from;
  for (let entry = entries[to]; entry !== undefined && entry.first <= last; entry = entries[++to]) {
    if (entry.first < first) replacement.push({ first: entry.first, last: first - 1, value: entry.value });
    if (entry.last > last) replacement.push({ first: last + 1, last: entry.last, value: copyDraft(entry.value) });
  }
  const isSplit = (replacement[0]?.first ?? last) < first;
  replacement.splice(isSplit ? 1 : 0, 0, { first, last, value });
  entries.splice(from, to - from, ...replacement);
}

function copyDraft(draft: Draft): Draft {
  if (draft.kind === 'array') {
    return { ...draft, entries: draft.entries.map((entry) => ({ ...entry, value: copyDraft(entry.value) })) };
  }
  if (draft.kind === 'record') {
    return { ...draft, values: new Map([...draft.values].map(([at, value]) => [at, copyDraft(value)])) };
  }
  return draft;
}

export function finishDraft(draft: Draft): Initializer {
  switch (draft.kind) {
    case 'scalar':
      return { kind: 'scalar', value: draft.value };
    case 'characters':
      return { kind: 'characters', value: draft.value, type: draft.type };
    case 'finished':
      return draft.initializer;
    case 'array': {
      const items = draft.entries.map(({ first, last, value }) => ({ first, last, value: finishDraft(value) }));
      const type = draft.limit === null ? arrayOf(draft.type.element, draft.length) : draft.type;
      return { kind: 'array', type, items, loc: draft.loc };
    }
    case 'record': {
      const places = [...draft.values.keys()].sort((a, b) => a - b);
      const items = places.map((at) => ({
        field: draft.fields[at] as Field,
        value: finishDraft(draft.values.get(at) as Draft),
      }));
      return { kind: 'record', type: draft.type, items, loc: draft.loc };
    }
  }
}
