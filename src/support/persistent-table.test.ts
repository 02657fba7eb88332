import { describe, expect, it } from 'vitest';
import { PersistentTable } from './persistent-table.ts';
import { createRandom } from './random.ts';

const same = (left: number, right: number) => left === right;

describe('PersistentTable', () => {
  it('keeps what was set, and leaves the tables before as they were', () => {
    const one = PersistentTable.empty<number>().with(3, 30);
    const two = one.with(1000, 7).with(3, 31);
    expect([one.get(3), one.get(1000), two.get(3), two.get(1000), two.get(4)]).toEqual([
      30,
      undefined,
      31,
      7,
      undefined,
    ]);
    expect(two.with(3, undefined).get(3)).toBeUndefined();
  });

  it('does as a map does, at random', () => {
    const random = createRandom(7);
    for (let round = 0; round < 50; round++) {
      const maps = [new Map<number, number>(), new Map<number, number>()] as const;
      let common = PersistentTable.empty<number>();
      for (let i = 0; i < 20; i++) {
        const at = random.below(300);
        common = common.with(at, i);
        for (const map of maps) map.set(at, i);
      }
      const tables = maps.map((map) => {
        let table = common;
        for (let i = 0; i < 10; i++) {
          const at = random.below(600);
          const value = random.below(3);
          table = table.with(at, value === 0 ? undefined : value);
          if (value === 0) map.delete(at);
          else map.set(at, value);
        }
        return table;
      }) as [PersistentTable<number>, PersistentTable<number>];
      const both = tables[0].intersect(tables[1], same);
      for (let at = 0; at < 600; at++) {
        const value = maps[0].get(at);
        expect(tables[0].get(at)).toBe(value);
        expect(both.get(at)).toBe(maps[1].get(at) === value ? value : undefined);
      }
    }
  });
});
