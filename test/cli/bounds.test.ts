// A check keeps to the bounds and macros of the command line, and says so.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { requireTool } from '../support/tools.ts';

const LOOP = `extern int __VERIFIER_nondet_int(void);
int main(void) {
  int turns = 0;
  while (__VERIFIER_nondet_int()) turns++;
  return turns;
}
`;

/** The macro `add(n)` stands for a call with one more; replaced twice, it would be two. */
const MACRO = `extern void __VERIFIER_assert(int);
int (add)(int n) { return n; }
int main(void) {
  __VERIFIER_assert(add(0) == 1);
  return 0;
}
`;

const ALLOCATION = `#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  assert(p);
  free(p);
  return 0;
}
`;

/** An `if` where a `while` has to be. */
const SIGNAL = `#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;
void *set(void *argument) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  pthread_mutex_lock(&lock);
  if (!ready) pthread_cond_wait(&changed, &lock);
  assert(ready);
  pthread_mutex_unlock(&lock);
  return 0;
}
`;

/** Both handlers run, the inner one first, only if the thread ends between push and pop. */
const CLEANUP = `#include <assert.h>
#include <pthread.h>
int inner, outer;
void second(void *a) { outer = inner + *(int *)a; }
void first(void *a) { inner = *(int *)a; }
void *run(void *a) {
  int one = 1, two = 2;
  pthread_cleanup_push(second, &two);
  pthread_cleanup_push(first, &one);
  END;
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(outer == 3);
}
`;

let lazuli: Built;
let loop: string;
beforeAll(async () => {
  lazuli = await build();
  loop = lazuli.file('loop.c', LOOP);
});
afterAll(() => lazuli.remove());

const OWN_BOUNDS = ['-u', '1', '-r', '1', '-w', '2', '--unwindset', 'main.0:3'];

describe.concurrent('lazuli check', () => {
  it('names bounds that some loops have for themselves', { timeout: 20_000 }, async () => {
    const { status, stdout } = await lazuli.run(['check', ...OWN_BOUNDS, loop]);
    expect(status).toBe(0);
    expect(stdout).toContain('  Bounds of their own: while loops 2, main.0 3.\n');
  });

  it('takes of a group of checks what a backend has', { timeout: 20_000 }, async () => {
    if (requireTool('cbmc') === null) return;
    const run = (group: string) => lazuli.run(['check', '--backend', 'cbmc', '--check', group, loop]);
    const missing = 'Not looked for with a backend: bounds, pointer, free, division, deadlock.';
    expect(await run('default')).toMatchObject({ status: 0, stdout: expect.stringContaining(missing) });
    expect(await run('all')).toMatchObject({ status: 0, stdout: expect.stringContaining('leak, lost, division') });
  });

  it('names them with a backend, too', { timeout: 20_000 }, async () => {
    if (requireTool('cbmc') === null) return;
    const { status, stdout } = await lazuli.run(['check', '--backend', 'cbmc', ...OWN_BOUNDS, loop]);
    expect(status).toBe(0);
    expect(stdout).toContain('  Bounds of their own: while loops 2, main.0 3.\n');
  });

  it('leaves macros to the preprocessor that was asked for', { timeout: 20_000 }, async () => {
    if (requireTool('gcc') === null) return;
    const file = lazuli.file('macro.c', MACRO);
    const { status } = await lazuli.run(['check', '--cpp', 'gcc -E', '-D', 'add(n)=add((n)+1)', file]);
    expect(status).toBe(0);
  });

  it("runs cleanup handlers of glibc's macros when a thread ends", { timeout: 40_000 }, async () => {
    if (requireTool('gcc') === null) return;
    const file = lazuli.file('cleanup.c', CLEANUP);
    const ask = (end: string) => lazuli.run(['check', '--cpp', 'gcc -E', `-DEND=${end}`, file]);
    expect(await ask('pthread_exit(0)')).toMatchObject({ status: 0, stdout: expect.stringContaining(': safe (') });
    expect((await ask('')).status).toBe(10);
  });

  const allocations = [[], ['--cpp', 'gcc -E'], ['--backend', 'cbmc'], ['--backend', 'cbmc', '--cpp', 'gcc -E']];
  it.each(allocations)('lets malloc fail when asked to, with %s %s %s %s', { timeout: 40_000 }, async (...options) => {
    if (requireTool('gcc') === null || requireTool('cbmc') === null) return;
    const file = lazuli.file('allocation.c', ALLOCATION);
    const run = async (...more: string[]) => (await lazuli.run(['check', ...options, ...more, file])).status;
    expect(await run()).toBe(0);
    expect(await run('--malloc-may-fail')).toBe(10);
    expect(await run('-D__LAZULI_MALLOC_MAY_FAIL=1')).toBe(10);
  });

  it('wakes up for signals only when asked to', { timeout: 40_000 }, async () => {
    const file = lazuli.file('signal.c', SIGNAL);
    expect((await lazuli.run(['check', file])).status).toBe(10);
    expect((await lazuli.run(['check', '--no-spurious-wakeups', file])).status).toBe(0);
  });

  it('names what is defined nowhere, in the verdict and as notes', { timeout: 40_000 }, async () => {
    const ask = async (text: string, name: string) => {
      const file = lazuli.file(`${name}.c`, text);
      const { status, stdout } = await lazuli.run(['check', '--json', '-', file]);
      const { verdict, notes } = JSON.parse(stdout.slice(stdout.indexOf('{')));
      return { status, verdict, notes };
    };
    const half = 'int x; void tick(void); int main(void) { tick(); if (x) __VERIFIER_error(); return 0; }\n';
    expect(await ask(half, 'half')).toMatchObject({
      verdict: 'safe-up-to-bounds',
      notes: expect.arrayContaining([
        "Stopped before larger bounds: 'tick' is defined nowhere, and could change 'x'.",
        "Defined nowhere: 'tick'. If other files define it, name these as well.",
      ]),
    });
    const queue = 'struct q { int n; } q; void push(struct q *, int); int main(void) { push(&q, 1); return 0; }\n';
    expect(await ask(queue, 'queue')).toMatchObject({
      verdict: 'unknown',
      notes: expect.arrayContaining([expect.stringContaining("'push'")]),
    });
  });

  it('does not answer about half of a program', { timeout: 40_000 }, async () => {
    lazuli.file('stock.h', 'int take(void);\n');
    lazuli.file('stock.c', '#include "stock.h"\nint take(void) { return 0; }\n');
    lazuli.file('price.h', 'extern int price;\n');
    const text = (declaration: string, use: string) =>
      `#include <assert.h>\n${declaration}\nint main(void) { assert(${use} == 0); }\n`;
    const ask = async (...args: string[]) => {
      const { status, stdout, stderr } = await lazuli.run(['check', ...args]);
      return { status, text: stdout + stderr };
    };
    const half = lazuli.file('shop.c', text('#include "stock.h"', 'take()'));
    const refused = await ask(half);
    expect(refused.status).toBe(3);
    expect(refused.text).toMatch(/shop.c:3:\d+: error: 'take' is defined in none of the files, perhaps in .*stock.c/);
    expect(refused.text).toMatch(
      /unknown: 'take' is defined in none of the files, perhaps in .*stock.c; name the other/i,
    );
    expect(await ask(half, half.replace('shop.c', 'stock.c'))).toMatchObject({ status: 0 });
    expect(await ask('--allow-undefined', half)).toMatchObject({ status: 10 });
    // Its own declaration, but a file that defines it; and a header, but no such file.
    expect(await ask(lazuli.file('shop2.c', text('int take(void);', 'take()')))).toMatchObject({ status: 3 });
    expect(await ask(lazuli.file('shop3.c', text('#include "price.h"', 'price')))).toMatchObject({ status: 3 });
    // An input: nobody defines it.
    expect(await ask(lazuli.file('shop4.c', text('int sensor(void);', 'sensor()')))).toMatchObject({ status: 10 });
  });
});
