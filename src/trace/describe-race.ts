/** Data races and orders of locks of concrete runs as data for reports. */

import type { Code } from '../program/code.ts';
import type { Loc } from '../support/source.ts';
import type { Race, RacingAccess } from './interpreter/race-detector.ts';
import type { LockEdge, RunNotes } from './interpreter/run-notes.ts';
import type { TraceLockLink, TracePlace, TraceRace, TraceRacingAccess } from './trace.ts';

export function describeRace({ object, address, sides }: Race, code: Code, notes: RunNotes | null = null): TraceRace {
  const protection = notes?.protectionAt(address);
  return {
    object,
    sides: sides.map((side) => describeSide(side, code)),
    ...(protection && {
      protection: {
        lock: protection.lock,
        places: protection.places,
        without: protection.without.flatMap((loc) => placeOf(loc, code) ?? []),
      },
    }),
  };
}

function describeSide({ thread, kind, loc, calls, locks }: RacingAccess, code: Code): TraceRacingAccess {
  const callStack = calls.map((call) => ({ function: call.function, place: placeOf(call.loc, code) }));
  return { thread, kind, place: placeOf(loc, code), callStack: callStack.reverse(), locks };
}

export function describeLink({ from, to, thread, places, gates }: LockEdge, code: Code): TraceLockLink {
  const [since, place] = places.map((loc) => placeOf(loc, code)) as [TracePlace | null, TracePlace | null];
  return { thread, holds: from, since, takes: to, place, gates };
}

function placeOf(loc: Loc, { sources }: Code): TracePlace | null {
  const found = sources.place(loc);
  return found && { file: found.file, line: found.line, column: found.column };
}
