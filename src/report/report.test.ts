import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../outcome/outcome.ts';
import type { Trace, TraceEvent, TraceStep } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { printJsonReport, REPORT_VERSION } from './json.ts';
import { printTextReport } from './text.ts';

const at = (line: number) => ({ file: 'race.c', line, column: 3 });

function step(
  thread: number,
  line: number,
  statement: string,
  written: Record<string, string> = {},
  ...events: TraceEvent[]
) {
  return {
    index: 0,
    thread,
    isContextSwitch: false,
    function: thread === 0 ? 'main' : 'reset',
    callStack: [],
    place: at(line),
    statement,
    values: Object.entries(written).map(([name, value]) => ({
      kind: 'write' as const,
      name,
      value,
      old: null,
      isInternal: name.startsWith('__'),
      isUninitialised: false,
    })),
    events,
  } satisfies TraceStep;
}

const trace: Trace = {
  version: 1,
  dataModel: 'LP64',
  violation: { check: 'assertion', message: 'x == 1', thread: 0, place: at(16) },
  threads: [
    { id: 0, parent: -1, start: 'main' },
    { id: 1, parent: 0, start: 'reset' },
  ],
  steps: [
    step(0, 13, 'x = 1;', { x: '1' }),
    step(0, 14, 'pthread_create(&t, 0, reset, 0);', { __count: '1' }, { kind: 'create', child: 1 }),
    { ...step(1, 7, 'x = 0, y = 2;', { x: '0', y: '2' }), isContextSwitch: true },
    {
      ...step(0, 16, 'assert(x == 1);', {}, { kind: 'violation', check: 'assertion', message: 'x == 1' }),
      isContextSwitch: true,
      values: [{ kind: 'read', name: 'x', value: '0', old: null, isInternal: false, isUninitialised: false }],
    },
  ],
  contextSwitches: 2,
};

const origin = { engine: 'cbmc', bounds: { unwind: 1, rounds: 2 } };
const unsafe: Outcome = { kind: 'unsafe', ...origin, trace };

const report: CheckReport = {
  program: 'race.c',
  outcome: unsafe,
  notes: [],
  approximations: [],
  elapsedMs: 1234.5,
};

function unknown(reason: string): Outcome {
  return { kind: 'unknown', ...origin, cause: 'backend', reason, loc: null, attempts: [] };
}

const withSteps = (...steps: TraceStep[]): CheckReport => ({
  ...report,
  outcome: { ...unsafe, trace: { ...trace, steps } },
});

describe('the report as text', () => {
  it('shows a trace of any length, folded or not', () => {
    const many = Array.from({ length: 130_000 }, (_, at) =>
      step(0, (at % 7) + 1, `f(${at % 7}, ${at});`, { x: `${at}` }),
    );
    const all = printTextReport(withSteps(...many.slice(0, 1000)), { colours: false, verbose: true });
    expect(all.split('\n').length).toBeGreaterThan(1000);
    const long = { ...report, outcome: { ...unsafe, trace: { ...trace, steps: many } } };
    expect(printTextReport(long, { colours: false, verbose: true }).split('\n').length).toBeGreaterThan(130_000);
    expect(printTextReport(long, { colours: false })).toContain('130000 steps');
  });

  it('calls the results of thread routines by their names', () => {
    const told = (routine: string, value: string) =>
      printTextReport(withSteps(step(0, 1, 'f();', {}, { kind: 'result', function: routine, value })), {
        colours: false,
      });
    expect(told('pthread_mutex_lock', '131')).toContain('pthread_mutex_lock returns ENOTRECOVERABLE');
    expect(told('pthread_equal', '1')).toContain('pthread_equal returns true');
    expect(told('pthread_barrier_wait', '-1')).toContain('returns PTHREAD_BARRIER_SERIAL_THREAD');
    expect(told('mtx_trylock', '1')).toContain('mtx_trylock returns thrd_busy');
    expect(told('sem_trywait', '-1')).toContain('sem_trywait returns -1');
  });

  it('tells elements of one value together', () => {
    const filled = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`a[${at}].x`, at < 7 ? '0' : '1']));
    const text = printTextReport(withSteps(step(0, 1, 'f();', filled)), { colours: false });
    expect(text).toContain('a[0..6].x = 0, a[7].x = 1, a[8].x = 1');
  });

  it('lets no control character of the program reach the terminal', () => {
    const bad = 'a\u001b[31mb\u0007\u202ec\u009b';
    const text = printTextReport(
      {
        ...withSteps(step(0, 1, bad, { [bad]: bad }, { kind: 'call', function: bad, args: [bad] })),
        program: bad,
        notes: [bad],
      },
      { colours: false },
    );
    expect(text).toContain('a\ufffd[31mb\ufffd\ufffdc\ufffd');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('shows verdict, violated assertion and interleaving', () => {
    expect(printTextReport(report, { colours: false })).toBe(`race.c: unsafe: assertion: x == 1 (cbmc, 1.2 s)

  race.c:16:3: in main, thread 0 (main)
    assert(x == 1);

Threads:
  0: main
  1: reset, created by 0

Counterexample: 4 steps, 2 context switches

  ── thread 0 (main) ─────────────────────────────────────────
  T0  13  x = 1;                            x = 1
  T0  14  pthread_create(&t, 0, reset, 0);  creates thread 1
  ── switch to thread 1 (reset) ──────────────────────────────
  T1   7    x = 0, y = 2;                   x = 0, y = 2
  ── switch to thread 0 (main) ───────────────────────────────
  T0  16  assert(x == 1);                   x is 0  ✗ violated
`);
  });

  it('names the files where there are several', () => {
    const other = { ...step(0, 2, 'x = 1;'), place: { file: 'a.h', line: 2, column: 1 } };
    const text = printTextReport(withSteps(other, ...trace.steps), { colours: false });
    expect(text).toMatch(/^ {2}T0 {6}a\.h:2 {2}x = 1;/m);
    expect(text).toMatch(/^ {2}T0 {2}race\.c:16 {2}assert/m);
  });

  it('breaks long statements only at the edge of a terminal', () => {
    const long = step(0, 1, `f(${'x, '.repeat(100)});`, { x: '1' });
    expect(printTextReport(withSteps(long), { colours: false })).toMatch(/x, \);\n +x = 1$/m);
    const narrow = printTextReport(withSteps(long), { colours: false, columns: 80 });
    const lines = narrow.split('\n').slice(12);
    expect(lines[0]).toMatch(/^ {2}T0 {2}1 {2}f\(x, x, .* x,$/);
    expect(lines[1]).toMatch(/^ {13}x, x, .* x,$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.at(-2)?.trim()).toBe('x = 1');
  });

  it('keeps what steps do in one column, and wraps it', () => {
    const wide = { 'list.first': '&allocated#1', 'list.last': '&allocated#2', 'list.count': '2' };
    const steps = [step(0, 1, 'x = 1;', { x: '1' }), step(0, 2, `${'insert(x), '.repeat(5)}insert(y);`, wide)];
    const text = printTextReport(withSteps(...steps), { colours: false, columns: 60 });
    expect(text.split('\n').slice(-6)).toEqual([
      '  T0  1  x = 1;  x = 1',
      '  T0  2  insert(x), insert(x), insert(x), insert(x),',
      '             insert(x), insert(y);',
      '                 list.first = &allocated#1',
      '                 list.last = &allocated#2, list.count = 2',
      '',
    ]);
  });

  it('tells of memory and of results of thread routines', () => {
    const steps = [
      step(0, 1, 'p = malloc(4);', {}, { kind: 'allocate', object: 'allocated#1', bytes: 4 }),
      step(0, 2, 'free(p);', {}, { kind: 'free', object: 'allocated#1' }),
      step(0, 3, 'pthread_mutex_trylock(&m);', {}, { kind: 'result', function: 'pthread_mutex_trylock', value: '16' }),
      step(0, 4, 'return 0;', {}, { kind: 'leak', object: 'allocated#2' }),
    ];
    const text = printTextReport(withSteps(...steps), { colours: false });
    expect(text).toContain('allocates 4 bytes as allocated#1\n');
    expect(text).toContain('frees allocated#1\n');
    expect(text).toContain('pthread_mutex_trylock returns EBUSY\n');
    expect(text).toContain('allocated#2 is not freed\n');
  });

  it('leaves out what a declared variable happens to hold', () => {
    const declared = step(0, 1, 'int x;');
    const values = [
      { kind: 'input' as const, name: 'x', value: '7', old: null, isInternal: false, isUninitialised: true },
    ];
    const steps = [{ ...declared, values }, step(0, 2, 'x = 1;', { x: '1' }), step(0, 3, '}')];
    const text = printTextReport(withSteps(...steps), { colours: false });
    expect(text).toContain('(--verbose shows 2 more)');
    expect(text).not.toContain('int x;');
    const all = printTextReport(withSteps(...steps), { colours: false, verbose: true });
    expect(all).toMatch(/ 1 {2}int x;\n/);
  });

  it('shows the first and the last turn of a loop', () => {
    const turn = (i: number) => [
      step(0, 1, 'i++;', { i: String(i) }),
      step(0, 2, 'a[i] = i;', { [`a[${i}]`]: String(i) }),
    ];
    const steps = [1, 2, 3, 4, 5, 6].flatMap(turn);
    const text = printTextReport(withSteps(...steps, step(0, 3, 'x = 1;', { x: '1' })), { colours: false });
    expect(text.split('\n').slice(-7)).toEqual([
      '  T0  1  i++;       i = 1',
      '  T0  2  a[i] = i;  a[1] = 1',
      '  T0     … 8 more steps in the same lines',
      '  T0  1  i++;       i = 6',
      '  T0  2  a[i] = i;  a[6] = 6',
      '  T0  3  x = 1;     x = 1',
      '',
    ]);
  });

  it('folds loops in loops', () => {
    const inner = (i: number) => [1, 2, 3, 4, 5].map((j) => step(0, 2, 'a[i][j] = 0;', { [`a[${i}][${j}]`]: '0' }));
    const steps = [1, 2, 3, 4, 5, 6].flatMap((i) => [step(0, 1, 'i++;', { i: String(i) }), ...inner(i)]);
    const text = printTextReport(withSteps(...steps), { colours: false });
    expect(text).toContain('36 steps, 2 context switches (--verbose shows 30 more)');
    expect(text.split('\n').filter((line) => line.includes('…'))).toEqual([
      '  T0     … 3 more steps in the same lines',
      '  T0     … 24 more steps in the same lines',
      '  T0     … 3 more steps in the same lines',
    ]);
  });

  it('folds steps with nothing to see, but no locks', () => {
    const lock = step(
      0,
      4,
      'pthread_mutex_lock(&m);',
      {},
      { kind: 'call', function: 'pthread_mutex_lock', args: ['&m'] },
    );
    const steps = [1, 2, 3].map((line) => step(0, line, `f(${line});`));
    const text = printTextReport(withSteps(...steps, lock, lock, lock), { colours: false });
    expect(text).toContain('… 3 more steps\n');
    expect(text.match(/pthread_mutex_lock/g)).toHaveLength(4);
  });

  it('folds a loop whose turns differ', () => {
    const turn = (i: number) => [
      step(0, 1, 'while (i < 9) {', { i: String(i) }),
      ...(i % 2 === 0 ? [step(0, 2, 'if (even) x++;', { x: String(i) })] : [step(0, 3, 'y++;', { y: String(i) })]),
      ...(i % 3 === 0 ? [step(0, 4, 'z++;', { z: String(i) })] : []),
    ];
    const text = printTextReport(withSteps(...[1, 2, 3, 4, 5, 6, 7].flatMap(turn)), { colours: false });
    expect(text.split('\n').slice(-8)).toEqual([
      '  T0  3  y++;             y = 1',
      '  T0     … 9 more steps in the same lines',
      '  T0  1  while (i < 9) {  i = 6',
      '  T0  2  if (even) x++;   x = 6',
      '  T0  4  z++;             z = 6',
      '  T0  1  while (i < 9) {  i = 7',
      '  T0  3  y++;             y = 7',
      '',
    ]);
  });

  it('hides no line that is shown nowhere else', () => {
    const head = 'while ((r = next()) != NULL) {';
    const asked = step(0, 1, head);
    const turn = (i: number) => [asked, step(0, 1, head, { r: String(i) })];
    const body = [2, 3, 4].map((line) => step(0, line, `x[${line}]++;`, { [`x[${line}]`]: '1' }));
    const text = printTextReport(withSteps(...turn(1), ...body, ...turn(2), ...body, ...body, ...turn(0)), {
      colours: false,
    });
    expect(text.match(/x\[3\]\+\+/g)).toHaveLength(1);
    expect(text).toContain('… 8 more steps in the same lines');
  });

  it('does not take calls from several places for a loop', () => {
    const called = (from: number): TraceStep => ({
      ...step(0, 9, 'while (n--) total += n;', { total: String(from) }),
      callStack: [{ function: 'main', place: at(from) }],
      function: 'sum',
    });
    const steps = [1, 2, 3, 4, 5, 6].flatMap((from) => [step(0, from, `x = sum(${from});`), called(from)]);
    expect(printTextReport(withSteps(...steps), { colours: false })).not.toContain('…');
  });

  it('never folds the creation of a thread that runs', () => {
    const steps = [1, 2, 3, 4, 5, 6].map((child) => step(0, 1, 'start(i++);', {}, { kind: 'create', child }));
    const text = printTextReport(withSteps(...steps), { colours: false });
    expect(text.match(/creates thread/g)).toHaveLength(6);
  });

  it('survives a trace without steps or places', () => {
    const bare = { ...trace, steps: [], violation: { ...trace.violation, place: null } };
    const text = printTextReport({ ...report, outcome: { ...unsafe, trace: bare } }, { colours: false });
    expect(text).toContain('0 steps');
  });

  it('tells the other verdicts apart in one line', () => {
    const line = (outcome: Outcome) => printTextReport({ ...report, outcome }, { colours: false }).split('\n')[0];
    const proof = { method: 'exhaustion', claim: '', invariant: null } as const;
    expect(line({ kind: 'safe', ...origin, proof })).toBe('race.c: safe (cbmc, 1.2 s)');
    const bounded = { kind: 'bounded', ...origin, cuts: null, assertions: null, reason: null } as const;
    expect(line(bounded)).toBe('race.c: safe up to bounds: loops up to 1 iteration, 2 rounds (cbmc, 1.2 s)');
    expect(line({ ...bounded, bounds: { unwind: 3, rounds: null } })).toContain('3 iterations, all interleavings');
    expect(line(unknown('CBMC ran out of memory'))).toContain('unknown: CBMC ran out of memory');
    expect(line({ ...unsafe, trace: null })).toBe('race.c: unsafe (cbmc, 1.2 s)');
  });

  it('uses colours only when asked to', () => {
    expect(printTextReport(report, { colours: false })).not.toContain('\x1b');
    const coloured = printTextReport(report, { colours: true });
    expect(coloured).toContain('\x1b[1;31munsafe\x1b[0m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
    expect(coloured.replace(/\x1b\[[\d;]*m/g, '')).toBe(printTextReport(report, { colours: false }));
  });
});

/** The shape of a JSON value: the keys of its objects, all elements of a list as one. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

describe('the report as JSON', () => {
  it('has the documented form', () => {
    const text = printJsonReport(report, '0.1.0');
    expect(text.endsWith('}\n')).toBe(true);
    const documented = readFileSync(new URL('../../docs/formats/counterexample.md', import.meta.url), 'utf8');
    const example = JSON.parse(/```json\n([^`]*)```/.exec(documented)?.[1] ?? '');
    expect(example.version).toBe(REPORT_VERSION);
    const written = JSON.parse(text);
    expect(shapeOf(written)).toEqual(shapeOf(example));
  });

  it('gives the reason of an unknown verdict', () => {
    const written = JSON.parse(printJsonReport({ ...report, outcome: unknown('time is up') }, '0.1.0'));
    expect(written).toMatchObject({ verdict: 'unknown', reason: 'time is up', counterexample: null, elapsedMs: 1235 });
  });
});
