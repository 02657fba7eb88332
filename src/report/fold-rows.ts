/**
 * Makes a long counterexample short to read. Brackets and declarations in which nothing happens are left out; of a loop that turns
 * often, the first and the last turn are shown, from the inner loops to the outer ones; several steps in a row with nothing to see
 * become one line. A violation, a
 * context switch and the creation or end of a thread are never hidden.
 */

import { indentOf, type Row } from './rows.ts';

/** The shortest run of steps that is worth hiding. */
const SHORTEST_FOLD = 3;
/** A loop whose turn has more rows than this is not recognised. */
const LONGEST_TURN = 40;
/** Loops inside of more loops than this are not folded further. */
const DEEPEST_LOOP = 5;

export function foldRows(rows: readonly Row[]): Row[] {
  let shown = dropEmpty(rows);
  for (let depth = 0; depth < DEEPEST_LOOP; depth++) {
    const before = shown.length;
    shown = foldLoops(shown);
    if (shown.length === before) break;
  }
  return foldDull(shown);
}

/** A context switch to a row that is left out is one to the next row. */
function dropEmpty(rows: readonly Row[]): Row[] {
  const kept: Row[] = [];
  let isSwitch = false;
  for (const row of rows) {
    isSwitch ||= row.isSwitch;
    if (row.isEmpty) continue;
    kept.push(isSwitch === row.isSwitch ? row : { ...row, isSwitch, isDull: false, isPlain: false });
    isSwitch = false;
  }
  return kept;
}

function foldLoops(rows: readonly Row[]): Row[] {
  const folded: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const loop = findLoop(rows, at);
    if (loop === null) {
      folded.push(rows[at] as Row);
      at++;
      continue;
    }
    const first = at + loop.length;
    const last = at + loop.length * (loop.turns - 1);
    folded.push(...rows.slice(at, first), {
      ...fold(rows.slice(first, last), 'more steps in the same lines'),
      isPlain: true,
    });
    folded.push(...rows.slice(last, last + loop.length));
    at = last + loop.length;
  }
  return folded;
}

interface LoopFound {
  /** How many rows a turn has. */
  readonly length: number;
  readonly turns: number;
}

/** The loop with the shortest turn that starts at a row and is worth folding. */
function findLoop(rows: readonly Row[], at: number): LoopFound | null {
  for (let length = 1; length <= LONGEST_TURN; length++) {
    let end = at + length;
    while (isRepeated(rows[end - length], rows[end])) end++;
    const turns = Math.floor((end - at) / length);
    if (turns > 2 && (turns - 2) * length >= SHORTEST_FOLD) return { length, turns };
  }
  return null;
}

/** How often an inner loop turned does not matter. */
function isRepeated(before: Row | undefined, row: Row | undefined): boolean {
  if (!row?.isPlain || before?.place !== row.place) return false;
  return row.hidden > 0 ? before.hidden > 0 : before.text === row.text;
}

function foldDull(rows: readonly Row[]): Row[] {
  const folded: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (rows[end]?.isDull) end++;
    if (end - at >= SHORTEST_FOLD) folded.push(fold(rows.slice(at, end), 'more steps'));
    else folded.push(...rows.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return folded;
}

function fold(rows: readonly Row[], what: string): Row {
  const first = rows[0] as Row;
  const hidden = rows.reduce((sum, row) => sum + (row.hidden || 1), 0);
  const text = `${indentOf(first.thread)}… ${hidden} ${what}`;
  return { ...first, place: '', text, values: [], events: [], hidden, isDull: false, isPlain: false };
}
