/**
 * All paths of one step, from where it begins to where the next begins, as guards and assignments over terms.
 *
 * A step of a fixed thread may look at one thread of a replicated body, its *peer*, which it knows by `self`. The
 * path then goes on once for every slot, where that slot has this thread, and once for the case that there is no such
 * thread. That the thread may be elsewhere, in no slot, need not be followed: a clause about k threads is asked about
 * with k+1 slots (build-system.ts). If the step breaks the clause for some k threads, these and the peer, or any other
 * where it is among them, are one choice of threads for the slots, in which the step is followed. So a second peer of
 * the same step, or one of a step of a replicated thread, which takes a slot itself, is not followed but is an error:
 * no proof. A thread that is created in the same step is in no slot before it: it is the new one, if that is plain, or
 * an error as well.
 */

import type { CheckName } from '../../program/check-names.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { underGuard } from './facts-of-guard.ts';
import { type BodySteps, isWait, type StepProgress } from './find-steps.ts';
import { type AnyNode, type Assignment, type Body, NotProvableError } from './graph.ts';

const MOST_PATHS = 6_000;

export interface StepPath {
  readonly guard: Term;
  readonly values: ReadonlyMap<number, Term>;
  readonly end: PathEnd;
  readonly spawned: readonly Spawned[];
  /** The slot that it looks at, and what it assigns there. */
  readonly peer: SlotPeer | null;
  /** The nodes that it went through, from the last one on. */
  readonly trail: Trail | null;
}

export interface Trail {
  readonly node: number;
  /** Before the node. */
  readonly values: ReadonlyMap<number, Term>;
  readonly before: Trail | null;
}

export interface SlotPeer {
  readonly slot: number;
  readonly body: number;
  readonly order: Term;
  readonly values: ReadonlyMap<number, Term>;
}

export type PathEnd =
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'finish' }
  /** No step: a thread routine waits on the way, or the thread goes round a loop that does nothing; main has ended. */
  | { readonly kind: 'waits' }
  | { readonly kind: 'stopped' }
  /** `isLost`: not an error of the program, but a path that is not followed. */
  | { readonly kind: 'error'; readonly loc: Loc; readonly check: CheckName | null; readonly isLost: boolean };

export interface Spawned {
  readonly body: number;
  readonly argument: Term;
  /** The new thread's number, of peers from 0 on. */
  readonly number: Term;
  /** What its cells of peers hold from the beginning. */
  readonly values: ReadonlyMap<number, Term>;
}

/** Whose variables of peers are meant: a slot's, those of a new thread, of none at all, or the thread's own. */
type PeerNow = 'slot' | 'new' | 'none' | 'own';

/** What the walk needs to know of the system. */
export interface StepScope {
  readonly graph: TermGraph;
  /** A term of the model, where variables have these values; `slot`: whose peers' cells are meant. */
  evaluate(term: Term, values: ReadonlyMap<number, Term>, slot?: number): Term;
  /** Cells of peers. */
  readonly peerCells: ReadonlySet<number>;
  /** How a cell of a peer begins. */
  firstValue(cell: number): Term;
  /** The slots among which peers are looked for; null where the thread has a slot itself. */
  readonly peerSlots: readonly number[] | null;
  /** Whether the thread of a body with this `self` is in the slot. */
  isPeer(slot: number, body: number, order: Term): Term;
  /** Whether some thread has the address of an object, at a node of this one and with these values. */
  isHeld(object: number, body: Body, node: number, values: ReadonlyMap<number, Term>): Term;
  /** Whether some slot has a thread that has not come to its end. */
  anyRuns(): Term;
  /** The number of the peer of a body whose `self` is 0. */
  firstNumber(body: number): bigint;
  /** The n-th input of a step, of a variable's width. */
  input(index: number, variable: number, isBool: boolean): Term;
  /** The number that a new thread gets. */
  newNumber(body: number, index: number): Term;
  /** The walk comes to a node, from another (null: where the step begins). */
  visit(body: number, node: number, from: number | null): void;
}

interface Walk {
  readonly node: number;
  readonly from: number | null;
  readonly guard: Term;
  readonly values: ReadonlyMap<number, Term>;
  readonly progress: StepProgress;
  readonly inputs: number;
  readonly spawned: readonly Spawned[];
  readonly peer: SlotPeer | null;
  readonly peerNow: PeerNow;
  readonly trail: Trail | null;
}

/** `from`: after a path that ends where the step begins, with inputs from that number on. */
export function walkStep(
  body: Body,
  steps: BodySteps,
  start: number,
  scope: StepScope,
  from: { readonly path: StepPath; readonly inputs: number } | null = null,
): StepPath[] {
  const { graph } = scope;
  const paths: StepPath[] = [];
  const { guard, values } = from?.path ?? { guard: graph.true, values: new Map<number, Term>() };
  const work: Walk[] = [
    {
      ...{
        node: start,
        from: null,
        guard,
        values,
        progress: steps.startAt(start),
        inputs: from?.inputs ?? 0,
        spawned: [],
      },
      ...{ peer: from?.path.peer ?? null, peerNow: 'own', trail: from?.path.trail ?? null },
    },
  ];
  for (let walk = work.pop(); walk !== undefined; walk = work.pop()) {
    if (paths.length > MOST_PATHS)
      throw new NotProvableError((body.nodes[start] as AnyNode).loc, 'too many ways through one step');
    for (const following of advance(body, steps, walk, scope, paths)) {
      if (!graph.isFalse(following.guard)) work.push(following);
    }
  }
  return paths;
}

/** One node further; finished paths are added. */
function advance(body: Body, steps: BodySteps, walk: Walk, scope: StepScope, paths: StepPath[]): Walk[] {
  const { graph } = scope;
  const { guard, values, spawned, peer } = walk;
  const trail: Trail = { node: walk.node, values, before: walk.trail };
  const seen = withPeer(walk, scope);
  const evaluate = (term: Term) => scope.evaluate(term, seen, peer?.slot);
  scope.visit(body.id, walk.node, walk.from);
  const progress = steps.goOn(walk.node, walk.progress);
  if (progress === null) {
    paths.push({ guard, values, spawned, peer, trail: walk.trail, end: { kind: 'node', node: walk.node } });
    return [];
  }
  const node = body.nodes[walk.node] as AnyNode;
  const follow = (change: Partial<Walk>, branch = 0): Walk => ({
    ...walk,
    progress,
    trail,
    from: walk.node,
    node: node.next[branch] as number,
    ...change,
  });
  switch (node.kind) {
    case 'finish':
      paths.push({ guard, values, spawned, peer, trail, end: { kind: 'finish' } });
      return [];
    case 'stop':
      if (node.endsThread || node.isEndless)
        paths.push({ guard, values, spawned, peer, trail, end: { kind: node.endsThread ? 'stopped' : 'waits' } });
      return [];
    case 'skip':
    case 'begin':
    case 'end':
      return [follow({})];
    case 'set':
      return assign(walk, node, evaluate, scope, paths).map((change) => follow(change));
    case 'havoc': {
      const after = new Map(values);
      node.variables.forEach((variable, i) => {
        after.set(variable, scope.input(walk.inputs + i, variable, node.isBool));
      });
      return [follow({ values: after, inputs: walk.inputs + node.variables.length })];
    }
    case 'assume': {
      const holds = underGuard(evaluate(node.condition), guard, graph);
      const waits = isWait(node) && steps.isInside(walk.node) ? graph.and(guard, graph.not(holds)) : graph.false;
      if (!graph.isFalse(waits)) paths.push({ guard: waits, values, spawned, peer, trail, end: { kind: 'waits' } });
      return [follow({ guard: graph.and(guard, holds) })];
    }
    case 'assert': {
      const holds = evaluate(node.condition);
      const fails = graph.and(guard, graph.not(holds));
      const end: PathEnd = { kind: 'error', loc: node.loc, check: node.check, isLost: false };
      if (!graph.isFalse(fails)) paths.push({ guard: fails, values: new Map(), spawned: [], peer, trail, end });
      return [follow({ guard: graph.and(guard, holds) })];
    }
    case 'branch': {
      const condition = underGuard(evaluate(node.condition), guard, graph);
      return [
        follow({ guard: graph.and(guard, graph.not(condition)) }, 1),
        follow({ guard: graph.and(guard, condition) }, 0),
      ];
    }
    case 'spawn': {
      const argument = evaluate(node.argument);
      const order = node.order === null ? null : evaluate(node.order);
      const number =
        order === null
          ? scope.newNumber(node.body, walk.inputs)
          : graph.add(order, graph.constant(graph.widthOf(order), scope.firstNumber(node.body)));
      const after = new Map(values).set(node.number, number);
      const created = { body: node.body, argument, number: order ?? number, values: new Map<number, Term>() };
      return [follow({ values: after, inputs: walk.inputs + 1, spawned: [...spawned, created] })];
    }
    case 'fresh': {
      const held = graph.and(guard, scope.isHeld(node.object, body, walk.node, seen));
      const end: PathEnd = { kind: 'error', loc: node.loc, check: null, isLost: true };
      if (!graph.isFalse(held)) paths.push({ guard: held, values: new Map(), spawned: [], peer, trail, end });
      return [follow({ guard: graph.and(guard, graph.not(held)) })];
    }
    case 'alone': {
      const runs = graph.and(guard, scope.anyRuns());
      const end: PathEnd = { kind: 'error', loc: node.loc, check: null, isLost: true };
      if (!graph.isFalse(runs)) paths.push({ guard: runs, values: new Map(), spawned: [], peer, trail, end });
      return [follow({ guard: graph.and(guard, graph.not(scope.anyRuns())) })];
    }
    case 'peer':
      return findPeer(walk, node, evaluate, scope, paths).map((change) => follow(change));
    case 'load':
    case 'store':
    case 'enter':
    case 'leave':
    case 'free':
    case 'allocate':
    case 'claim':
      throw new NotProvableError(node.loc, 'an access that was not resolved');
    default:
      return assertNever(node);
  }
}

/** What variables hold, with those of whoever is meant. */
function withPeer({ values, peer, peerNow, spawned }: Walk, scope: StepScope): ReadonlyMap<number, Term> {
  if (peerNow === 'own') return values;
  const own = peerNow === 'slot' ? peer?.values : peerNow === 'new' ? spawned.at(-1)?.values : undefined;
  const seen = new Map(values);
  for (const cell of scope.peerCells) {
    const value = own?.get(cell) ?? (peerNow === 'slot' ? undefined : scope.firstValue(cell));
    if (value === undefined) seen.delete(cell);
    else seen.set(cell, value);
  }
  return seen;
}

/** What is not followed is an error. */
function lose({ guard, peer, trail }: Walk, { loc }: AnyNode, paths: StepPath[]): [] {
  const end: PathEnd = { kind: 'error', loc, check: null, isLost: true };
  paths.push({ guard, values: new Map(), spawned: [], peer, trail, end });
  return [];
}

/** The walks after a node `peer`, as far as they differ. */
function findPeer(
  walk: Walk,
  node: Extract<AnyNode, { kind: 'peer' }>,
  evaluate: (term: Term) => Term,
  scope: StepScope,
  paths: StepPath[],
): Partial<Walk>[] {
  const { graph } = scope;
  if (node.peer === null) return [{ peerNow: 'own' }];
  const { body, isNew } = node.peer;
  const order = evaluate(node.peer.order);
  const last = walk.spawned.at(-1);
  // Who is created in this step is in no slot yet.
  if (last?.body === body && last.number === order) return [{ peerNow: 'new' }];
  if (isNew) return lose(walk, node, paths);
  const isOfStep = graph.orAll(
    walk.spawned.flatMap((each) => (each.body === body ? [graph.eq(each.number, order)] : [])),
  );
  if (!graph.isFalse(isOfStep)) lose({ ...walk, guard: graph.and(walk.guard, isOfStep) }, node, paths);
  if (walk.peer?.body === body && walk.peer.order === order) return [{ peerNow: 'slot' }];
  if (walk.peer !== null || scope.peerSlots === null) return lose(walk, node, paths);
  const isThere = graph.less('ult', order, evaluate(node.peer.created));
  const found = scope.peerSlots.map((slot): Partial<Walk> => {
    const guard = graph.andAll([walk.guard, isThere, scope.isPeer(slot, body, order)]);
    return { guard, peer: { slot, body, order, values: new Map() }, peerNow: 'slot' };
  });
  return [...found, { guard: graph.and(walk.guard, graph.not(isThere)), peerNow: 'none' }];
}

function assign(
  walk: Walk,
  node: Extract<AnyNode, { kind: 'set' }>,
  evaluate: (term: Term) => Term,
  scope: StepScope,
  paths: StepPath[],
): Partial<Walk>[] {
  const { values, peer, peerNow, spawned } = walk;
  const isOfPeer = ({ variable }: Assignment) => peerNow !== 'own' && scope.peerCells.has(variable);
  const after = new Map(values);
  const theirs = new Map(peerNow === 'slot' ? peer?.values : spawned.at(-1)?.values);
  for (const each of node.assignments) (isOfPeer(each) ? theirs : after).set(each.variable, evaluate(each.value));
  if (!node.assignments.some(isOfPeer)) return [{ values: after }];
  if (peerNow === 'slot' && peer !== null) return [{ values: after, peer: { ...peer, values: theirs } }];
  const created = spawned.at(-1);
  if (peerNow === 'none' || created === undefined) return lose(walk, node, paths);
  return [{ values: after, spawned: [...spawned.slice(0, -1), { ...created, values: theirs }] }];
}
