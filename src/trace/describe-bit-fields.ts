/**
 * Bit-fields in a trace: an access reads or writes all of their storage unit, but a person thinks of the one field. So
 * it is with the members of a record that is read or written atomically, as one integer.
 */

import type { ScalarType } from '../program/code.ts';
import type { BitField } from '../program/part-paths.ts';
import type { Describer } from './describe-values.ts';
import type { MachineEvent, Scalar } from './interpreter/state.ts';
import type { TraceValue } from './trace.ts';

/** The bit-fields that a write changes (or all, when it changes none); all that a read sees. */
export function describeBitFields(
  { kind, value, old }: Extract<MachineEvent, { kind: 'read' | 'write' }>,
  bitFields: readonly BitField[],
  describer: Describer,
  isInternal: boolean,
): TraceValue[] {
  const all = bitFields.map((field): TraceValue => {
    const before = old === null ? null : describeBits(old, field, describer);
    return {
      kind,
      name: field.path,
      value: describeBits(value, field, describer),
      old: before,
      isInternal,
      isUninitialised: false,
    };
  });
  const changed = all.filter((each) => kind === 'write' && each.value !== each.old);
  return changed.length > 0 ? changed : all;
}

function describeBits(value: Scalar, { start, width, type }: BitField, describer: Describer): string {
  const bits = BigInt(value) >> BigInt(start);
  const signed = type.kind === 'integer' && !type.name.startsWith('unsigned') && type.name !== '_Bool';
  const scalar: ScalarType = { kind: 'integer', bits: 64, signed, pointer: type.kind === 'pointer' };
  return describer.value(scalar, signed ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits), type);
}
