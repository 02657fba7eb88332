import { describe, expect, it } from 'vitest';
import { ForkMap } from './fork-map.ts';
import { createRandom } from './random.ts';

describe('a map that forks', () => {
  it('keeps what was there and lets both sides go their own way', () => {
    const one = new ForkMap<number, string>();
    one.set(1, 'a');
    one.set(2, 'b');
    const other = one.fork();
    one.set(1, 'x');
    other.delete(2);
    other.set(3, 'c');
    expect([...one.toMap()]).toEqual([
      [1, 'x'],
      [2, 'b'],
    ]);
    expect([...other.toMap()]).toEqual([
      [1, 'a'],
      [3, 'c'],
    ]);
    expect([...one.differingKeys(other)].sort()).toEqual([1, 2, 3]);
  });

  it('names few keys when little differs', () => {
    const one = new ForkMap<number, number>();
    for (let i = 0; i < 1000; i++) one.set(i, i);
    const other = one.fork();
    other.set(7, 8);
    expect([...one.differingKeys(other)]).toEqual([7]);
  });

  it('does what plain maps do, however often it is copied', () => {
    const random = createRandom(5);
    let maps = [{ fork: new ForkMap<number, number>(), plain: new Map<number, number>() }];
    for (let step = 0; step < 3000; step++) {
      const at = random.below(maps.length);
      const { fork, plain } = maps[at] as (typeof maps)[number];
      const key = random.below(40);
      const action = random.below(10);
      if (action === 0) maps[random.below(8)] = { fork: fork.fork(), plain: new Map(plain) };
      else if (action < 3) [fork.delete(key), plain.delete(key)];
      else [fork.set(key, step), plain.set(key, step)];
      expect(fork.get(key)).toBe(plain.get(key));
      // There may be places without a map.
      maps = maps.filter(Boolean);
    }
    for (const { fork, plain } of maps)
      expect(new Map([...fork.toMap()].sort((a, b) => a[0] - b[0]))).toEqual(
        new Map([...plain].sort((a, b) => a[0] - b[0])),
      );
    for (const a of maps) {
      for (const b of maps) {
        const keys = a.fork.differingKeys(b.fork);
        for (let key = 0; key < 40; key++) if (a.plain.get(key) !== b.plain.get(key)) expect(keys.has(key)).toBe(true);
      }
    }
  });
});
