// A Redis server of a test's own: its port, folder and passwords are nobody else's. It can be killed and started again
// on what it has written.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const PASSWORD = 's3cret-%word';

/** As docs/swarm.md advises. */
const USERS = [
  'user default off',
  'user admin on >admin ~* &* +@all',
  `user lazuli on >${PASSWORD} ~lazuli:* &* +@all -@admin -@dangerous +info`,
];

export interface RedisServer {
  readonly port: number;
  readonly folder: string;
  /** For --queue, with user and password. */
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** What redis-cli says, to somebody who may do all. */
  ask(...command: string[]): string;
  remove(): Promise<void>;
}

export async function createRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-redis-'));
  const port = await freePort();
  const common = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', ...USERS];
  // The last setting of a name counts.
  const file = path.join(folder, 'redis.conf');
  writeFileSync(file, [...common, 'appendonly yes', 'appendfsync everysec', ...settings].join('\n'));
  let child: ChildProcess | null = null;
  const kill = async () => {
    const ended = child && new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
    child = null;
  };
  return {
    port,
    folder,
    url: `redis://lazuli:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    start: async () => {
      child = spawn('redis-server', [file], { stdio: 'ignore' });
      await waitUntil(() => answers(port));
    },
    kill,
    ask: (...command) => {
      const user = ['--user', 'admin', '--pass', 'admin', '--no-auth-warning'];
      return spawnSync('redis-cli', ['-p', String(port), ...user, ...command], { encoding: 'utf8' }).stdout.trimEnd();
    },
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Polls until it is so; the limit only ends hangs. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });
}
