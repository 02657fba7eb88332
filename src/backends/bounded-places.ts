/**
 * The places of a program as the C-to-C road sees them, for the instances of a swarm: a label is one of the bounded
 * program. Where a thread may find that it cannot go on (an assumption, a cut, an atomic section with one), it blocks.
 *
 * Calls are inlined and leave no trace in the bounded program: a statement counts as one of the function in whose text
 * it stands, and of all functions that call that one, directly or not.
 */

import { nameThreads, type PreemptionPlace, type ThreadPlaces } from '../engines/swarm/places.ts';
import { type BoundedProgram, type BoundedThread, lastLabel } from '../program/bounded-program.ts';
import { isPrimitiveStatement } from '../program/primitives.ts';
import type { FunctionDefinition, Program, Statement } from '../program/tree.ts';
import { statementsOf, walkPlainStatements, walkStatement } from '../program/visit-tree.ts';
import type { Loc, SourceMap } from '../support/source.ts';

/** `source` is the program before it was bounded. */
export function findBoundedPlaces({ threads, sources }: BoundedProgram, source: Program): readonly ThreadPlaces[] {
  const names = nameThreads(threads.map(({ startName }) => startName));
  const functionsAt = functionFinder(source, sources);
  return threads.map((thread, t) => {
    const blocking = findBlocking(thread);
    const last = lastLabel(thread);
    const places = thread.labels.places.slice(0, last).map((loc, label): PreemptionPlace => {
      const place = sources.place(loc);
      const { file = null, line = 0 } = place ?? {};
      return { file, line, functions: functionsAt(loc), blocks: blocking[label] === true };
    });
    // Main is alone before its second label: the first one after its start stands before it creates a thread.
    return { name: names[t] as string, routine: thread.startName, first: Math.min(t === 0 ? 2 : 1, last), places };
  });
}

/** By label. */
function findBlocking({ function: { body }, labels }: BoundedThread): readonly boolean[] {
  const known = new Map<Statement, boolean>();
  const found: boolean[] = [];
  walkPlainStatements(body, (statement) => {
    const items = statementsOf(statement);
    for (const [at, item] of items.entries()) {
      if (item.kind !== 'label' || !labels.symbols.has(item.label) || known.has(item)) continue;
      known.set(item, blocks(items, at + 1));
    }
    const isBlocking = known.get(statement);
    if (isBlocking !== undefined) found.push(isBlocking);
  });
  return found;
}

function blocks(items: readonly Statement[], from: number): boolean {
  let depth = 0;
  for (const item of items.slice(from)) {
    if (item.kind === 'label' || item.kind === 'declaration') continue;
    // A block begins with what follows the label; what is behind it has labels of its own.
    if (item.kind === 'block' && depth === 0) return blocks(item.items, 0);
    if (isPrimitiveStatement(item, 'atomicBegin')) depth++;
    else if (isPrimitiveStatement(item, 'atomicEnd')) depth--;
    else if (containsAssumption(item, depth > 0)) return true;
    if (depth === 0) return false;
  }
  // The section ends elsewhere: who knows.
  return depth > 0;
}

function containsAssumption(statement: Statement, isInside: boolean): boolean {
  if (!isInside) return isPrimitiveStatement(statement, 'assume');
  let found = false;
  walkPlainStatements(statement, (part) => {
    found ||= isPrimitiveStatement(part, 'assume');
  });
  return found;
}

interface Range {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

function functionFinder({ items }: Program, sources: SourceMap): (loc: Loc) => readonly string[] {
  const definitions = items.flatMap((item) => (item.kind === 'function' ? [item.definition] : []));
  const callers = findCallers(definitions);
  const ranges = new Map<string, Range[]>();
  for (const { symbol, loc, body } of definitions) {
    const [start, end] = [sources.place(loc), sources.place(body.endLoc)];
    if (!start || !end) continue;
    const range = { name: symbol.name, first: start.line, last: end.line };
    ranges.set(start.file, [...(ranges.get(start.file) ?? []), range]);
  }
  return (loc) => {
    const place = sources.place(loc);
    const inside = (place && ranges.get(place.file)) ?? [];
    const own = inside.find(({ first, last }) => place && first <= place.line && place.line <= last);
    return own ? [...(callers.get(own.name) ?? [own.name])] : [];
  };
}

/** By the name of a function: itself and all that call it, directly or not. */
function findCallers(definitions: readonly FunctionDefinition[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map<string, Set<string>>();
  for (const { symbol, body } of definitions) {
    walkStatement(body, {
      expression: (node) => {
        if (node.kind !== 'function') return;
        direct.set(node.symbol.name, (direct.get(node.symbol.name) ?? new Set()).add(symbol.name));
      },
    });
  }
  return new Map(
    definitions.map(({ symbol }) => {
      const all = new Set([symbol.name]);
      for (const name of all) for (const caller of direct.get(name) ?? []) all.add(caller);
      return [symbol.name, all] as const;
    }),
  );
}
