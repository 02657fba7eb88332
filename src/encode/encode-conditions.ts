/**
 * What threads come to on their way: assertions, assumptions and cuts, in the order of each thread. A condition matters
 * when the step that it hangs on is passed. An assertion that fails ends the execution: the assumptions and cuts that
 * follow it in its step are of no interest any more. (Those that hang on later steps are not either, but a thread need
 * not pass these.)
 *
 * A cut ends what follows it in its thread and nothing else. It always hangs on a step that no other thread can notice,
 * or on an atomic section that is never left, so an execution in which a thread is cut is, for the others, one in which
 * it does not pass that step. That is what `respectsCuts` demands, to spare the solver the choice: no step is passed
 * with a cut in it, unless an assertion failed before the cut.
 */

import type { Assertion, Assumption, Cut, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import { FALSE, type Literal, not } from '../logic/literal.ts';
import type { TermEncoder } from './encode-terms.ts';

export interface EncodedViolation {
  readonly thread: number;
  readonly assertion: Assertion;
  /** Its place is passed, its guard holds and its condition does not. */
  readonly literal: Literal;
}

export interface EncodedCut {
  readonly cut: Cut;
  /** Its place is passed and its guard holds. */
  readonly literal: Literal;
}

export interface EncodedConditions {
  readonly violations: readonly EncodedViolation[];
  readonly cuts: readonly EncodedCut[];
  /** Assume it to look for violations: nothing that follows a cut in its thread has happened. */
  readonly respectsCuts: Literal;
}

/** When a step of a thread is passed at some time. */
type EverPassed = (thread: number, step: number) => Literal;

export function encodeConditions(
  program: SteppedProgram,
  encoder: TermEncoder,
  everPassed: EverPassed,
): EncodedConditions {
  const respectsCuts = encoder.circuit.fresh();
  const violations: EncodedViolation[] = [];
  const cuts: EncodedCut[] = [];
  for (const thread of program.threads) {
    const conditions = new ThreadConditions(thread, encoder, everPassed);
    for (const item of inOrder(thread)) {
      switch (item.kind) {
        case 'assertion':
          violations.push(conditions.assert(item.condition));
          break;
        case 'assumption':
          conditions.assume(item.condition);
          break;
        case 'cut':
          cuts.push(conditions.cut(item.condition, respectsCuts));
          break;
      }
    }
  }
  return { violations, cuts, respectsCuts };
}

type Ordered =
  | { readonly kind: 'assertion'; readonly condition: Assertion }
  | { readonly kind: 'assumption'; readonly condition: Assumption }
  | { readonly kind: 'cut'; readonly condition: Cut };

function inOrder({ assertions, assumptions, cuts }: SteppedThread): readonly Ordered[] {
  const all: Ordered[] = [
    ...assertions.map((condition): Ordered => ({ kind: 'assertion', condition })),
    ...assumptions.map((condition): Ordered => ({ kind: 'assumption', condition })),
    ...cuts.map((condition): Ordered => ({ kind: 'cut', condition })),
  ];
  return all.sort((a, b) => a.condition.position - b.condition.position);
}

/** The conditions of one thread, which are told in their order. */
class ThreadConditions {
  readonly #thread: SteppedThread;
  readonly #encoder: TermEncoder;
  readonly #everPassed: EverPassed;
  /** By step: one of its assertions so far fails. */
  readonly #failed = new Map<number, Literal>();

  constructor(thread: SteppedThread, encoder: TermEncoder, everPassed: EverPassed) {
    this.#thread = thread;
    this.#encoder = encoder;
    this.#everPassed = everPassed;
  }

  assert(assertion: Assertion): EncodedViolation {
    const { circuit } = this.#encoder;
    const { step, condition } = assertion;
    const literal = circuit.and(this.#reached(assertion), not(this.#encoder.literalOf(condition)));
    this.#failed.set(step, circuit.or(this.#failedBefore(step), literal));
    return { thread: this.#thread.index, assertion, literal };
  }

  assume({ step, guard, condition }: Assumption): void {
    this.#encoder.circuit.addClause([
      not(this.#everPassed(this.#thread.index, step)),
      not(this.#encoder.literalOf(guard)),
      this.#encoder.literalOf(condition),
      this.#failedBefore(step),
    ]);
  }

  cut(cut: Cut, respectsCuts: Literal): EncodedCut {
    const literal = this.#reached(cut);
    this.#encoder.circuit.addClause([not(respectsCuts), not(literal), this.#failedBefore(cut.step)]);
    return { cut, literal };
  }

  #failedBefore(step: number): Literal {
    return this.#failed.get(step) ?? FALSE;
  }

  #reached({ step, guard }: Assertion | Cut): Literal {
    return this.#encoder.circuit.and(this.#everPassed(this.#thread.index, step), this.#encoder.literalOf(guard));
  }
}
