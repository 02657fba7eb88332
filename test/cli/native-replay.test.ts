// The real program, compiled by gcc, in the order of a counterexample: it fails as the report says.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreeAnswers, findObstacle, makePlan } from '../../src/host/native/plan.ts';
import { type Built, build } from '../support/built.ts';
import { lazuli } from '../support/lazuli.ts';
import { requireTool } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-replay-'));
const LIMIT_MS = 120_000;
let built: Built;

beforeAll(async () => {
  built = await build();
}, LIMIT_MS);
afterAll(() => {
  built.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function replay(file: string, ...args: string[]) {
  const json = path.join(folder, `${path.basename(file)}.json`);
  const checked = await built.run(['check', '--json', json, ...args, file]);
  expect(checked.status, checked.stderr).toBe(10);
  return built.run(['replay', '--native', json], { limitMs: LIMIT_MS });
}

const write = (name: string, text: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const FREED = `#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *u) { if (p) *p = 1; return u; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, f, 0);
  free(p);
  p = 0;
  pthread_join(t, 0);
  return 0;
}
`;

/** Only one value of the input, and only one order, breaks it. */
const INPUT = `#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int x;
void *f(void *u) { x = 7; return u; }
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, f, 0);
  if (n == 123456 && x == 7) reach_error();
  return 0;
}
`;

/** The other thread is between its two writes when main looks. */
const HELD = `#include <assert.h>
#include <pthread.h>
int x, y;
void *f(void *u) {
  x = 1;
  y = 1;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(!(x == 1 && y == 0));
  pthread_join(t, 0);
  return 0;
}
`;

/** Both threads are one step after the other, and nothing orders them. */
const RACE = `#include <pthread.h>
int x;
void *f(void *u) {
  x = 1;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
`;

/** The thread's local is read when the thread has ended, and nothing but the runtime notices. */
const ENDED = `#include <pthread.h>
int *where;
void *f(void *u) {
  int local = 7;
  where = &local;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return *where;
}
`;

/** The other thread's assumption fails after what main sees. */
const ASSUMED = `#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
int x;
void *f(void *u) {
  x = 1;
  __VERIFIER_assume(0);
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(x == 0);
  return 0;
}
`;

describe('lazuli replay --native', () => {
  it.each([
    ['examples/bank-account-unsafe.c', 'the real program fails: the assertion of line 24 fails\n'],
    ['examples/lost-wakeup-unsafe.c', 'the real program fails: the assertion of line 27 fails\n'],
    ['examples/treiber-stack-unsafe.c', 'the real program fails: the assertion of line 40 fails\n'],
    ['test/programs/deadlock/lock-order-unsafe.c', 'the real program fails: all threads wait, for ever\n'],
  ])(
    'fails as the report says: %s',
    async (name, words) => {
      if (requireTool('gcc') === null) return;
      const { status, stdout, stderr } = await replay(path.join(root, name));
      expect(`${stdout}${stderr}`).toContain(words);
      expect(status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'is stopped by AddressSanitizer',
    async () => {
      if (requireTool('gcc') === null) return;
      const { stdout, status } = await replay(write('freed.c', FREED));
      expect(stdout).toContain('the real program fails: AddressSanitizer stops it: heap-use-after-free');
      expect(status).toBe(10);
    },
    LIMIT_MS,
  );

  it.each([
    ['race.c', RACE, ['--check', 'race'], /ThreadSanitizer reports the data race of lines (?:4 and 10|10 and 4)/],
    ['ended.c', ENDED, [], /line 12 touches memory of a stack that is no object any more/],
    ['assumed.c', ASSUMED, [], /the assertion of line 13 fails/],
  ])(
    'notices what a real run alone would not: %s',
    async (name, text, args, words) => {
      if (requireTool('gcc') === null) return;
      const { stdout, status } = await replay(write(name, text), ...args);
      expect(stdout).toMatch(words);
      expect(status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'gives the inputs of the report, with 32 bits, too',
    async () => {
      if (requireTool('gcc -m32') === null) return;
      const { stdout, status } = await replay(write('input.c', INPUT), '--32');
      expect(stdout).toContain('the real program fails: reach_error is called');
      expect(status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'leaves gdb at the violation, with the threads where the report says',
    async () => {
      if (requireTool('gcc') === null || requireTool('gdb') === null) return;
      const json = path.join(folder, 'gdb.json');
      const checked = await built.run(['check', '--json', json, write('held.c', HELD)]);
      expect(checked.status, checked.stderr).toBe(10);
      const { status, stdout } = await built.run(['replay', '--gdb', json], { limitMs: LIMIT_MS });
      const [, ...threads] = stdout.split(/^Thread (?=\d+ \()/m);
      const standing = threads.map((text) => /^#\d+ .* in (\w+) \(.*held\.c:(\d+)$/m.exec(text)?.slice(1) ?? []);
      // One of gdb's threads is the runtime's own.
      expect(standing.filter((place) => place.length > 0).sort()).toEqual([
        ['f', '6'],
        ['main', '12'],
      ]);
      expect(status).toBe(0);
    },
    LIMIT_MS,
  );

  it('refuses what is no report, and one without a counterexample', async () => {
    const other = await lazuli('replay', '--native', write('other.json', '{"format": "x"}'));
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('no report of lazuli') });
    const safe = {
      format: 'lazuli-report',
      version: 1,
      program: 'a.c',
      files: ['a.c'],
      engine: 'bounded',
      verdict: 'safe',
    };
    const none = await lazuli('replay', '--native', write('safe.json', JSON.stringify(safe)));
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no counterexample') });
  });
});

describe('the plan of a native replay', () => {
  it('has routines where they take effect', () => {
    const step = (thread: number, line: number, accesses: readonly string[]) => ({
      ...{
        index: 0,
        thread,
        isContextSwitch: false,
        function: 'f',
        callStack: [],
        statement: '',
        values: [],
        events: [],
      },
      place: { file: 'a.c', line, column: 1 },
      accesses: accesses as never,
    });
    const steps = [
      step(0, 1, ['call pthread_create', 'effect', 'create', 'effect', 'end']),
      step(1, 2, ['call pthread_cond_wait', 'effect']),
      step(0, 3, ['write x', 'own', 'call pthread_mutex_lock']),
      step(0, 3, ['effect', 'effect']),
      step(1, 2, ['effect', 'end', 'read x']),
      step(0, 4, ['call strlen', 'effect', 'end', 'call pthread_mutex_unlock', 'effect']),
    ];
    const violation = { check: 'assertion', message: '', thread: 0, place: null } as const;
    const { events } = makePlan({ version: 1, dataModel: 'LP64', violation, threads: [], steps, contextSwitches: 0 });
    expect(events.map(({ thread, line, kind, object }) => `${thread} ${line} ${kind} ${object}`.trim())).toEqual([
      '0 1 call',
      '1 2 call',
      '0 3 write x',
      '0 3 own',
      '0 3 call',
      '1 2 wake',
      '1 2 read x',
      '0 4 call',
    ]);
  });

  const step = {
    ...{ index: 0, thread: 0, isContextSwitch: false, function: 'main', callStack: [], place: null, statement: '' },
    accesses: ['call f', 'end'] as never,
  };
  const drawn = (name: string, value: string) => ({
    ...{ kind: 'input' as const, name, value, old: null, isInternal: true, isUninitialised: false },
  });
  const calls = (name: string, ...values: ReturnType<typeof drawn>[]) => ({
    ...{ ...step, values, events: [{ kind: 'call' as const, function: name, args: [] }] },
  });
  const traceOf = (...steps: ReturnType<typeof calls>[]) => ({
    ...{ version: 1 as const, dataModel: 'LP64' as const, threads: [{ id: 0, parent: -1, start: 'main' }], steps },
    violation: { check: 'assertion' as const, message: '', thread: 0, place: null },
    contextSwitches: 0,
  });

  it('knows which allocations fail', () => {
    const trace = traceOf(
      calls('malloc', drawn('__lazuli_nondet_bool', '0')),
      calls('calloc', drawn('__lazuli_nondet_bool', '1')),
    );
    expect(makePlan(trace).failingAllocations).toEqual([{ thread: 0, index: 1 }]);
    expect(findFreeAnswers(trace)).toEqual([]);
  });

  it('tells apart what cannot be steered', () => {
    const trace = traceOf(calls('recv', drawn('__lazuli_nondet_long', '2')), calls('printf', drawn('n', '0')));
    expect(findFreeAnswers(trace)).toEqual(['recv']);
    expect(findObstacle(trace)).toBe(null);
    expect(findObstacle(traceOf(calls('pthread_kill')))).toContain('signals');
    const labelled = { ...trace, threads: [...trace.threads, { id: 1, parent: 0, start: '__CPROVER_ASYNC_1' }] };
    expect(findObstacle(labelled)).toContain('__CPROVER_ASYNC_1');
  });
});
