/**
 * The formula: is there a schedule within the bounds under which an assertion fails? Every step is encoded once; only
 * its place in the schedule and the shared memory are indexed by round. The questions are literals to be assumed:
 * whether an assertion fails, whether threads wait for ever, whether accesses race, and whether any execution was cut
 * at all.
 */

import { type EncodedConditions, encodeConditions } from '../../encode/encode-conditions.ts';
import { type EncodedDeadlock, encodeDeadlock } from '../../encode/encode-deadlock.ts';
import { type EncodedRace, encodeRace } from '../../encode/encode-race.ts';
import { TermEncoder } from '../../encode/encode-terms.ts';
import { isUnsupported, type SteppedProgram } from '../../execute/steps.ts';
import { Circuit } from '../../logic/circuit.ts';
import { type Literal, not } from '../../logic/literal.ts';
import { isWeak } from '../../program/memory-model.ts';
import { type EncodedMemory, encodeMemory } from './encode-memory.ts';
import { encodeWeakMemory } from './encode-weak-memory.ts';
import { endedBefore } from './ended-before.ts';
import { encodeNormalForm, FEWEST_ROUNDS } from './normal-form.ts';
import { StoreArrivals } from './store-arrivals.ts';
import { type ScheduleOptions, SymbolicSchedule } from './symbolic-schedule.ts';

export interface Encoding extends EncodedConditions {
  readonly circuit: Circuit;
  readonly encoder: TermEncoder;
  readonly schedule: SymbolicSchedule;
  readonly memory: EncodedMemory;
  /** When delayed stores reach memory; null under sequential consistency. */
  readonly arrivals: StoreArrivals | null;
  /** Assume it, and `respectsCuts`, to look for violations: some assertion fails. */
  readonly seeksViolation: Literal;
  /** Assume it to ask whether an execution came to what cannot be followed; null when there is nothing of the kind. */
  readonly seeksUnsupported: Literal | null;
  /** Assume it to ask whether an execution was cut at all; null when there are no other cuts. */
  readonly seeksCut: Literal | null;
  /** Whether threads wait for ever; null when deadlocks are not looked for or no thread ever waits. */
  readonly deadlock: EncodedDeadlock | null;
  /** The question for data races; null when they are not looked for or no two accesses conflict. */
  readonly race: EncodedRace | null;
}

export function encode(program: SteppedProgram, options: ScheduleOptions): Encoding {
  const circuit = new Circuit();
  const encoder = new TermEncoder(program.graph, circuit);
  const schedule = new SymbolicSchedule(program, encoder, options);
  const ended = options.isStop ? endedBefore(program, encoder, schedule) : null;
  const arrivals = isWeak(program.memoryModel)
    ? new StoreArrivals(program, encoder, schedule, options.kind, ended)
    : null;
  const memory = arrivals
    ? encodeWeakMemory(program, encoder, schedule, arrivals, ended)
    : encodeMemory(program, encoder, schedule, ended);
  // Its steps come as early as they can, wherever threads then stop.
  const isFree = !arrivals && options.kind === 'rounds' && !options.isStop && options.stopsAnywhere !== false;
  if (isFree && options.slots >= FEWEST_ROUNDS) encodeNormalForm(program, encoder, schedule);
  const everPassed = (thread: number, step: number) => schedule.everPassed(thread, step);
  const conditions = encodeConditions(program, encoder, everPassed);
  const cuts = conditions.cuts.map(({ literal }) => literal);
  const final = { everPassed, valueOf: memory.finalOf, cuts };
  const unsupported = conditions.cuts.filter(({ cut }) => isUnsupported(cut));
  return {
    circuit,
    encoder,
    schedule,
    memory,
    arrivals,
    ...conditions,
    deadlock: encodeDeadlock(program, encoder, final),
    race: encodeRace(program, encoder, final),
    seeksViolation: seekAny(circuit, conditions.violations),
    seeksUnsupported: unsupported.length > 0 ? seekAny(circuit, unsupported) : null,
    seeksCut: conditions.cuts.length > unsupported.length ? seekAny(circuit, conditions.cuts) : null,
  };
}

/** A literal to be assumed: then one of these holds. */
function seekAny(circuit: Circuit, items: readonly { readonly literal: Literal }[]): Literal {
  const seeks = circuit.fresh();
  circuit.addClause([not(seeks), ...items.map(({ literal }) => literal)]);
  return seeks;
}
