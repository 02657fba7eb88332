// What is left to be run of a swarm, and how instances are split: the parts have all that the whole has, they come
// before anything else, and a second run leaves out what a first one has done.

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { Agenda, type Splitting } from './agenda.ts';
import type { Instance, Instances } from './instances.ts';
import type { PreemptionPlace, ThreadPlaces } from './places.ts';
import { splitInstance } from './split-instance.ts';

function threadOf(name: string, blocks: readonly boolean[]): ThreadPlaces {
  const places = blocks.map((each): PreemptionPlace => ({ file: null, line: 0, functions: [], blocks: each }));
  return { name, routine: name, first: 1, places };
}

const free = (count: number) => Array.from({ length: count }, () => false);
const THREADS = [threadOf('main', free(5)), threadOf('worker', free(20))];

function instances(count: number): Instances {
  const at = (index: bigint): Instance => ({
    name: `${index}`,
    windows: [
      [[2, 4]],
      [
        [3, 6],
        [12, 15],
      ],
    ],
  });
  return { count: BigInt(count), total: null, at };
}

const SPLITTING: Splitting = { depth: 2, split: (instance) => splitInstance(instance, THREADS, 2) };

function keysLeft(agenda: Agenda): string[] {
  const keys: string[] = [];
  for (let task = agenda.take(); task; task = agenda.take()) keys.push(task.key);
  return keys;
}

describe('the parts of an instance', () => {
  it('together have every choice of places at which it can be preempted', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const preemptions = 1 + random.below(4);
      const threads = [0, 1, 2].map((t) =>
        threadOf(
          `t${t}`,
          Array.from({ length: 14 }, () => random.chance(1, 5)),
        ),
      );
      const windows = threads.map((): [number, number][] => [
        [1, 1 + random.below(6)],
        [8, 8 + random.below(6)],
      ]);
      const parts = splitInstance({ name: 'whole', windows }, threads, preemptions);
      const has = (all: Instance['windows'], t: number, label: number) =>
        threads[t]?.places[label]?.blocks === true ||
        (all[t] ?? []).some(([first, last]) => first <= label && label <= last);
      const stops = threads.map((_, t) => Array.from({ length: 14 }, (_, l) => l).filter((l) => has(windows, t, l)));
      if (parts === null) {
        const most = stops.map((labels, t) => labels.filter((label) => !threads[t]?.places[label]?.blocks).length);
        expect(most.every((count) => count <= preemptions)).toBe(true);
        continue;
      }
      const all = Array.from({ length: parts.count }, (_, i) => parts.at(i));
      for (const part of all) {
        const counted = stops.map((labels, t) => labels.filter((label) => has(part.windows, t, label)).length);
        expect(
          counted.some((count, t) => count < (stops[t]?.length ?? 0)),
          'a part is smaller',
        ).toBe(true);
      }
      for (let sample = 0; sample < 40; sample++) {
        const chosen = stops.map((labels) => Array.from({ length: preemptions }, () => random.pick(labels)));
        const holds = (part: Instance) => chosen.every((each, t) => each.every((label) => has(part.windows, t, label)));
        expect(all.some(holds), `seed ${seed}: ${JSON.stringify(chosen)}`).toBe(true);
      }
    }
  });

  it('are none where a thread can be preempted at all places that are left', () => {
    expect(splitInstance({ name: 'a', windows: [[[1, 2]], [[3, 4]]] }, THREADS, 2)).toBeNull();
    expect(splitInstance({ name: 'a', windows: [[], []] }, THREADS, 1)).toBeNull();
  });

  it('leave out what blocks: a thread may stop there anyway', () => {
    const threads = [threadOf('t', [false, true, false, true, false, true])];
    const parts = splitInstance({ name: 'a', windows: [[[0, 5]]] }, threads, 1);
    expect(parts?.count).toBe(2);
    expect([parts?.at(0).windows, parts?.at(1).windows]).toEqual([
      [[[0, 0]]],
      [
        [
          [2, 2],
          [4, 4],
        ],
      ],
    ]);
  });
});

describe('an agenda', () => {
  it('gives instances in their order, and parts before all others', () => {
    const agenda = new Agenda(instances(3), SPLITTING);
    const first = agenda.take();
    expect(first?.key).toBe('0');
    expect(first && agenda.split(first)).toBe(6);
    const part = agenda.take();
    expect(part?.key).toBe('0.0');
    expect(part && agenda.split(part)).toBe(6);
    const inner = agenda.take();
    expect(inner?.instance.name).toBe('0.0.0');
    expect(inner && agenda.split(inner), 'not deeper than asked').toBeNull();
    const rest = ['0.0.1', '0.0.2', '0.0.3', '0.0.4', '0.0.5', '0.1', '0.2', '0.3', '0.4', '0.5', '1', '2'];
    expect(keysLeft(agenda)).toEqual(rest);
  });

  it('goes on where an earlier run stopped, in the middle of parts, too', () => {
    const agenda = new Agenda(instances(4), SPLITTING);
    for (const key of ['0', '2', '1.0.3', '1.2']) agenda.leaveOut(key, 'none');
    agenda.leaveOut('1', 'split');
    agenda.leaveOut('1.0', 'split');
    const left = ['1.0.0', '1.0.1', '1.0.2', '1.0.4', '1.0.5', '1.1', '1.3', '1.4', '1.5', '3'];
    expect(keysLeft(agenda)).toEqual(left);
    expect(agenda.instanceAt('1.0.3').name).toBe('1.0.3');
  });
});
