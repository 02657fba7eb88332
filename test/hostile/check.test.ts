// `lazuli check` on hostile programs: an answer or a clear `unknown` within the limits that were set; never a crash, a
// stack trace or a hang.

import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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

/** A program that writes its number to a file and never ends, under the name of a tool. */
function endless(
  key: string,
  name: string,
): { readonly env: Readonly<Record<string, string>>; readonly pid: () => number; readonly pidFile: string } {
  const folder = path.join(lazuli.folder, `endless-${key}`);
  mkdirSync(folder, { recursive: true });
  const pidFile = path.join(folder, 'pid');
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then exit 0; fi\necho $$ > "${pidFile}"\nexec sleep 60\n`;
  chmodSync(lazuli.file(`endless-${key}/${name}`, script), 0o755);
  const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` };
  return { env, pid: () => Number(readFileSync(pidFile, 'utf8')), pidFile };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process that was killed ends as soon as the machine gets to it; one that was forgotten sleeps for a minute. */
async function ends(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
}

describe.concurrent('a signal', () => {
  it.each([
    ['SIGINT', 130, 'interrupted', 'cadical'],
    ['SIGTERM', 143, 'terminated', 'kissat'],
    ['SIGHUP', 129, 'the terminal is gone', 'cadical'],
  ] as const)('%s ends solvers and leaves a report', { timeout: 60_000 }, async (signal, status, words, solver) => {
    const { env, pid, pidFile } = endless(signal, solver);
    const report = path.join(lazuli.folder, `${signal}.json`);
    const options = ['--solver', solver, '--no-explore', '-j', '1', '-u', '1', '-r', '1', '--json', report];
    const done = await check(HARD_FOR_SOLVERS, options, { env, signal, interruptOnceExists: pidFile });
    expectNoCrash(done);
    expect(done.status).toBe(status);
    expect(done.stderr).toBe(`lazuli: ${words}; nothing was covered yet\n`);
    await ends(pid());
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ verdict: 'unknown', reason: words });
  });

  it('ends backends and leaves a report and no files', { timeout: 60_000 }, async () => {
    const { env, pid, pidFile } = endless('backend', 'cbmc');
    const temporary = path.join(lazuli.folder, 'temporary');
    mkdirSync(temporary);
    const report = path.join(lazuli.folder, 'backend.json');
    const run = { env: { ...env, TMPDIR: temporary }, signal: 'SIGTERM', interruptOnceExists: pidFile } as const;
    const done = await check('int main(void) { return 0; }', ['--backend', 'cbmc', '--json', report], run);
    expectNoCrash(done);
    expect(done.status).toBe(143);
    expect(done.stderr).toBe('lazuli: terminated\n');
    await ends(pid());
    expect(readdirSync(temporary)).toEqual([]);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ verdict: 'unknown', reason: 'terminated' });
  });
});

describe.concurrent('limits', () => {
  const many = Array.from({ length: 400_000 }, (_, i) => `int v${i};`).join('\n');

  it.each(['parse', 'ranges', 'sequentialize', 'check'])(
    'of time hold for %s as a whole',
    { timeout: 60_000 },
    async (command) => {
      const file = lazuli.file(`many-${command}.c`, `${many}\nint main(void) { return 0; }\n`);
      const done = await lazuli.run([command, '--timeout', '0.3', file]);
      expectNoCrash(done);
      expect(done.status).toBe(1);
      expect(done.stderr + done.stdout).toContain('time is up');
      expect(done.elapsedMs).toBeLessThan(3 * SLACK_MS);
    },
  );

  it('of memory hold while a large program is read', { timeout: 60_000 }, async () => {
    const file = lazuli.file('many.c', `${many}\n${many.replaceAll('v', 'w')}\nint main(void) { return 0; }\n`);
    const done = await lazuli.run(['check', '--memory-limit', '200', '--timeout', '50', file]);
    expectNoCrash(done);
    expect(done.status).toBe(1);
    expect(done.stdout).toContain('unknown: memory is used up');
  });

  it('of the file system are found before the check', { timeout: 60_000 }, async () => {
    const start = performance.now();
    for (const file of ['/no/such/folder/report.json', lazuli.folder]) {
      const done = await check(HARD_FOR_SOLVERS, ['--no-explore', '--timeout', '50', '--json', file]);
      expect(done).toMatchObject({ status: 4, stdout: '' });
      expect(done.stderr).toContain(`lazuli: cannot use '${file}'`);
    }
    expect(performance.now() - start).toBeLessThan(2 * SLACK_MS);
  });
});
