/**
 * The worker's side of a queue: takes instances, as many at a time as it has cores, runs each in a thread of its own
 * and gives back the answer. Threads keep their program and its solver from one instance to the next; those that were
 * not used for the longest make way for other programs.
 *
 * What it takes is data, checked word for word; it opens no file because of it, and starts no program but the backends
 * that whoever started the worker allows. An instance of a swarm that has ended is given up within a second; one that
 * runs when the worker is told to end goes back to the queue.
 */

import { ShapeError, withoutControls } from '../../support/json-shape.ts';
import { clockMs } from '../clock.ts';
import type { InstanceRunner } from '../instance-runner.ts';
import { ThreadRunner } from '../thread-runner.ts';
import { farewellWithin, SWARMS, WORKERS } from './queue-words.ts';
import { type QueuedAnswer, type QueuedInstance, readInstance, writeAnswer, writeWorker } from './queued-instance.ts';
import { hashOfText, MOST_PROGRAM_BYTES, type QueuedProgram, readProgram } from './queued-program.ts';
import type { QueuedTask, TaskOutcome, TaskQueue } from './task-queue.ts';

const LOOK_MS = 500;
const WORKER_LIFE_MS = 5000;
const KEPT_PROGRAMS = 16;

export interface ServeOptions {
  readonly queue: TaskQueue;
  /** Those of backends, which this machine lets run. */
  readonly backends: readonly ServedBackend[];
  readonly version: string;
  /** Unique among all workers. */
  readonly name: string;
  readonly cores: number;
  /** What the queue says may be less. */
  readonly memoryLimitBytes: number | null;
  readonly instanceTimeLimitMs: number;
  /** Ends after so long without work. */
  readonly idleLimitMs: number;
  readonly onNews: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface ServedBackend {
  readonly name: string;
  /** Where its instances are. */
  readonly queue: TaskQueue;
  /** For one instance after the other; those of one program may run side by side. */
  readonly createRunner: (program: QueuedProgram, limits: InstanceLimits) => InstanceRunner;
}

export interface InstanceLimits {
  readonly memoryLimitBytes: number | null;
  readonly timeLimitMs: number;
}

export interface Served {
  readonly done: number;
  readonly isIdle: boolean;
}

/** Until the signal, or until there was nothing to do for too long. */
export async function serveQueue(options: ServeOptions): Promise<Served> {
  const server = new QueueServer(options);
  return server.serve();
}

interface Thread {
  readonly program: string;
  readonly runner: InstanceRunner;
  isBusy: boolean;
  usedMs: number;
}

interface Running {
  readonly swarm: string;
  /** Ends the instance with this answer. */
  readonly end: (outcome: TaskOutcome) => void;
}

class QueueServer {
  readonly #options: ServeOptions;
  readonly #queue: TaskQueue;
  /** The last ones, the one that was used last at the end. */
  readonly #programs = new Map<string, Promise<QueuedProgram | null>>();
  readonly #running = new Set<Running>();
  #threads: Thread[] = [];
  #busy = 0;
  /** Tasks that wait for a core. */
  readonly #waiting: (() => void)[] = [];
  #done = 0;
  #idleSinceMs = clockMs();
  #isLooking = false;
  #foreign = '';

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#queue = options.queue;
  }

  async serve(): Promise<Served> {
    const { cores, signal, name } = this.#options;
    const queues = [this.#queue, ...this.#options.backends.map(({ queue }) => queue)];
    const take = (queue: TaskQueue) => queue.take(cores, (task) => this.#work(task));
    const taking = this.#enrol().then(() => Promise.all(queues.map(take)));
    let timer: NodeJS.Timeout | undefined;
    const isIdle = await new Promise<boolean>((resolve, reject) => {
      taking.catch(reject);
      timer = setInterval(() => {
        void this.#look();
        if (this.#isIdleTooLong()) resolve(true);
      }, LOOK_MS);
      signal.addEventListener('abort', () => resolve(false));
      if (signal.aborted) resolve(false);
    });
    clearInterval(timer);
    for (const { end } of this.#running) end({ kind: 'back' });
    for (const go of this.#waiting.splice(0)) go();
    const close = taking.then((taken) => Promise.all(taken.map((each) => each.close())));
    await farewellWithin(Promise.all([this.#queue.leave(WORKERS, name), close]));
    await Promise.all(this.#threads.map(({ runner }) => runner.dispose()));
    return { done: this.#done, isIdle };
  }

  #isIdleTooLong(): boolean {
    if (this.#running.size > 0) this.#idleSinceMs = clockMs();
    return clockMs() - this.#idleSinceMs > this.#options.idleLimitMs;
  }

  // ---------------------------------------------------------------- one instance

  async #work(task: QueuedTask): Promise<TaskOutcome> {
    await this.#waitForCore();
    try {
      return await this.#workOn(readInstance(task.data));
    } catch (error) {
      if (error instanceof ShapeError) return answer({ kind: 'refused', reason: shorten(error.message) });
      return answer({ kind: 'failed', reason: shorten((error as Error).message) });
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  /** Each queue gives as many tasks as there are cores; those of several queues take turns. */
  async #waitForCore(): Promise<void> {
    while (this.#busy >= this.#options.cores && !this.#options.signal.aborted)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy++;
  }

  async #workOn({ swarm, program, instance }: QueuedInstance): Promise<TaskOutcome> {
    if (this.#options.signal.aborted) return { kind: 'back' };
    const [isWanted] = await this.#queue.present([`${SWARMS}:${swarm}`]);
    if (!isWanted) return CANCELLED;
    const known = await this.#loadProgram(program);
    if (known === null) return answer({ kind: 'no-program' });
    return new Promise<TaskOutcome>((resolve, reject) => {
      const thread = this.#takeThread(program, known);
      const running: Running = {
        swarm,
        end: (outcome) => {
          this.#running.delete(running);
          this.#discard(thread);
          resolve(outcome);
        },
      };
      this.#running.add(running);
      thread.runner.run({ key: '', instance }).then(
        (timed) => {
          if (!this.#running.delete(running)) return;
          this.#done++;
          this.#idleSinceMs = clockMs();
          thread.isBusy = false;
          resolve(answer(writeAnswer(timed)));
        },
        (error: Error) => {
          if (!this.#running.delete(running)) return;
          this.#discard(thread);
          reject(error);
        },
      );
    });
  }

  /** Null: the queue does not have it. Throws a ShapeError. */
  async #loadProgram(hash: string): Promise<QueuedProgram | null> {
    const loading = this.#programs.get(hash) ?? this.#fetchProgram(hash);
    this.#programs.delete(hash);
    this.#programs.set(hash, loading);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > KEPT_PROGRAMS && oldest !== undefined) this.#programs.delete(oldest);
    const program = await loading.catch((error: unknown) => {
      this.#programs.delete(hash);
      throw error;
    });
    if (program === null) this.#programs.delete(hash);
    return program;
  }

  async #fetchProgram(hash: string): Promise<QueuedProgram | null> {
    const text = await this.#queue.load(`program:${hash}`, MOST_PROGRAM_BYTES);
    if (text === null || hashOfText(text) !== hash) return null;
    const { version, backends } = this.#options;
    const allowed = backends.map(({ name }) => name);
    const program = readProgram(text, version, allowed);
    this.#options.onNews(`program ${hash.slice(0, 12)}: ${withoutControls(program.job.source.name)}`);
    return program;
  }

  // ---------------------------------------------------------------- threads

  #takeThread(program: string, known: QueuedProgram): Thread {
    const { cores } = this.#options;
    const free = this.#threads.find((thread) => thread.program === program && !thread.isBusy);
    if (free) {
      free.isBusy = true;
      free.usedMs = clockMs();
      return free;
    }
    // As many again as are busy may keep what they have prepared, for swarms that take turns.
    const kept = this.#threads.filter(({ isBusy }) => !isBusy).sort((a, b) => b.usedMs - a.usedMs);
    for (const thread of kept.slice(cores)) this.#discard(thread);
    const thread = { program, runner: this.#createRunner(known), isBusy: true, usedMs: clockMs() };
    this.#threads.push(thread);
    return thread;
  }

  #createRunner(program: QueuedProgram): InstanceRunner {
    const { job, instanceTimeLimitMs } = program;
    const { backends, memoryLimitBytes: mostBytes, instanceTimeLimitMs: mostMs } = this.#options;
    const memoryLimitBytes = least(job.memoryLimitBytes, mostBytes);
    const timeLimitMs = Math.min(instanceTimeLimitMs, mostMs);
    const backend = backends.find(({ name }) => name === job.backend?.name);
    if (backend) return backend.createRunner(program, { memoryLimitBytes, timeLimitMs });
    return new ThreadRunner({ ...job, memoryLimitBytes }, timeLimitMs, () => {});
  }

  #discard(thread: Thread): void {
    this.#threads = this.#threads.filter((other) => other !== thread);
    void thread.runner.dispose();
  }

  // ---------------------------------------------------------------- twice a second

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#enrol();
      const running = [...this.#running];
      const swarms = [...new Set(running.map(({ swarm }) => swarm))];
      const present = await this.#queue.present(swarms.map((swarm) => `${SWARMS}:${swarm}`));
      const gone = new Set(swarms.filter((_, i) => !present[i]));
      for (const { swarm, end } of running) if (gone.has(swarm)) end(CANCELLED);
      if (running.length === 0) await this.#tellForeign();
    } catch {
      // The server is away; whoever opened the queue is told.
    } finally {
      this.#isLooking = false;
    }
  }

  #enrol(): Promise<void> {
    const { name, version, cores, backends } = this.#options;
    const worker = { version, cores, backends: backends.map((backend) => backend.name) };
    return this.#queue.enrol(WORKERS, name, writeWorker(worker), WORKER_LIFE_MS);
  }

  /** Swarms of another version are left alone, and that is said once. */
  async #tellForeign(): Promise<void> {
    const { version, onNews } = this.#options;
    const versions = (await this.#queue.enrolled(SWARMS)).map((text) => /"version":"([\w.+-]{1,40})"/.exec(text)?.[1]);
    const foreign = [...new Set(versions)].filter((each) => each !== undefined && each !== version).join(', ');
    if (foreign !== '' && foreign !== this.#foreign)
      onNews(`swarms of Lazuli ${foreign} are left alone: this is ${version}`);
    this.#foreign = foreign;
  }
}

const CANCELLED: TaskOutcome = { kind: 'answer', answer: { kind: 'cancelled' }, isWanted: false };

function answer(given: QueuedAnswer | object): TaskOutcome {
  return { kind: 'answer', answer: given, isWanted: true };
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function shorten(text: string): string {
  return text.slice(0, 1000);
}
