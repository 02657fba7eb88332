/**
 * The queue of a swarm on Redis, with BullMQ: a task is a job whose name is its id. BullMQ gives each job to one
 * worker, whose lock on it must be renewed; a job whose lock ran out (its worker was killed, its machine is gone) goes
 * back to those that wait. Answers stay in Redis until whoever asked removes them, so that a killed manager finds them
 * again.
 *
 * This module is a bundle of its own (scripts/build.js): whoever has no `--queue` never loads it.
 */

import { Job, Queue, QueueEvents, WaitingError, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { QueueAddress } from './queue-address.ts';
import type {
  OpenedQueue,
  OpenQueue,
  QueuedTask,
  QueueListener,
  TaskListener,
  TaskOutcome,
  TaskQueue,
  TaskState,
} from './task-queue.ts';

/** All keys begin so: an access list can name them. */
const PREFIX = 'lazuli';
/** A worker that says nothing for so long has lost its tasks. */
const LOCK_MS = 4000;
const STALLED_CHECK_MS = 2000;
/** So many workers may die of a task, or lose it, before it is given up. */
const MOST_DEATHS = 5;
const KEPT_EVENTS = 2000;
/** What nobody collects is gone after so long. */
const KEPT_ANSWERS_SECONDS = 7 * 24 * 3600;
const CONNECT_MS = 5000;
const LONGEST_RETRY_MS = 1000;

export const openQueue: OpenQueue = async (address, name, listener): Promise<OpenedQueue> => {
  const reason = await findObstacle(address);
  if (reason !== null) return { kind: 'unreachable', reason };
  return { kind: 'queue', queue: new BullQueue(address, name, listener) };
};

function optionsFor({ host, port, database, user, password, tls }: QueueAddress): RedisOptions {
  return {
    host,
    port,
    db: database,
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(tls && {
      tls: {
        ...(tls.authority !== null && { ca: tls.authority }),
        ...(tls.certificate !== null && { cert: tls.certificate }),
        ...(tls.key !== null && { key: tls.key }),
      },
    }),
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    lazyConnect: true,
  };
}

/** Why nobody can work with the server, or null. */
async function findObstacle(address: QueueAddress): Promise<string | null> {
  const probe = new Redis({ ...optionsFor(address), retryStrategy: () => null });
  let last: Error | null = null;
  probe.on('error', (error) => {
    last = error;
  });
  try {
    await probe.connect();
    await probe.get(`${PREFIX}:probe`);
    return null;
  } catch (error) {
    return describe(last ?? error, address);
  } finally {
    probe.disconnect();
  }
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ECONNRESET: 'it closes the connection',
};

function describe(error: unknown, { password, tls }: QueueAddress): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code !== undefined && SYSTEM_WORDS[code] !== undefined) return SYSTEM_WORDS[code];
  if (/WRONGPASS|invalid password/.test(message)) return 'it refuses the user or the password';
  if (/NOAUTH/.test(message)) return 'it wants a user and a password';
  if (/NOPERM/.test(message)) return 'the user may not use the keys that begin with lazuli:';
  if (/Connection is closed/.test(message))
    return tls === null ? 'it closes the connection; does it want rediss://?' : 'it closes the connection';
  return password === null ? message : message.replaceAll(password, '***');
}

class BullQueue implements TaskQueue {
  readonly #address: QueueAddress;
  readonly #name: string;
  readonly #listener: QueueListener;
  readonly #redis: Redis;
  readonly #queue: Queue;
  readonly #others: Redis[] = [];
  #events: QueueEvents | null = null;
  #worker: Worker | null = null;
  #isClosed = false;
  #awaySince: number | null = null;
  #lastError: Error | null = null;
  #patience: NodeJS.Timeout | null = null;

  constructor(address: QueueAddress, name: string, listener: QueueListener) {
    this.#address = address;
    this.#name = name;
    this.#listener = listener;
    this.#redis = this.#connect();
    this.#redis.on('close', () => this.#noteAway());
    this.#redis.on('ready', () => this.#noteBack());
    this.#queue = new Queue(name, {
      connection: this.#redis,
      prefix: PREFIX,
      skipVersionCheck: true,
      streams: { events: { maxLen: KEPT_EVENTS } },
    });
    this.#queue.on('error', () => {});
  }

  #connect(): Redis {
    const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_RETRY_MS);
    const redis = new Redis({ ...optionsFor(this.#address), retryStrategy });
    redis.on('error', (error) => {
      this.#lastError = error;
    });
    return redis;
  }

  #noteAway(): void {
    if (this.#isClosed || this.#awaySince !== null) return;
    this.#awaySince = performance.now();
    this.#listener.onAway(true);
    this.#patience = setTimeout(() => {
      const why = this.#lastError ? describe(this.#lastError, this.#address) : 'it closes the connection';
      this.#listener.onLost(why);
    }, this.#address.patienceMs);
  }

  #noteBack(): void {
    if (this.#awaySince === null) return;
    this.#awaySince = null;
    clearTimeout(this.#patience ?? undefined);
    this.#listener.onAway(false);
  }

  async put(tasks: readonly QueuedTask[]): Promise<void> {
    const opts = {
      removeOnComplete: { age: KEPT_ANSWERS_SECONDS },
      removeOnFail: { age: KEPT_ANSWERS_SECONDS },
    };
    await this.#queue.addBulk(tasks.map(({ id, data }) => ({ name: 'task', data, opts: { ...opts, jobId: id } })));
  }

  async look(id: string): Promise<TaskState> {
    const job = await Job.fromId(this.#queue, id);
    if (!job) return { kind: 'gone' };
    if (job.finishedOn === undefined) return { kind: 'open' };
    return job.failedReason ? { kind: 'failed', reason: job.failedReason } : { kind: 'done', answer: job.returnvalue };
  }

  async remove(ids: readonly string[]): Promise<void> {
    // One that runs is locked, and stays.
    await Promise.all(ids.map((id) => this.#queue.remove(id).catch(() => 0)));
  }

  async list(prefix: string): Promise<readonly string[]> {
    const jobs = await this.#queue.getJobs(['waiting', 'active', 'completed', 'failed', 'delayed']);
    return jobs.flatMap((job) => (job?.id?.startsWith(prefix) ? [job.id] : []));
  }

  async listen({ onStart, onEnd }: TaskListener): Promise<void> {
    const connection = this.#connect();
    this.#others.push(connection);
    const events = new QueueEvents(this.#name, { connection, prefix: PREFIX, skipVersionCheck: true });
    this.#events = events;
    events.on('error', () => {});
    events.on('active', ({ jobId }) => onStart(jobId));
    events.on('completed', ({ jobId, returnvalue }) => onEnd(jobId, { kind: 'done', answer: returnvalue }));
    events.on('failed', ({ jobId, failedReason }) => onEnd(jobId, { kind: 'failed', reason: failedReason }));
    await events.waitUntilReady();
  }

  async take(
    atOnce: number,
    work: (task: QueuedTask) => Promise<TaskOutcome>,
  ): Promise<{ close: () => Promise<void> }> {
    const connection = this.#connect();
    this.#others.push(connection);
    const unwanted = new Set<string>();
    const process = async (job: Job, token?: string) => {
      const id = job.id ?? '';
      const outcome = await work({ id, data: job.data });
      if (outcome.kind === 'answer') {
        if (!outcome.isWanted) unwanted.add(id);
        return outcome.answer;
      }
      await job.moveToWait(token);
      throw new WaitingError();
    };
    const worker = new Worker(this.#name, process, {
      connection,
      prefix: PREFIX,
      skipVersionCheck: true,
      concurrency: atOnce,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MOST_DEATHS,
      drainDelay: 2,
      runRetryDelay: LONGEST_RETRY_MS,
    });
    this.#worker = worker;
    // Locks that ran out, servers that are away: the task comes again.
    worker.on('error', () => {});
    worker.on('completed', ({ id = '' }) => {
      if (unwanted.delete(id)) void this.remove([id]);
    });
    await worker.waitUntilReady();
    return { close: () => worker.close() };
  }

  async store(name: string, text: string, lifeMs: number): Promise<void> {
    await this.#redis.set(key(name), text, 'PX', lifeMs);
  }

  async load(name: string, mostBytes: number): Promise<string | null> {
    if ((await this.#redis.strlen(key(name))) > mostBytes) return null;
    return this.#redis.get(key(name));
  }

  async drop(name: string): Promise<void> {
    await this.#redis.del(key(name));
  }

  async present(names: readonly string[]): Promise<readonly boolean[]> {
    return Promise.all(names.map(async (name) => (await this.#redis.exists(key(name))) === 1));
  }

  async enrol(heading: string, name: string, text: string, lifeMs: number): Promise<void> {
    await this.#redis
      .multi()
      .set(key(`${heading}:${name}`), text, 'PX', lifeMs)
      .sadd(key(heading), name)
      .exec();
  }

  async enrolled(heading: string): Promise<readonly string[]> {
    const names = await this.#redis.smembers(key(heading));
    if (names.length === 0) return [];
    const texts = await this.#redis.mget(names.map((name) => key(`${heading}:${name}`)));
    const gone = names.filter((_, i) => texts[i] === null);
    if (gone.length > 0) await this.#redis.srem(key(heading), gone);
    return texts.filter((text) => text !== null && text !== undefined);
  }

  async leave(heading: string, name: string): Promise<void> {
    await this.#redis
      .multi()
      .del(key(`${heading}:${name}`))
      .srem(key(heading), name)
      .exec();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#patience ?? undefined);
    const isAway = this.#awaySince !== null;
    const closing = Promise.all([this.#events?.close(), this.#worker?.close(isAway), this.#queue.close()]);
    if (isAway) closing.catch(() => {});
    else await closing;
    for (const redis of [this.#redis, ...this.#others]) redis.disconnect();
  }
}

function key(name: string): string {
  return `${PREFIX}:${name}`;
}
