/**
 * The values of members of records, over all objects of a record: variables by the places that their types have,
 * allocations by what they are used as (find-plain-records.ts). An allocation is taken to be an array of that. Where
 * something was stored that does not fit the places, and in objects whose values the value analysis does not tell,
 * nothing is known about the members.
 */

import type { Code } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { scalarParts } from '../program/scalar-parts.ts';
import type { Field, RecordDeclaration, Type } from '../program/types.ts';
import type { VariableRange } from '../ranges/make-range.ts';
import { relate } from '../ranges/object-values.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { PlainRecords } from './find-plain-records.ts';

export interface MemberValues {
  /** Undefined if not known. */
  get(field: Field): ValueSet | undefined;
  /** Whether nobody can see the layout of its record. */
  isPlain(field: Field): boolean;
}

/** `plain` is null if nothing is known about records. */
export function findMemberValues(
  code: Code,
  ranges: readonly VariableRange[],
  plain: PlainRecords | null,
): MemberValues {
  const members = new Members(code, plain);
  if (plain === null) return members;
  for (const range of ranges) members.add(range, plain);
  for (const { isConstant, type } of code.objects) if (isConstant && type) members.forget(type);
  return members;
}

class Members implements MemberValues {
  readonly #code: Code;
  readonly #plain: PlainRecords | null;
  readonly #values = new Map<Field, ValueSet>();
  readonly #unknown = new Set<Field>();
  readonly #records = new Map<Field, RecordDeclaration>();

  constructor(code: Code, plain: PlainRecords | null) {
    this.#code = code;
    this.#plain = plain;
  }

  get(field: Field): ValueSet | undefined {
    return this.#unknown.has(field) ? undefined : this.#values.get(field);
  }

  isPlain(field: Field): boolean {
    const record = this.#records.get(field);
    return record !== undefined && this.#plain?.has(record) === true;
  }

  add(range: VariableRange, { allocated }: PlainRecords): void {
    const { storage } = range;
    if (storage.kind === 'object') {
      const { field, record } = storage.part;
      if (field && record) this.#join(field, record, range.set);
    } else if (storage.kind === 'allocation') {
      const types = allocated.get(range.loc) ?? new Set([...allocated.values()].flat());
      for (const type of types) this.#addAllocated(type, storage, range.set);
    }
  }

  /** The initial values of constants are not told. */
  forget(type: Type): void {
    for (const { field } of scalarParts(type, this.#code.dataModel)) if (field) this.#unknown.add(field);
  }

  #addAllocated(
    type: Type,
    stored: { readonly offset: number; readonly size: number; readonly step: number },
    set: ValueSet,
  ): void {
    const { dataModel } = this.#code;
    if (type.kind !== 'record' || type.declaration.fields === null) return;
    const stride = sizeOf(type, dataModel);
    for (const { field, record, offset, size, repeats } of scalarParts(type, dataModel)) {
      if (!field || !record || stride === 0) continue;
      const piece = { offset, size, repeats: [...repeats, { count: 1, stride }] };
      const relation = relate(stored, piece);
      if (relation === 'same') this.#join(field, record, set);
      if (relation === 'mixed') this.#unknown.add(field);
      if (relation === 'apart') this.#records.set(field, record);
    }
  }

  #join(field: Field, record: RecordDeclaration, set: ValueSet): void {
    this.#records.set(field, record);
    const known = this.#values.get(field);
    if (known && known.width !== set.width) this.#unknown.add(field);
    else this.#values.set(field, known ? sets.joinSets(known, set) : set);
  }
}
