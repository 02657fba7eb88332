// A swarm whose instances are run by workers behind a queue: opens it, tells what happens to it, and says what is wrong
// when it is of no use.

import { hostname } from 'node:os';
import path from 'node:path';
import { version } from '../../package.json';
import type { InstancePool, LocalProgram } from '../host/instance-runner.ts';
import type { QueueAddress } from '../host/queue/queue-address.ts';
import { QueuePool } from '../host/queue/queue-pool.ts';
import { QueueLost, queueName } from '../host/queue/queue-words.ts';
import { hashOfText } from '../host/queue/queued-program.ts';
import type { SwarmJob } from '../host/swarm-messages.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { openQueueOf } from './queue-options.ts';

interface QueuedSwarm {
  readonly job: SwarmJob;
  /** The program on this machine. */
  readonly local: LocalProgram;
  readonly instanceTimeLimitMs: number;
  /** Of its results: no two swarms that run at the same time share one. */
  readonly folder: string;
}

export async function runOnQueue(
  address: QueueAddress,
  { job, local, instanceTimeLimitMs, folder }: QueuedSwarm,
  io: Pick<Io, 'err'>,
  run: (pool: InstancePool) => Promise<ExitCode>,
): Promise<ExitCode> {
  const say = (text: string) => io.err.write(`lazuli: ${text}\n`);
  try {
    const backend = job.backend?.name ?? null;
    const queue = await openQueueOf(address, queueName(version, backend), {
      onAway: (isAway) => say(isAway ? `${address.shown} is away` : `${address.shown} is there again`),
      onLost: (reason) => pool.lose(reason),
    });
    const swarm = hashOfText(`${hostname()}\0${path.resolve(folder)}\0${backend ?? ''}`);
    const pool = new QueuePool({ queue, job, local, instanceTimeLimitMs, version, swarm, onNews: say });
    const code = await run(pool);
    await queue.close();
    return code;
  } catch (error) {
    if (!(error instanceof QueueLost)) throw error;
    say(`cannot use the queue at ${address.shown}: ${error.message}; the same command goes on`);
    return exitCodes.queue;
  }
}
