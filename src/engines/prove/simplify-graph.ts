/**
 * Makes the graph smaller without changing what can be violated: jumps are threaded, what influences no condition is
 * dropped (cone of influence), and so are assignments that nobody reads; a register that is assigned once, by a term
 * over registers that do not change meanwhile, is replaced by the term.
 *
 * Every branch stays on which something depends (drop-delays.ts): what a thread reaches, it reaches as before. A loop
 * that does nothing is the end of its thread; who waits for that thread waits for ever (find-stuck.ts).
 */

import type { Term } from '../../values/terms.ts';
import { beforeThreads } from './before-threads.ts';
import { dropDelays } from './drop-delays.ts';
import { type AnyNode, type Body, inProgramOrder, type Model, SHARED } from './graph.ts';
import { findLive, mapTerms, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** Larger terms are not copied to where they are read. */
const LARGEST_COPIED = 8;
/** Shared cells times nodes of main, for what it writes before there are threads. */
const MOST_FOLLOWED = 200_000;

export interface SimplifyOptions {
  /** Drop what influences no condition. */
  readonly slice: boolean;
  /** Replace registers by their terms. */
  readonly forward: boolean;
}

export function simplifyGraph(model: Model, options: SimplifyOptions): void {
  for (const body of model.bodies) {
    flattenSections(body);
    threadJumps(model, body);
  }
  if (options.slice) {
    dropDelays(model);
    dropIrrelevant(model);
    dropUnseen(model);
  }
  for (const body of model.bodies) {
    dropDead(model, body);
    threadJumps(model, body);
    if (!options.forward) continue;
    while (forwardOne(model, body));
    dropDead(model, body);
    threadJumps(model, body);
  }
}

// ---------------------------------------------------------------- sections

/** An atomic section in another one is part of that. */
function flattenSections(body: Body): void {
  const depths = findDepths(body);
  if (depths === null) return;
  body.nodes = body.nodes.map((node, at): AnyNode => {
    const outer = node.kind === 'begin' ? 0 : node.kind === 'end' ? 1 : null;
    const depth = depths[at];
    if (outer === null || depth === undefined || depth <= outer) return node;
    return { kind: 'set', assignments: [], loc: node.loc, isModel: node.isModel, next: node.next };
  });
}

/** In how many sections a thread is before each node that it comes to; null where that depends on its way. */
function findDepths({ nodes, entry }: Body): readonly (number | undefined)[] | null {
  const depths: (number | undefined)[] = [];
  depths[entry] = 0;
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const { kind, next } = nodes[at] as AnyNode;
    const after = (depths[at] as number) + (kind === 'begin' ? 1 : kind === 'end' ? -1 : 0);
    if (after < 0) return null;
    for (const each of next) {
      if (depths[each] !== undefined && depths[each] !== after) return null;
      if (depths[each] === undefined) work.push(each);
      depths[each] = after;
    }
  }
  return depths;
}

// ---------------------------------------------------------------- jumps

function threadJumps(model: Model, body: Body): void {
  const { graph } = model;
  const nodes = body.nodes.map((node) => decide(withoutIdle(node, model), graph));
  const stop = nodes.length;
  const first = nodes[body.entry] as AnyNode;
  nodes.push({ kind: 'stop', isEndless: true, loc: first.loc, isModel: true, next: [] });
  const target = (start: number): number => {
    const seen = new Set<number>();
    let at = start;
    for (let node = nodes[at] as AnyNode; node.kind === 'skip'; node = nodes[at] as AnyNode) {
      if (seen.has(at)) return stop;
      seen.add(at);
      at = node.next[0] as number;
    }
    return at;
  };
  const straight = nodes.map((node): AnyNode => {
    const next = node.next.map(target);
    return { ...node, next };
  });
  const entry = target(body.entry);
  const merged = straight.map((node): AnyNode => {
    const { loc, isModel, next } = node;
    // Nothing of the peer is of interest.
    if (node.kind === 'peer' && straight[next[0] as number]?.kind === 'peer')
      return { kind: 'skip', loc, isModel, next };
    if (node.kind !== 'branch' || node.next[0] !== node.next[1]) return node;
    return { kind: 'skip', loc: node.loc, isModel: node.isModel, next: [node.next[0] as number] };
  });
  compact(body, merged, entry);
  if (merged.some((node, i) => node !== straight[i])) threadJumps(model, body);
}

/**
 * An access that may go to several places is an assignment to each of them, which keeps what it holds where the access
 * goes elsewhere. Where that is known, nothing is assigned: a lock that is never taken here is not written here.
 */
function withoutIdle(node: AnyNode, { variables }: Model): AnyNode {
  if (node.kind !== 'set') return node;
  const assignments = node.assignments.filter(({ variable, value }) => variables[variable]?.term !== value);
  return assignments.length === node.assignments.length ? node : { ...node, assignments };
}

/** What the conditions decide already. */
function decide(node: AnyNode, graph: Model['graph']): AnyNode {
  const { loc, isModel } = node;
  const skip = (to: number | undefined): AnyNode => ({ kind: 'skip', loc, isModel, next: [to as number] });
  switch (node.kind) {
    case 'branch':
      if (graph.isTrue(node.condition)) return skip(node.next[0]);
      return graph.isFalse(node.condition) ? skip(node.next[1]) : node;
    case 'assume':
      if (graph.isTrue(node.condition)) return skip(node.next[0]);
      // Who waits for ever in a routine is not at an end: that is for find-waits.ts to see.
      return graph.isFalse(node.condition) && node.routine === null ? { kind: 'stop', loc, isModel, next: [] } : node;
    case 'assert':
      return graph.isTrue(node.condition) ? skip(node.next[0]) : node;
    case 'set':
      return node.assignments.length === 0 && !node.isProgress ? skip(node.next[0]) : node;
    case 'havoc':
      return node.variables.length === 0 ? skip(node.next[0]) : node;
    default:
      return node;
  }
}

function compact(body: Body, nodes: readonly AnyNode[], entry: number): void {
  const order = inProgramOrder(nodes, entry);
  const place = new Map(order.map((old, i) => [old, i]));
  body.nodes = order.map((old) => {
    const node = nodes[old] as AnyNode;
    return { ...node, next: node.next.map((next) => place.get(next) as number) };
  });
  body.entry = 0;
}

// ---------------------------------------------------------------- assignments

function dropIrrelevant(model: Model): void {
  const finder = new VariableFinder(model);
  const relevant = new Set<number>();
  const add = (term: Term) => {
    for (const variable of finder.in(term)) relevant.add(variable);
  };
  const nodes = model.bodies.flatMap((body) => body.nodes);
  for (const node of nodes) {
    if (node.kind === 'branch' || node.kind === 'assume' || node.kind === 'assert') add(node.condition);
    if (node.kind === 'peer' && node.peer !== null) for (const term of [node.peer.order, node.peer.created]) add(term);
    // Who counts the threads counts them all.
    if (node.kind === 'spawn' && node.order !== null) add(node.order);
  }
  for (const { condition, total } of model.candidates) if (total === undefined) add(condition);
  for (let size = -1; size !== relevant.size; ) {
    size = relevant.size;
    for (const { condition, total } of model.candidates) if (relevant.has(total ?? SHARED)) add(condition);
    for (const [counted, ghost] of model.passages?.ghosts ?? [])
      if (relevant.has(counted)) for (const each of [ghost, model.passages?.created ?? ghost]) relevant.add(each);
    for (const { counted, ghost } of model.turns) if (relevant.has(counted)) relevant.add(ghost);
    for (const node of nodes) {
      if (node.kind === 'set')
        for (const { variable, value } of node.assignments) if (relevant.has(variable)) add(value);
      if (node.kind !== 'spawn') continue;
      const { argument } = model.bodies[node.body] as Body;
      if (argument !== null && relevant.has(argument)) add(node.argument);
    }
  }
  for (const body of model.bodies) {
    body.nodes = body.nodes.map((node) => keepAssigned(node, (variable) => relevant.has(variable)));
    body.nodes = body.nodes.map((node) => {
      if (node.kind !== 'spawn') return node;
      const { argument } = model.bodies[node.body] as Body;
      const isRead = argument !== null && relevant.has(argument);
      return isRead ? node : { ...node, argument: model.graph.constant(model.pointerWidth, 0n) };
    });
  }
}

function dropDead(model: Model, body: Body): void {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  for (let changed = true; changed; ) {
    changed = false;
    const live = findLive(body, finder);
    body.nodes = body.nodes.map((node) => {
      const isLive = (variable: number) => node.next.some((next) => live[next]?.has(variable));
      const kept = keepAssigned(node, (variable) => !users.isPrivate(variable) || isLive(variable));
      if (kept !== node) changed = true;
      return kept;
    });
  }
}

/**
 * What main writes to shared cells before it has created any thread, and writes anew before anybody looks: what new
 * memory holds until it is initialised.
 */
function dropUnseen(model: Model): void {
  const main = model.bodies[0] as Body;
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  const cells = model.variables.filter(({ id, kind }) => kind === 'cell' && !users.isPrivate(id)).map(({ id }) => id);
  const { nodes } = main;
  if (cells.length * nodes.length > MOST_FOLLOWED) return;
  const before = beforeThreads(main);
  const isFollowed = (at: number) => before.has(at) && nodes[at]?.kind !== 'spawn' && nodes[at]?.next.length !== 0;
  /** Before each node, the cells that are written anew before anybody looks. */
  const unseen = nodes.map((_, at) => new Set(isFollowed(at) ? cells : []));
  const after = (node: AnyNode) => {
    const [first, ...others] = node.next.map((next) => unseen[next] as Set<number>);
    return [...(first ?? [])].filter((cell) => others.every((each) => each.has(cell)));
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = nodes.length - 1; at >= 0; at--) {
      if (!isFollowed(at)) continue;
      const node = nodes[at] as AnyNode;
      const read = new Set(finder.readBy(node));
      const found = new Set([...after(node), ...writtenBy(node)].filter((cell) => !read.has(cell)));
      const known = unseen[at] as Set<number>;
      for (const cell of known) if (!found.has(cell)) changed = known.delete(cell) || changed;
    }
  }
  main.nodes = nodes.map((node, at) => {
    if (!isFollowed(at)) return node;
    const dropped = new Set(after(node));
    return keepAssigned(node, (variable) => !dropped.has(variable));
  });
}

function keepAssigned(node: AnyNode, isKept: (variable: number) => boolean): AnyNode {
  if (node.kind === 'set') {
    const assignments = node.assignments.filter(({ variable }) => isKept(variable));
    return assignments.length === node.assignments.length ? node : { ...node, assignments };
  }
  if (node.kind === 'havoc') {
    const variables = node.variables.filter(isKept);
    return variables.length === node.variables.length ? node : { ...node, variables };
  }
  return node;
}

/** Replaces one register by its term; whether there was one. */
function forwardOne(model: Model, body: Body): boolean {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  const definitions = new Map<number, number[]>();
  body.nodes.forEach((node, i) => {
    for (const variable of writtenBy(node)) definitions.set(variable, [...(definitions.get(variable) ?? []), i]);
  });
  const live = findLive(body, finder);
  const replaced = new Map<number, Term>();
  const involved = new Set<number>();
  for (const [variable, places] of definitions) {
    const at = places[0] as number;
    const node = body.nodes[at] as AnyNode;
    const { kind } = model.variables[variable] as Model['variables'][number];
    if (places.length !== 1 || kind !== 'register' || node.kind !== 'set' || node.assignments.length !== 1) continue;
    // Who looks at a pointer is to be seen.
    if (model.heap?.pointers.has(variable)) continue;
    const value = node.assignments[0]?.value as Term;
    const read = finder.in(value);
    if (read.some((each) => each === variable || !users.isPrivate(each))) continue;
    if (live[body.entry]?.has(variable) || sizeOf(model, value) > LARGEST_COPIED) continue;
    const changes = (each: number) =>
      (definitions.get(each) ?? []).some((i) => body.nodes[i]?.next.some((next) => live[next]?.has(variable)));
    if (read.some(changes)) continue;
    // Several at once, as long as none of them is in the term of another.
    if (involved.has(variable) || read.some((each) => replaced.has(each))) continue;
    for (const each of [variable, ...read]) involved.add(each);
    replaced.set(variable, value);
    body.nodes[at] = { kind: 'skip', loc: node.loc, isModel: node.isModel, next: node.next };
  }
  if (replaced.size === 0) return false;
  const terms = new Map(
    [...replaced].map(([id, value]) => [(model.variables[id] as Model['variables'][number]).term, value]),
  );
  const rebuilder = new TermRebuilder(model.graph, model.graph, (term) => terms.get(term) ?? term);
  body.nodes = body.nodes.map((node) => mapTerms(node, (term) => rebuilder.rebuild(term)));
  return true;
}

function sizeOf({ graph }: Model, term: Term): number {
  let size = 0;
  const stack = [term];
  for (let top = stack.pop(); top !== undefined && size <= LARGEST_COPIED; top = stack.pop()) {
    size++;
    for (const operand of graph.operandsOf(top)) stack.push(operand);
  }
  return size;
}
