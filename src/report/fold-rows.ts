/**
 * Makes a long counterexample short to read. Brackets and declarations in which nothing happens are left out; of a loop
 * that turns often, the first and the last turn are shown and those that come to other lines, from the inner loops to
 * the outer ones; several steps in a row with nothing to see become one line. A violation, a context switch and the
 * creation or end of a thread are never hidden.
 */

import { pushAll } from '../support/push-all.ts';
import { indentOf, type Row } from './rows.ts';

/** The shortest run of steps that is worth hiding. */
const SHORTEST_FOLD = 3;
/** A loop whose turn has more rows than this is not recognised. */
const LONGEST_TURN = 60;
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
    const turns = findTurns(rows, at) ?? findPeriods(rows, at);
    const first = turns?.[1] ?? 0;
    const last = turns?.at(-2) ?? 0;
    if (turns === null || last - first < SHORTEST_FOLD) {
      folded.push(rows[at] as Row);
      at++;
      continue;
    }
    const end = turns.at(-1) as number;
    pushAll(folded, rows.slice(at, first));
    pushAll(folded, foldTurns(rows, turns));
    pushAll(folded, rows.slice(last, end));
    at = end;
  }
  return folded;
}

/** The turns between the first and the last, without those that come to no line which is not shown. */
function foldTurns(rows: readonly Row[], turns: readonly number[]): Row[] {
  const turn = (number: number) => rows.slice(turns[number], turns[number + 1]);
  const last = turns.length - 2;
  const shown = new Set([...turn(0), ...turn(last)].map(keyOf));
  const result: Row[] = [];
  let same: Row[] = [];
  const foldSame = () => {
    if (same.length < SHORTEST_FOLD) pushAll(result, same);
    else result.push({ ...fold(same, 'more steps in the same lines'), isPlain: true });
    same = [];
  };
  for (let number = 1; number < last; number++) {
    const inside = turn(number);
    if (inside.every((row) => row.hidden > 0 || shown.has(keyOf(row)))) {
      pushAll(same, inside);
      continue;
    }
    foldSame();
    pushAll(result, inside);
    for (const row of inside) shown.add(keyOf(row));
  }
  foldSame();
  return result;
}

function keyOf({ place, depth, text }: Row): string {
  return `${place} ${depth} ${text}`;
}

const LOOP_HEAD = /\b(?:for|while)\b/;

/**
 * Where the turns of a loop begin whose head is the given row, and where the last one ends: from one visit of the same
 * activation to the next. What happens in between may differ from turn to turn.
 */
function findTurns(rows: readonly Row[], at: number): number[] | null {
  const head = rows[at] as Row;
  if (!LOOP_HEAD.test(head.text)) return null;
  const turns = [at];
  for (let end = at + 1; end - (turns.at(-1) as number) <= LONGEST_TURN; end++) {
    const row = rows[end];
    if (!row?.isPlain || row.depth < head.depth) break;
    const isOfHead = row.depth === head.depth;
    if (isOfHead && row.activation !== head.activation) break;
    if (isOfHead && row.place === head.place && row.text === head.text) turns.push(end);
  }
  return turns.length > 2 ? turns : null;
}

/** The same for a loop without such a head: the shortest sequence of lines that follows upon itself. */
function findPeriods(rows: readonly Row[], at: number): number[] | null {
  for (let length = 1; length <= LONGEST_TURN; length++) {
    let end = at + length;
    while (isRepeated(rows[end - length], rows[end])) end++;
    const count = Math.floor((end - at) / length);
    if ((count - 2) * length >= SHORTEST_FOLD) return Array.from({ length: count + 1 }, (_, i) => at + i * length);
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
    else pushAll(folded, rows.slice(at, Math.max(end, at + 1)));
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
