/** What the manager of a swarm and its worker threads tell each other: all of it can be copied between threads. */

import type { TimedResult } from '../engines/swarm/instance-result.ts';
import type { Instance } from '../engines/swarm/instances.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import type { Approximation } from '../program/code.ts';
import type { JsonDiagnostic } from '../support/print-diagnostics.ts';
import type { Source, VerifySettings } from '../verify/settings.ts';

/** The program, and how its instances are checked. */
export interface SwarmJob {
  readonly source: Source;
  readonly settings: VerifySettings;
  readonly stage: Stage;
  /** Of one instance. */
  readonly memoryLimitBytes: number | null;
  readonly colours: boolean;
  /** Instances that come to no end get a prover, too, for the rest of their time. */
  readonly proves: boolean;
}

/** A job as a worker gets it; whoever sets the first element ends what it runs. */
export interface StartedSwarmJob extends SwarmJob {
  readonly cancel: Int32Array;
}

export interface InstanceRequest {
  readonly instance: Instance;
  readonly timeLimitMs: number;
}

export type SwarmMessage =
  | { readonly kind: 'diagnostics'; readonly text: string; readonly diagnostics: readonly JsonDiagnostic[] }
  | {
      readonly kind: 'prepared';
      readonly threads: readonly ThreadPlaces[];
      readonly approximations: readonly Approximation[];
    }
  /** There is nothing to run. */
  | { readonly kind: 'refused'; readonly outcome: Outcome }
  | { readonly kind: 'misused'; readonly message: string }
  | { readonly kind: 'result'; readonly timed: TimedResult }
  | { readonly kind: 'failed'; readonly error: string; readonly stack: string };
