/**
 * The formula: is there a schedule within the bounds under which an assertion fails? Every step is encoded once; only
 * its place in the schedule and the shared memory are indexed by round. Assumptions and cuts hold wherever they are
 * passed; cuts can be switched off by an assumption literal, to ask whether any execution was cut at all.
 */

import { TermEncoder } from '../../encode/encode-terms.ts';
import { type Assertion, isUnsupported, type SteppedProgram, type SteppedThread } from '../../execute/steps.ts';
import { Circuit } from '../../logic/circuit.ts';
import { type Literal, not } from '../../logic/literal.ts';
import { type EncodedMemory, encodeMemory } from './encode-memory.ts';
import { encodeNormalForm, FEWEST_ROUNDS } from './normal-form.ts';
import { Schedule, type ScheduleOptions } from './schedule.ts';

export interface EncodedViolation {
  readonly thread: number;
  readonly assertion: Assertion;
  readonly literal: Literal;
}

export interface Encoding {
  readonly circuit: Circuit;
  readonly encoder: TermEncoder;
  readonly schedule: Schedule;
  readonly memory: EncodedMemory;
  readonly violations: readonly EncodedViolation[];
  /** Assume it to look for violations: no path goes beyond a cut, and some assertion fails. */
  readonly seeksViolation: Literal;
  /** Assume it to ask whether an execution came to what cannot be followed; null when there is nothing of the kind. */
  readonly seeksUnsupported: Literal | null;
  /** Assume it to ask whether an execution was cut at all; null when there are no other cuts. */
  readonly seeksCut: Literal | null;
}

export function encode(program: SteppedProgram, options: ScheduleOptions): Encoding {
  const circuit = new Circuit();
  const encoder = new TermEncoder(program.graph, circuit);
  const schedule = new Schedule(program, encoder, options);
  const memory = encodeMemory(program, encoder, schedule);
  if (options.kind === 'rounds' && options.slots >= FEWEST_ROUNDS) encodeNormalForm(program, encoder, schedule);
  const violations: EncodedViolation[] = [];
  const cuts: Literal[] = [];
  const unsupported: Literal[] = [];
  for (const thread of program.threads) {
    const failures = thread.assertions.map((assertion) => failure(circuit, encoder, schedule, thread, assertion));
    for (const [i, assertion] of thread.assertions.entries()) {
      violations.push({ thread: thread.index, assertion, literal: failures[i] as Literal });
    }
    encodeAssumptions(circuit, encoder, schedule, thread, failures);
    for (const cut of thread.cuts) {
      const isCut = circuit.and(schedule.everPassed(thread.index, cut.step), encoder.literalOf(cut.guard));
      cuts.push(isCut);
      if (isUnsupported(cut)) unsupported.push(isCut);
    }
  }
  const seeksViolation = circuit.fresh();
  circuit.addClause([not(seeksViolation), ...violations.map((violation) => violation.literal)]);
  for (const cut of cuts) circuit.addClause([not(seeksViolation), not(cut)]);
  const seeksUnsupported = seekAny(circuit, unsupported);
  const seeksCut = cuts.length > unsupported.length ? seekAny(circuit, cuts) : null;
  return { circuit, encoder, schedule, memory, violations, seeksViolation, seeksUnsupported, seeksCut };
}

/** A literal to be assumed: then one of these holds. Null when there are none. */
function seekAny(circuit: Circuit, literals: readonly Literal[]): Literal | null {
  if (literals.length === 0) return null;
  const seeks = circuit.fresh();
  circuit.addClause([not(seeks), ...literals]);
  return seeks;
}

/** The assertion's place is passed, its guard holds and its condition does not. */
function failure(
  circuit: Circuit,
  encoder: TermEncoder,
  schedule: Schedule,
  thread: SteppedThread,
  assertion: Assertion,
): Literal {
  const reached = circuit.and(schedule.everPassed(thread.index, assertion.step), encoder.literalOf(assertion.guard));
  return circuit.and(reached, not(encoder.literalOf(assertion.condition)));
}

function encodeAssumptions(
  circuit: Circuit,
  encoder: TermEncoder,
  schedule: Schedule,
  thread: SteppedThread,
  failures: readonly Literal[],
): void {
  for (const { step, guard, condition, unlessFailed } of thread.assumptions) {
    circuit.addClause([
      not(schedule.everPassed(thread.index, step)),
      not(encoder.literalOf(guard)),
      encoder.literalOf(condition),
      ...unlessFailed.map((index) => failures[index] as Literal),
    ]);
  }
}
