/**
 * What counted variables (count-threads.ts) say of the threads: constraints of every state, and what a step of a fixed
 * thread may take for granted on top of them.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { maxUnsigned } from '../../values/value-set.ts';
import type { Counted } from './count-threads.ts';
import { MOST_THREADS, type Model, selfNumbers } from './graph.ts';

export interface CountContext {
  readonly graph: TermGraph;
  readonly model: Model;
  /** By slot, and by `body:node`, `idle`, `ended`. */
  readonly slotCounters: readonly ReadonlyMap<string, Term>[];
  readonly shared: ReadonlyMap<number, Term>;
  /** Words have fewer bits than in the program. */
  readonly isNarrow: boolean;
  readonly counted: readonly Counted[];
  /** A state variable for what only fixed threads change of a counted variable. */
  addRest(variable: number, width: number): Term;
  constrain(term: Term): void;
}

/** `excess`: what the variable exceeds its rest by, the weights of all threads of the replicated bodies. */
type Count = Counted & { readonly excess: Term };

/** What a step of a fixed thread may take for granted that looks at no peer. */
export function constrainCounts(context: CountContext): Term {
  const { graph, shared } = context;
  const counts = context.counted.map((each): Count => {
    const target = shared.get(each.variable) as Term;
    return { ...each, excess: graph.sub(target, context.addRest(each.variable, graph.widthOf(target))) };
  });
  for (const each of counts) constrainCount(context, each.excess, each.weights, each.most);
  // What is ahead of another count in every place is ahead of it in sum.
  for (const a of counts) for (const b of counts) constrainDifference(context, a, b);
  return graph.andAll(counts.map((each) => isWhole(context, each)));
}

/**
 * Where all threads that were created weigh what an ended one does, a count exceeds its rest by that weight times their
 * number. If it does not, some thread weighs something else, or was one too many to run. A step of a fixed thread
 * leaves a slot to spare, like one that looks at a peer (walk-step.ts): so that thread may be taken to be in a slot.
 */
function isWhole({ graph, model, shared, slotCounters }: CountContext, { excess, weights }: Count): Term {
  const { peers } = model;
  const created = peers === null ? undefined : shared.get(peers.created);
  const width = graph.widthOf(excess);
  if (peers === null || created === undefined || graph.widthOf(created) !== width) return graph.true;
  const constant = (value: bigint) => graph.constant(width, value);
  const count = graph.sub(created, constant(peers.first - peers.unit));
  const end = weights.get('ended') ?? 0;
  const whole = graph.mul(count, constant(BigInt(end)));
  const last = maxUnsigned(selfNumbers(model));
  const isTooMany = width < 32 ? graph.false : graph.less('ult', constant(last + 1n), created);
  const others = slotCounters.flatMap((counters) =>
    [...counters].flatMap(([key, term]) => (key === 'idle' || weights.get(key) === end ? [] : [term])),
  );
  return graph.orAll([graph.eq(excess, whole), isTooMany, ...others]);
}

function constrainDifference(context: CountContext, a: Count, b: Count): void {
  const { graph } = context;
  if (a === b || graph.widthOf(a.excess) !== graph.widthOf(b.excess)) return;
  const ahead = new Map([...a.weights].map(([key, weight]) => [key, weight - (b.weights.get(key) ?? 0)]));
  const isAhead = [...ahead.values()].every((weight) => weight >= 0);
  if (isAhead) constrainCount(context, graph.sub(a.excess, b.excess), ahead, a.most);
}

/**
 * Of the threads there are at most MOST_THREADS: so a sum of weights is at least that of the slots, and no more than so
 * many times the largest.
 */
function constrainCount(
  { graph, slotCounters, isNarrow, constrain }: CountContext,
  excess: Term,
  weights: ReadonlyMap<string, number>,
  most: number,
): void {
  const width = graph.widthOf(excess);
  const constant = (value: number) => graph.constant(width, BigInt(value));
  const weightOf = (counters: ReadonlyMap<string, Term>) =>
    [...weights].reduce(
      (sum, [key, weight]) => (weight === 0 ? sum : graph.ite(counters.get(key) as Term, constant(weight), sum)),
      constant(0),
    );
  const least = slotCounters.reduce((sum, counters) => graph.add(sum, weightOf(counters)), constant(0));
  constrain(graph.not(graph.less('ult', excess, least)));
  const limit = BigInt(MOST_THREADS) * BigInt(most);
  if (limit < 1n << BigInt(width - 1)) constrain(graph.less('ult', excess, graph.constant(width, limit + 1n)));
  else if (isNarrow) constrain(graph.not(graph.extract(excess, width - 1, 1)));
}
