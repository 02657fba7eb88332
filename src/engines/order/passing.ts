/**
 * `passed(t, l)`: thread t has passed its step l. A thread may stop before a step on which an assumption or a cut
 * hangs, and behind one on which an assertion hangs. Other steps can always be taken, after all that matters if need
 * be, so that they are passed along with their predecessors. A step whose guard is false goes with its predecessor.
 *
 * Where data races are looked for, a thread may also stop before accesses that may race; and anywhere, if what these do
 * depends on what memory holds then.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import { findConflicts } from '../../execute/find-conflicts.ts';
import type { SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import { type Literal, not } from '../../logic/literal.ts';
import type { Commits } from './commits.ts';

export class Passing {
  readonly #encoder: TermEncoder;
  readonly #commits: Commits;
  readonly #passed: readonly (readonly Literal[])[];

  /** `isPlain`: a thread may stop anywhere. */
  constructor(program: SteppedProgram, encoder: TermEncoder, commits: Commits, isPlain: boolean) {
    this.#encoder = encoder;
    this.#commits = commits;
    const contenders = [...findConflicts(program).values()].flat();
    const isAnywhere = isPlain || contenders.some(({ step }) => step.accesses.length > 1);
    this.#passed = program.threads.map((thread) => {
      const mayStop = contenders.filter((contender) => contender.thread === thread.index).map(({ at }) => at);
      return this.#makePassed(thread, isAnywhere, mayStop);
    });
    for (const thread of program.threads) this.#requireCreation(thread);
  }

  /** A store that is made reaches memory, after all that matters if need be. */
  everPassed(thread: number, step: number): Literal {
    const of = this.#commits.storeOf({ thread, step }) ?? { thread, step };
    return this.#passed[of.thread]?.[of.step] as Literal;
  }

  #makePassed(
    { steps, assumptions, cuts, assertions }: SteppedThread,
    isAnywhere: boolean,
    mayStop: readonly number[],
  ): Literal[] {
    const { circuit } = this.#encoder;
    const mayWait = new Set([...mayStop, ...[...assumptions, ...cuts].map(({ step }) => step)]);
    const mayFail = new Set(assertions.map(({ step }) => step));
    const passed: Literal[] = [];
    for (const [l, { guard }] of steps.entries()) {
      const predecessor = passed[l - 1];
      if (predecessor !== undefined && !isAnywhere && !mayWait.has(l) && !mayFail.has(l - 1)) {
        passed.push(predecessor);
        continue;
      }
      const now = circuit.fresh();
      if (predecessor !== undefined) {
        circuit.addClause([not(now), predecessor]);
        circuit.addClause([this.#encoder.literalOf(guard), not(predecessor), now]);
      }
      passed.push(now);
    }
    return passed;
  }

  /** A thread's first step needs its creation to have been passed. */
  #requireCreation({ index, spawn, steps }: SteppedThread): void {
    if (!spawn || steps.length === 0) return;
    const { circuit } = this.#encoder;
    const first = this.everPassed(index, 0);
    circuit.addClause([not(first), this.#encoder.literalOf(spawn.guard)]);
    circuit.addClause([not(first), this.everPassed(spawn.thread, spawn.step)]);
  }
}
