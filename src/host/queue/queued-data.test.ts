// What goes through a queue comes out as it went in; and whatever else somebody puts there is refused, never believed
// and never a crash.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PortableRun, TimedResult } from '../../engines/swarm/instance-result.ts';
import { ShapeError } from '../../support/json-shape.ts';
import type { Loc } from '../../support/source.ts';
import { DEFAULT_SETTINGS } from '../../verify/settings.ts';
import { readAnswer, readInstance, readWorker, writeAnswer } from './queued-instance.ts';
import { printProgram, type QueuedProgram, readProgram } from './queued-program.ts';

const PROGRAM: QueuedProgram = {
  version: '1.2.3',
  job: {
    source: {
      name: 'p.c',
      files: [{ fileName: 'p.c', text: 'int main(void) { return 0; }', defines: ['A=1'], trigraphs: true }],
      project: { main: null },
    },
    settings: {
      ...DEFAULT_SETTINGS,
      unwind: 3,
      rounds: 2,
      unwindset: new Map([['main.0', 4]]),
      checks: ['assertion', 'bounds'],
      allowUndefined: true,
      allowedRaces: ['x'],
      memoryModel: 'tso',
      timeLimitMs: 1e9,
    },
    stage: { unwind: 3, rounds: 2 },
    memoryLimitBytes: 2 ** 30,
    colours: false,
    proves: true,
    headers: new Map([['/a/b.h', 'int b;']]),
    backend: {
      name: 'cbmc',
      schema: 'lazy2',
      schedule: [1, 0],
      bitvectors: true,
      unwindingAssertions: false,
      seeks: null,
    },
  },
  instanceTimeLimitMs: Number.POSITIVE_INFINITY,
};

const INSTANCE = {
  swarm: '0'.repeat(64),
  program: 'f'.repeat(64),
  instance: { name: '7', windows: [[[0, 3]], [], [[4, 4]]] },
};

const schedule = {
  segments: [{ thread: 1, steps: ['main@3'], commits: ['a'] }],
  inputs: new Map<string, bigint | number>([
    ['0:x', -(2n ** 70n)],
    ['0:y', -0],
    ['0:z', Number.NEGATIVE_INFINITY],
    ['0:w', 1.5e-300],
  ]),
  deadlock: [0, 1],
};

const RUNS: readonly PortableRun[] = [
  { kind: 'schedule', schedule },
  { kind: 'counted', run: { segments: [{ thread: 1, steps: 3 }], inputs: schedule.inputs } },
];

const place = { file: 'p.c', line: 1, column: 2 };
const RESULTS: readonly TimedResult['result'][] = [
  { kind: 'unknown', cause: 'time', reason: 'time is up' },
  {
    kind: 'none',
    cuts: [{ kind: 'bound', where: 'main.0', loc: 5 as Loc, place }],
    assertions: { total: 2, reached: 1, missed: [null], reachedAt: [place] },
  },
];

/** As it comes out of Redis. */
const travel = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('data on a queue', () => {
  it('comes out as it went in', () => {
    expect(readProgram(printProgram(PROGRAM), '1.2.3', ['cbmc'])).toEqual(PROGRAM);
    expect(readInstance(travel(INSTANCE))).toEqual(INSTANCE);
    for (const result of RESULTS) {
      const answer = readAnswer(travel(writeAnswer({ result, elapsedMs: 1.5, memoryBytes: 7 })));
      expect(answer).toEqual({ kind: 'found', result, elapsedMs: 1.5, memoryBytes: 7 });
    }
    for (const run of RUNS) {
      const violation = { kind: 'violation', outcome: { kind: 'unsafe' } as never, run } as const;
      const found = readAnswer(travel(writeAnswer({ result: violation, elapsedMs: 1, memoryBytes: 1 })));
      expect(found).toMatchObject({ result: { kind: 'violation', run } });
    }
    const worker = { version: '1\ufffd[2J', cores: 3, backends: [] };
    expect(readWorker('{"version":"1\\u001b[2J","cores":3}')).toEqual(worker);
    expect(readWorker('{"version":"1","cores":3,"backends":["cbmc"]}').backends).toEqual(['cbmc']);
  });

  it('is refused with its place', () => {
    const other = (change: (text: string) => string) => () =>
      readProgram(change(printProgram(PROGRAM)), '1.2.3', ['cbmc']);
    expect(other((text) => text)).not.toThrow();
    expect(() => readProgram(printProgram(PROGRAM), '1.2.4', ['cbmc'])).toThrow(
      '$.version: is "1.2.3"; this is Lazuli 1.2.4',
    );
    expect(other((text) => text.replace('"seed":1', '"seed":1,"solver":"/bin/sh"'))).toThrow(
      '$.settings.solver: is not',
    );
    expect(other((text) => text.replace('"rounds":2', '"rounds":1e99'))).toThrow('$.settings.rounds');
    expect(other((text) => text.replace('"trigraphs":true', '"trigraphs":1'))).toThrow('$.source.files[0].trigraphs');
    expect(other((text) => text.replace('"bounds"]', '"unwinding"]'))).toThrow(
      '$.settings.checks[1]: there is no check',
    );
    expect(() => readProgram(printProgram(PROGRAM), '1.2.3', ['esbmc'])).toThrow(
      '$.backend.name: this worker does not let "cbmc" run',
    );
    expect(other((text) => text.replace('"lazy2"', '"ul"'))).toThrow('$.backend.schema');
    expect(other((text) => text.replace('"schema"', '"path":"/bin/sh","schema"'))).toThrow('$.backend.path: is not');
    const long = { ...INSTANCE, instance: { name: 'n'.repeat(5000), windows: [] } };
    expect(() => readInstance(long)).toThrow('$.instance.name: must not be longer');
    expect(() => readInstance({ ...INSTANCE, program: '../x' })).toThrow('$.program: must be a hash');
  });

  it('is whatever somebody puts there, and nothing but a refusal comes of it', () => {
    const originals = [
      [
        (value: unknown) => readProgram(JSON.stringify(value), '1.2.3', ['cbmc']),
        travel(JSON.parse(printProgram(PROGRAM))),
      ],
      [readInstance, travel(INSTANCE)],
      ...RESULTS.map((result) => [readAnswer, travel(writeAnswer({ result, elapsedMs: 1, memoryBytes: 1 }))] as const),
    ] as const;
    const seed = Number(process.env.LAZULI_SEED ?? 17);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.jsonValue(), (which, where, junk) => {
        const [read, original] = originals[which % originals.length] as (typeof originals)[number];
        const copy = travel(original);
        const path = replaceSomewhere(copy, where, junk);
        try {
          read(copy);
        } catch (error) {
          if (!(error instanceof ShapeError)) throw new Error(`${path}: ${String(error)}`, { cause: error });
        }
      }),
      { seed, numRuns: 1500 },
    );
    expect(() => readProgram('{', '1.2.3', [])).toThrow(ShapeError);
  });
});

/** Puts a value in the place of one of all members, however deep. */
function replaceSomewhere(root: unknown, where: number, value: unknown): string {
  const members: (readonly [Record<string, unknown>, string])[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      members.push([node as Record<string, unknown>, key]);
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  const [node, key] = members[where % members.length] as (typeof members)[number];
  node[key] = value;
  return key;
}
