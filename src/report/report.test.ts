import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Counterexample, CounterexampleStep } from '../trace/counterexample.ts';
import type { CheckReport } from './check-report.ts';
import { printJsonReport, REPORT_VERSION } from './json.ts';
import { printTextReport } from './text.ts';

const at = (line: number) => ({ file: 'race.c', line, column: 3 });

function step(thread: number, line: number, statement: string, assigned: Record<string, string> = {}) {
  const functionName = thread === 0 ? 'main' : 'reset';
  return {
    thread,
    function: functionName,
    callStack: [{ function: functionName, calledAt: null }],
    place: at(line),
    statement,
    assignments: Object.entries(assigned).map(([variable, value]) => ({ variable, value })),
    contextSwitch: false,
  } satisfies CounterexampleStep;
}

const counterexample: Counterexample = {
  threads: [
    { number: 0, start: 'main', creator: null, created: null },
    { number: 1, start: 'reset', creator: 0, created: at(14) },
  ],
  steps: [
    step(0, 13, 'x = 1;', { x: '1' }),
    step(0, 14, 'pthread_create(&t, 0, reset, 0);'),
    { ...step(1, 7, 'x = 0, y = 2;', { x: '0', y: '2' }), contextSwitch: true },
  ],
  violation: { ...step(0, 16, 'assert(x == 1);'), check: 'assertion', message: 'x == 1' },
};

const report: CheckReport = {
  program: 'race.c',
  verdict: { kind: 'unsafe', counterexample },
  bounds: { unwind: 1, rounds: 2 },
  engine: 'cbmc',
  elapsedMs: 1234.5,
};

describe('the report as text', () => {
  it('shows verdict, violated assertion and interleaving', () => {
    expect(printTextReport(report, { colours: false })).toBe(`race.c: unsafe: assertion: x == 1 (cbmc, 1.2 s)

  race.c:16:3: in main, thread 0 (main)
    assert(x == 1);

Threads:
  0: main
  1: reset, created by 0 at race.c:14:3

Counterexample: 3 steps, 2 context switches

  ── thread 0 (main) ─────────────────────────────────────────
  T0  13  x = 1;                            x = 1
  T0  14  pthread_create(&t, 0, reset, 0);
  ── switch to thread 1 (reset) ──────────────────────────────
  T1   7    x = 0, y = 2;                   x = 0, y = 2
  ── switch to thread 0 (main) ───────────────────────────────
  T0  16  assert(x == 1);                   ✗ violated
`);
  });

  it('names the files where there are several', () => {
    const steps = [{ ...counterexample.steps[0]!, place: { file: 'a.h', line: 2, column: 1 } }];
    const text = printTextReport(
      { ...report, verdict: { kind: 'unsafe', counterexample: { ...counterexample, steps } } },
      { colours: false },
    );
    expect(text).toMatch(/^ {2}T0 {6}a\.h:2 {2}x = 1;/m);
    expect(text).toMatch(/^ {2}T0 {2}race\.c:16 {2}assert/m);
  });

  it('cuts long statements', () => {
    const long = { ...counterexample, steps: [step(0, 1, `f(${'x, '.repeat(100)});`, { x: '1' })] };
    const text = printTextReport({ ...report, verdict: { kind: 'unsafe', counterexample: long } }, { colours: false });
    expect(text).toMatch(/x, …\s+x = 1$/m);
  });

  it('tells the other verdicts apart in one line', () => {
    const line = (verdict: CheckReport['verdict'], bounds = report.bounds) =>
      printTextReport({ ...report, verdict, bounds }, { colours: false }).split('\n')[0];
    expect(line({ kind: 'safe' })).toBe('race.c: safe (cbmc, 1.2 s)');
    expect(line({ kind: 'safe-up-to-bounds' })).toBe(
      'race.c: safe up to bounds: loops up to 1 iteration, 2 rounds (cbmc, 1.2 s)',
    );
    expect(line({ kind: 'safe-up-to-bounds' }, { unwind: 3, rounds: null })).toContain(
      '3 iterations, all interleavings',
    );
    expect(line({ kind: 'unknown', reason: 'CBMC ran out of memory' })).toContain('unknown: CBMC ran out of memory');
    expect(line({ kind: 'unsafe', counterexample: null })).toBe('race.c: unsafe (cbmc, 1.2 s)');
  });

  it('uses colours only when asked to', () => {
    expect(printTextReport(report, { colours: false })).not.toContain('\x1b');
    const coloured = printTextReport(report, { colours: true });
    expect(coloured).toContain('\x1b[1;31munsafe\x1b[0m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
    expect(coloured.replace(/\x1b\[[\d;]*m/g, '')).toBe(printTextReport(report, { colours: false }));
  });
});

describe('the report as JSON', () => {
  it('has the documented form', () => {
    const text = printJsonReport(report, '0.1.0');
    expect(text.endsWith('}\n')).toBe(true);
    const documented = readFileSync(new URL('../../docs/formats/counterexample.md', import.meta.url), 'utf8');
    const example = JSON.parse(/```json\n([^`]*)```/.exec(documented)?.[1] ?? '');
    const written = JSON.parse(text);
    expect(Object.keys(written)).toEqual(Object.keys(example));
    expect(example.version).toBe(REPORT_VERSION);
    const { threads, steps, violation } = example.counterexample;
    expect(Object.keys(written.counterexample)).toEqual(Object.keys(example.counterexample));
    expect(written.counterexample.threads).toEqual(threads);
    expect(Object.keys(written.counterexample.steps[2])).toEqual(Object.keys(steps[0]));
    expect(Object.keys(written.counterexample.violation).sort()).toEqual(
      expect.arrayContaining(Object.keys(violation).sort()),
    );
  });

  it('gives the reason of an unknown verdict', () => {
    const verdict = { kind: 'unknown', reason: 'time is up' } as const;
    const written = JSON.parse(printJsonReport({ ...report, verdict }, '0.1.0'));
    expect(written).toMatchObject({ verdict: 'unknown', reason: 'time is up', counterexample: null, elapsedMs: 1235 });
  });
});
