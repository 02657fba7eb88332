/** What a verdict without a counterexample says about lines of the source. */

import type { ProofInvariant } from '../outcome/invariant.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { TracePlace } from '../trace/trace.ts';

export interface LineNote {
  readonly file: string;
  readonly line: number;
  readonly kind: 'cut' | 'missed' | 'reached' | 'holds';
  readonly text: string;
}

export function findNotes(outcome: Outcome): LineNote[] {
  if (outcome.kind === 'safe') return invariantNotes(outcome.proof.invariant);
  if (outcome.kind !== 'bounded') return [];
  const { cuts, assertions } = outcome;
  const cutNotes = (cuts ?? []).flatMap(({ kind, where, place }) =>
    noteAt(place, 'cut', kind === 'bound' ? `${where} goes on beyond its bound` : `not followed further: ${where}`),
  );
  const missed = (assertions?.missed ?? []).flatMap((place) =>
    noteAt(place, 'missed', 'no execution within the bounds comes here'),
  );
  const reached = (assertions?.reachedAt ?? []).flatMap((place) => noteAt(place, 'reached', 'reached, and holds'));
  return [...cutNotes, ...missed, ...reached];
}

function noteAt(place: TracePlace | null, kind: LineNote['kind'], text: string): LineNote[] {
  return place ? [{ file: place.file, line: place.line, kind, text }] : [];
}

/** What holds whenever a thread is at a line; facts about several threads stand at the lines of the first. */
function invariantNotes(invariant: ProofInvariant | null): LineNote[] {
  const notes = (invariant?.facts ?? []).flatMap(({ when, holds }) => {
    const [first, ...others] = when;
    if (!first) return [];
    const also = others.map(({ thread, text }) => ` while ${thread} ${text}`).join('');
    const fact = holds === null ? `${first.thread} is never here${also}` : `${first.thread} here${also}: ${holds}`;
    const lines = new Map(first.places.map((place) => [`${place.file}:${place.line}`, place]));
    return [...lines.values()].flatMap((place) => noteAt(place, 'holds', fact));
  });
  // The same may hold for several places of one line.
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()];
}
