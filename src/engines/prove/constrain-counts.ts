/**
 * What counted variables (count-threads.ts) say of the threads: constraints of every state, and what a step of a fixed
 * thread may take for granted on top of them.
 */

import { invariant } from '../../support/invariant.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import type { Counted } from './count-threads.ts';
import type { CountedTurns } from './count-turns.ts';
import { type Body, LIVE_THREADS, MOST_THREADS, type Model, SHARED } from './graph.ts';
import { endedKey } from './system-state.ts';

export interface CountContext {
  readonly graph: TermGraph;
  readonly model: Model;
  /** By slot, and by `body:node`, `idle`, `ended`. */
  readonly slotCounters: readonly ReadonlyMap<string, Term>[];
  readonly shared: ReadonlyMap<number, Term>;
  /** By slot, what is its thread's own. */
  readonly locals: readonly ReadonlyMap<number, Term>[];
  /** Words have fewer bits than in the program. */
  readonly isNarrow: boolean;
  readonly counted: readonly Counted[];
  readonly turns: readonly CountedTurns[];
  /** The thread of a slot is one of a body, and exists. */
  isOf(slot: number, body: number): Term;
  /** A state variable for what only fixed threads change of a counted variable. */
  addRest(variable: number, width: number): Term;
  constrain(term: Term): void;
}

/** `excess`: what the variable exceeds its rest by, or the rest it: the weights of all threads of replicated bodies. */
type Count = Counted & { readonly excess: Term };
type TurnCount = CountedTurns & { readonly excess: Term };

/** What a step of a fixed thread may take for granted that looks at no peer. */
export function constrainCounts(context: CountContext): Term {
  const { graph, shared } = context;
  const counts = context.counted.map((each): Count => {
    const target = shared.get(each.variable) as Term;
    const rest = context.addRest(each.variable, graph.widthOf(target));
    return { ...each, excess: each.isTaken ? graph.sub(rest, target) : graph.sub(target, rest) };
  });
  for (const each of counts) {
    constrainCount(context, each.excess, each.weights, each.most);
    constrainByCreated(context, each);
  }
  // What is ahead of another count in every place is ahead of it in sum.
  for (const a of counts) for (const b of counts) constrainDifference(context, a, b);
  const turns = context.turns.map((each): TurnCount => {
    const target = shared.get(each.counted) as Term;
    return { ...each, excess: graph.sub(target, context.addRest(each.counted, graph.widthOf(target))) };
  });
  return areWhole(context, [
    ...counts.map((each) => wholeOf(context, each)),
    ...turns.map((each) => wholeTurns(context, each)),
  ]);
}

/**
 * A sum over threads, the part that each of them that was created is taken to have in it, and that some slot has a
 * thread with another part.
 */
interface Whole {
  readonly excess: Term;
  /** By body, the part of each of its threads. */
  readonly parts: ReadonlyMap<number, bigint>;
  readonly others: readonly Term[];
}

/** Each thread weighs what an ended one does. */
function wholeOf({ model, slotCounters }: CountContext, { excess, weights }: Count): Whole {
  const endOf = (body: number) => weights.get(endedKey(model, model.bodies[body] as Body)) ?? 0;
  const [first] = model.peers;
  const bodyAt = (key: string) => (key === 'ended' ? (first?.body ?? 0) : Number.parseInt(key, 10));
  const isOther = (key: string) => key !== 'idle' && weights.get(key) !== endOf(bodyAt(key));
  const others = slotCounters.flatMap((at) => [...at].flatMap(([key, term]) => (isOther(key) ? [term] : [])));
  return { excess, parts: new Map(model.peers.map(({ body }) => [body, BigInt(endOf(body))])), others };
}

/** Each thread has added as often as is expected. */
function wholeTurns({ graph, model, locals, isOf }: CountContext, { excess, turns }: TurnCount): Whole {
  const parts = new Map(model.peers.map(({ body }) => [body, 0n]));
  const expectedOf = (ghost: number) => model.expected.get(ghost) as bigint;
  for (const { body, ghost } of turns) parts.set(body, expectedOf(ghost));
  const others = locals.flatMap((own, slot) =>
    turns.map(({ body, ghost }) => {
      const term = own.get(ghost) as Term;
      return graph.and(
        isOf(slot, body),
        graph.not(graph.eq(term, graph.constant(graph.widthOf(term), expectedOf(ghost)))),
      );
    }),
  );
  return { excess, parts, others };
}

/**
 * Where each thread that was created has the part in a sum that is expected of it, sums are these times their number.
 * If one is not, some thread has another part in it, or was one too many to run. A step of a fixed thread leaves a slot
 * to spare, like one that looks at a peer (walk-step.ts): so that thread may be taken to be in a slot. It is one slot:
 * of several sums that are not whole, one has a thread in a slot, and not each of them.
 */
function areWhole({ graph, model, shared }: CountContext, sums: readonly Whole[]): Term {
  const counters = model.peers.map(({ body, created, room }) => ({ body, room, created: shared.get(created) }));
  if (counters.length === 0 || counters.some(({ created }) => created === undefined)) return graph.true;
  const resize = (term: Term, width: number) =>
    graph.widthOf(term) < width ? graph.extend(term, width, false) : graph.extract(term, 0, width);
  const isWhole = ({ excess, parts }: Whole) => {
    const width = graph.widthOf(excess);
    const products = counters.map(({ body, created }) =>
      graph.mul(resize(created as Term, width), graph.constant(width, parts.get(body) as bigint)),
    );
    return graph.eq(
      excess,
      products.reduce((sum, each) => graph.add(sum, each), graph.constant(width, 0n)),
    );
  };
  const isTooMany = (created: Term, room: bigint) =>
    graph.widthOf(created) < 32 ? graph.false : graph.less('ult', graph.constant(32, room), created);
  return graph.orAll([
    graph.andAll(sums.map(isWhole)),
    ...counters.map(({ created, room }) => isTooMany(created as Term, room)),
    ...sums.flatMap(({ others }) => others),
  ]);
}

/** How many threads of replicated bodies there are, or more; null where nobody counts them, or in another width. */
function countOf({ graph, model: { peers, passages, variables }, shared }: CountContext, width: number): Term | null {
  const ids = peers.length > 0 ? peers.map(({ created }) => created) : [passages?.created ?? SHARED];
  let sum: Term | null = null;
  for (const id of ids) {
    const created = shared.get(id);
    invariant(created === undefined || variables[id]?.owner === SHARED, 'what main owns is forgotten at its end');
    if (created === undefined || graph.widthOf(created) !== width) return null;
    sum = sum === null ? created : graph.add(sum, created);
  }
  return sum;
}

/**
 * No thread weighs more than the most: so the sum is at most that times their number, less what those in the slots,
 * which are some of them, are below it. That says nothing where the product may wrap, or the number stays as it is
 * because there is no larger one (count-passages.ts).
 */
function constrainByCreated(context: CountContext, { excess, weights, most }: Count): void {
  const { graph, slotCounters, constrain } = context;
  const width = graph.widthOf(excess);
  const count = countOf(context, width);
  if (count === null) return;
  const constant = (value: number) => graph.constant(width, BigInt(value));
  const below = slotCounters.flatMap((counters) =>
    [...counters].flatMap(([key, term]) => {
      const missing = most - (weights.get(key) ?? most);
      return key === 'idle' || missing === 0 ? [] : [graph.ite(term, constant(missing), constant(0))];
    }),
  );
  const sum = below.reduce((total, each) => graph.add(total, each), excess);
  const exceeds = graph.less('ult', graph.mul(count, constant(most)), sum);
  constrain(graph.not(graph.and(areFew(graph, count, most), exceeds)));
}

function constrainDifference(context: CountContext, a: Count, b: Count): void {
  const { graph } = context;
  if (a === b || graph.widthOf(a.excess) !== graph.widthOf(b.excess)) return;
  const ahead = new Map([...a.weights].map(([key, weight]) => [key, weight - (b.weights.get(key) ?? 0)]));
  const isAhead = [...ahead.values()].every((weight) => weight >= 0);
  if (isAhead) constrainCount(context, graph.sub(a.excess, b.excess), ahead, a.most);
}

/**
 * A sum of weights is at least that of the slots, and no more than the largest times the number of threads that weigh
 * anything, unless it wraps. These are alive; where ended ones weigh something, too, they are all that there ever were.
 * Where main numbers them it is an obligation that these are few (find-peers.ts); elsewhere the sum says something only
 * while those that were counted are few enough.
 */
function constrainCount(context: CountContext, excess: Term, weights: ReadonlyMap<string, number>, most: number): void {
  const { graph, model, slotCounters, isNarrow, constrain } = context;
  const width = graph.widthOf(excess);
  const constant = (value: number) => graph.constant(width, BigInt(value));
  const weightOf = (counters: ReadonlyMap<string, Term>) =>
    [...weights].reduce(
      (sum, [key, weight]) => (weight === 0 ? sum : graph.ite(counters.get(key) as Term, constant(weight), sum)),
      constant(0),
    );
  const isLess = () =>
    graph.less(
      'ult',
      excess,
      slotCounters.reduce((sum, counters) => graph.add(sum, weightOf(counters)), constant(0)),
    );
  if (model.peers.length === 0 && (weights.get('ended') ?? 0) > 0) {
    const count = countOf(context, width);
    if (count !== null) constrain(graph.not(graph.and(areFew(graph, count, most), isLess())));
    return;
  }
  const limit = BigInt(model.peers.length === 0 ? LIVE_THREADS : MOST_THREADS) * BigInt(most);
  if (!isNarrow && limit >= 1n << BigInt(width)) return;
  constrain(graph.not(isLess()));
  if (limit < 1n << BigInt(width - 1)) constrain(graph.less('ult', excess, graph.constant(width, limit + 1n)));
  else if (isNarrow) constrain(graph.not(graph.extract(excess, width - 1, 1)));
}

/** So many threads, each of which weighs the most, do not wrap; nor is their number one that there is no larger of. */
function areFew(graph: TermGraph, count: Term, most: number): Term {
  const width = graph.widthOf(count);
  return graph.less('ult', count, graph.constant(width, ((1n << BigInt(width)) - 1n) / BigInt(most)));
}
