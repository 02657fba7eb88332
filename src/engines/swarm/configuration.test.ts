import { describe, expect, it } from 'vitest';
import { printConfiguration, type TilingConfiguration } from './configuration.ts';
import { createInstances, hasAllPlaces } from './instances.ts';
import { nameThreads, type PreemptionPlace, type ThreadPlaces } from './places.ts';
import { readConfiguration } from './read-configuration.ts';

function place(line: number, ...functions: string[]): PreemptionPlace {
  return { file: 'src/stack.c', line, functions, blocks: false };
}

const names = nameThreads(['main', 'worker', 'worker']);
const worker = [place(3, 'worker'), place(4, 'push', 'worker'), place(4, 'push', 'worker'), place(9, 'cas', 'pop')];
const threads: readonly ThreadPlaces[] = [
  { name: names[0] as string, routine: 'main', first: 1, places: [place(20, 'main'), place(21, 'main')] },
  { name: names[1] as string, routine: 'worker', first: 0, places: worker },
  { name: names[2] as string, routine: 'worker', first: 0, places: worker },
];

const tiling: TilingConfiguration = {
  kind: 'tiling',
  threads: new Map([
    ['main', { statements: 2, tiles: [[1, 1]] }],
    ['worker#1', { statements: 4, tiles: [[0, 1], [2, 3]] }], // biome-ignore format: a line a thread
    ['worker#2', { statements: 4, tiles: [[0, 1], [2, 3]] }], // biome-ignore format: a line a thread
  ]),
  picks: 1,
  random: 5,
  first: 1n,
  count: 3n,
};

function instancesOf(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const instances = createInstances(readConfiguration(text), threads);
  return Array.from({ length: Number(instances.count) }, (_, i) => instances.at(BigInt(i)));
}

function versioned(instances: unknown) {
  return { format: 'lazuli-swarm', version: 1, instances };
}

describe('a configuration', () => {
  it('is read as it was printed', () => {
    expect(readConfiguration(printConfiguration(tiling))).toEqual(tiling);
    expect(readConfiguration(printConfiguration({ ...tiling, random: null }))).toEqual({ ...tiling, random: null });
  });

  it('of tiles gives instances in a random order, or in theirs', () => {
    const all = { ...tiling, first: 0n, count: 4n };
    const random = instancesOf(printConfiguration(all));
    expect(random.map(({ name }) => name).sort()).toEqual(['0', '1', '2', '3']);
    const ordered = instancesOf(printConfiguration({ ...all, random: null }));
    expect(ordered[1]).toEqual({ name: '1', windows: [[[1, 1]], [[0, 1]], [[2, 3]]] });
    expect(instancesOf(printConfiguration(tiling))).toEqual(random.slice(1));
  });

  it('of tiles may leave places out, and then does not have all interleavings', () => {
    expect(hasAllPlaces(tiling, threads)).toBe(true);
    const threadsWithout = new Map([
      ...tiling.threads,
      [
        'worker#2',
        {
          statements: 4,
          tiles: [
            [0, 1],
            [3, 3],
          ],
        },
      ],
    ]);
    const less = { ...tiling, threads: threadsWithout } as TilingConfiguration;
    expect(hasAllPlaces(less, threads)).toBe(false);
    const blocks = worker.map((each, label) => ({ ...each, blocks: label === 2 }));
    expect(
      hasAllPlaces(
        less,
        threads.map((thread) => ({ ...thread, places: thread.name === 'worker#2' ? blocks : thread.places })),
      ),
    ).toBe(true);
  });

  it('names places by label, line and function, and threads one by one or together', () => {
    const [instance] = instancesOf(
      versioned({
        mine: { 'worker#1': [0, [2, 3]], worker: [{ lines: [4, 8], file: 'stack.c' }], '*': [{ label: 1 }] },
      }),
    );
    expect(instance).toEqual({ name: 'mine', windows: [[[1, 1]], [[0, 3]], [[1, 2]]] });
    const [calls] = instancesOf(versioned({ calls: { '*': [{ function: 'pop' }, { line: 3 }] } }));
    expect(calls?.windows).toEqual([[], [[0, 0], [3, 3]], [[0, 0], [3, 3]]]); // biome-ignore format: a pair a window
  });

  it('may have the plain form of VeriSmart', () => {
    const instances = instancesOf({
      s0: {
        main: [[0, 1]],
        'worker#2': [
          [1, 1],
          [2, 3],
        ],
      },
      s1: { worker: [] },
    });
    expect(instances).toEqual([
      { name: 's0', windows: [[[0, 1]], [], [[1, 3]]] },
      { name: 's1', windows: [[], [], []] },
    ]);
  });

  it.each([
    ['[', '$: no JSON: '],
    [[], '$: must be an object, not a list'],
    [{}, '$: there is no instance'],
    [{ ...versioned({}), version: 2 }, '$.version: this Lazuli reads version 1, not 2'],
    [{ version: 1 }, '$.format: must be "lazuli-swarm"'],
    [{ ...versioned({ a: {} }), more: 1 }, '$.more: is not known here; there are format, version, instances'],
    [{ a: { main: [[0]] } }, '$.a.main[0]: must be [first, last], not a list of 1'],
    [{ a: { main: [[1, 0]] } }, '$.a.main[0][1]: must be a whole number of at least 1, not 0'],
    [{ a: { main: [{ line: 1 }] } }, '$.a.main[0]: must be a list, not an object'],
    [
      versioned({ 'a b': { main: [{ line: '1' }] } }),
      '$.instances["a b"].main[0].line: must be a number or [first, last], not "1"',
    ],
    [versioned({ a: { main: [{ line: 1, label: 2 }] } }), '$.instances.a.main[0]: a place has one of label, labels'],
    [{ format: 'lazuli-swarm', version: 1 }, '$: has neither "instances" nor "threads"'],
    [versioned({ a: { main: [{ line: 99 }] } }), 'main has no visible statement in line 99; the nearest is in line 21'],
    [versioned({ a: { '*': [7] } }), '$.instances.a["*"][0]: no thread has a visible statement 7; the last one is 3'],
    [versioned({ a: { other: [] } }), '$.instances.a.other: the program has no thread other; it has main, worker#1'],
    [
      versioned({ a: { '*': [{ function: 'f' }] } }),
      '$.instances.a["*"][0]: no thread has a visible statement in f; there are',
    ],
  ])('is told where it is wrong: %j', (value, message) => {
    expect(() => instancesOf(value)).toThrow(message);
  });

  it.each([
    ['"pick": 1', '"pick": 0', '$.pick: must be a whole number of at least 1, not 0'],
    ['"count": "3"', '"count": "x"', '$.count: must be a whole number, as text or not, but is "x"'],
    ['"count": "3"', '"count": "4"', '$.count: there are 4 selections, too few for 4 from 1 on'],
    ['[2, 3]', '[1, 3]', '$.threads["worker#1"].tiles[1]: tiles are in order and do not overlap'],
    ['[2, 3]', '[2, 4]', '$.threads["worker#1"].tiles[1]: the thread has 4 statements, from 0 on'],
    ['"main": { "statements": 2', '"main": { "statements": 3', 'the thread has 2 visible statements'],
    ['"main"', '"mein"', '$.threads: the thread main is missing'],
  ])('of tiles is told where it is wrong: %s', (from, to, message) => {
    expect(() => instancesOf(printConfiguration(tiling).replace(from, to))).toThrow(message);
  });
});
