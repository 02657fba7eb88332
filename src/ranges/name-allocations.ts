/**
 * Allocated memory by the names of its members, for people: `allocated@12.next` instead of the bytes 8 and on of what
 * line 12 allocates. Memory has no type of its own; it is taken to hold what the pointers point to that may hold its
 * address (program/allocation-types.ts), those of the variables first, then those that lie in allocated memory itself.
 *
 * What was stored where no member is, and what no pointer with a type leads to, stays as it is: bytes from an offset
 * on.
 */

import type { MemoryObject } from '../execute/cells.ts';
import type { ObjectValues } from '../execute/value-recorder.ts';
import { AllocationTypes } from '../program/allocation-types.ts';
import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import { isFlexible } from '../program/part-paths.ts';
import { type ScalarPart, scalarParts } from '../program/scalar-parts.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { rangeOfPart, type VariableRange } from './make-range.ts';
import { relate } from './object-values.ts';
import { compareRanges, isLibraryPart, nameOfAllocation, type RangeAnalysis } from './variable-ranges.ts';

export interface NamedAnalysis extends RangeAnalysis {
  /** What is known of allocated objects: their name, and the type of what they hold, as far as pointers tell. */
  readonly names: ReadonlyMap<MemoryObject, AllocationName>;
}

export interface AllocationName {
  readonly name: string;
  readonly type: Type | null;
}

/** What one place of the source allocates. */
interface Site {
  readonly loc: Loc;
  readonly instances: readonly ObjectValues[];
  /** Of the largest instance. */
  readonly bytes: number;
}

export function nameAllocations(analysis: RangeAnalysis): NamedAnalysis {
  const { code } = analysis.execution;
  const sites = [...findSites(analysis.allocated).values()];
  const declared = analysis.ranges.filter(({ kind }) => kind !== 'allocation');
  const types = new AllocationTypes(code.dataModel);
  const learn = createTeacher(types, sites);
  let pending = learn(declared.filter(({ isInternal }) => !isInternal));
  const parts = new Map<Site, readonly VariableRange[]>();
  while (pending.size > 0) {
    const next = [...pending].map((site) => rangesOfMembers(analysis, site, types.typeOf(site.loc)));
    for (const [i, site] of [...pending].entries()) parts.set(site, next[i] ?? []);
    pending = learn(next.flat());
  }
  const allocated = sites.flatMap((site) => [
    ...(parts.get(site) ?? []),
    ...rangesBesides(analysis, site, parts.get(site) ?? []),
  ]);
  const names = sites.flatMap((site) => {
    const name = { name: nameOfAllocation(code, site.loc), type: types.typeOf(site.loc) };
    return site.instances.map(({ object }) => [object, name] as const);
  });
  return { ...analysis, ranges: [...declared, ...allocated].sort(compareRanges), names: new Map(names) };
}

function findSites(allocated: readonly ObjectValues[]): Map<Loc, Site> {
  const sites = new Map<Loc, Site>();
  for (const values of allocated) {
    const known = sites.get(values.place);
    const bytes = Math.max(values.object.size, known?.bytes ?? 0);
    sites.set(values.place, { loc: values.place, instances: [...(known?.instances ?? []), values], bytes });
  }
  return sites;
}

/** So many addresses of a pointer are looked at one by one; of more, the ends of each part of its set. */
const MOST_ADDRESSES = 64;

/** Takes what pointers hold; gives the sites of which more is known by that. */
function createTeacher(types: AllocationTypes, sites: readonly Site[]) {
  const objects = sites
    .flatMap((site) => site.instances.map(({ object }) => ({ site, object })))
    .sort((a, b) => (a.object.base < b.object.base ? -1 : 1));
  return (ranges: readonly VariableRange[]): Set<Site> => {
    const taught = new Set<Site>();
    for (const { type, set } of ranges) {
      if (type === null || !('qualifiers' in type) || type.kind !== 'pointer') continue;
      for (const address of addressesIn(set)) {
        const found = objects.findLast(({ object }) => object.base <= address);
        if (!found || address >= found.object.base + BigInt(found.object.size)) continue;
        const { site, object } = found;
        if (types.learn(site.loc, site.bytes, Number(address - object.base), type.target)) taught.add(site);
      }
    }
    return taught;
  };
}

function addressesIn(set: ValueSet): readonly bigint[] {
  return sets.enumerateValues(set, MOST_ADDRESSES) ?? set.parts.flatMap(({ low, high }) => [low, high]);
}

/** The members that are ever given a value. */
function rangesOfMembers(analysis: RangeAnalysis, site: Site, type: Type | null): readonly VariableRange[] {
  const { execution } = analysis;
  const { code } = execution;
  const creators = new Set(site.instances.map(({ object }) => object.creator));
  const parts = type === null ? [] : partsIn(type, site.bytes, code.dataModel);
  return parts
    .map((part) =>
      rangeOfPart(execution, site.instances, part, {
        kind: 'allocation',
        function: null,
        name: nameOfAllocation(code, site.loc) + part.path,
        isInternal: isLibraryPart(code, part),
        loc: site.loc,
        storage: { kind: 'allocated-part', creators, part },
      }),
    )
    .filter(({ set }) => !sets.isEmpty(set));
}

/** The scalars in so many bytes of the type: all elements of an array, a flexible member as far as it goes. */
function partsIn(type: Type, bytes: number, model: DataModel): readonly ScalarPart[] {
  if (type.kind === 'array' && type.length === null) {
    return scalarParts({ ...type, length: Math.floor(bytes / sizeOf(type.element, model)) }, model);
  }
  const parts = scalarParts(type, model);
  const last = type.kind === 'record' ? type.declaration.fields?.at(-1) : undefined;
  if (!last || !isFlexible(last) || last.type.kind !== 'array') return parts;
  const length = Math.floor((bytes - last.offset) / sizeOf(last.type.element, model));
  const elements = scalarParts({ ...last.type, length }, model).map((part) => ({
    ...part,
    path: `.${last.name}${part.path}`,
    offset: last.offset + part.offset,
  }));
  return [...parts, ...elements];
}

/** What was stored outside of all members. */
function rangesBesides(
  { ranges }: RangeAnalysis,
  { loc }: Site,
  members: readonly VariableRange[],
): readonly VariableRange[] {
  return ranges.filter((range) => {
    const { storage } = range;
    if (storage.kind !== 'allocation' || range.loc !== loc) return false;
    return members.every((member) => {
      return member.storage.kind !== 'allocated-part' || relate(storage, member.storage.part) === 'apart';
    });
  });
}
