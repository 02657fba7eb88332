/**
 * The formula over all interleavings: is there an order of the steps under which an assertion fails? Conditions are
 * those of the engine with rounds; what differs is when a step is passed and what a read sees.
 */

import { type EncodedConditions, encodeConditions } from '../../encode/encode-conditions.ts';
import { type EncodedDeadlock, encodeDeadlock } from '../../encode/encode-deadlock.ts';
import { type EncodedRace, encodeRace } from '../../encode/encode-race.ts';
import { TermEncoder } from '../../encode/encode-terms.ts';
import { findLockSections, LockSections } from '../../execute/lock-sections.ts';
import type { SteppedProgram } from '../../execute/steps.ts';
import { Circuit } from '../../logic/circuit.ts';
import { Commits } from './commits.ts';
import { encodeReads } from './encode-reads.ts';
import { MustOrder } from './must-order.ts';
import { Order } from './order.ts';
import { Passing } from './passing.ts';

export interface OrderEncoding extends EncodedConditions {
  readonly circuit: Circuit;
  readonly encoder: TermEncoder;
  readonly commits: Commits;
  readonly order: Order;
  /** Whether threads wait for ever; null when deadlocks are not looked for or no thread ever waits. */
  readonly deadlock: EncodedDeadlock | null;
  /** The question for data races; null when they are not looked for or no two accesses conflict. */
  readonly race: EncodedRace | null;
}

/** `isPlain`: without reductions. */
export function encodeOrder(program: SteppedProgram, isPlain: boolean): OrderEncoding {
  const circuit = new Circuit();
  const encoder = new TermEncoder(program.graph, circuit);
  const commits = new Commits(program);
  const passing = new Passing(program, encoder, commits, isPlain);
  const locks = isPlain ? new LockSections(program.graph, []) : findLockSections(program);
  const order = new Order(program, encoder, commits, passing, locks, new MustOrder(program, commits, isPlain));
  const finalOf = encodeReads(program, { encoder, commits, passing, locks, order });
  const everPassed = (thread: number, step: number) => passing.everPassed(thread, step);
  const conditions = encodeConditions(program, encoder, everPassed);
  const cuts = conditions.cuts.map(({ literal }) => literal);
  const final = { everPassed, valueOf: finalOf, cuts };
  const deadlock = encodeDeadlock(program, encoder, final);
  const race = encodeRace(program, encoder, final);
  order.relate();
  return { circuit, encoder, commits, order, deadlock, race, ...conditions };
}
