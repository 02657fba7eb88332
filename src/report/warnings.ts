/** What concrete runs came across beside the verdict, and the sides of a data race, in sentences. */

import type { Outcome, Warning } from '../outcome/outcome.ts';
import type { TraceLockLink, TracePlace, TraceRace, TraceRacingAccess, TraceWait } from '../trace/trace.ts';

/** More would hide the verdict; JSON has them all. */
const MOST_TOLD = 8;

/** A line each, for people. */
export function describeWarnings({ warnings = [], ...outcome }: Outcome): string[] {
  const told = warnings.slice(0, MOST_TOLD).map((warning) => `also: ${describeWarning(warning)}`);
  const more = warnings.length - told.length;
  const hasAsked = outcome.kind === 'unsafe' && outcome.trace?.violation.check === 'race';
  const isHint = !hasAsked && warnings.some(({ kind }) => kind === 'race');
  if (more > 0) told.push(`and ${more} more`);
  return isHint ? [...told, '(--check race asks for all data races, as part of the verdict)'] : told;
}

export function describeWarning(warning: Warning): string {
  switch (warning.kind) {
    case 'race':
      return `a data race on ${warning.race.object}, ${describeLines(warning.race)}${describeProtection(warning.race)}`;
    case 'lock-order':
      return `locks are taken in a circle, which may end in a deadlock: ${warning.links.map(describeLink).join('; ')}`;
  }
}

export function placeOfWarning(warning: Warning): TracePlace | null {
  const places = warning.kind === 'race' ? warning.race.sides : warning.links;
  return places.find(({ place }) => place !== null)?.place ?? null;
}

function describeLines({ sides }: TraceRace): string {
  const places = sides.map(({ place }) => place);
  const [a, b] = places;
  if (!a || !b) return 'in a thread routine';
  if (a.file !== b.file) return `${a.file}:${a.line} and ${b.file}:${b.line}`;
  const [first, second] = [Math.min(a.line, b.line), Math.max(a.line, b.line)];
  return first === second ? `line ${first} in both threads` : `lines ${first} and ${second}`;
}

function describeLink({ thread, holds, since, takes, place, gates }: TraceLockLink): string {
  const others = gates.length === 0 ? '' : ` and ${gates.join(', ')}`;
  const from = since === null ? '' : ` (since line ${since.line})`;
  return `thread ${thread} takes ${takes}${place === null ? '' : ` at line ${place.line}`} holding ${holds}${from}${others}`;
}

/** One side of a race, as far as it stands in the program. */
export function describeSide(side: TraceRacingAccess, object: string, nameOf: (thread: number) => string): string {
  const { thread, kind, place, callStack, locks } = side;
  const where = place === null ? '' : ` at ${place.file}:${place.line}`;
  const calls = [...callStack].reverse().map(({ function: name, place: at }, i) => {
    return i === 0 || at === null ? name : `${name} (line ${at.line})`;
  });
  const way = calls.length === 0 ? '' : `, in ${calls.join(' from ')}`;
  const held = locks.length === 0 ? 'no lock' : locks.join(', ');
  return `thread ${thread} (${nameOf(thread)}) ${kind}s ${object}${where}${way}, holding ${held}`;
}

/** One of those who wait for ever. */
export function describeWait(wait: TraceWait, nameOf: (thread: number) => string): string {
  const { thread, routine, place, object, holder, heldSince, spins } = wait;
  const where = place === null ? '' : `, line ${place.line}`;
  const since = heldSince === null ? '' : ` since line ${heldSince.line}`;
  const mutex = object === null ? '' : ` for ${object}`;
  const who = holder === null ? '' : object === null ? ` for thread ${holder}` : `, held by thread ${holder}${since}`;
  const how = spins ? 'spins in a loop of' : 'waits in';
  return `thread ${thread} (${nameOf(thread)}) ${how} ${routine}${where}${mutex}${who}`;
}

export function describeProtection({ object, protection }: TraceRace): string {
  if (!protection) return '';
  const { lock, places, without } = protection;
  const lines = without.map(({ line }) => line).join(', ');
  return `; ${object} is protected by ${lock} in ${places - without.length} of ${places} places, not at line ${lines}`;
}
