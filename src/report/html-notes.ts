/** What a verdict without a counterexample says about lines of the source. */

import type { Outcome } from '../outcome/outcome.ts';
import type { TracePlace } from '../trace/trace.ts';

export interface LineNote {
  readonly file: string;
  readonly line: number;
  readonly kind: 'cut' | 'missed' | 'reached' | 'holds';
  readonly text: string;
}

export function findNotes(outcome: Outcome): LineNote[] {
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
