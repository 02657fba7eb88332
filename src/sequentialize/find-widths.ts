/**
 * The widths of variables for narrow-variables.ts, by the engine's value analysis. It executes the program as it was
 * read; the emitted one has copies of its variables, which remember what they are copies of. A variable gets the bits
 * that its values need in all copies.
 *
 * Both must mean the same executions, so this is careful where they could differ:
 * - The loops run as often as the passes copy them, and only what the emitted program asserts is taken to hold.
 * - Threads have their numbers in values (locks know their owners): the numbers must agree.
 * - Members of records are narrow in all objects of the record, or in none: member-values.ts.
 * - An address is another number for the verifier than for the engine. In a program that looks at addresses as numbers,
 *   nothing is narrowed.
 */

import type { ExecutionLimits } from '../execute/execution.ts';
import { DEFAULT_LOWER_OPTIONS } from '../lower/context.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import { emittedChecks } from '../program/check-names.ts';
import type { CheckName, Code, CodeVariable } from '../program/code.ts';
import type { Program } from '../program/tree.ts';
import type { Field } from '../program/types.ts';
import type { VariableRange } from '../ranges/make-range.ts';
import { findVariableRanges, type RangeAnalysis } from '../ranges/variable-ranges.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { findPlainRecords } from './find-plain-records.ts';
import type { Slot } from './group-integers.ts';
import { looksAtAddresses } from './looks-at-addresses.ts';
import { findMemberValues } from './member-values.ts';
import { type BitVectorType, vectorOfInterval, type Widths } from './narrow-variables.ts';

export type FoundWidths =
  | { readonly kind: 'widths'; readonly widths: Widths }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Throws UnsupportedError or ExecutionLimitError, as the value analysis does. `program` is what `bounded` was made
 * from.
 */
export function findWidths(program: Program, bounded: BoundedProgram, limits: ExecutionLimits): FoundWidths {
  if (looksAtAddresses(bounded)) {
    return { kind: 'none', reason: 'the program looks at addresses as numbers, which the verifier chooses itself' };
  }
  const { options, fresh } = bounded;
  const { atomicStatements, errorLabels } = options;
  const checks = new Set<CheckName>([...emittedChecks(), 'unsupported']);
  const lowering = { ...DEFAULT_LOWER_OPTIONS, checks, atomicStatements, errorLabels };
  const code = lowerProgram(program, lowering, new DiagnosticSink());
  if (code === null) return { kind: 'none', reason: 'the value analysis cannot read the program' };
  const analysis = findVariableRanges(code, { bounds: options, limits, checks });
  if (!hasSameThreads(analysis, bounded)) {
    return { kind: 'none', reason: 'the value analysis numbers the threads in another way' };
  }
  const values = joinByVariable(code, analysis.ranges);
  const members = findMemberValues(code, analysis.ranges, findPlainRecords(bounded));
  const widthOf = (slot: Slot) => {
    const original = 'kind' in slot ? fresh.originalOf(slot) : null;
    const set = 'kind' in slot ? original && values.get(original.id) : members.get(slot);
    return set ? vectorOfSet(set) : null;
  };
  const isPlain = (field: Field) => members.isPlain(field);
  return { kind: 'widths', widths: { widthOf, isPlain, seesPointers: true } };
}

function hasSameThreads({ program }: RangeAnalysis, { threads }: BoundedProgram): boolean {
  return (
    program.threads.length === threads.length &&
    threads.every(({ startName, creator }, i) => {
      const other = program.threads[i];
      return other?.name === startName && (other.spawn?.thread ?? -1) === creator;
    })
  );
}

// ---------------------------------------------------------------- values

/**
 * By the number of a variable, all values of it or of its elements; variables with parts of different widths are left
 * out.
 */
function joinByVariable(code: Code, ranges: readonly VariableRange[]): ReadonlyMap<number, ValueSet> {
  const values = new Map<number, ValueSet>();
  const mixed = new Set<number>();
  for (const range of ranges) {
    const id = variableOf(code, range)?.id;
    if (id === undefined) continue;
    const known = values.get(id);
    if (range.isFloat || range.isPointer || (known && known.width !== range.set.width)) mixed.add(id);
    else values.set(id, known ? sets.joinSets(known, range.set) : range.set);
  }
  for (const id of mixed) values.delete(id);
  return values;
}

function variableOf(code: Code, { storage }: VariableRange): CodeVariable | null {
  switch (storage.kind) {
    case 'register':
      return code.functions[storage.function]?.registers[storage.register]?.variable ?? null;
    case 'object':
      return code.objects[storage.object]?.variable ?? null;
    case 'allocation':
    case 'allocated-part':
      return null;
  }
}

/** By zeros or by the sign: whatever needs fewer bits. A variable without values is not known. */
function vectorOfSet(set: ValueSet): BitVectorType | null {
  if (sets.isEmpty(set)) return null;
  const unsigned = vectorOfInterval({ low: 0n, high: sets.maxUnsigned(set) });
  const low = sets.minSigned(set);
  const signed = low < 0n ? vectorOfInterval({ low, high: sets.maxSigned(set) }) : unsigned;
  return signed.bits < unsigned.bits ? signed : unsigned;
}
