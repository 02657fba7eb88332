import { describe, expect, it } from 'vitest';
import { type ContentField, layOutContents } from './allocated-contents.ts';

const number = (bits: number, value: bigint): ContentField => ({ kind: 'number', bits, value });
const pointer = (target: string | null): ContentField => ({ kind: 'pointer', target });

function layOut(size: number, fields: readonly ContentField[]): number[] {
  const addressOf = (name: string) => (name === 'known' ? 0x10203n : null);
  return [...layOutContents(fields, { size, pointerSize: 4, addressOf })];
}

describe('layOutContents', () => {
  it('puts fields one after the other, also those that share a byte', () => {
    expect(layOut(4, [number(8, 0x78n), number(3, 3n), number(5, 0x1en), number(16, 0x0201n)])).toEqual([
      0x78, 0xf3, 0x01, 0x02,
    ]);
  });

  it('knows where pointers lead, or lets them lead nowhere', () => {
    expect(layOut(8, [pointer('known'), pointer('NULL')])).toEqual([3, 2, 1, 0, 0, 0, 0, 0]);
    expect(layOut(8, [pointer(null), pointer('unknown')])).toEqual(Array.from({ length: 8 }, () => 0xff));
  });

  it('gives unions what the other fields leave', () => {
    const union: ContentField = { kind: 'union', member: [number(8, 7n), number(8, 8n)] };
    expect(layOut(6, [number(8, 1n), union, number(8, 2n)])).toEqual([1, 7, 8, 0, 0, 2]);
    expect(layOut(6, [union, union])).toEqual([7, 8, 0, 7, 8, 0]);
  });

  it('leaves out what does not fit', () => {
    expect(layOut(1, [number(32, 0xffffffffn)])).toEqual([0xff]);
    expect(layOut(2, [])).toEqual([0, 0]);
  });
});
