/**
 * One schedule for many: schedules that differ only in the order of steps which do not conflict give the same
 * executions. Of these only the one is wanted in which every step comes as early as it can: a thread begins its part of
 * a round with a step only if that step conflicts with something that others may have done since the thread's part of
 * the round before. The stops of all rounds are guessed before the simulation starts, so that this is a condition on
 * numbers.
 *
 * Why nothing is lost: take an execution that violates something, up to the violation, after which nobody moves any
 * more. A step that begins its thread's part of a round without a conflict commutes with all that others did since the
 * round before: it finds the same values there, is enabled there, and does the same, so that it can as well end the
 * thread's part of that round. Each such change moves a step to an earlier round, so that they come to an end, and the
 * number of rounds stays. Labels that a stop lies behind count as passed, also those of branches not taken: more
 * conflicts than there are, and so less is excluded.
 *
 * It pays where there are many rounds, and with them many schedules for one execution; see FEWEST_ROUNDS. The same idea
 * as in engines/bounded/normal-form.ts. (Kahlon, Wang, Gupta, "Monotonic partial order reduction", CAV 2009.)
 */

import type { ConflictingLabels, Conflicts } from './find-conflicts.ts';

/** With fewer rounds than this the normal form is not worth its conditions. */
export const FEWEST_ROUNDS = 6;

export interface NormalFormInput {
  readonly conflicts: Conflicts;
  /** The threads in the order in which each round runs them. */
  readonly schedule: readonly number[];
  readonly rounds: number;
  /** Main runs once more after the last round. */
  readonly closingMain: boolean;
  /** How the place is called where a round of a thread stops. */
  readonly stop: (thread: number, round: number) => string;
}

/** Conditions in C, one for each round of each thread but the first: of each, what it says alternatively. */
export function normalForm(input: NormalFormInput): string[][] {
  const { schedule, rounds, closingMain } = input;
  return schedule.flatMap((thread) => {
    const last = closingMain && thread === 0 ? rounds + 1 : rounds;
    const classes = classesOf(input.conflicts[thread] ?? []);
    return Array.from({ length: last - 1 }, (_, i) => condition(input, thread, i + 1, classes));
  });
}

/** Labels of a thread with the same conflicts. */
interface LabelClass {
  readonly labels: number[];
  readonly conflicts: readonly ConflictingLabels[];
}

function classesOf(labels: readonly (readonly ConflictingLabels[])[]): LabelClass[] {
  const classes = new Map<string, LabelClass>();
  for (const [label, conflicts] of labels.entries()) {
    if (conflicts.length === 0) continue;
    const key = JSON.stringify(conflicts);
    const known = classes.get(key);
    if (known) known.labels.push(label);
    else classes.set(key, { labels: [label], conflicts });
  }
  return [...classes.values()];
}

function condition(input: NormalFormInput, thread: number, round: number, classes: readonly LabelClass[]): string[] {
  const { stop } = input;
  const place = stop(thread, round - 1);
  const parts = [`${stop(thread, round)} == ${place}`];
  for (const { labels, conflicts } of classes) {
    const passed = conflicts.flatMap((other) => passedSince(input, thread, round, other));
    if (passed.length === 0) continue;
    const here = runsOf(labels).map((run) => within(place, run));
    parts.push(`(${either(here)} && ${either(passed)})`);
  }
  return parts;
}

function either(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(' || ')})`;
}

/** Conditions under which another thread passed one of the labels since the thread's round before. */
function passedSince(input: NormalFormInput, thread: number, round: number, other: ConflictingLabels): string[] {
  const { schedule, rounds, stop } = input;
  const isEarlier = schedule.indexOf(other.thread) < schedule.indexOf(thread);
  const part = isEarlier ? round : round - 1;
  // Only main runs after the last round.
  if (part >= rounds) return [];
  const after = stop(other.thread, part);
  if (part === 0) return [`${after} > ${other.labels[0]}`];
  const before = stop(other.thread, part - 1);
  return runsOf(other.labels).map(({ from, to }) => `(${before} <= ${to} && ${after} > ${from})`);
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Numbers in order, as runs without gaps. */
function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last.to + 1 === number) runs[runs.length - 1] = { from: last.from, to: number };
    else runs.push({ from: number, to: number });
  }
  return runs;
}

function within(place: string, { from, to }: Run): string {
  if (from === to) return `${place} == ${from}`;
  return from === 0 ? `${place} <= ${to}` : `(${place} >= ${from} && ${place} <= ${to})`;
}
