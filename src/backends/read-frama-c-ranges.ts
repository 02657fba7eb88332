/**
 * Reads what Eva, the value analysis of Frama-C, prints: the values of globals at the start, the values at the end of
 * each function, and those at calls of `Frama_C_show_each_*`. Eva over-approximates, so every value that a variable can
 * have at such a point is in its range.
 *
 * A range stands for one line such as `arr[4..7] ∈ {0; 9}`. Lines are aligned: one that starts deeper continues the
 * path of the line above at its column, `s[0]{.a; .b}` stands for two paths, and long values are wrapped. Integers are
 * read exactly; pointers by the names that they may point to; floating-point numbers stay text, because Eva rounds them
 * to print.
 */

import { pushAll } from '../support/push-all.ts';

export type FramaCValue =
  /**
   * All integers from low to high that leave `remainder` when divided by `modulus`; null is no bound but the type's.
   */
  | {
      readonly kind: 'integers';
      readonly low: bigint | null;
      readonly high: bigint | null;
      readonly modulus: bigint;
      readonly remainder: bigint;
      /** Where Eva lists them one by one. */
      readonly members: readonly bigint[] | null;
    }
  /** Addresses, as Eva writes them: `NULL`, `&arr[1]`. */
  | { readonly kind: 'pointers'; readonly targets: readonly string[] }
  /** No value at all: the point is not reached. */
  | { readonly kind: 'none' }
  /** Floating-point numbers and whatever Eva cannot say precisely. */
  | { readonly kind: 'other'; readonly text: string };

export interface FramaCRange {
  /** A variable or a part of it: `g`, `s[0].in.x`, `arr[4..7]`. A static local `x` of `f` is called `f_x`. */
  readonly path: string;
  readonly value: FramaCValue;
  readonly mayBeUninitialized: boolean;
}

export interface FramaCRanges {
  readonly initial: readonly FramaCRange[];
  /** By function; null for one that never returns. Functions that are not reached are missing. */
  readonly final: ReadonlyMap<string, readonly FramaCRange[] | null>;
  /** By the rest of the name `Frama_C_show_each_…`: the arguments, one row for each time that Eva came by. */
  readonly shown: ReadonlyMap<string, readonly (readonly FramaCValue[])[]>;
}

export function readFramaCRanges(output: string): FramaCRanges {
  const initial: FramaCRange[] = [];
  const final = new Map<string, readonly FramaCRange[] | null>();
  const shown = new Map<string, (readonly FramaCValue[])[]>();
  for (const { head, body } of splitMessages(output)) {
    const ofFunction = /^\[eva:final-states\] Values at end of function (.+):$/.exec(head)?.[1];
    if (head.startsWith('[eva:initial-state]')) pushAll(initial, readRanges(body));
    else if (ofFunction !== undefined) final.set(ofFunction, isNonTerminating(body) ? null : readRanges(body));
    else addShown(shown, [head, ...body].join(' '));
  }
  return { initial, final, shown };
}

interface Message {
  readonly head: string;
  /** The lines that belong to it: all that are indented. */
  readonly body: readonly string[];
}

function splitMessages(output: string): Message[] {
  const messages: { head: string; body: string[] }[] = [];
  for (const line of output.split(/\r?\n/)) {
    if (line.startsWith('[')) messages.push({ head: line, body: [] });
    else messages.at(-1)?.body.push(line);
  }
  return messages;
}

function isNonTerminating(body: readonly string[]): boolean {
  return body.some((line) => line.trim() === 'NON TERMINATING FUNCTION');
}

const MEMBER = ' ∈ ';

function readRanges(body: readonly string[]): FramaCRange[] {
  const ranges: FramaCRange[] = [];
  let previous = '';
  for (const line of joinWrapped(body)) {
    const at = line.indexOf(MEMBER);
    if (at < 0) continue;
    const column = line.search(/\S/);
    const path = previous.slice(0, column).padEnd(column) + line.slice(column, at);
    previous = path;
    const { value, mayBeUninitialized } = readValue(line.slice(at + MEMBER.length));
    for (const each of expandGroup(path.trim())) ranges.push({ path: each, value, mayBeUninitialized });
  }
  return ranges;
}

/** A line without a sign of membership goes on with the value above. */
function joinWrapped(body: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of body) {
    if (line.trim() === '') continue;
    if (/\S \u2208( |$)/.test(line) || lines.length === 0) lines.push(line.endsWith(' ∈') ? `${line} ` : line);
    else lines.push(`${lines.pop()?.trimEnd()} ${line.trim()}`);
  }
  return lines;
}

/** `s[0]{.a; .b[0..2]}` is `s[0].a` and `s[0].b[0..2]`. */
function expandGroup(path: string): string[] {
  const group = /^(.*?)\{(.*)\}$/.exec(path);
  if (group === null) return [path];
  return (group[2] ?? '').split(';').map((part) => `${group[1]}${part.trim()}`);
}

function readValue(text: string): { readonly value: FramaCValue; readonly mayBeUninitialized: boolean } {
  const known = text.trim().replace(/(^| or )(UNINITIALIZED|ESCAPINGADDR)/g, '');
  const mayBeUninitialized = /\bUNINITIALIZED\b/.test(text);
  if (known === '') return { value: { kind: 'other', text: text.trim() }, mayBeUninitialized };
  return { value: readKnownValue(known), mayBeUninitialized };
}

function readKnownValue(text: string): FramaCValue {
  if (text === '⊥' || text === 'BOTTOM') return { kind: 'none' };
  const pointers = /^\{\{ (.*) \}\}$/.exec(text)?.[1];
  if (pointers !== undefined) {
    return pointers.startsWith('garbled mix')
      ? { kind: 'other', text }
      : { kind: 'pointers', targets: pointers.split(' ; ') };
  }
  const set = /^\{(-?\d+(?:; -?\d+)*)\}$/.exec(text)?.[1];
  if (set !== undefined) return listedIntegers(set.split('; ').map(BigInt));
  const interval = /^\[(-?\d+|--)\.\.(-?\d+|--)\](?:,(\d+)%(\d+))?$/.exec(text);
  if (interval === null) return { kind: 'other', text };
  const [, low, high, remainder = '0', modulus = '1'] = interval;
  return {
    kind: 'integers',
    low: low === '--' ? null : BigInt(low as string),
    high: high === '--' ? null : BigInt(high as string),
    modulus: BigInt(modulus),
    remainder: BigInt(remainder),
    members: null,
  };
}

function listedIntegers(members: readonly bigint[]): FramaCValue {
  const low = members.reduce((least, member) => (member < least ? member : least));
  const high = members.reduce((most, member) => (member > most ? member : most));
  return { kind: 'integers', low, high, modulus: 1n, remainder: 0n, members };
}

function addShown(shown: Map<string, (readonly FramaCValue[])[]>, message: string): void {
  const match = /Frama_C_show_each_(\w*):(.*)$/.exec(message.replace(/\s+/g, ' '));
  if (match === null) return;
  const [, name = '', values = ''] = match;
  const row = splitArguments(values).map((text) => readValue(text).value);
  shown.set(name, [...(shown.get(name) ?? []), row]);
}

/** Splits at the commas between values; `[0..20],0%2` is one value. */
function splitArguments(text: string): string[] {
  const args: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (depth === 0 && text.startsWith(', ', at)) {
      args.push(text.slice(start, at));
      start = at + 2;
    }
  }
  return [...args, text.slice(start)].map((arg) => arg.trim());
}
