/** Where a thread is, in words: lines of the source, and within a line what the thread does next. */

import type { ThreadPlace } from '../../outcome/invariant.ts';
import type { SourceMap } from '../../support/source.ts';
import type { AnyNode, Body, Variable } from './graph.ts';
import { writtenBy } from './node-terms.ts';
import type { PreparedModel } from './prepare-model.ts';

/** A program counter, as far as words go. */
export interface CounterPlace {
  readonly id: number;
  readonly kind: 'idle' | 'ended' | 'running';
  readonly file: string;
  /** 0 where it has none. */
  readonly line: number;
  readonly column: number;
  /** What the thread does next, or has run. */
  readonly action: string;
}

export function placesOf(
  counters: readonly {
    readonly id: number;
    readonly place: { readonly body: number; readonly node: number } | null;
    readonly isIdle: boolean;
    /** What it ran, where that is told of threads that have ended. */
    readonly ended: string | null;
  }[],
  prepared: PreparedModel,
  sources: Pick<SourceMap, 'place'>,
): CounterPlace[] {
  return counters.map(({ id, place, isIdle, ended }) => {
    if (place === null) {
      const kind = isIdle ? 'idle' : 'ended';
      return { id, kind, file: '', line: 0, column: 0, action: ended ?? '' };
    }
    const body = prepared.model.bodies[place.body] as Body;
    const found = sources.place((body.nodes[place.node] as AnyNode).loc);
    const action = actionAt(body, place.node, prepared);
    return { id, kind: 'running', file: found?.file ?? '', line: found?.line ?? 0, column: found?.column ?? 0, action };
  });
}

/** The first access of the step. */
function actionAt({ nodes }: Body, start: number, { model, steps: { finder } }: PreparedModel): string {
  const isCell = (id: number) => (model.variables[id] as Variable).kind === 'cell';
  const nameOf = (id: number) => (model.variables[id] as Variable).name;
  const seen = new Set<number>();
  for (let at: number | undefined = start; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const node: AnyNode = nodes[at] as AnyNode;
    const written = writtenBy(node).find(isCell);
    if (written !== undefined) return `writing ${nameOf(written)}`;
    const read = finder.readBy(node).find(isCell);
    if (read !== undefined) return `reading ${nameOf(read)}`;
    if (node.kind === 'spawn') return 'creating a thread';
    if (node.kind === 'assume') return 'waiting';
    if (node.kind === 'finish') return 'ending';
    if (node.next.length !== 1) return 'going on';
    at = node.next[0];
  }
  return 'going on';
}

/** The counters among all of a thread, in the shorter of two ways: where it is, or where it is not. */
export function describePlaces(all: readonly CounterPlace[], ids: ReadonlySet<number>): Omit<ThreadPlace, 'thread'> {
  const inside = all.filter(({ id }) => ids.has(id));
  const outside = all.filter(({ id }) => !ids.has(id));
  const places = inside.flatMap(({ file, line, column, kind }) =>
    kind === 'running' && line > 0 ? [{ file, line, column }] : [],
  );
  const running = all.filter(({ kind }) => kind === 'running');
  if (running.length === inside.length && inside.every(({ kind }) => kind === 'running'))
    return { places, text: 'is running' };
  const [yes, no] = [wordsFor(all, inside), wordsFor(all, outside)];
  if (yes.length <= no.length) return { places, text: yes.map(({ yes: words }) => words).join(' or ') };
  return { places, text: no.map(({ no: words }) => words).join(' and ') };
}

/** What is said where a thread is at some of its counters, and where it is not. */
interface Words {
  readonly yes: string;
  readonly no: string;
}

function wordsFor(all: readonly CounterPlace[], some: readonly CounterPlace[]): Words[] {
  const chosen = new Set(some.map(({ id }) => id));
  const linesOf = (places: readonly CounterPlace[]) =>
    [...new Set(places.flatMap(({ kind, line }) => (kind === 'running' ? [line] : [])))].sort((a, b) => a - b);
  const isWhole = (line: number) =>
    all.every((each) => each.line !== line || each.kind !== 'running' || chosen.has(each.id));
  const lines = linesOf(some);
  const spoken = ranges(lines.filter(isWhole), linesOf(all));
  for (const line of lines.filter((each) => !isWhole(each))) {
    const here = some.filter((each) => each.line === line && each.kind === 'running');
    const actions = new Set(here.map(({ action }) => action));
    spoken.push(`${spellLines(line, line)} before ${[...actions].join(' or ')}`);
  }
  const words: Words[] = [];
  if (some.some(({ kind }) => kind === 'idle')) words.push({ yes: 'is not created yet', no: 'is created' });
  const isEnded = ({ kind }: CounterPlace) => kind === 'ended';
  const ended = some.filter(isEnded);
  if (ended.length > 0) {
    const what =
      ended.length === all.filter(isEnded).length ? 'ended' : `run ${ended.map(({ action }) => action).join(' or ')}`;
    words.push({ yes: `has ${what}`, no: `has not ${what}` });
  }
  if (spoken.length > 0) {
    const list = spoken.join(', ');
    words.push({ yes: `is at ${list}`, no: `is not at ${list}` });
  }
  return words;
}

/** Neighbours among all lines with steps, as ranges. */
function ranges(lines: readonly number[], every: readonly number[]): string[] {
  const found: { first: number; last: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last.last > 0 && every.indexOf(line) === every.indexOf(last.last) + 1) last.last = line;
    else found.push({ first: line, last: line });
  }
  return found.map(({ first, last }) => spellLines(first, last));
}

/** What has no line is the end of the thread, in the routines that started it. */
function spellLines(first: number, last: number): string {
  if (last === 0) return 'its end';
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}
