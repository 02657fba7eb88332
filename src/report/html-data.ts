/**
 * The counterexample as the script of the HTML report reads it (web/report/). Long traces repeat themselves: what steps
 * have in common (thread, place, statement, calls, which variables, what happens) is a template that is told once, and
 * a step is its number with those of the texts of its values, in base 36. Ten thousand steps take about a hundred
 * kilobytes.
 */

import type { Trace, TraceStep, TraceValue } from '../trace/trace.ts';
import { count } from './describe-bounds.ts';
import { foldRows } from './fold-rows.ts';
import { findMarks, type StepMark } from './html-marks.ts';
import { type Row, toRow } from './rows.ts';

/** A place: the number of its file and the line; -1 for a file that is not shown. */
export type PagePlace = readonly [file: number, line: number];

export interface StepTemplate {
  readonly thread: number;
  readonly function: string;
  /** Outermost first. */
  readonly stack: readonly { readonly function: string; readonly place: PagePlace | null }[];
  readonly place: PagePlace | null;
  readonly statement: string;
  readonly isSwitch: boolean;
  readonly isViolation: boolean;
  /** Left out until somebody unfolds it. */
  readonly isDull: boolean;
  /** What happens, in words; the number of a value between two HOLEs stands for its text. */
  readonly effects: string;
  /** The variables of the program that it touches; the values are those of the step. */
  readonly values: readonly (readonly [kind: 'read' | 'write' | 'input', name: string])[];
  readonly marks: readonly StepMark[];
}

export interface PageTrace {
  readonly files: readonly string[];
  readonly threads: readonly { readonly id: number; readonly start: string; readonly parent: number }[];
  readonly templates: readonly StepTemplate[];
  readonly texts: readonly string[];
  /** Steps are separated by commas: template, the texts of its values. */
  readonly steps: string;
}

export function toPageTrace({ steps, threads }: Trace, files: readonly string[]): PageTrace {
  const rows = steps.map((step) => toRow(step, { isOneFile: true, isIdle: () => false }));
  const shown = new Set(foldRows(rows).flatMap((row) => (row.hidden > 0 ? [] : [row.step])));
  const marks = findMarks(steps);
  const templates = new Table<StepTemplate>((template) => JSON.stringify(template));
  const texts = new Table<string>((text) => text);
  const encoded = steps.map((step, at) => {
    const row = rows[at] as Row;
    const own = step.values.filter(({ isInternal, isUninitialised }) => !isInternal && !isUninitialised);
    const template: StepTemplate = {
      thread: step.thread,
      function: step.function,
      stack: step.callStack.map((call) => ({ function: call.function, place: toPlace(call.place, files) })),
      place: toPlace(step.place, files),
      statement: step.statement,
      isSwitch: step.isContextSwitch,
      isViolation: row.isViolation,
      isDull: !shown.has(step.index),
      effects: punch([...tellGap(row), ...row.values, ...row.events].join(', '), own),
      values: own.map(({ kind, name }) => [kind, name]),
      marks: marks[at] ?? [],
    };
    const numbers = [templates.numberOf(template), ...own.map(({ value }) => texts.numberOf(value))];
    return numbers.map((number) => number.toString(36)).join(' ');
  });
  return { files, threads, templates: templates.entries, texts: texts.entries, steps: encoded.join(',') };
}

/** What was left out of a very long run before the step. */
function tellGap({ gap }: Row): readonly string[] {
  return gap > 0 ? [`after ${count(gap, 'more instruction')}`] : [];
}

/** Around the number of a value that is left out of a text. */
export const HOLE = '\u0001';

/** Leaves the values out of the words in which they are told. */
function punch(effects: string, values: readonly TraceValue[]): string {
  let punched = effects;
  for (const [at, { name, value }] of values.entries()) {
    for (const verb of [' = ', ' is ', '() is ']) {
      const told = `${name}${verb}${value}`;
      const start = punched.indexOf(told);
      const end = start + told.length;
      if (start < 0 || (end < punched.length && punched[end] !== ',')) continue;
      punched = `${punched.slice(0, end - value.length)}${HOLE}${at}${HOLE}${punched.slice(end)}`;
      break;
    }
  }
  return punched;
}

function toPlace(place: TraceStep['place'], files: readonly string[]): PagePlace | null {
  return place && [files.indexOf(place.file), place.line];
}

/** Numbers things in the order in which they are first seen. */
class Table<T> {
  readonly entries: T[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (entry: T) => string;

  constructor(keyOf: (entry: T) => string) {
    this.#keyOf = keyOf;
  }

  numberOf(entry: T): number {
    const key = this.#keyOf(entry);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.entries.length);
    return this.entries.push(entry) - 1;
  }
}
