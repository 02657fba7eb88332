import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../lower/context.ts';
import { uniformBounds } from '../../program/bounds.ts';
import { compileProgram } from '../../trace/interpreter/compile-instructions.ts';
import { minimise } from '../../trace/minimise.ts';
import { replayCompiled } from '../../trace/replay.ts';
import { enumerate } from './enumerate.ts';
import { type ExploreOptions, Explorer, scheduleOf } from './explore.ts';

const { checks } = DEFAULT_LOWER_OPTIONS;

/** A clock that stands still: runs are limited by their number, and repeat. */
const options: ExploreOptions = {
  checks,
  seed: 7,
  clock: () => 0,
  timeLimitMs: 1,
  runLimit: 400,
  instructionLimit: 20_000,
};

const threads = (body: string, check: string, locals = '') => `
  #include <pthread.h>
  #include <assert.h>
  ${locals}
  void *f(void *id) { int me = id != 0; ${body} return 0; }
  int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(${check});
    return 0;
  }`;

const racy = threads('x++;', 'x == 2', 'int x;');
const locked = threads(
  'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);',
  'x == 2',
  'int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;',
);
const peterson = threads(
  'flag[me] = 1; turn = !me; while (flag[!me] && turn == !me) ; x++; flag[me] = 0;',
  'x == 2',
  'int x; volatile int flag[2], turn;',
);
const brokenPeterson = threads(
  'turn = !me; flag[me] = 1; while (flag[!me] && turn == !me) ; x++; flag[me] = 0;',
  'x == 2',
  'int x; volatile int flag[2], turn;',
);
const deadlock = threads(
  'pthread_mutex_lock(&m[me]); pthread_mutex_lock(&m[!me]); pthread_mutex_unlock(&m[!me]); pthread_mutex_unlock(&m[me]);',
  '1',
  'pthread_mutex_t m[2];',
);

const compile = (text: string) => compileProgram(lowerText(text));
const all = (text: string) => enumerate(compile(text), { checks, stateLimit: 100_000 });

describe('enumerate', () => {
  it.each([
    ['a racy counter', racy, 1],
    ['a locked counter', locked, 0],
    ["Peterson's algorithm", peterson, 0],
    ["Peterson's algorithm in the wrong order", brokenPeterson, 1],
  ])('knows %s', (_, text, violations) => {
    const result = all(text);
    expect(result.isComplete).toBe(true);
    expect(result.violations).toHaveLength(violations);
    expect(result.hasDeadlock).toBe(false);
  });

  it('finds deadlocks', () => {
    expect(all(deadlock)).toMatchObject({ isComplete: true, hasDeadlock: true, violations: [] });
  });

  it('knows what a thread has left before it goes round a loop for ever', () => {
    const text = `#include <pthread.h>
void *work(void *local) { *(int *)local = 1; return 0; }
void start(void) { int local; pthread_t t; pthread_create(&t, 0, work, &local); }
int main(void) { start(); while (1) ; }`;
    const found = enumerate(compile(text), { checks: new Set(['pointer']), stateLimit: 1000 });
    expect(found.violations).toMatchObject([{ check: 'pointer' }]);
  });

  it('tries all inputs of the domain', () => {
    const text =
      'int __VERIFIER_nondet_int(void); void __VERIFIER_error(void); int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a == 2 && b == 1) __VERIFIER_error(); return 0; }';
    const run = (domain: () => readonly number[]) => enumerate(compile(text), { checks, stateLimit: 1000, domain });
    expect(run(() => [0, 1]).violations).toHaveLength(0);
    expect(run(() => [0, 1, 2]).violations).toHaveLength(1);
  });

  it.each([
    ['what comes before a cut', 'for (int i = 0; i < 9; i++) x = 1; x = 5;', 'x != 1', 1],
    ['nothing behind a cut', 'for (int i = 0; i < 9; i++) x = 1; x = 5;', 'x != 5', 0],
    ['a thread that is cut as one that has not ended', 'while (1) me = 0;', '(pthread_join(a, 0), 0)', 0],
    ['nothing of an atomic section that is cut', '__VERIFIER_atomic_begin(); x = 1; for (;;) ;', 'x == 0', 0],
  ])('knows, within bounds, %s', (_, body, condition, violations) => {
    const text = `#include <assert.h>\n#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void);
int x; void *f(void *p) { int me = 1; ${body} return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); assert(${condition}); return 0; }`;
    const bounds = uniformBounds(2);
    const result = enumerate(compile(text), { checks, stateLimit: 1000, bounds });
    expect(result.isComplete).toBe(true);
    expect(result.cuts.size).toBe(1);
    expect(result.violations).toHaveLength(violations);
  });

  it('says when it met its limit', () => {
    expect(enumerate(compile(peterson), { checks, stateLimit: 10 }).isComplete).toBe(false);
  });
});

describe('explore', () => {
  it.each([
    ['a racy counter', racy],
    ["Peterson's algorithm in the wrong order", brokenPeterson],
  ])('finds the bug of %s, which replays and can be made shorter', (_, text) => {
    const program = compile(text);
    const { found } = new Explorer(program, options).explore();
    if (!found) throw new Error('nothing found');
    const replayed = replayCompiled(program, scheduleOf(program, found, options), {
      checks,
      expected: found.violation,
      threadLimit: found.threadLimit,
    });
    if (replayed.kind !== 'violated') throw new Error(replayed.message);
    expect(replayed.trace.violation.message).toBe('assertion failed: x == 2');
    const short = minimise(program, replayed.run, replayed.violation, { ...options, workLimit: 5_000_000 });
    expect(short?.trace.contextSwitches).toBeLessThanOrEqual(replayed.trace.contextSwitches);
    expect(short?.trace.steps.at(-1)?.events.at(-1)).toMatchObject({ kind: 'violation', check: 'assertion' });
  });

  it('ends soon when it is told to', () => {
    const endless = compile(threads('for (;;) x++;', '1', 'int x;'));
    const instructionsOf = (mustStop: () => boolean) =>
      new Explorer(endless, { ...options, runLimit: 1, mustStop }).explore().statistics.instructions;
    let asked = 0;
    expect(instructionsOf(() => asked++ > 0)).toBeLessThan(instructionsOf(() => false) / 2);
    expect(instructionsOf(() => true)).toBe(0);
  });

  it('creates thousands of threads of which few run', () => {
    const program = compile(`
      #include <pthread.h>
      #include <assert.h>
      int busy;
      void *work(void *unused) { busy = 1; busy = 0; return 0; }
      int main(void) {
        pthread_t t[3000];
        for (int i = 0; i < 3000; i++) pthread_create(&t[i], 0, work, 0);
        assert(busy == 0);
      }`);
    const { found } = new Explorer(program, { ...options, runLimit: 60 }).explore();
    if (!found) throw new Error('the violation was not found');
    const replayed = replayCompiled(program, scheduleOf(program, found, options), {
      checks,
      expected: found.violation,
    });
    expect(replayed).toMatchObject({ kind: 'violated', violation: { message: 'assertion failed: busy == 0' } });
  });

  it('keeps that variables end before a thread comes to wait', () => {
    const program = compile(`
      #include <pthread.h>
      static void *f(void *p) { *(int *)p = 3; return 0; }
      static pthread_t start(void) { int local = 0; pthread_t t; pthread_create(&t, 0, f, &local); return t; }
      int main(void) { pthread_join(start(), 0); return 0; }`);
    const { found } = new Explorer(program, options).explore();
    if (!found) throw new Error('nothing was found');
    expect(found.violation.check).toBe('pointer');
    const replayed = replayCompiled(program, scheduleOf(program, found, options), { checks });
    if (replayed.kind !== 'violated') throw new Error(replayed.message);
    const short = minimise(program, replayed.run, replayed.violation, { ...options, workLimit: 5_000_000 });
    expect(short?.trace.violation.message).toBe("write of 'local', which has ended");
  });

  it('finds nothing in correct programs', () => {
    for (const text of [locked, peterson])
      expect(new Explorer(compile(text), { ...options, runLimit: 100 }).explore().found).toBeNull();
  });

  it('makes fewer runs of short programs, if asked to', () => {
    const runs = (text: string, more: Partial<ExploreOptions>) =>
      new Explorer(compile(text), { ...options, ...more }).explore().statistics.runs;
    const withInputs = `char __VERIFIER_nondet_char(void); ${locked.replace('x++', 'x += 1 + 0 * __VERIFIER_nondet_char()')}`;
    expect(runs(withInputs, {})).toBe(400);
    expect(runs(withInputs, { runsPerStep: 1 })).toBe(60);
    expect(runs(withInputs, { runsPerStep: 1000 })).toBe(400);
    // Nothing is run again with inputs that it does not have.
    expect(runs(locked, { runsPerStep: 1 })).toBe(24);
    // So short a program has few interleavings.
    expect(runs(locked, { runsPerStep: 3 })).toBe(24);
  });

  it('repeats by its seed', () => {
    const runs = [1, 2].map(() => new Explorer(compile(brokenPeterson), options).explore().found?.choices);
    expect(runs[0]).toEqual(runs[1]);
  });

  it('finds a value that only a constant of the program reveals', () => {
    const text =
      'int __VERIFIER_nondet_int(void); void __VERIFIER_error(void); int main(void) { if (__VERIFIER_nondet_int() == 4711) __VERIFIER_error(); return 0; }';
    expect(new Explorer(compile(text), options).explore().found?.violation.check).toBe('assertion');
  });
});

describe('replay', () => {
  it('says what does not fit', () => {
    const program = compile(racy);
    const nothing = replayCompiled(program, { segments: [{ thread: 0, steps: [] }], inputs: new Map() }, { checks });
    expect(nothing.kind).toBe('mismatch');
    const unknown = replayCompiled(
      program,
      { segments: [{ thread: 0, steps: ['main@99'] }], inputs: new Map() },
      { checks },
    );
    expect(unknown).toMatchObject({ kind: 'mismatch', message: expect.stringContaining('looking for main@99') });
  });
});
