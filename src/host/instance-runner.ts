/**
 * Where the instances of a swarm run. A pool has the program and is asked first whether there is anything to run; its
 * runners take one instance at a time. Threads of this process, the processes of a backend, workers behind a queue are
 * pools; the manager (swarm-manager.ts) does not know which it has.
 */

import type { Task } from '../engines/swarm/agenda.ts';
import type { PortableRun, TimedResult } from '../engines/swarm/instance-result.ts';
import type { SwarmMessage } from './swarm-messages.ts';

/** How the preparation of a program ended. */
export type Readiness = Extract<SwarmMessage, { kind: 'prepared' | 'refused' | 'misused' }>;

export interface InstancePool {
  /** Reads the program, once; what there is to say about it is told on the way. */
  prepare(): Promise<Readiness>;
  /** After the preparation, once: so many instances side by side. */
  createRunners(count: number): readonly InstanceRunner[];
  /** How many are run at this moment; without it, as many as runners have one. */
  readonly running?: number;
  /** Ends what runs. */
  dispose(): Promise<void>;
}

/** The program on this machine, for a swarm whose instances run elsewhere. */
export interface LocalProgram {
  prepare(): Promise<Readiness>;
  /** Whether what somebody else found is a counterexample. */
  replay(found: PortableRun): Promise<TimedResult>;
  dispose(): Promise<void>;
}

export interface InstanceRunner {
  /** Resolves when an instance is wanted, or when the runner was disposed of; without it, whenever none runs. */
  ready?(): Promise<void>;
  /** Rejects only for a fault of ours. What was cancelled may give any result. */
  run(task: Task): Promise<TimedResult>;
  /** Ends what runs, and the runner. */
  dispose(): Promise<void>;
}
