/**
 * What concrete runs came across beside the verdict (trace/interpreter/run-notes.ts), as warnings: data races where
 * they are not part of what was asked, and circles in the order in which locks are taken. They change no verdict.
 */

import type { Outcome, Warning } from '../outcome/outcome.ts';
import type { CheckName, Code } from '../program/code.ts';
import { describeLink, describeRace } from '../trace/describe-race.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import type { RunNotes } from '../trace/interpreter/run-notes.ts';
import { findLockCircles } from '../trace/lock-circles.ts';
import type { TraceRace } from '../trace/trace.ts';
import type { Check } from './engine.ts';
import { DEFAULT_EXPLORE_LIMITS, takeNotes } from './explore/explore.ts';

/** Runs after a race was found, for what is told with it, or for all others. */
const RACE_RUNS = 40;
const ALL_RACES_RUNS = 400;

/** A race is told with what usually protects its object; more runs than those to the first race tell that. */
export function withWarnings(
  outcome: Outcome,
  { code, checks, options, environment }: Check,
  notes: RunNotes,
): Outcome {
  if (!options.explore) return outcome;
  const isRace = outcome.kind === 'unsafe' && outcome.trace?.violation.check === 'race';
  if (isRace) {
    const others = new Set([...checks].filter((check) => check !== 'race'));
    const { clock, signal } = environment;
    const limits = { ...DEFAULT_EXPLORE_LIMITS, runLimit: options.allRaces ? ALL_RACES_RUNS : RACE_RUNS, clock };
    if (!signal?.aborted) takeNotes(compileProgram(code), { ...limits, checks: others, seed: options.seed }, notes);
  }
  const told = withProtection(outcome, notes, code);
  const warnings = collectWarnings(notes, code, checks, outcome, options.allRaces);
  return warnings.length === 0 ? told : { ...told, warnings };
}

/** `allRaces`: those that are part of the verdict, too. */
function collectWarnings(
  notes: RunNotes,
  code: Code,
  checks: ReadonlySet<CheckName>,
  outcome: Outcome,
  allRaces: boolean,
): Warning[] {
  const areAsked = checks.has('race') && !allRaces;
  const isProved = outcome.kind === 'safe' && checks.has('race');
  const verdict = outcome.kind === 'unsafe' ? outcome.trace?.violation.race : undefined;
  const races = areAsked || isProved ? [] : distinctRaces(notes, code).filter((race) => !isSame(race, verdict));
  return [...races.map((race): Warning => ({ kind: 'race', race })), ...lockOrders(notes, code, checks, outcome)];
}

/** Each pair of lines once: several accesses of one expression are one race. */
function distinctRaces(notes: RunNotes, code: Code): TraceRace[] {
  const found = new Map<string, TraceRace>();
  for (const race of notes.races.values()) {
    const told = describeRace(race, code, notes);
    const key = linesOf(told);
    if (!found.has(key)) found.set(key, told);
  }
  return [...found.values()];
}

function linesOf({ sides }: TraceRace): string {
  return sides
    .map(({ place }) => (place ? `${place.file}:${place.line}` : '?'))
    .sort()
    .join(' ');
}

function isSame(race: TraceRace, other: TraceRace | undefined): boolean {
  return other !== undefined && linesOf(race) === linesOf(other);
}

function lockOrders(notes: RunNotes, code: Code, checks: ReadonlySet<CheckName>, outcome: Outcome): Warning[] {
  const isExcluded = outcome.kind === 'safe' && checks.has('deadlock');
  const isFound = outcome.kind === 'unsafe' && outcome.trace?.violation.check === 'deadlock';
  if (isExcluded || isFound || !checks.has('deadlock')) return [];
  const circles = findLockCircles([...notes.edges.values()]);
  return circles.map((circle) => ({ kind: 'lock-order', links: circle.map((edge) => describeLink(edge, code)) }));
}

/** The lock that usually protects what a race is about, told with the race. */
function withProtection(outcome: Outcome, notes: RunNotes, code: Code): Outcome {
  if (outcome.kind !== 'unsafe' || !outcome.trace?.violation.race) return outcome;
  const { trace } = outcome;
  const { violation } = trace;
  const known = [...notes.races.values()].find(({ object }) => object === violation.race?.object);
  const protection = known && describeRace(known, code, notes).protection;
  const race = violation.race && protection ? { ...violation.race, protection } : violation.race;
  return { ...outcome, trace: { ...trace, violation: { ...violation, ...(race && { race }) } } };
}
