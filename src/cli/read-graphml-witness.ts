// Reads violation witnesses in GraphML 1.0: the shortest road from the entry of the automaton to a violation, an edge a
// place: with a function that is entered, the way that a branch goes (`control`), or what holds before (`assumption`).

import type { WitnessPath, WitnessPlace } from '../engines/check-options.ts';
import { readConditions } from './witness-conditions.ts';

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly data: ReadonlyMap<string, string>;
}

export function readGraph(text: string): WitnessPath | string {
  const type = /<data key="witness-type">\s*([\w_]+)/.exec(text)?.[1];
  if (type !== undefined && type !== 'violation_witness') return `this is a ${type}: it leads to no violation`;
  const nodes = [...text.matchAll(/<node\b[^>]*\bid="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/node>)/gs)];
  const marked = (key: string) => nodes.find(([, , inner = '']) => readData(inner).get(key) === 'true')?.[1];
  const [entry, violation] = [marked('entry'), marked('violation')];
  if (entry === undefined || violation === undefined) return 'the graph has no entry or no violation node';
  const edges = [...text.matchAll(/<edge\b([^>]*?)(?:\/>|>(.*?)<\/edge>)/gs)].map(([, head = '', inner = '']): Edge => {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? '';
    return { source: attribute('source'), target: attribute('target'), data: readData(inner) };
  });
  const road = findRoad(edges, entry, violation);
  return road === null ? 'no road leads from the entry to the violation' : toPlaces(road);
}

function readData(text: string): Map<string, string> {
  const found = [...text.matchAll(/<data\s+key="([^"]*)">([^<]*)<\/data>/g)];
  return new Map(found.map(([, key = '', value = '']) => [key, decodeEntities(value.trim())]));
}

function decodeEntities(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** The shortest. */
function findRoad(edges: readonly Edge[], entry: string, violation: string): Edge[] | null {
  const leaving = new Map<string, Edge[]>();
  for (const edge of edges) leaving.set(edge.source, [...(leaving.get(edge.source) ?? []), edge]);
  const reachedBy = new Map<string, Edge | null>([[entry, null]]);
  const queue = [entry];
  for (let at = 0; at < queue.length && !reachedBy.has(violation); at++) {
    for (const edge of leaving.get(queue[at] as string) ?? []) {
      if (reachedBy.has(edge.target)) continue;
      reachedBy.set(edge.target, edge);
      queue.push(edge.target);
    }
  }
  if (!reachedBy.has(violation)) return null;
  const road: Edge[] = [];
  for (let edge = reachedBy.get(violation); edge; edge = reachedBy.get(edge.source)) road.push(edge);
  return road.reverse();
}

/** Threads have numbers there, or names that stand for the order in which they are created. */
function toPlaces(road: readonly Edge[]): WitnessPlace[] {
  const numbers = new Map<string, number>();
  const begun = new Set<string>();
  const numberOf = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name) as number;
  };
  return road.flatMap(({ data }, at): WitnessPlace[] => {
    const name = data.get('threadId');
    const thread = name === undefined ? null : numberOf(name);
    const child = data.get('createThread');
    if (child !== undefined) numberOf(child);
    const isLast = at === road.length - 1;
    const line = Number(data.get('startline') ?? Number.NaN);
    const common = { thread, file: null, line: Number.isInteger(line) ? line : 0, column: null };
    if (isLast) return [{ ...common, kind: 'target', conditions: [] }];
    const entered = data.get('enterFunction');
    // That a thread begins says nothing of when it goes on.
    const isFirst = name !== undefined && !begun.has(name);
    if (name !== undefined) begun.add(name);
    if (entered !== undefined && isFirst) return [];
    if (entered !== undefined) return [{ ...common, kind: 'enter', function: entered, conditions: [] }];
    if (common.line === 0) return [];
    const way = /^condition-(true|false)$/.exec(data.get('control') ?? '')?.[1];
    if (way !== undefined) return [{ ...common, kind: 'branching', conditions: [], way }];
    return [{ ...common, kind: 'statement', ...readConditions(data.get('assumption') ?? '') }];
  });
}
