import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { validateSarif } from '../../test/support/sarif-schema.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Trace, TraceStep } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { competitionVerdict, specificationOf } from './competition-verdict.ts';
import { printGithubReport } from './github.ts';
import { printJunitReport } from './junit.ts';
import { printSarifReport } from './sarif.ts';
import { printGraphmlWitness } from './witness-graphml.ts';
import { printYamlWitness } from './witness-yaml.ts';

const at = (line: number) => ({ file: 'a b/race.c', line, column: 3 });
const step = (index: number, thread: number, line: number, more: Partial<TraceStep> = {}): TraceStep => ({
  index,
  thread,
  isContextSwitch: false,
  function: thread === 0 ? 'main' : 'reset',
  callStack: [],
  place: at(line),
  statement: `line ${line};`,
  values: [],
  events: [],
  ...more,
});
const value = (name: string, text: string) =>
  ({ kind: 'write', name, value: text, old: null, isInternal: false, isUninitialised: false }) as const;

const trace: Trace = {
  version: 1,
  dataModel: 'LP64',
  violation: { check: 'assertion', message: 'x == "1", 100%', thread: 0, place: at(16) },
  threads: [
    { id: 0, parent: -1, start: 'main' },
    { id: 1, parent: 0, start: 'reset' },
    { id: 2, parent: 0, start: 'idle' },
  ],
  steps: [
    step(0, 0, 13, { events: [{ kind: 'create', child: 1 }] }),
    step(1, 1, 7, { isContextSwitch: true, values: [value('x', '0')] }),
    step(2, 0, 0, { place: null }),
    step(3, 0, 16, {
      isContextSwitch: true,
      events: [{ kind: 'violation', check: 'assertion', message: 'x == "1", 100%' }],
    }),
  ],
  contextSwitches: 2,
};

const bounds = { unwind: 2, rounds: 3 };
const report = (outcome: Outcome): CheckReport => ({
  program: 'a b/race.c',
  outcome,
  notes: ['A note.'],
  approximations: [],
  elapsedMs: 1500,
});
const unsafe = report({ kind: 'unsafe', engine: 'bounded', bounds, trace });
const bounded = report({ kind: 'bounded', engine: 'bounded', bounds, cuts: [], reason: null } as unknown as Outcome);
const unknown = report({
  kind: 'unknown',
  engine: 'bounded',
  bounds,
  cause: 'time',
  reason: 'time is up',
  loc: null,
  attempts: [],
});
/** Nothing orders line 7 of thread 1 and line 16 of main. */
const race = report({
  kind: 'unsafe',
  engine: 'explore',
  bounds,
  trace: {
    ...trace,
    violation: {
      ...{ check: 'race', message: 'data race on x', thread: 0, place: at(16) },
      race: {
        object: 'x',
        protection: null,
        sides: [
          { thread: 1, kind: 'write', place: at(7), callStack: [], locks: [] },
          { thread: 0, kind: 'read', place: at(16), callStack: [], locks: ['lock'] },
        ],
      },
    },
  },
} as unknown as Outcome);
const deadlock = report({
  kind: 'unsafe',
  engine: 'explore',
  bounds,
  trace: {
    ...trace,
    violation: {
      ...{ check: 'deadlock', message: 'all threads wait', thread: 0, place: at(16) },
      waits: [
        { thread: 0, routine: 'pthread_mutex_lock', place: at(16), object: 'b', holder: 1, heldSince: at(7) },
        { thread: 1, routine: 'pthread_mutex_lock', place: at(8), object: 'a', holder: 0, heldSince: null },
      ],
    },
  },
} as unknown as Outcome);
const bare = report({ kind: 'unsafe', engine: 'klee', bounds, trace: null });

describe('SARIF', () => {
  it.each([
    ['a violation', [unsafe]],
    ['one without a trace', [bare]],
    ['other verdicts', [bounded, unknown]],
    ['a race and a deadlock', [race, deadlock]],
    ['nothing', []],
  ])('is valid by the official schema: %s', (_, reports) => {
    const document = JSON.parse(printSarifReport(reports, '1.0.0'));
    expect(validateSarif(document)).toEqual([]);
  });

  it('would not be valid with a field that the schema does not know', () => {
    const document = JSON.parse(printSarifReport([unsafe], '1.0.0'));
    document.runs[0].results[0].colour = 'red';
    expect(validateSarif(document)).not.toEqual([]);
  });

  it('has a flow a thread that runs, in one order', () => {
    const [result] = JSON.parse(printSarifReport([unsafe], '1.0.0')).runs[0].results;
    expect(result).toMatchObject({ ruleId: 'assertion', ruleIndex: 0, level: 'error' });
    const { threadFlows } = result.codeFlows[0];
    expect(threadFlows.map(({ id }: { id: string }) => id)).toEqual(['0', '1']);
    const orders = threadFlows.map((flow: { locations: { executionOrder: number }[] }) =>
      flow.locations.map(({ executionOrder }) => executionOrder),
    );
    expect(orders).toEqual([[1, 4], [2]]);
    expect(threadFlows[1].locations[0].state).toEqual({ x: { text: '0' } });
    const { artifactLocation } = result.locations[0].physicalLocation;
    expect(artifactLocation).toEqual({ uri: 'a%20b/race.c', uriBaseId: '%SRCROOT%' });
  });

  it('relates a race to both its sides, and a deadlock to those who wait and to what they hold', () => {
    const related = (broken: CheckReport) => {
      const [result] = JSON.parse(printSarifReport([broken], '1.0.0')).runs[0].results;
      expect(result.codeFlows[0].threadFlows).toHaveLength(2);
      return result.relatedLocations.map(
        (location: { id: number; message: { text: string }; physicalLocation: { region: { startLine: number } } }) =>
          `${location.id}: ${location.physicalLocation.region.startLine}: ${location.message.text}`,
      );
    };
    expect(related(race)).toEqual([
      '1: 7: thread 1 (reset) writes x at a b/race.c:7, holding no lock',
      '2: 16: thread 0 (main) reads x at a b/race.c:16, holding lock',
      '3: 13: creates thread 1 (reset)',
    ]);
    expect(related(deadlock)).toEqual([
      '1: 16: thread 0 (main) waits in pthread_mutex_lock, line 16 for b, held by thread 1 since line 7',
      '2: 8: thread 1 (reset) waits in pthread_mutex_lock, line 8 for a, held by thread 0',
      '3: 7: thread 1 (reset) has taken b',
      '4: 13: creates thread 1 (reset)',
    ]);
  });

  it('gives a violation the same fingerprint when it moves, and others another', () => {
    const print = (change: Partial<Trace>) => {
      const changed = { ...unsafe, outcome: { ...unsafe.outcome, trace: { ...trace, ...change } } as Outcome };
      return JSON.parse(printSarifReport([changed], '1')).runs[0].results[0].partialFingerprints;
    };
    expect(print({ violation: { ...trace.violation, place: at(99) } })).toEqual(print({}));
    expect(print({ violation: { ...trace.violation, message: 'y' } })).not.toEqual(print({}));
  });
});

describe('annotations for GitHub', () => {
  it('name file, line and column, with their characters escaped', () => {
    expect(printGithubReport(unsafe)).toBe(
      '::error file=a b/race.c,line=16,col=3,title=lazuli%3A assertion::' +
        'assertion: x == "1", 100%25 (thread 0, main; after 2 context switches)\n',
    );
    expect(printGithubReport(unknown)).toBe('::warning file=a b/race.c,title=lazuli%3A unknown::time is up\n');
    expect(printGithubReport(bounded)).toBe('');
  });
});

describe('JUnit', () => {
  it('has a case a program, counted', () => {
    const text = printJunitReport([unsafe, bounded, unknown]);
    expect(text).toContain('<testsuites tests="3" failures="1" errors="1" time="4.500">');
    expect(text).toContain('<failure message="assertion: x == &quot;1&quot;, 100%" type="assertion">');
    expect(text).toContain('<error message="time is up" type="time">');
    expect(text.match(/<testcase /g)).toHaveLength(3);
    expect(text.match(/<\/testcase>/g)).toHaveLength(3);
  });
});

describe('violation witnesses', () => {
  const task = {
    files: [{ name: 'a b/race.c', sha256: 'ab12' }],
    specification: specificationOf(unsafe),
    dataModel: 'ILP32',
    producer: { name: 'lazuli', version: '1' },
    creationTime: '2026-01-01T00:00:00Z',
    uuid: 'u',
  } as const;
  const drawn = { ...value('k', '-5'), kind: 'input' as const, name: '__VERIFIER_nondet_int' };
  const steps = trace.steps.map((step, at) => (at === 0 ? { ...step, values: [drawn, value('k', '-5')] } : step));
  const told = { ...trace, steps };

  it('are YAML 2.2 with one segment a waypoint', () => {
    const [entry] = parseYaml(printYamlWitness(told, task));
    expect(entry.entry_type).toBe('violation_sequence');
    expect(entry.metadata).toMatchObject({
      format_version: '2.2',
      task: {
        input_file_hashes: { 'a b/race.c': 'ab12' },
        specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )',
        data_model: 'ILP32',
      },
    });
    const waypoints = entry.content.map(({ segment }: { segment: { waypoint: object }[] }) => segment[0]?.waypoint);
    const file = 'a b/race.c';
    expect(waypoints).toEqual([
      { type: 'function_enter', action: 'follow', thread_id: 0, location: { file_name: file, line: 13 } },
      {
        type: 'assumption',
        action: 'follow',
        thread_id: 1,
        constraint: { value: '1', format: 'c_expression' },
        location: { file_name: file, line: 7 },
      },
      {
        type: 'assumption',
        action: 'follow',
        thread_id: 0,
        constraint: { value: 'k == -5', format: 'c_expression' },
        location: { file_name: file, line: 16 },
      },
      { type: 'target', action: 'follow', thread_id: 0, location: { file_name: file, line: 16 } },
    ]);
  });

  it('are GraphML 1.0 that leads from the entry to the violation', () => {
    const text = printGraphmlWitness(told, task);
    expect(text).toContain('<node id="N0"><data key="entry">true</data></node>');
    expect(text).toContain('<node id="N5"><data key="violation">true</data></node>');
    expect(text.match(/<edge /g)).toHaveLength(5);
    expect(text).toContain('<data key="architecture">32bit</data>');
    expect(text).toContain('<data key="createThread">1</data></edge>');
    expect(text).toContain('<data key="threadId">1</data><data key="enterFunction">reset</data>');
    expect(text).toContain('<data key="assumption">k == -5;</data>');
  });

  it('of a race end in one segment with both accesses', () => {
    const { outcome } = race;
    const racing = outcome.kind === 'unsafe' && outcome.trace ? outcome.trace : trace;
    const [entry] = parseYaml(printYamlWitness(racing, task));
    const last = entry.content.at(-1).segment.map(({ waypoint }: { waypoint: object }) => waypoint);
    expect(last).toMatchObject([
      { type: 'target', thread_id: 1, location: { line: 7 } },
      { type: 'target', thread_id: 0, location: { line: 16 } },
    ]);
    expect(printGraphmlWitness(racing, task)).toContain('<node id="N5"><data key="violation">');
  });
});

describe('verdicts of competitions', () => {
  it('are true for proofs only, and name the property that is violated', () => {
    const safe = report({ kind: 'safe', engine: 'prove', bounds } as unknown as Outcome);
    expect([safe, bounded, unknown, unsafe, race, deadlock, bare].map(competitionVerdict)).toEqual([
      ...['true', 'unknown', 'unknown', 'false(unreach-call)', 'false(no-data-race)', 'false(no-deadlock)', 'false'],
    ]);
  });

  it('have specifications: of the violation, or of what was asked', () => {
    const check = (formula: string) => `CHECK( init(main()), LTL(G ${formula}) )`;
    expect(specificationOf(race)).toBe(check('! data-race'));
    expect(specificationOf({ ...bounded, property: 'no-overflow' })).toBe(check('! overflow'));
    expect(specificationOf({ ...bounded, property: 'valid-memsafety' }).split('\n')).toEqual(
      ['valid-free', 'valid-deref', 'valid-memtrack'].map(check),
    );
  });
});
