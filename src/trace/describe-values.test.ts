import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import type { ScalarType } from '../program/code.ts';
import { Describer } from './describe-values.ts';
import { layoutOf, Memory } from './interpreter/memory.ts';

const POINTER: ScalarType = { kind: 'integer', bits: 64, signed: false, pointer: true };

describe('Describer', () => {
  it('shows all bits of an address that is none', () => {
    const code = lowerText('int main(void) { return 0; }', {});
    const memory = new Memory(layoutOf(code));
    const describer = new Describer(code, memory);
    expect(describer.value(POINTER, 0n)).toBe('NULL');
    expect(describer.value(POINTER, 9n)).toBe('0x9');
    expect(describer.value(POINTER, 0xffff_ffff_ffff_ffffn)).toBe('0xffffffffffffffff');
  });
});
