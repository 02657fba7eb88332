// `lazuli swarm` as a user runs it: verdicts, files, configurations, and what is left after an interruption.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { requireTool } from '../support/tools.ts';

/** Each thread can lose the other's update; `x` and `y` make its code long. */
const COUNTER = `#include <assert.h>
#include <pthread.h>
int count, x, y;
void work(void) { x++; y++; x++; }
void *add(void *unused) {
  work();
  int seen = count;
  count = seen + 1;
  work();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2 || x + y == 7);
}
`;

const SAFE = COUNTER.replace('count == 2 || x + y == 7', 'count <= x');

/** Hard for its size: that sums come no further needs all orders. */
const FIBONACCI = `#include <assert.h>
#include <pthread.h>
int i = 1, j = 1;
void *one(void *unused) { for (int k = 0; k < 6; k++) i += j; return 0; }
void *two(void *unused) { for (int k = 0; k < 6; k++) j += i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  assert(i <= 377 && j <= 377);
}
`;

/** Whether the accesses to `data` are ordered is a matter of the flag's memory order. */
const MESSAGE = `#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;
void *write(void *unused) { data = 42; atomic_store_explicit(&ready, 1, memory_order_relaxed); return 0; }
void *read(void *unused) { return (void *)(atomic_load_explicit(&ready, memory_order_relaxed) ? (long)data : 0); }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write, 0);
  pthread_create(&b, 0, read, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

/** Two locks in different orders. */
const LOCKS = `#include <pthread.h>
#define LOCK pthread_mutex_lock
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *p) { LOCK(&a); LOCK(&b); x++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
void *two(void *p) { pthread_mutex_lock(&b); LOCK(&a); x++; pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
`;

let built: Built;
const cbmc = requireTool('cbmc');

beforeAll(async () => {
  built = await build();
}, 120_000);

afterAll(() => built.remove());

function write(name: string, text: string): string {
  return built.file(name, text);
}

function swarm(file: string, ...args: string[]) {
  return built.run(['swarm', file, '--cores', '2', ...args], { limitMs: 110_000 });
}

function resultsOf(file: string): { readonly index?: string; readonly verdict?: string; readonly end?: string }[] {
  const text = readFileSync(`${file}.swarm/results.jsonl`, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('lazuli swarm', { timeout: 120_000 }, () => {
  it('finds a bug, and shows the counterexample with the instance that had it', async () => {
    const file = write('unsafe.c', COUNTER);
    const { status, stdout } = await swarm(file, '-u', '1', '-l', '6', '--instances-limit', '0');
    expect(status).toBe(10);
    expect(stdout).toContain('unsafe: assertion');
    expect(stdout).toMatch(/Found in instance \d+, with preemptions in .*add#1 \d+ to \d+ \(lines \d+ to \d+\)/);
    expect(stdout).toContain('Counterexample:');
    expect(JSON.parse(readFileSync(`${file}_auto_config.json`, 'utf8')).pick).toBe(2);
    expect(resultsOf(file).at(-1)).toEqual({ end: 'unsafe' });
  });

  it('says "safe up to bounds" only when all selections are done', async () => {
    const file = write('safe.c', SAFE);
    const all = await swarm(file, '-u', '1', '-r', '1', '-l', '12', '--instances-limit', '0');
    expect(all.stdout).toContain('safe up to bounds: all iterations, 1 round');
    expect(all.status).toBe(0);
    const sample = await swarm(file, '-u', '1', '-r', '1', '-l', '2', '--instances-limit', '10');
    expect(sample.stdout).toMatch(/unknown: no bug in 10 of \d+ instances/);
    expect(sample.stdout).toContain('one in 10, 35 %');
    expect(sample.status).toBe(1);
    const fewer = await swarm(file, '-u', '1', '-r', '2', '-l', '9', '-p', '1', '--instances-limit', '0');
    expect(fewer.stdout).toMatch(/unknown: no bug in any of the \d+ instances/);
    expect(fewer.stdout).toContain('These instances do not have all interleavings');
    await swarm(file, '-u', '1', '-r', '1', '-l', '12', '--instances-limit', '0', '--config-only');
    const whole = readFileSync(`${file}_auto_config.json`, 'utf8');
    const holes = write('holes.json', whole.replace(/\[\[1, \d+\]/, '[[2, 2]'));
    expect(readFileSync(holes, 'utf8')).not.toBe(whole);
    const left = await swarm(file, '-u', '1', '-r', '1', '-c', holes);
    expect(left.stdout).toMatch(/unknown: no bug in any of the \d+ instances/);
    expect(left.stdout).toContain('These instances do not have all interleavings');
  });

  it('looks for data races and deadlocks, and says when there are none', async () => {
    const race = write('race.c', MESSAGE);
    const racy = await swarm(race, '--check', 'race', '-l', '2');
    expect(racy.stdout).toContain('unsafe: race: data race on data');
    expect(racy.stdout).toContain('Found in instance');
    const allowed = await swarm(race, '--check', 'race', '-l', '2', '--allow-race', 'data');
    expect(allowed.stdout).toContain('safe up to bounds');
    const ordered = await swarm(write('ordered.c', MESSAGE.replaceAll('relaxed', 'seq_cst')), '--check', 'race');
    expect(ordered.stdout).toContain('safe up to bounds: all iterations, 2 rounds');
    const circle = await swarm(write('circle.c', LOCKS), '--check', 'deadlock', '-l', '1');
    expect(circle.stdout).toContain('unsafe: deadlock');
    const gate = await swarm(write('gate.c', LOCKS.replace('lock(&b); LOCK(&a)', 'lock(&a); LOCK(&b)')), '-l', '2');
    expect(gate.stdout).toContain('safe up to bounds: all iterations, 2 rounds');
  });

  it('writes configurations, for itself and for a cluster, and reads them', async () => {
    const file = write('config.c', SAFE);
    const only = await swarm(file, '-u', '1', '-l', '3', '--config-only');
    expect(only).toMatchObject({ status: 0, stdout: `${file}_auto_config.json\n` });
    expect(existsSync(`${file}.swarm`)).toBe(false);
    const cluster = await swarm(file, '-u', '1', '-l', '3', '--cluster-config', '5');
    const files = cluster.stdout.trimEnd().split('\n');
    expect(files.length).toBeGreaterThan(1);
    const counts = files.map((name) => Number(JSON.parse(readFileSync(name, 'utf8')).count));
    expect(counts.reduce((a, b) => a + b)).toBe(
      Number(JSON.parse(readFileSync(`${file}_auto_config.json`, 'utf8')).count),
    );
    const part = await swarm(file, '-u', '1', '-c', files[1] as string);
    expect(part.stdout).toMatch(/unknown: no bug in 5 of \d+ instances/);
    const other = await swarm(file, '-u', '1', '--atomic-statements', '-c', files[1] as string);
    expect(other.status).toBe(4);
    expect(other.stderr).toContain('.statements: made for another program or other bounds');
  });

  it('takes an instance that somebody wrote', async () => {
    const file = write('hand.c', COUNTER);
    const instances = { late: { add: [{ line: 8 }] }, never: {}, work: { '*': [{ function: 'work' }] } };
    const config = write('hand.json', JSON.stringify({ format: 'lazuli-swarm', version: 1, instances }));
    const { status, stdout } = await swarm(file, '-u', '1', '-c', config, '--keep-going');
    expect(status).toBe(10);
    expect(stdout).toContain('Found in instance late');
    expect(stdout).toContain('Of 3 instances, 1 has a bug');
    const listed = await swarm(file, '-u', '1', '--config-only', '-v');
    expect(listed.stdout).toMatch(/^add#1$/m);
    expect(listed.stdout).toMatch(/^ +7 {2}.*hand\.c:8 {2}add$/m);
    expect(listed.stdout).toMatch(/^ +5 {2}.*hand\.c:4 {2}add, work$/m);
    writeFileSync(config, '{"a": {"add": [[3, 1]]}}');
    const wrong = await swarm(file, '-u', '1', '-c', config);
    expect(wrong.status).toBe(4);
    expect(wrong.stderr).toContain('$.a.add[0][1]: must be a whole number of at least 3, not 1');
  });

  it('goes on where it was killed, and runs nothing twice', async () => {
    const file = write('killed.c', SAFE);
    const args = ['swarm', file, '-u', '1', '-l', '1', '--cores', '1', '--instances-limit', '9000'];
    const child = spawn(process.execPath, [path.join(built.folder, 'bin/lazuli.js'), ...args], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    while (!existsSync(`${file}.swarm/results.jsonl`) || resultsLines(file) < 4)
      await new Promise((resolve) => setTimeout(resolve, 2));
    const second = await built.run(args, { limitMs: 110_000 });
    expect(second.stderr).toContain(`process ${child.pid} writes to '${file}.swarm': the same swarm runs already`);
    expect(second.status).toBe(4);
    child.kill('SIGKILL');
    await ended;
    const { stdout } = await built.run(args, { limitMs: 110_000 });
    expect(stdout).toContain('no bug in 9,000 of');
    expectEachOnce(file, 9000);
  });

  it('goes on after a power cut in the middle of a line', async () => {
    const file = write('cut.c', SAFE);
    const args = ['-u', '1', '-l', '2', '--instances-limit', '30'];
    await swarm(file, ...args);
    const results = `${file}.swarm/results.jsonl`;
    const lines = readFileSync(results, 'utf8').split('\n');
    writeFileSync(results, `${lines.slice(0, 11).join('\n')}\n${lines[11]?.slice(0, 20)}`);
    const { stdout, stderr } = await swarm(file, ...args);
    expect(stderr).toContain('going on after 10 instances of an earlier run');
    expect(stdout).toContain('no bug in 30 of');
    expect(resultsOf(file).slice(0, 11)).toEqual(lines.slice(0, 11).map((line) => JSON.parse(line)));
    expectEachOnce(file, 30);
    const other = await swarm(file, ...args, '--seed', '2');
    expect(other.stderr).not.toContain('going on');
    expect(readdirSync(`${file}.swarm`)).toEqual(['results.jsonl', 'results.previous.jsonl']);
  });

  it.each([['embedded', []], ...(cbmc === null ? [] : [['backend', ['--backend', 'cbmc']] as const])] as const)(
    'starts anew when an included file has changed (%s)',
    async (road, more) => {
      write('limit.h', '#define LIMIT 2\n');
      const file = write(
        `include-${road}.c`,
        SAFE.replace('int count', '#include "limit.h"\nint count').replace('<= x', '<= LIMIT'),
      );
      const args = ['-u', '1', '-r', '1', '-l', '4', '--instances-limit', '4', ...more];
      await swarm(file, ...args);
      const lines = readFileSync(`${file}.swarm/results.jsonl`, 'utf8').split('\n');
      writeFileSync(`${file}.swarm/results.jsonl`, `${lines.slice(0, 4).join('\n')}\n`);
      write('limit.h', '#define LIMIT 1\n');
      const { status, stderr } = await swarm(file, ...args);
      expect(stderr).not.toContain('going on');
      expect(status).toBe(10);
    },
  );

  it('splits what runs out of time, and goes on in the middle of parts', async () => {
    // The whole takes several times the limit, its smallest parts a fraction of it.
    const file = write('split.c', FIBONACCI);
    const limits = ['-u', '6', '-r', '3', '-l', '100', '--instance-timeout', '0.5'];
    const args = [...limits, '--split', '--split-depth', '9'];
    const whole = await swarm(file, ...args);
    expect(whole.stdout).toContain('safe up to bounds: all iterations, 3 rounds');
    expect(whole.stdout).toMatch(/Run as well: \d+ parts? of instances that ran out of time/);
    const results = `${file}.swarm/results.jsonl`;
    const lines = readFileSync(results, 'utf8').split('\n');
    expect(lines[1]).toContain('"verdict":"split"');
    writeFileSync(results, `${lines.slice(0, 5).join('\n')}\n`);
    const again = await swarm(file, ...args);
    expect(again.stderr).toContain('going on after');
    expect(again.stdout).toContain('safe up to bounds: all iterations, 3 rounds');
    const keys = resultsOf(file).flatMap(({ index }) => (index === undefined ? [] : [index]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('writes instances as sequential C, smaller than the whole program', async () => {
    const file = write('written.c', SAFE);
    const { status, stdout } = await swarm(file, '-u', '1', '-l', '3', '--instances-only', '--instances-limit', '2');
    expect(status).toBe(0);
    const files = stdout.trimEnd().split('\n');
    expect(files.map((name) => path.dirname(name))).toEqual([`${file}.swarm`, `${file}.swarm`]);
    const whole = await built.run(['sequentialize', file, '-u', '1', '-r', '2']);
    const jumps = (text: string) => text.match(/__lazuli_J\(\d/g)?.length ?? 0;
    for (const name of files) expect(jumps(readFileSync(name, 'utf8'))).toBeLessThan(jumps(whole.stdout));
  });

  it.each([['embedded', []], ...(cbmc === null ? [] : [['backend', ['--backend', 'cbmc']] as const])] as const)(
    'runs under each memory model: %s',
    async (_, road) => {
      const text = `#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *one(void *unused) { x = 1; a = y; return 0; }
void *two(void *unused) { y = 1; b = x; return 0; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(a || b);
}`;
      for (const [model, expected] of [
        ['sc', 0],
        ['tso', 10],
      ] as const) {
        const file = write(`store-buffering-${model}.c`, text);
        const { status } = await swarm(file, '-u', '1', '-r', '2', '-l', '9', '--memory-model', model, ...road);
        expect(status, model).toBe(expected);
      }
    },
  );

  it.runIf(cbmc !== null)('leaves instances to a backend, and replays what it finds', async () => {
    const file = write('backend.c', COUNTER);
    const { status, stdout } = await swarm(file, '-u', '1', '-l', '6', '--backend', 'cbmc', '--instances-limit', '0');
    expect(status).toBe(10);
    expect(stdout).toMatch(/unsafe: assertion: .* \(cbmc,/);
    expect(stdout).toMatch(/Found in instance \d+, with preemptions in .*add#1 \d+ to \d+ \(lines \d+ to \d+\)/);
    expect(stdout).toContain('Counterexample:');
    const safe = write('backend-safe.c', SAFE);
    const all = await swarm(safe, '-u', '1', '-r', '1', '-l', '12', '--backend', 'cbmc', '--instances-limit', '0');
    expect(all.stdout).toContain('safe up to bounds: all iterations, 1 round');
    expect(all.stdout).toContain('The assertion is reached.');
    expect(all.status).toBe(0);
  });

  it.runIf(cbmc !== null).each([
    ['deadlock', 'two-accounts', 'deadlock: 2 threads wait for ever'],
    ['race', 'shared-counter', 'data race on'],
  ])('asks a backend for the check %s', async (check, name, violation) => {
    const ask = (ending: string) => {
      const example = readFileSync(`examples/checks/${name}-${ending}.c`, 'utf8');
      return swarm(write(`${name}-${ending}.c`, example), '-r', '2', '-l', '6', '--backend', 'cbmc', '--check', check);
    };
    const broken = await ask('unsafe');
    expect(broken.stdout).toContain(violation);
    expect(broken.status).toBe(10);
    const repaired = await ask('safe');
    expect(repaired.stdout).toContain('safe up to bounds: all iterations, 2 rounds');
    expect(repaired.status).toBe(0);
  });

  it('studies random instances', async () => {
    const file = write('study.c', COUNTER);
    const { status, stdout } = await swarm(file, '-u', '1', '-l', '4', '-p', '1', '--study', '12');
    expect(status).toBe(10);
    expect(stdout).toMatch(/^12 random instances, \d+ with a bug/);
    const study = JSON.parse(readFileSync(`${file}.swarm/study.json`, 'utf8'));
    expect(study).toMatchObject({ format: 'lazuli-swarm-study', instances: 12 });
    expect(study.withBug).toBeGreaterThan(0);
    for (const name of ['study.txt', 'study.svg', 'study.html']) expect(existsSync(`${file}.swarm/${name}`)).toBe(true);
  });

  it.each([
    [['-l', '2', '--window-percent', '3'], '--window-length and --window-percent exclude each other'],
    [['-c', 'x.json', '-l', '2'], '--config-file stands alone'],
    [['--schema', 'cav14'], '--schema needs --backend'],
    [['--backend', 'cbmc', '--check', 'race,assertion'], 'the check race is a question of its own: ask it alone'],
    [['--backend', 'cbmc', '--check', 'leak'], 'with --backend there is no check of leak'],
    [
      ['--backend', 'cbmc', '--check', 'deadlock', '--queue', 'redis://localhost:1'],
      'the check deadlock does not go with a backend behind a queue',
    ],
    [['--backend', 'cbmc', '--schema', 'ul'], '--schema ul keeps loops: a swarm is of bounded programs'],
    [['--split', '--study', '3'], '--study runs instances as they are'],
  ])('refuses %s', async (args, message) => {
    const { status, stderr } = await swarm(write('refused.c', SAFE), ...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

function expectEachOnce(file: string, count: number): void {
  const indices = resultsOf(file).flatMap(({ index }) => (index === undefined ? [] : [Number(index)]));
  expect(indices.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
}

function resultsLines(file: string): number {
  return readFileSync(`${file}.swarm/results.jsonl`, 'utf8').split('\n').length - 1;
}
