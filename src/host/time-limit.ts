/**
 * A limit of time for work that never comes back to an event loop by itself, such as reading a program: V8 ends it from
 * outside, wherever it is. What the work was changing is lost then, so nothing of it may be used afterwards.
 */

import { Script } from 'node:vm';

/** The time of a command is up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';

  constructor() {
    super('time is up');
  }
}

/** The time of one command, from its making on. */
export class TimeLimit {
  readonly #endMs: number;

  constructor(timeoutMs: number) {
    this.#endMs = performance.now() + timeoutMs;
  }

  leftMs(): number {
    return Math.max(0, this.#endMs - performance.now());
  }

  /** Does the work, or throws TimeIsUp. */
  run<T>(work: () => T): T {
    const timeout = Math.min(Math.ceil(this.leftMs()), LONGEST_MS);
    if (timeout === 0) throw new TimeIsUp();
    let result: { readonly value: T } | undefined;
    slot[KEY] = () => {
      result = { value: work() };
    };
    try {
      CALL.runInThisContext({ timeout });
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeIsUp();
      throw error;
    } finally {
      delete slot[KEY];
    }
    if (!result) throw new TimeIsUp();
    return result.value;
  }
}

const LONGEST_MS = 2 ** 31 - 1;
/** Only a script can be run with a limit: it finds what to do under this name. */
const KEY = '__lazuliWork';
const slot = globalThis as { [KEY]?: () => void };
const CALL = new Script(`${KEY}()`);
