/** Whoever runs instances of a swarm, one at a time: a thread of this process, a backend, somebody behind a queue. */

import type { TimedResult } from '../engines/swarm/instance-result.ts';
import type { Instance } from '../engines/swarm/instances.ts';

export interface InstanceRunner {
  /** Rejects only for a fault of ours. What was cancelled may give any result. */
  run(instance: Instance): Promise<TimedResult>;
  /** Ends what runs, and the runner. */
  dispose(): Promise<void>;
}
