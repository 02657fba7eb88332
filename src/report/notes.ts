/** What an outcome leaves open, in sentences. */

import type { CutPlace, Outcome } from '../outcome/outcome.ts';

/** `ownBounds` are those that some loops have besides the one for all. */
export function notesOn(outcome: Outcome, ownBounds: readonly string[]): string[] {
  if (outcome.kind === 'safe' && outcome.proof.method === 'induction') return [`Proved: ${outcome.proof.claim}.`];
  if (outcome.kind === 'unknown') return outcome.attempts.map(({ reason: why }) => `Tried: ${why}.`);
  if (outcome.kind !== 'bounded') return [];
  const { cuts, reason } = outcome;
  const notes: string[] = [];
  if (reason !== null) notes.push(`Stopped before larger bounds: ${reason}.`);
  if (cuts?.length === 0) return [...notes, 'No execution is cut off by the unwinding bound.'];
  if (ownBounds.length > 0) notes.push(`Bounds of their own: ${ownBounds.join(', ')}.`);
  if (cuts === null) notes.push('Whether the unwinding bound cuts executions off is not known.');
  else notes.push(`Executions are cut off by the unwinding bounds: ${describeCuts(cuts).join(', ')}.`);
  return notes;
}

/** Loops in models are told by name only. */
function describeCuts(cuts: readonly CutPlace[]): string[] {
  const texts = cuts.map(({ where, place }) => (place ? `${where} (${place.file}:${place.line})` : where));
  return [...new Set(texts)];
}
