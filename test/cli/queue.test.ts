// Swarms on a queue as users run them, with a real Redis server: several swarms and workers, everybody killed in turn,
// bugs that end what runs elsewhere, and people on the queue who mean no good.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { openQueue } from '../../src/host/queue/bull-queue.ts';
import { readQueueAddress } from '../../src/host/queue/queue-address.ts';
import { queueName } from '../../src/host/queue/queue-words.ts';
import { hashOfText, printProgram } from '../../src/host/queue/queued-program.ts';
import type { TaskOutcome, TaskQueue } from '../../src/host/queue/task-queue.ts';
import type { BackendJob } from '../../src/host/swarm-messages.ts';
import { DEFAULT_SETTINGS } from '../../src/verify/settings.ts';
import { type Built, build } from '../support/built.ts';
import { createRedis, freePort, PASSWORD, type RedisServer, waitUntil } from '../support/redis.ts';
import { requireTool } from '../support/tools.ts';

const SAFE = `#include <assert.h>
#include <pthread.h>
#include "work.h"
int count;
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
  assert(count <= x);
}
`;
const UNSAFE = SAFE.replace('count <= x', 'count == 2 || x + y == 7');
const HEADER = 'static int x, y;\nstatic void work(void) { x++; y++; x++; }\n';

/** A preemption at line 8 asks for the factors of a large prime; one at line 14 breaks the assertion. */
const HARD = `#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned long long product;
int open, count;
void *hard(void *unused) {
  open = 1;
  open = 0;
  return 0;
}
void *add(void *unused) {
  if (open) { unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); product = a * b; }
  int seen = count;
  count = seen + 1;
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, hard, 0);
  pthread_create(&b, 0, add, 0);
  pthread_create(&c, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(product != 10000000000000000051ull && count == 2);
}
`;

const isThere = requireTool('redis-server') !== null;
const hasCbmc = requireTool('cbmc') !== null;
let built: Built;
let redis: RedisServer;
const children = new Set<Started>();

beforeAll(async () => {
  if (!isThere) return;
  built = await build();
  redis = await createRedis();
  await redis.start();
  built.file('work.h', HEADER);
}, 120_000);

afterEach(async () => {
  for (const { child, ended } of children) {
    child.kill('SIGKILL');
    await ended;
  }
  children.clear();
  if (isThere) redis.ask('FLUSHDB');
});

afterAll(async () => {
  if (!isThere) return;
  await redis.remove();
  built.remove();
});

interface Started {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

function start(args: readonly string[], url = redis.url): Started {
  const env = { ...process.env, LAZULI_QUEUE: url };
  const child = spawn(process.execPath, [path.join(built.folder, 'bin/lazuli.js'), ...args], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const started = { child, text: () => text, ended };
  children.add(started);
  return started;
}

const worker = (...args: string[]) => start(['worker', '--cores', '1', ...args]);
const swarm = (file: string, ...args: string[]) => start(['swarm', file, '-u', '1', ...args]);
const KEY = `lazuli:${queueName(version)}`;
const countOf = (list: 'wait' | 'active') => Number(redis.ask('LLEN', `${KEY}:${list}`));

function resultsOf(file: string): { readonly index?: string; readonly verdict?: string }[] {
  try {
    const lines = readFileSync(`${file}.swarm/results.jsonl`, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).filter(({ index }) => index !== undefined);
  } catch {
    return [];
  }
}

function expectEachOnce(file: string, count: number): void {
  const indices = resultsOf(file).map(({ index }) => Number(index));
  expect(indices.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
}

/** Somebody who has the password, and is none of ours. */
async function stranger(backend: string | null = null): Promise<TaskQueue> {
  const read = readQueueAddress(redis.url, {}, 5000);
  if (read.kind === 'problem') throw new Error(read.message);
  const opened = await openQueue(read.address, queueName(version, backend), { onAway: () => {}, onLost: () => {} });
  if (opened.kind === 'unreachable') throw new Error(opened.reason);
  return opened.queue;
}

describe.runIf(isThere)('a swarm on a queue', { timeout: 120_000 }, () => {
  it('shares workers with other swarms, and leaves nothing behind', async () => {
    const [safe, unsafe] = [built.file('safe.c', SAFE), built.file('unsafe.c', UNSAFE)];
    const managers = [
      swarm(safe, '-l', '3', '--instances-limit', '0'),
      swarm(unsafe, '-l', '6', '--instances-limit', '0', '--keep-going'),
    ];
    const workers = [worker(), worker()];
    expect(await Promise.all(managers.map(({ ended }) => ended))).toEqual([0, 10]);
    expect(managers[0]?.text()).toContain('safe up to bounds: all iterations, 2 rounds');
    expect(managers[1]?.text()).toMatch(/Of 9 instances, \d have a bug/);
    expect(managers[1]?.text()).toContain('Counterexample:');
    expect(managers[1]?.text()).toMatch(/work\.h/);
    for (const file of [safe, unsafe]) expectEachOnce(file, resultsOf(file).length);
    for (const { child } of workers) child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([143, 143]);
    const done = workers.map(({ text }) => Number(/terminated; ([\d,]+) inst/.exec(text())?.[1]));
    expect(done.reduce((a, b) => a + b)).toBe(resultsOf(safe).length + 9);
    // A program is loaded once.
    for (const { text } of workers) expect(text().match(/: program /g)?.length).toBeLessThanOrEqual(2);
    expect(workers[0]?.text()).toContain(`: ${safe}\n`);
    expect(Number(redis.ask('ZCARD', `${KEY}:completed`))).toBe(0);
    for (const { text } of [...managers, ...workers]) expect(text()).not.toMatch(/s3cret|Warning/);
  });

  it('loses nothing when a worker, the server and the manager are killed in turn', async () => {
    const file = built.file('killed.c', SAFE);
    const args = ['-l', '1', '-p', '1', '--instances-limit', '500'];
    const lines = () => resultsOf(file).length;
    const workers = [worker(), worker()];
    const first = swarm(file, ...args);
    await waitUntil(() => lines() > 50);
    // Instances are made when there is room.
    expect(countOf('wait') + countOf('active')).toBeLessThanOrEqual(8);
    workers[0]?.child.kill('SIGKILL');
    await workers[0]?.ended;
    worker();
    await waitUntil(() => lines() > 150);
    await redis.kill();
    await redis.start();
    await waitUntil(() => lines() > 300);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = swarm(file, ...args);
    expect(await second.ended).toBe(1);
    expect(first.text()).toContain('is away');
    expect(second.text()).toMatch(/going on after \d+ instances/);
    expect(second.text()).toContain('no bug in any of the 500 instances');
    expectEachOnce(file, 500);
    await waitUntil(() => countOf('wait') + countOf('active') === 0);
  });

  it('ends what runs anywhere when there is a bug; a worker that is told to end gives back what it runs', async () => {
    const file = built.file('hard.c', HARD);
    const instances = { hard: { hard: [{ line: 8 }] }, bug: { add: [{ line: 14 }] } };
    const config = built.file('hard.json', JSON.stringify({ format: 'lazuli-swarm', version: 1, instances }));
    const manager = swarm(file, '-c', config);
    const first = worker();
    await waitUntil(() => first.text().includes('program') && countOf('active') === 1);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(143);
    expect(first.text()).toContain('terminated; 0 instances done');
    expect([countOf('active'), countOf('wait')]).toEqual([0, 2]);
    const second = start(['worker', '--cores', '2']);
    expect(await manager.ended).toBe(10);
    expect(manager.text()).toContain('Found in instance bug');
    await waitUntil(() => countOf('active') + countOf('wait') === 0, 10_000);
    expect(second.child.exitCode).toBe(null);
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(130);
  });

  it.each([
    ['nobody there', async () => `redis://127.0.0.1:${await freePort()}`, 6, 'nobody listens there'],
    ['a wrong password', async () => redis.url.replace('s3cret', 'secret'), 6, 'it refuses the user or the password'],
    ['no password', async () => `redis://127.0.0.1:${redis.port}`, 6, 'it wants a user and a password'],
    [
      'TLS where there is none',
      async () => redis.url.replace('redis:', 'rediss:'),
      6,
      'cannot use the queue at rediss://',
    ],
    ['no URL', async () => `${PASSWORD} elsewhere`, 2, 'the queue is no URL'],
    ['another protocol', async () => `http://lazuli:${PASSWORD}@localhost`, 2, 'not http://'],
    ['no database', async () => `redis://localhost/${PASSWORD}`, 2, 'the number of a database'],
  ])('says what is wrong: %s', async (_, url, code, message) => {
    const file = built.file('safe.c', SAFE);
    const queue = await url();
    const commands = code === 6 ? [['worker'], ['swarm', file]] : [['worker']];
    for (const { text, ended } of commands.map((command) => start(command, queue))) {
      expect(await ended).toBe(code);
      expect(text()).toContain(message);
      expect(text()).not.toMatch(/s3cret|secret| at .*:\d+:\d+/);
    }
  });

  it('gives up when the server stays away, and goes on later', async () => {
    const file = built.file('away.c', SAFE);
    const args = ['-l', '3', '-p', '1', '--instances-limit', '10', '--queue-timeout', '1'];
    const manager = swarm(file, ...args);
    const one = worker('--queue-timeout', '1', '--instance-timeout', '9');
    await waitUntil(() => one.text().includes('worker with') && manager.text().includes('on the queue'));
    await redis.kill();
    const codes = await Promise.all([manager.ended, one.ended]);
    await redis.start();
    // A quick one may have been done before.
    expect([1, 6]).toContain(codes[0]);
    expect(codes[1]).toBe(6);
    expect(one.text()).toMatch(/cannot use the queue at redis:\/\/127\.0\.0\.1:\d+: nobody listens there/);
    worker();
    expect(await swarm(file, ...args).ended).toBe(1);
    expectEachOnce(file, 10);
  });

  it('works over TLS with certificates on both sides, and with no others', async () => {
    if (requireTool('openssl') === null) return;
    const [ca, cert, key] = ['ca.crt', 'own.crt', 'own.key'].map((name) => path.join(built.folder, name)) as [
      string,
      string,
      string,
    ];
    makeCertificates(built.folder);
    const port = await freePort();
    const tls = [`tls-port ${port}`, `tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${ca}`];
    const server = await createRedis(tls);
    await server.start();
    try {
      const url = server.url.replace('redis:', 'rediss:').replace(/\d+$/, String(port));
      const own = ['--tls-cert', cert, '--tls-key', key];
      const untrusted = start(['worker', ...own], url);
      expect(await untrusted.ended).toBe(6);
      expect(untrusted.text()).toContain('certificate');
      const nobody = start(['worker', '--tls-ca', ca], url);
      expect(await nobody.ended).toBe(6);
      const file = built.file('tls.c', SAFE);
      start(['worker', '--cores', '1', '--tls-ca', ca, ...own], url);
      const manager = start(['swarm', file, '-u', '1', '-p', '1', '--tls-ca', ca, ...own], url);
      expect(await manager.ended).toBe(1);
      expectEachOnce(file, resultsOf(file).length);
    } finally {
      await server.remove();
    }
  });
});

describe.runIf(isThere && hasCbmc)('a backend behind a queue', { timeout: 120_000 }, () => {
  it('is run by workers that allow it, and by no others', async () => {
    const file = built.file('backend.c', UNSAFE);
    const plain = worker();
    const args = ['-r', '2', '-l', '8', '-p', '1', '--backend', 'cbmc', '--keep-going', '--instances-limit', '0'];
    const manager = swarm(file, ...args);
    await waitUntil(() => manager.text().includes("runs cbmc: 'lazuli worker --allow-backend cbmc' starts one"));
    const able = worker('--allow-backend', 'cbmc');
    expect(await manager.ended).toBe(10);
    expect(able.text()).toContain('also for cbmc');
    expect(plain.text()).not.toContain('program ');
    expect(manager.text()).toContain('unsafe: assertion');
    expect(manager.text()).toContain('Counterexample:');
    expect(manager.text()).toMatch(/\(cbmc, /);
    expectEachOnce(file, resultsOf(file).length);
    const local = start(['swarm', file, '-u', '1', ...args, '--no-resume'], '');
    expect(await local.ended).toBe(10);
    const share = /Of \d+ instances, \d+ have a bug/;
    expect(share.exec(manager.text())?.[0]).toBe(share.exec(local.text())?.[0]);
  });

  it('is a matter of the worker: neither its path nor its options come from a manager', async () => {
    const file = built.file('refused.c', SAFE);
    for (const [args, message] of [
      [['--backend', 'cbmc', '--backend-path', '/bin/sh'], '--backend-path does not go with one'],
      [['--backend', 'cbmc', '--backend-options', '--show-vcc'], '--backend-options does not go with one'],
      [['--backend', 'cbmc', '--memory-model', 'tso'], '--memory-model does not go with a backend behind a queue'],
      [['--backend', 'klee'], 'only counterexamples count that can be replayed: --backend cbmc or esbmc'],
    ] as const) {
      const refused = swarm(file, ...args);
      expect(await refused.ended).toBe(2);
      expect(refused.text()).toContain(message);
    }
    const wrong = worker('--allow-backend', 'sh');
    expect(await wrong.ended).toBe(2);
    expect(wrong.text()).toContain("--allow-backend takes cbmc or esbmc, not 'sh'");
  });
});

describe.runIf(isThere)('strangers on the queue', { timeout: 60_000 }, () => {
  const settings = { ...DEFAULT_SETTINGS, unwind: 1, rounds: 1 };
  const CBMC = {
    name: 'cbmc',
    schema: 'lazy2',
    schedule: [],
    bitvectors: false,
    unwindingAssertions: false,
    seeks: null,
  } as const;
  const programOf = (
    text: string,
    headers: ReadonlyMap<string, string>,
    backend: BackendJob | null = null,
    fileName = 'p.c',
  ) =>
    printProgram({
      version,
      job: {
        source: { name: fileName, files: [{ fileName, text }], project: null },
        settings,
        stage: { unwind: 1, rounds: 1 },
        memoryLimitBytes: null,
        colours: false,
        proves: false,
        headers,
        backend,
      },
      instanceTimeLimitMs: 5000,
    });

  it('cannot make a worker read a file, take what is no data, or run another version', async () => {
    worker();
    const queue = await stranger();
    const id = hashOfText('stranger');
    await queue.enrol('swarms', id, '{"version":"0.0.9"}', 60_000);
    const secret = built.file('secret.h', 'int secret = 1;\n');
    const text = `#include "${secret}"\nint main(void) { __builtin_assert: return secret; }\n`.replace(
      '__builtin_assert: ',
      '',
    );
    const plain = programOf(text, new Map([[secret, 'int secret = 2;\n']]));
    const programs = {
      reads: programOf(text, new Map()),
      brings: plain,
      version: plain.replace(`"version":"${version}"`, '"version":"9.9.9"'),
      backend: programOf(text, new Map([[secret, 'int secret = 2;\n']]), CBMC),
      command: plain.replace('"stage"', '"backendPath":"/bin/sh","stage"'),
      cpp: plain.replace('"dataModel"', '"cpp":"rm -rf /","dataModel"'),
      large: plain.replace('"unwind":1,"rounds":1}', '"unwind":1e9,"rounds":1}'),
    };
    const instance = { name: '0', windows: [[]] };
    for (const [name, program] of Object.entries(programs)) {
      await queue.store(`program:${hashOfText(program)}`, program, 60_000);
      await queue.put([{ id: name, data: { swarm: id, program: hashOfText(program), instance } }]);
    }
    await queue.store(`program:${id}`, plain, 60_000);
    await queue.put([
      { id: 'forged', data: { swarm: id, program: id, instance } },
      { id: 'path', data: { swarm: id, program: '../../etc/passwd', instance } },
      { id: 'extra', data: { swarm: id, program: id, instance, backend: 'sh -c true' } },
    ]);
    const answers: Record<string, unknown> = {};
    for (const name of [...Object.keys(programs), 'forged', 'path', 'extra']) {
      await waitUntil(async () => {
        const state = await queue.look(name);
        if (state.kind === 'done') answers[name] = state.answer;
        return state.kind === 'done';
      });
    }
    await queue.close();
    const refused = (reason: RegExp) => ({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect(answers).toEqual({
      reads: expect.objectContaining({ result: expect.objectContaining({ kind: 'unknown' }) }),
      brings: expect.objectContaining({ kind: 'found', result: expect.objectContaining({ kind: 'none' }) }),
      version: refused(/^\$\.version: is "9\.9\.9"; this is Lazuli/),
      backend: refused(/^\$\.backend\.name: this worker does not let "cbmc" run/),
      command: refused(/^\$\.backendPath: is not known here/),
      cpp: refused(/^\$\.settings\.cpp: is not known here/),
      large: refused(/^\$\.stage\.unwind: must not be larger/),
      forged: { kind: 'no-program' },
      path: refused(/^\$\.program: must be a hash/),
      extra: refused(/^\$\.backend: is not known here/),
    });
  });

  it.runIf(hasCbmc)('cannot make a backend read a file', async () => {
    worker('--allow-backend', 'cbmc');
    const queue = await stranger('cbmc');
    const id = hashOfText('stranger');
    await queue.enrol('swarms', id, `{"version":"${version}"}`, 60_000);
    const secret = built.file('secret.c', 'int main(void) { __CPROVER_assert(0, "read"); }\n');
    const harmless = 'int x; int main(void) { x = 1; return x; }\n';
    const programs = {
      includes: programOf(`#include "${secret}"\n${harmless}`, new Map(), CBMC),
      named: programOf(harmless, new Map(), CBMC, `p.c */\n#include "${secret}"\n/*`),
      joined: programOf(`#define A "\\n#include \\"${secret}\\"\\n"\nchar *a = A;\n${harmless}`, new Map(), CBMC),
    };
    const answers = new Map<string, unknown>();
    for (const [name, program] of Object.entries(programs)) {
      await queue.store(`program:${hashOfText(program)}`, program, 60_000);
      const data = { swarm: id, program: hashOfText(program), instance: { name: '0', windows: [[]] } };
      await queue.put([{ id: name, data }]);
      await waitUntil(async () => {
        const state = await queue.look(name);
        if (state.kind === 'done') answers.set(name, (state.answer as { result: { kind: string } }).result.kind);
        return state.kind === 'done';
      });
    }
    await queue.close();
    expect(Object.fromEntries(answers)).toEqual({ includes: 'unknown', named: 'none', joined: 'none' });
  });

  it.each([['by its steps', null], ...(hasCbmc ? [['of a backend', 'cbmc'] as const] : [])] as const)(
    'cannot make a manager believe in a bug (%s)',
    async (_, backend) => {
      const queue = await stranger(backend);
      const found = (result: object): TaskOutcome => ({
        kind: 'answer',
        answer: { kind: 'found', result, elapsedMs: 1, memoryBytes: 1 },
        isWanted: true,
      });
      const lies = [
        found({ kind: 'violation', schedule: { segments: [{ thread: 0, steps: ['main@1'] }], inputs: [] } }),
        found({ kind: 'violation', counted: { segments: [{ thread: 0, steps: 1000 }], inputs: [] } }),
        found({ kind: 'violation', outcome: { kind: 'unsafe' } }),
        { kind: 'answer', answer: 'nonsense', isWanted: true },
      ] as const;
      let told = 0;
      await queue.take(1, async () => lies[told++ % lies.length] as TaskOutcome);
      await queue.enrol('workers', 'other', '{"version":"9.9.9","cores":2}', 60_000);
      const file = built.file('lied.c', SAFE);
      const more = backend === null ? [] : ['--backend', backend];
      const manager = swarm(
        file,
        '-l',
        '6',
        '-p',
        '1',
        '--instances-limit',
        '4',
        '--swarm-dir',
        `${file}.lies`,
        ...more,
      );
      expect(await manager.ended).toBe(1);
      await queue.close();
      expect(manager.text()).toMatch(/no worker (is on the queue|on the queue runs cbmc); others have version 9\.9\.9/);
      expect(manager.text()).toMatch(
        /unknown: no bug in 0 of \d+ instances; no answer for 4: a .*does not replay \(2\)/,
      );
    },
  );
});

function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...fresh, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=Lazuli test');
  openssl('req', ...fresh, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=127.0.0.1');
  writeFileSync(path.join(folder, 'own.ext'), 'subjectAltName=IP:127.0.0.1\n');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'own.ext'];
  openssl('x509', '-req', '-in', 'own.csr', '-out', 'own.crt', ...signed);
}
