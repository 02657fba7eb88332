// `lazuli worker`: runs the instances that swarms on any machine put on a queue, until it is told to end.

import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { version } from '../../../package.json';
import { QueueLost, queueName } from '../../host/queue/queue-words.ts';
import { serveQueue } from '../../host/queue/serve-queue.ts';
import { groupDigits } from '../../support/group-digits.ts';
import { type AllowedBackend, createServed, readAllowed } from '../allowed-backends.ts';
import { checkOptions } from '../check-options.ts';
import { defineCommand, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import { findQueueAddress, openQueueOf, queueOptions } from '../queue-options.ts';
import { toBytes } from '../read-settings.ts';
import { watchSignals } from '../signals.ts';
import { instanceOptions, QUEUED_BACKENDS } from '../swarm-options.ts';

const workerOptions = {
  ...queueOptions,
  cores: instanceOptions.cores,
  memoryLimit: { ...checkOptions.memoryLimit, help: 'of each instance, also where its swarm allows more' },
  instanceTimeout: {
    ...instanceOptions.instanceTimeout,
    help: 'give an instance up after this time, also where its swarm would wait longer',
  },
  allowBackend: {
    kind: 'text',
    value: 'NAME[=PATH]',
    repeated: true,
    help: 'run this backend (cbmc, esbmc) for swarms that ask for it; without it, none is run',
  },
  idle: {
    kind: 'number',
    value: 'SECONDS',
    min: 1,
    max: 1_000_000,
    help: 'end when there was nothing to do for so long',
  },
} as const satisfies OptionTable;

type WorkerOptions = OptionValues<typeof workerOptions>;

export const run = defineCommand({
  name: 'worker',
  summary: 'Runs instances that swarms on any machine put on a queue (lazuli swarm --queue).',
  operands: { name: 'FILE', min: 0, max: 0 },
  options: workerOptions,
  notes: [
    'A worker takes instances of all swarms of its own version of Lazuli, and keeps their programs between instances. It',
    'takes data only: no file is read because of what the queue says, and no program is started but the backends that',
    '--allow-backend names. Ctrl-C gives back what is running; what a killed worker was running is given to another one.',
    'docs/swarm.md tells how to set up a server.',
  ].join(' '),
  run: async ({ options }, io) => work(options, io),
});

async function work(options: WorkerOptions, io: Io): Promise<ExitCode> {
  const found = findQueueAddress(options, io.env);
  if (found === null) return reportUsage(io, 'worker', 'which queue? --queue or LAZULI_QUEUE says it');
  if (found.kind === 'problem') return reportUsage(io, 'worker', found.message);
  const allowed = readAllowed(options.allowBackend, QUEUED_BACKENDS);
  if (typeof allowed === 'string') return reportUsage(io, 'worker', allowed);
  const { address } = found;
  const say = (text: string) => io.err.write(`lazuli: ${text}\n`);
  const signals = watchSignals();
  const lost = new AbortController();
  try {
    const onLost = (reason: string) => lost.abort(new QueueLost(reason));
    const queue = await openQueueOf(address, queueName(version), {
      onAway: (isAway) => say(isAway ? `${address.shown} is away` : `${address.shown} is there again`),
      onLost,
    });
    const open = async (backend: AllowedBackend) => {
      const own = await openQueueOf(address, queueName(version, backend.name), { onAway: () => {}, onLost });
      return createServed(backend, own);
    };
    const backends = await Promise.all(allowed.map(open));
    const cores = options.cores ?? availableParallelism();
    const names = allowed.length === 0 ? '' : `, also for ${allowed.map(({ name }) => name).join(' and ')}`;
    say(`worker with ${cores === 1 ? '1 core' : `${cores} cores`} on ${address.shown}${names}`);
    const { done, isIdle } = await serveQueue({
      queue,
      backends,
      version,
      name: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
      cores,
      memoryLimitBytes: toBytes(options.memoryLimit),
      instanceTimeLimitMs:
        options.instanceTimeout === undefined ? Number.POSITIVE_INFINITY : 1000 * options.instanceTimeout,
      idleLimitMs: options.idle === undefined ? Number.POSITIVE_INFINITY : 1000 * options.idle,
      onNews: say,
      signal: AbortSignal.any([signals.signal, lost.signal]),
    });
    await Promise.all([queue, ...backends.map((backend) => backend.queue)].map((each) => each.close()));
    lost.signal.throwIfAborted();
    const interruption = signals.interruption();
    const why = interruption?.words ?? (isIdle ? 'nothing to do' : 'ended');
    say(`${why}; ${groupDigits(done)} ${done === 1 ? 'instance' : 'instances'} done`);
    return interruption?.code ?? exitCodes.ok;
  } catch (error) {
    if (!(error instanceof QueueLost)) throw error;
    say(`cannot use the queue at ${address.shown}: ${error.message}`);
    return exitCodes.queue;
  } finally {
    signals.end();
  }
}
