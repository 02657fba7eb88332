/**
 * The manager's side of a queue: a pool of a swarm whose runners are workers anywhere. The program lies on the queue
 * once; instances are put there a few times as many as workers have cores, and made when there is room. An answer stays
 * on the queue until it is in the results, so that whoever is killed loses nothing: a task has the same name whenever
 * it is put there, and one that is there already is not put again.
 *
 * Events of the queue tell of answers at once; because a server that goes away can swallow some, tasks that take longer
 * are looked at, too. What is gone (the server lost its last second) is put there again.
 */

import type { Task } from '../../engines/swarm/agenda.ts';
import type { TimedResult } from '../../engines/swarm/instance-result.ts';
import { ShapeError, withoutControls } from '../../support/json-shape.ts';
import { clockMs } from '../clock.ts';
import type { InstancePool, InstanceRunner, LocalProgram, Readiness } from '../instance-runner.ts';
import type { SwarmJob } from '../swarm-messages.ts';
import { WorkerFailure } from '../thread-runner.ts';
import { farewellWithin, QueueLost, SWARMS, WORKERS } from './queue-words.ts';
import { type FoundAnswer, type QueuedInstance, type QueuedWorker, readAnswer, readWorker } from './queued-instance.ts';
import { hashOfText, MOST_PROGRAM_BYTES, printProgram } from './queued-program.ts';
import type { TaskQueue, TaskState } from './task-queue.ts';

/** As many tasks as the queue holds: so many times the cores, and at least so many. */
const TASKS_A_CORE = 3;
const FEWEST_TASKS = 8;
const MOST_TASKS = 4096;
const POLL_MS = 1000;
/** Tasks that take longer are looked at. */
const LOOK_AFTER_MS = 2000;
/** A manager that says nothing for so long is dead, and workers leave its tasks. */
const SWARM_LIFE_MS = 90_000;
const PROGRAM_LIFE_MS = 24 * 3600 * 1000;
const PROGRAM_REFRESH_MS = 3600 * 1000;

export interface QueuePoolOptions {
  readonly queue: TaskQueue;
  readonly job: SwarmJob;
  /** The same job on this machine. */
  readonly local: LocalProgram;
  readonly instanceTimeLimitMs: number;
  readonly version: string;
  /** The same for the same swarm after a restart, and for no other that may run at the same time. */
  readonly swarm: string;
  /** Something that users want to know. */
  readonly onNews: (text: string) => void;
}

interface OpenTask {
  readonly data: QueuedInstance;
  readonly resolve: (answer: FoundAnswer) => void;
  readonly reject: (error: Error) => void;
  putMs: number;
}

export class QueuePool implements InstancePool {
  readonly #options: QueuePoolOptions;
  readonly #queue: TaskQueue;
  readonly #local: LocalProgram;
  readonly #open = new Map<string, OpenTask>();
  /** Answered, and to be removed. */
  #collected: string[] = [];
  #unsent: string[] = [];
  /** Runners that wait until there is room. */
  #parked: { readonly go: () => void; readonly fail: (error: Error) => void }[] = [];
  #room = FEWEST_TASKS;
  /** Runners that found room, until they have their result. */
  #admitted = 0;
  readonly #started = new Set<string>();
  #program = { text: '', hash: '' };
  #programMs = 0;
  #replaying: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isPolling = false;
  #hasBegun = false;
  #stopped: Promise<void> | null = null;
  #crew = '';
  #lost: Error | null = null;

  constructor(options: QueuePoolOptions) {
    this.#options = options;
    this.#queue = options.queue;
    this.#local = options.local;
  }

  async prepare(): Promise<Readiness> {
    const ready = await this.#local.prepare();
    if (ready.kind !== 'prepared') return ready;
    const { version, job, instanceTimeLimitMs } = this.#options;
    const text = printProgram({ version, job: { ...job, headers: ready.headers ?? null }, instanceTimeLimitMs });
    if (Buffer.byteLength(text) > MOST_PROGRAM_BYTES)
      return { kind: 'misused', message: `the program is too large for a queue (${MOST_PROGRAM_BYTES / 2 ** 20} MB)` };
    this.#program = { text, hash: hashOfText(text) };
    return ready;
  }

  createRunners(): readonly InstanceRunner[] {
    this.#begin().then(
      () => {
        this.#hasBegun = true;
        this.#unpark();
      },
      (error: Error) => this.#giveUp(error),
    );
    const runner: InstanceRunner = {
      ready: () => this.#waitForRoom(),
      run: (task) => this.#run(task),
      dispose: () => this.#stop(),
    };
    return Array.from({ length: MOST_TASKS }, () => runner);
  }

  get running(): number {
    return this.#started.size;
  }

  async dispose(): Promise<void> {
    await this.#stop();
    await this.#local.dispose();
  }

  /** The server does not come back. */
  lose(reason: string): void {
    this.#giveUp(new QueueLost(reason));
  }

  /** Whoever waits for the queue waits in vain: the server may never answer what was asked before it went. */
  #giveUp(error: Error): void {
    this.#lost ??= error;
    for (const { fail } of this.#parked.splice(0)) fail(error);
    this.#rejectAll(error);
  }

  async #begin(): Promise<void> {
    await this.#announce();
    await this.#queue.listen({
      onStart: (id) => this.#open.has(id) && this.#started.add(id),
      onEnd: (id, state) => this.#settle(id, state),
    });
    // What an earlier run left waiting may be of another configuration; what it left answered is taken.
    for (const id of await this.#queue.list(this.#options.swarm)) {
      if ((await this.#queue.look(id)).kind === 'open') await this.#queue.remove([id]);
    }
    await this.#meetWorkers();
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
  }

  async #run({ instance }: Task): Promise<TimedResult> {
    const { swarm } = this.#options;
    const data: QueuedInstance = { swarm, program: this.#program.hash, instance };
    const id = `${swarm}-${hashOfText(JSON.stringify(data)).slice(0, 32)}`;
    try {
      const answer = await new Promise<FoundAnswer>((resolve, reject) => {
        this.#open.set(id, { data, resolve, reject, putMs: clockMs() });
        this.#send(id);
      });
      return await this.#toResult(answer);
    } finally {
      this.#admitted--;
      this.#unpark();
    }
  }

  /** A worker's counterexample counts when it was replayed here. */
  async #toResult({ result, elapsedMs, memoryBytes }: FoundAnswer): Promise<TimedResult> {
    if (result.kind !== 'violation') return { result, elapsedMs, memoryBytes };
    const replayed = this.#replaying.then(() => this.#local.replay(result.run));
    this.#replaying = replayed.catch(() => {});
    return { result: (await replayed).result, elapsedMs, memoryBytes };
  }

  /** Tasks that come together go together. */
  #send(id: string): void {
    this.#unsent.push(id);
    if (this.#unsent.length > 1) return;
    queueMicrotask(() => {
      const ids = this.#unsent;
      this.#unsent = [];
      const tasks = ids.flatMap((each) => {
        const open = this.#open.get(each);
        return open ? [{ id: each, data: open.data }] : [];
      });
      this.#queue.put(tasks).catch((error: Error) => this.#giveUp(error));
    });
  }

  #settle(id: string, state: TaskState): void {
    const task = this.#open.get(id);
    if (!task || state.kind === 'open') return;
    if (state.kind === 'gone') {
      task.putMs = clockMs();
      this.#send(id);
      return;
    }
    this.#collect(id);
    if (state.kind === 'failed') {
      const reason = 'its worker ended before it was done, several times';
      this.#close(id).resolve(unknownAnswer('memory', reason));
      return;
    }
    try {
      const answer = readAnswer(state.answer);
      switch (answer.kind) {
        case 'found':
          this.#close(id).resolve(answer);
          break;
        case 'cancelled':
          task.putMs = clockMs() - LOOK_AFTER_MS;
          break;
        case 'no-program':
          task.putMs = clockMs() - LOOK_AFTER_MS;
          this.#programMs = 0;
          break;
        case 'refused':
          this.#giveUp(new QueueLost(`a worker refuses what it got: ${withoutControls(answer.reason)}`));
          break;
        case 'failed':
          this.#close(id).reject(new WorkerFailure(withoutControls(answer.reason), ''));
      }
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      this.#close(id).resolve(unknownAnswer('backend', 'a worker gave an answer that is none'));
    }
  }

  #close(id: string): OpenTask {
    const task = this.#open.get(id) as OpenTask;
    this.#open.delete(id);
    this.#started.delete(id);
    return task;
  }

  /** Removed only when the result is written: whoever gets it writes it before the next turn of the event loop. */
  #collect(id: string): void {
    this.#collected.push(id);
    if (this.#collected.length > 1) return;
    setImmediate(() => {
      const ids = this.#collected;
      this.#collected = [];
      void this.#queue.remove(ids).catch(() => {});
    });
  }

  // ---------------------------------------------------------------- room

  async #waitForRoom(): Promise<void> {
    if (this.#lost) throw this.#lost;
    await new Promise<void>((go, fail) => {
      this.#parked.push({ go, fail });
      this.#unpark();
    });
  }

  #unpark(): void {
    if (!this.#hasBegun && !this.#stopped) return;
    const free = this.#stopped ? this.#parked.length : this.#room - this.#admitted;
    for (const { go } of this.#parked.splice(0, Math.max(0, free))) {
      this.#admitted++;
      go();
    }
  }

  // ---------------------------------------------------------------- once a second

  async #poll(): Promise<void> {
    if (this.#isPolling || this.#stopped) return;
    this.#isPolling = true;
    try {
      await this.#announce();
      await this.#meetWorkers();
      const now = clockMs();
      const slow = [...this.#open].filter(([, { putMs }]) => now - putMs >= LOOK_AFTER_MS).map(([id]) => id);
      for (const id of slow) this.#settle(id, await this.#queue.look(id));
    } catch (error) {
      this.#giveUp(error as Error);
    } finally {
      this.#isPolling = false;
    }
  }

  async #announce(): Promise<void> {
    const { swarm, version } = this.#options;
    const { text, hash } = this.#program;
    if (this.#programMs === 0 || clockMs() - this.#programMs > PROGRAM_REFRESH_MS) {
      await this.#queue.store(`program:${hash}`, text, PROGRAM_LIFE_MS);
      this.#programMs = clockMs();
    }
    if (!this.#stopped) await this.#queue.enrol(SWARMS, swarm, JSON.stringify({ version }), SWARM_LIFE_MS);
  }

  async #meetWorkers(): Promise<void> {
    const { version, onNews, job } = this.#options;
    const backend = job.backend?.name ?? null;
    const all = (await this.#queue.enrolled(WORKERS)).flatMap(workerOf);
    const isAble = (worker: QueuedWorker) => backend === null || worker.backends.includes(backend);
    const ours = all.filter((worker) => worker.version === version && isAble(worker));
    const cores = ours.reduce((sum, worker) => sum + worker.cores, 0);
    this.#room = Math.min(Math.max(FEWEST_TASKS, TASKS_A_CORE * cores), MOST_TASKS);
    const others = [...new Set(all.filter((worker) => worker.version !== version).map((worker) => worker.version))];
    const left = others.length === 0 ? '' : `; others have version ${others.join(', ')}, and this is ${version}`;
    const crew =
      ours.length === 0
        ? backend === null
          ? `no worker is on the queue${left}: 'lazuli worker' starts one`
          : `no worker on the queue runs ${backend}${left}: 'lazuli worker --allow-backend ${backend}' starts one`
        : `${count(ours.length, 'worker')} on the queue with ${count(cores, 'core')}${left}`;
    if (crew !== this.#crew) onNews(crew);
    this.#crew = crew;
    this.#unpark();
  }

  // ---------------------------------------------------------------- the end

  #rejectAll(error: Error): void {
    const tasks = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of tasks) reject(error);
  }

  #stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** What waits is removed; workers that miss the swarm end what they run for it. */
  async #end(): Promise<void> {
    clearInterval(this.#timer ?? undefined);
    const { swarm } = this.#options;
    const ids = [...this.#open.keys(), ...this.#collected];
    this.#rejectAll(new Error('the swarm has ended'));
    // After this turn, in which it becomes known that all is over.
    queueMicrotask(() => this.#unpark());
    const farewell = async () => {
      await this.#queue.leave(SWARMS, swarm);
      await this.#queue.remove(ids);
      await this.#queue.remove(await this.#queue.list(swarm));
    };
    if (this.#lost === null) await farewellWithin(farewell());
  }
}

function unknownAnswer(cause: 'memory' | 'backend', reason: string): FoundAnswer {
  return { kind: 'found', result: { kind: 'unknown', cause, reason }, elapsedMs: 0, memoryBytes: 0 };
}

function workerOf(text: string) {
  try {
    return [readWorker(text)];
  } catch {
    return [];
  }
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
