/**
 * Faults after which preprocessing makes no sense: a missing header, a limit reached. They are reported like all
 * others, and then end the run by an exception that `preprocess` catches.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc } from '../../support/source.ts';

export class FatalFault extends Error {
  override readonly name = 'FatalFault';
}

export interface Fail {
  readonly sink: DiagnosticSink;
  /** Reports an error and ends the run. */
  fatal(loc: Loc, code: string, message: string): never;
}

export function createFail(sink: DiagnosticSink): Fail {
  return {
    sink,
    fatal(loc, code, message) {
      sink.error(loc, code, message);
      throw new FatalFault(message);
    },
  };
}
