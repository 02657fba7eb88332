/** What symbolic execution cannot do: a fault of no one, reported with a place in the source, verdict unknown. */

import type { Loc } from '../support/source.ts';

export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
  readonly loc: Loc;

  constructor(loc: Loc, message: string) {
    super(message);
    this.loc = loc;
  }
}

/** An access that may go to too many places. */
export class TooManyPlacesError extends UnsupportedError {}

/** A limit on time, terms or steps that the caller set was reached. */
export class ExecutionLimitError extends Error {
  override readonly name = 'ExecutionLimitError';
}
