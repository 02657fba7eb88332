// `lazuli check` on hostile programs: an answer or a clear `unknown` within the limits that were set; never a crash, a
// stack trace or a hang.

import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, type BuiltRun, build } from '../support/built.ts';
import { HARD_FOR_SOLVERS, HOSTILE_PROGRAMS, HUGE_FORMULA, LONG_EXECUTION } from './programs.ts';

/** Where `unknown` will do. */
const SHORT_TIMEOUT_SECONDS = 1;
const LONG_TIMEOUT_SECONDS = 20;
/** Starting the process, and the machine's other work. */
const SLACK_MS = 8_000;

let lazuli: Built;
beforeAll(async () => {
  lazuli = await build();
});
afterAll(() => lazuli.remove());

let count = 0;
const check = (text: string, options: readonly string[], run = {}) =>
  lazuli.run(['check', ...options, lazuli.file(`program-${++count}.c`, text)], run);

function expectNoCrash({ stdout, stderr, signal }: BuiltRun): void {
  expect(signal).toBe(null);
  expect(stderr).not.toMatch(/internal error|^\s+at /m);
  expect(stdout).not.toMatch(/^\s+at /m);
}

// Most of these wait for a limit: they do it side by side.
describe.concurrent('a check survives', () => {
  it.each(HOSTILE_PROGRAMS)('$name', { timeout: 60_000 }, async ({ text, statuses, says, options = [] }) => {
    const seconds = statuses.includes(1) ? SHORT_TIMEOUT_SECONDS : LONG_TIMEOUT_SECONDS;
    const done = await check(text, ['--timeout', String(seconds), ...options]);
    expectNoCrash(done);
    expect({ ...done, isExpected: statuses.includes(done.status ?? -1) }).toMatchObject({ isExpected: true });
    if (done.status !== 3) expect(done.stdout).toMatch(says ?? /: (safe|unsafe|unknown)/);
    else expect(done.stderr + done.stdout).not.toBe('');
    expect(done.elapsedMs).toBeLessThan(1000 * seconds + SLACK_MS);
  });

  it.each([
    ['a hard formula', HARD_FOR_SOLVERS],
    ['a huge formula', HUGE_FORMULA],
    ['a long symbolic execution', LONG_EXECUTION],
  ])('a time limit that ends in the middle of %s', { timeout: 60_000 }, async (_, text) => {
    const done = await check(text, ['--timeout', '1', '--no-explore', '-u', '40', '-r', '4']);
    expectNoCrash(done);
    expect(done.status).toBe(1);
    expect(done.stdout).toContain('unknown: time is up');
    expect(done.elapsedMs).toBeLessThan(1000 + SLACK_MS);
  });

  it('a time limit after some stages, and says what they covered', { timeout: 60_000 }, async () => {
    const text = '#include <assert.h>\nint x; int main(void) { while (1) { x++; assert(x > 0); } }';
    const done = await check(text, ['--timeout', '2', '--no-explore']);
    expectNoCrash(done);
    expect(done.status).toBe(0);
    expect(done.stdout).toMatch(/safe up to bounds: loops up to \d+ iterations?/);
  });

  it('a memory limit', { timeout: 60_000 }, async () => {
    const options = ['--timeout', '30', '--memory-limit', '200', '--no-explore', '-u', '40', '-r', '3'];
    const done = await check(HUGE_FORMULA, options);
    expectNoCrash(done);
    expect(done.status).toBe(1);
    expect(done.stdout).toMatch(/unknown: .*memory/);
  });

  it('a solver that is killed', { timeout: 60_000 }, async () => {
    const folder = path.join(lazuli.folder, 'solvers');
    mkdirSync(folder, { recursive: true });
    const script = '#!/bin/sh\nif [ "$1" = --version ]; then exit 0; fi\nkill -SEGV $$\n';
    chmodSync(lazuli.file('solvers/cadical', script), 0o755);
    const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` };
    const options = ['--solver', 'cadical', '--no-explore', '-u', '1', '-r', '1'];
    const done = await check(HARD_FOR_SOLVERS, options, { env });
    expectNoCrash(done);
    expect(done.status).toBe(1);
    expect(done.stdout).toContain('unknown: the solver crashed');
  });
});

describe('a native solver', () => {
  it('counts for the memory limit', { timeout: 60_000 }, async () => {
    const folder = path.join(lazuli.folder, 'large-solvers');
    mkdirSync(folder, { recursive: true });
    const script = `#!${process.execPath}
      if (process.argv.includes('--version')) process.exit(0);
      const kept = Buffer.alloc(700 * 1024 * 1024, 1);
      setTimeout(() => process.exit(kept[0]), 50_000);`;
    chmodSync(lazuli.file('large-solvers/cadical', script), 0o755);
    const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` };
    const options = ['--solver', 'cadical', '--no-explore', '-u', '1', '-r', '1', '--memory-limit', '600', '-j', '1'];
    const done = await check(HARD_FOR_SOLVERS, options, { env });
    expectNoCrash(done);
    expect(done.status).toBe(1);
    expect(done.stdout).toMatch(/unknown: .*memory/);
  });
});

describe.concurrent('Ctrl-C', () => {
  it.each([
    ['solving', HARD_FOR_SOLVERS],
    ['executing symbolically', LONG_EXECUTION],
  ])('ends at once while %s and says that nothing was covered', { timeout: 60_000 }, async (_, text) => {
    const options = ['--timeout', '50', '--no-explore', '-u', '400', '-r', '4'];
    const interruptAfterMs = 4_000;
    const done = await check(text, options, { interruptAfterMs });
    expectNoCrash(done);
    expect(done.status).toBe(130);
    expect(done.stderr).toContain('lazuli: interrupted; nothing was covered yet');
    expect(done.elapsedMs).toBeLessThan(interruptAfterMs + 3_000);
  });

  it('says what was covered', { timeout: 60_000 }, async () => {
    const text = `#include <assert.h>
      unsigned long long __VERIFIER_nondet_ulonglong(void);
      int main(void) {
        unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong(), i;
        for (i = 0; i < a; i++) if (i == 3) assert((a + b) * (a + b) == a * a + 2 * a * b + b * b);
        return 0;
      }`;
    const done = await check(text, ['--timeout', '50', '--no-explore'], { interruptAfterMs: 7_000 });
    expectNoCrash(done);
    expect(done.status).toBe(130);
    expect(done.stderr).toMatch(/lazuli: interrupted; no violation with unwind \d+, rounds \d+/);
  });
});
