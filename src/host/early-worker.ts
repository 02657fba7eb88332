/**
 * A worker that is started before anybody knows what it is to do: a thread of Node takes as long to start as the
 * command line takes to load and to read its options, and both can go on side by side. It is started by the first code
 * of the process (cli/load-bundle.ts), another bundle than the one that gives it its job; so it is found by a name that
 * both know. Its job comes as its first message.
 */

import { totalmem } from 'node:os';
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';

const NAME = Symbol.for('lazuli.early-worker');

/** Of the machine's memory, where nobody has said how much. */
const MEMORY_SHARE = 0.75;

export function usualMemoryBytes(): number {
  return MEMORY_SHARE * totalmem();
}

/** V8 that comes to the end of its heap may abort the whole process: who watches the memory must be first. */
export function heapLimits(memoryLimitBytes: number): ResourceLimits {
  return { maxOldGenerationSizeMb: Math.ceil((2 * memoryLimitBytes) / 2 ** 20) + 256 };
}

function usualOptions(): WorkerOptions {
  return { resourceLimits: heapLimits(usualMemoryBytes()) };
}

type Holder = { [NAME]?: Worker };

export function startEarlyWorker(script: string | URL): void {
  const worker = new Worker(script, usualOptions());
  // If it gets no job, nothing waits for it.
  worker.unref();
  (globalThis as Holder)[NAME] = worker;
}

/** The worker that was started early, or a new one where none was or where it needs options. */
export function takeWorker(script: URL, options: WorkerOptions | null): Worker {
  const holder = globalThis as Holder;
  const early = holder[NAME];
  delete holder[NAME];
  if (early && options === null) {
    early.ref();
    return early;
  }
  void early?.terminate();
  return new Worker(script, options ?? usualOptions());
}
