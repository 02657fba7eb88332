/** What the manager of a swarm and its worker threads tell each other: all of it can be copied between threads. */

import type { PortableRun, TimedResult } from '../engines/swarm/instance-result.ts';
import type { Instance } from '../engines/swarm/instances.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import type { Sought } from '../program/bounds.ts';
import type { Approximation } from '../program/code.ts';
import type { SequentializeOptions } from '../sequentialize/sequentialize.ts';
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
  /** The included files by their names, where no others are to be read; null: those of the disk. */
  readonly headers: ReadonlyMap<string, string> | null;
  /** Who is asked about instances as sequential C; null: our own solver. */
  readonly backend: BackendJob | null;
}

/** How instances become sequential C. Nothing here says how the backend is run: that is for each machine to say. */
export interface BackendJob {
  /** As `--backend` has it. */
  readonly name: string;
  readonly schema: SequentializeOptions['schema'];
  /** Threads that come first in a round. */
  readonly schedule: readonly number[];
  /** Declares variables as bit-vectors, of the widths that our own value analysis finds. */
  readonly bitvectors: boolean;
  readonly unwindingAssertions: boolean;
  /** What the instances are asked instead of their assertions. */
  readonly seeks: Sought | null;
}

/** A job as a worker gets it; whoever sets the first element ends what it runs. */
export interface StartedSwarmJob extends SwarmJob {
  readonly cancel: Int32Array;
}

export type SwarmRequest =
  | { readonly kind: 'run'; readonly instance: Instance; readonly timeLimitMs: number }
  /** What somebody else found. */
  | { readonly kind: 'replay'; readonly found: PortableRun };

export type SwarmMessage =
  | { readonly kind: 'diagnostics'; readonly text: string; readonly diagnostics: readonly JsonDiagnostic[] }
  | {
      readonly kind: 'prepared';
      readonly threads: readonly ThreadPlaces[];
      readonly approximations: readonly Approximation[];
      /** What was included, for those who send it elsewhere. */
      readonly headers?: ReadonlyMap<string, string>;
    }
  /** There is nothing to run. */
  | { readonly kind: 'refused'; readonly outcome: Outcome }
  | { readonly kind: 'misused'; readonly message: string }
  | { readonly kind: 'result'; readonly timed: TimedResult }
  | { readonly kind: 'failed'; readonly error: string; readonly stack: string };
