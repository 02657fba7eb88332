// Programs with and without deadlocks, in pairs: concrete runs, the solver alone and explicit enumeration agree on what
// the first line of each says. Some of them are asked of CBMC, too.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { enumerateAll, readCode } from '../support/agreement.ts';
import { checkText, violatedCheck } from '../support/check-text.ts';
import { lazuli } from '../support/lazuli.ts';
import { readProgramHeader } from '../support/program-header.ts';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('deadlock', import.meta.url));
const programs = readdirSync(folder).sort();
const CHECKS = new Set(['deadlock', 'mutex', 'thread'] as const);

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

describe.each(programs)('%s', (file) => {
  const text = read(file);
  const { verdict, unwind, rounds } = readProgramHeader(text);

  it('is what enumeration says', () => {
    const { violations, isComplete } = enumerateAll(readCode(text, 'LP64', { checks: CHECKS }), 50_000, CHECKS);
    if (verdict === 'safe') expect({ violations, isComplete }).toEqual({ violations: [], isComplete: true });
    else expect(violations.map(({ check }) => check)).toEqual(['deadlock']);
  });

  it('is what concrete runs find', async () => {
    const outcome = await checkText(text, { unwind, rounds, explore: true, checks: ['deadlock'] });
    expect(violatedCheck(outcome)).toEqual(verdict === 'unsafe' ? 'deadlock' : expect.stringMatching(/^(safe|bounded)$/));
  });

  it('is what the solver finds', async () => {
    const outcome = await checkText(text, { unwind, rounds, checks: ['deadlock'] });
    expect(violatedCheck(outcome)).toEqual(verdict === 'unsafe' ? 'deadlock' : expect.stringMatching(/^(safe|bounded)$/));
  });
});

describe('with CBMC', () => {
  const [mode, ...args] = ['check', '--check', 'deadlock', '--backend', 'cbmc', '-u', '3', '-r', '3'];
  const ask = async (file: string, schema: string) =>
    (await lazuli(mode as string, ...args, '--schema', schema, path.join(folder, file))).stdout;

  it.each([
    ['barrier-count-unsafe.c', 'lazy2', /unsafe: deadlock: 3 threads wait for ever/],
    ['circle-beside-main-unsafe.c', 'lazy2', /unsafe: deadlock: 2 threads wait for ever/],
    ['locked-twice-unsafe.c', 'cav14', /unsafe: deadlock: a thread waits for ever/],
    ['lost-wakeup-unsafe.c', 'ul', /unsafe: deadlock: 2 threads wait for ever/],
    ['lock-order-safe.c', 'lazy2', /safe up to bounds: all iterations, 3 rounds/],
    ['daemon-safe.c', 'cav14', /safe up to bounds: all iterations, 3 rounds/],
    ['join-of-main-safe.c', 'ul', /safe up to bounds/],
  ])('%s, by schema %s', { timeout: 60_000 }, async (file, schema, verdict) => {
    if (requireTool('cbmc') !== null) expect(await ask(file, schema)).toMatch(verdict);
  });

  it('says what it does not look for', { timeout: 60_000 }, async () => {
    if (requireTool('cbmc') === null) return;
    expect(await ask('spin-flags-safe.c', 'lazy2')).toContain('Threads that spin for ever are not looked for');
  });

  it('refuses a wait after a write in one section', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'lazuli-waits-')), 'late.c');
    const sections = `#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *p) { __VERIFIER_atomic_begin(); x = 1; pthread_mutex_lock(&m); __VERIFIER_atomic_end(); return p; }
int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); if (x) t(0); pthread_mutex_lock(&m); }
`;
    writeFileSync(file, sections);
    const refused = await lazuli('sequentialize', '--check', 'deadlock', file);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('5:54: error') });
    expect(refused.stderr).toContain('a thread waits in an atomic section after it has written');
    expect((await lazuli('sequentialize', '--check', 'deadlock', '--bitvectors', file)).code).toBe(2);
    rmSync(path.dirname(file), { recursive: true });
  });
});

describe('a thread that polls under a lock', () => {
  const poll = (look: string, others: string) => `#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int flag;
void *t(void *p) { for (;;) { ${look} if (f) break; sched_yield(); } return p; }
int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); ${others} pthread_join(id, 0); return 0; }
`;
  const mutex = 'pthread_mutex_lock(&m); int f = flag; pthread_mutex_unlock(&m);';
  const readers = 'pthread_rwlock_rdlock(&rw); int f = flag; pthread_rwlock_unlock(&rw);';
  const set = 'pthread_mutex_lock(&m); flag = 1; pthread_mutex_unlock(&m);';
  // Who fails to take the lock meanwhile sets the flag.
  const looks = 'while (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); flag = 1;';
  // The lock is held where turns end, and free in between.
  const givesWay = 'int f = flag; pthread_mutex_unlock(&m); pthread_mutex_lock(&m);';
  const enumerated = (text: string) => {
    const checks = new Set(['deadlock'] as const);
    return enumerateAll(readCode(text, 'LP64', { checks }), 20_000, checks).violations.map(({ check }) => check);
  };

  it.each([
    ['is stuck if nobody sets the flag', mutex, '', ['deadlock']],
    ['is stuck as a reader, too', readers, '', ['deadlock']],
    ['is not stuck if somebody does', mutex, set, []],
    ['is not stuck if others look whether the lock is taken', mutex, looks, []],
  ])('%s', async (_, look, others, found) => {
    const text = poll(look, others);
    expect(enumerated(text)).toEqual(found);
    const outcome = await checkText(text, { unwind: 2, rounds: 2, explore: true, checks: ['deadlock'] });
    expect(violatedCheck(outcome)).toEqual(found[0] ?? expect.stringMatching(/^(safe|bounded)$/));
    const environment = { clock: () => performance.now(), createSolvers: createIncrementalSolvers };
    const checks = new Set(['deadlock'] as const);
    const proof = await prove(readCode(text, 'LP64', { checks }), { checks, timeLimitMs: 5_000 }, environment);
    if (found.length > 0) expect(proof.kind).not.toBe('proved');
  });

  it('is not stuck if it lets others in where it does not look', () => {
    const text = poll(givesWay, set).replace('{ for', '{ pthread_mutex_lock(&m); for').replace('return p', 'pthread_mutex_unlock(&m); return p');
    expect(enumerated(text)).toEqual([]);
  });
});

describe('an assertion that nobody asks for', () => {
  it.each(['__VERIFIER_assert(0)', 'reach_error()', 'assert(0)'])('ends the program: %s', (assertion) => {
    const text = `#include <assert.h>
#include <pthread.h>
void __VERIFIER_assert(int), reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { ${assertion}; pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
`;
    const checks = new Set(['deadlock'] as const);
    const { violations, isComplete } = enumerateAll(readCode(text, 'LP64', { checks }), 1000, checks);
    expect({ violations, isComplete }).toEqual({ violations: [], isComplete: true });
  });
});

describe('the counterexample of a deadlock', () => {
  it('tells who waits for whom, and since when what they wait for is held', async () => {
    const outcome = await checkText(read('lock-order-unsafe.c'), { unwind: 2, rounds: 3, checks: ['deadlock'] });
    const waits = (outcome.kind === 'unsafe' && outcome.trace?.violation.waits) || [];
    expect(waits).toContainEqual({
      thread: 1,
      routine: 'pthread_mutex_lock',
      place: expect.objectContaining({ line: 10 }),
      object: 'b',
      holder: 2,
      heldSince: expect.objectContaining({ line: 18 }),
    });
    // Main waits, too, but is no part of the circle.
    expect(waits.find(({ thread }) => thread === 2)).toMatchObject({ object: 'a', holder: 1 });
  });
});
