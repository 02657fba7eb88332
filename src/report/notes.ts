/** What an outcome leaves open, in sentences. */

import type { AssertionCoverage, Bounded, CutPlace, Outcome, Safe, Unknown } from '../outcome/outcome.ts';
import { pushAll } from '../support/push-all.ts';
import { describeBounds } from './describe-bounds.ts';
import { printInvariant } from './print-invariant.ts';
import { describeWeak } from './weak-memory.ts';

/** `ownBounds` are those that some loops have besides the one for all. */
export function notesOn(outcome: Outcome, ownBounds: readonly string[]): string[] {
  if (outcome.kind === 'safe') return [...describeEnding(outcome), ...describeProof(outcome)];
  if (outcome.kind === 'unknown')
    return outcome.cause === 'unreached'
      ? describeUnreached(outcome)
      : outcome.attempts.map(({ reason: why }) => `Tried: ${why}.`);
  if (outcome.kind === 'unsafe') return describeWeak(outcome);
  if (outcome.kind !== 'bounded') return [];
  const { cuts, reason, noProof, assertions } = outcome;
  const notes = describeEnding(outcome);
  if (assertions !== null) pushAll(notes, describeAssertions(assertions));
  if (reason !== null) notes.push(`Stopped before larger bounds: ${reason}.`);
  if (noProof !== undefined && noProof !== reason) notes.push(`Without bounds: ${noProof}.`);
  if (cuts?.length === 0) return [...notes, 'No execution is cut off by the unwinding bound.'];
  if (ownBounds.length > 0) notes.push(`Bounds of their own: ${ownBounds.join(', ')}.`);
  if (cuts === null) notes.push('Whether the unwinding bound cuts executions off is not known.');
  else notes.push(`Executions are cut off by the unwinding bounds: ${describeCuts(cuts).join(', ')}.`);
  return notes;
}

function describeEnding({ kind, ending }: Safe | Bounded): string[] {
  if (ending === undefined) return [];
  if (ending === 'never') return ['No execution ends: each one waits, goes on for ever or fails an assumption.'];
  return [kind === 'safe' ? 'No execution was seen to end.' : 'No execution within these bounds ends.'];
}

/** How many facts of an invariant are told. */
const MOST_FACTS = 16;

function describeProof({ proof: { method, claim, invariant } }: Safe): string[] {
  if (method !== 'induction') return [];
  const facts = invariant === null ? [] : printInvariant(invariant, MOST_FACTS).map((line) => `  ${line}`);
  return [`Proved: ${claim}.`, ...(facts.length === 0 ? [] : ['Invariant, between any two steps:', ...facts])];
}

/** How many of them are told by their places. */
const MOST_PLACES = 3;

function describeAssertions({ total, reached, missed }: AssertionCoverage): string[] {
  if (total === 0) return [];
  if (reached === total) return [total === 1 ? 'The assertion is reached.' : `All ${total} assertions are reached.`];
  const places = missed.flatMap((place) => (place ? [`${place.file}:${place.line}`] : []));
  const more = places.length > MOST_PLACES ? ', …' : '';
  const which = places.length > 0 ? `; not: ${places.slice(0, MOST_PLACES).join(', ')}${more}` : '';
  return [`Of ${total} assertions, executions within these bounds reach ${reached}${which}.`];
}

/** What was tried before nothing could be said. */
function describeUnreached({ attempts }: Unknown): string[] {
  return attempts.map(({ bounds, reason }) => `Covered without a violation: ${describeBounds(bounds)}; ${reason}.`);
}

/** Loops in models are told by name only. */
function describeCuts(cuts: readonly CutPlace[]): string[] {
  const texts = cuts.map(({ where, place }) => (place ? `${where} (${place.file}:${place.line})` : where));
  return [...new Set(texts)];
}
