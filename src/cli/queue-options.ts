// The options of commands that work with a queue, and its opening. The code behind it (BullMQ) is loaded only here: who
// has no queue never pays for it.

import { type QueueAddress, readQueueAddress } from '../host/queue/queue-address.ts';
import { QueueLost } from '../host/queue/queue-words.ts';
import type { OpenedQueue, QueueListener } from '../host/queue/task-queue.ts';
import type { OptionTable, OptionValues } from './options.ts';

const group = 'Queue';

export const queueOptions = {
  queue: {
    kind: 'text',
    value: 'URL',
    help: 'a Redis server: redis://USER:PASSWORD@HOST:PORT, or rediss:// with TLS',
    defaultText: 'LAZULI_QUEUE, which process lists do not show',
    group,
  },
  tlsCa: { kind: 'text', value: 'FILE', help: 'certificates that the server of the queue is trusted by', group },
  tlsCert: { kind: 'text', value: 'FILE', help: 'our own certificate for the queue', group },
  tlsKey: { kind: 'text', value: 'FILE', help: 'the key of that certificate', group },
  queueTimeout: {
    kind: 'number',
    value: 'SECONDS',
    min: 1,
    max: 86_400,
    default: 60,
    help: 'wait so long for a server that went away',
    group,
  },
} as const satisfies OptionTable;

export type QueueOptionValues = OptionValues<typeof queueOptions>;

export type FoundAddress =
  | { readonly kind: 'address'; readonly address: QueueAddress }
  | { readonly kind: 'problem'; readonly message: string };

/** Null where no queue is asked for. Throws what the file system throws when certificates cannot be read. */
export function findQueueAddress(
  options: QueueOptionValues,
  env: Readonly<Record<string, string | undefined>>,
): FoundAddress | null {
  const { queue = env.LAZULI_QUEUE ?? '', tlsCa, tlsCert, tlsKey, queueTimeout } = options;
  if (queue === '') return null;
  // What stands on the command line is in the list of processes until now.
  if (options.queue !== undefined) process.title = 'lazuli';
  const files = { authority: tlsCa, certificate: tlsCert, key: tlsKey };
  return readQueueAddress(queue, files, 1000 * queueTimeout);
}

/** Throws a QueueLost where the server cannot be reached. */
export async function openQueueOf(address: QueueAddress, name: string, listener: QueueListener) {
  const { openQueue } = await import('../host/queue/bull-queue.ts');
  const opened: OpenedQueue = await openQueue(address, name, listener);
  if (opened.kind === 'unreachable') throw new QueueLost(opened.reason);
  return opened.queue;
}
