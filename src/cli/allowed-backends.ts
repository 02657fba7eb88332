// The backends that a worker lets run: whoever starts it says which, and which program that is. What comes from the
// queue is only a name, and C that this process itself wrote.

import type { QueuedProgram } from '../host/queue/queued-program.ts';
import type { ServedBackend } from '../host/queue/serve-queue.ts';
import { InvariantError } from '../support/invariant.ts';
import { BackendPool } from './swarm-backend-pool.ts';

export interface AllowedBackend {
  readonly name: string;
  /** The program; null: the one on the PATH. */
  readonly path: string | null;
}

/** `NAME` or `NAME=PATH`; what is wrong as text. */
export function readAllowed(words: readonly string[], known: readonly string[]): readonly AllowedBackend[] | string {
  const allowed: AllowedBackend[] = [];
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    const path = rest.length === 0 ? null : rest.join('=');
    if (!known.includes(name)) return `--allow-backend takes ${known.join(' or ')}, not '${name}'`;
    if (path === '') return `--allow-backend ${name}= needs the name of a file`;
    if (allowed.some((each) => each.name === name)) return `--allow-backend ${name} is said twice`;
    allowed.push({ name, path });
  }
  return allowed;
}

/** Instances of one program share what was prepared for it. */
export function createServed({ name, path }: AllowedBackend, queue: ServedBackend['queue']): ServedBackend {
  const pools = new WeakMap<QueuedProgram, BackendPool>();
  return {
    name,
    queue,
    createRunner: (program, { memoryLimitBytes, timeLimitMs }) => {
      if (program.job.backend?.name !== name) throw new InvariantError('a program goes to its own backend');
      const machine = {
        options: { backendPath: path ?? undefined, backendOptions: [] },
        timeoutSeconds: Number.isFinite(timeLimitMs) ? timeLimitMs / 1000 : undefined,
        memoryLimitMegabytes: memoryLimitBytes === null ? undefined : memoryLimitBytes / 2 ** 20,
      };
      const pool = pools.get(program) ?? new BackendPool(program.job, machine, SILENT);
      pools.set(program, pool);
      return pool.createRunner();
    },
  };
}

/** Its manager has told what there is to tell. */
const SILENT = { err: { write: () => {}, colours: false, columns: null } };
