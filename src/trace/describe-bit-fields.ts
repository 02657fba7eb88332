/** Bit-fields in a trace: an access reads or writes all of their storage unit, but a person thinks of the one field. */

import type { MachineEvent, Scalar } from './interpreter/state.ts';
import type { BitField } from './paths.ts';
import type { TraceValue } from './trace.ts';

/** The bit-fields that a write changes (or all, when it changes none); all that a read sees. */
export function describeBitFields(
  { kind, value, old }: Extract<MachineEvent, { kind: 'read' | 'write' }>,
  bitFields: readonly BitField[],
  isInternal: boolean,
): TraceValue[] {
  const all = bitFields.map((field): TraceValue => {
    const before = old === null ? null : extractBits(old, field);
    return {
      kind,
      name: field.path,
      value: extractBits(value, field),
      old: before,
      isInternal,
      isUninitialised: false,
    };
  });
  const changed = all.filter((each) => kind === 'write' && each.value !== each.old);
  return changed.length > 0 ? changed : all;
}

function extractBits(value: Scalar, { start, width, type }: BitField): string {
  const bits = BigInt(value) >> BigInt(start);
  const isSigned = type.kind === 'integer' && !type.name.startsWith('unsigned') && type.name !== '_Bool';
  return String(isSigned ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits));
}
