/**
 * What a swarm needs of a queue: tasks by name, each of which somebody does and whose answer stays until it is
 * collected, and a few values beside them that expire. bull-queue.ts has it on Redis, in a bundle of its own that is
 * loaded with `--queue` only; everything here is plain data, so that both sides of that bundle share no class.
 */

import type { QueueAddress } from './queue-address.ts';

export interface QueuedTask {
  readonly id: string;
  readonly data: unknown;
}

/** `gone`: nobody knows of it. */
export type TaskState =
  | { readonly kind: 'open' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'done'; readonly answer: unknown }
  /** Whoever took it died, again and again. */
  | { readonly kind: 'failed'; readonly reason: string };

/** What a worker makes of a task: an answer that is kept or that nobody wants, or it is to be done by somebody else. */
export type TaskOutcome =
  | { readonly kind: 'answer'; readonly answer: unknown; readonly isWanted: boolean }
  | { readonly kind: 'back' };

export interface TaskListener {
  readonly onStart: (id: string) => void;
  readonly onEnd: (id: string, state: TaskState) => void;
}

export interface TaskQueue {
  /** A task that is there already is left alone. */
  put(tasks: readonly QueuedTask[]): Promise<void>;
  look(id: string): Promise<TaskState>;
  /** What runs stays. */
  remove(ids: readonly string[]): Promise<void>;
  /** The names of all tasks that begin so. */
  list(prefix: string): Promise<readonly string[]>;
  /** Is told what happens to any task; may miss something, when the server goes away for a moment. */
  listen(listener: TaskListener): Promise<void>;
  /** Takes tasks, several at a time, until it is closed. */
  take(
    atOnce: number,
    work: (task: QueuedTask) => Promise<TaskOutcome>,
  ): Promise<{ readonly close: () => Promise<void> }>;
  /** Values by name; they are gone after a time. */
  store(name: string, text: string, lifeMs: number): Promise<void>;
  /** Null where there is none, or where it is longer than allowed. */
  load(name: string, mostBytes: number): Promise<string | null>;
  drop(name: string): Promise<void>;
  /** Which of them are there. */
  present(names: readonly string[]): Promise<readonly boolean[]>;
  /** The same, listed under a heading. */
  enrol(heading: string, name: string, text: string, lifeMs: number): Promise<void>;
  enrolled(heading: string): Promise<readonly string[]>;
  leave(heading: string, name: string): Promise<void>;
  /** Does not wait for a server that is gone. */
  close(): Promise<void>;
}

export interface QueueListener {
  /** The server is gone, or there again. */
  readonly onAway: (isAway: boolean) => void;
  /** It did not come back in time: nothing that is still asked of the queue is answered. */
  readonly onLost: (reason: string) => void;
}

export type OpenedQueue =
  | { readonly kind: 'queue'; readonly queue: TaskQueue }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** What the bundle of its own has. */
export type OpenQueue = (address: QueueAddress, name: string, listener: QueueListener) => Promise<OpenedQueue>;
