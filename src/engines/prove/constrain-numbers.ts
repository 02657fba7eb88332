/**
 * What holds of the numbers of threads in every state: no two threads have the same. Peers (find-peers.ts) are numbered
 * from after the others on, by a count that nothing but a creation changes; and they are so many at most.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { type Body, MOST_THREADS, type Model } from './graph.ts';

export interface NumberContext {
  readonly graph: TermGraph;
  readonly model: Model;
  /** By slot: what each thread has for itself, and where it is. */
  readonly locals: readonly ReadonlyMap<number, Term>[];
  readonly slotCounters: readonly ReadonlyMap<string, Term>[];
  readonly shared: ReadonlyMap<number, Term>;
  /** Whether the thread of a slot is one of a body. */
  isOf(slot: number, body: number): Term;
  /** Words have fewer bits than in the program. */
  readonly isNarrow: boolean;
  constrain(term: Term): void;
}

export function constrainNumbers(context: NumberContext): void {
  if (context.model.peers.length > 0) constrainPeers(context);
  else constrainNames(context);
}

/** Numbers are names: they differ from those of fixed threads, and from each other. */
function constrainNames(context: NumberContext): void {
  const { graph, model, locals, slotCounters, constrain } = context;
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const fixed = model.bodies.filter(({ isReplicated }) => !isReplicated);
  const isIdle = (slot: number) => slotCounters[slot]?.get('idle') as Term;
  const selves = locals.map((terms) =>
    replicated.flatMap(({ self }) => (self === null ? [] : (terms.get(self) ?? []))),
  );
  selves.forEach((mine, s) => {
    for (const self of mine) {
      for (const { number } of fixed) {
        const differs = graph.not(graph.eq(self, graph.constant(graph.widthOf(self), BigInt(number))));
        constrain(graph.or(isIdle(s), differs));
      }
      selves.slice(s + 1).forEach((others, i) => {
        for (const other of others) {
          const areIdle = graph.or(isIdle(s), isIdle(s + 1 + i));
          if (graph.widthOf(other) === graph.widthOf(self) && replicated.length === 1)
            constrain(graph.or(areIdle, graph.not(graph.eq(self, other))));
        }
      });
    }
  });
  if (replicated.length > 1) constrainKinds(context, replicated);
}

/** The bodies of two slots may differ; then so do their variables, of which only the body's own counts. */
function constrainKinds({ graph, locals, slotCounters, constrain }: NumberContext, replicated: readonly Body[]): void {
  const runs = locals.map((terms, slot) =>
    replicated.flatMap(({ id, self }) => {
      const term = self === null ? undefined : terms.get(self);
      const counters = [...(slotCounters[slot] ?? [])].filter(([key]) => key.startsWith(`${id}:`));
      return term === undefined ? [] : [{ number: term, isHere: graph.orAll(counters.map(([, counter]) => counter)) }];
    }),
  );
  runs.forEach((mine, s) => {
    for (const a of mine) {
      for (const b of runs.slice(s + 1).flat()) {
        if (graph.widthOf(a.number) !== graph.widthOf(b.number)) continue;
        const areHere = graph.and(a.isHere, b.isHere);
        constrain(graph.not(graph.and(areHere, graph.eq(a.number, b.number))));
      }
    }
  });
}

/** Of each body: they are so many at most, a thread has the count of those before it, and no other has the same. */
function constrainPeers({ graph, model, locals, shared, isNarrow, isOf, constrain }: NumberContext): void {
  for (const { body, created: counter, first } of model.peers) {
    const created = shared.get(counter);
    if (created !== undefined && !isNarrow)
      constrain(graph.less('ult', created, graph.constant(32, BigInt(MOST_THREADS) - first + 1n)));
    const self = model.bodies[body]?.self as number;
    const selves = locals.flatMap((terms, slot) => {
      const number = terms.get(self);
      return number === undefined ? [] : [{ number, isOther: graph.not(isOf(slot, body)) }];
    });
    selves.forEach((mine, i) => {
      if (created !== undefined) constrain(graph.or(mine.isOther, graph.less('ult', mine.number, created)));
      for (const other of selves.slice(i + 1))
        constrain(graph.orAll([mine.isOther, other.isOther, graph.not(graph.eq(mine.number, other.number))]));
    });
  }
}
