/**
 * What holds of the numbers of threads in every state: no two threads have the same. Peers (find-peers.ts) are numbered
 * from after the others on, by a count that nothing but a creation changes; and they are so many at most.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { MOST_THREADS, type Model } from './graph.ts';

export interface NumberContext {
  readonly graph: TermGraph;
  readonly model: Model;
  /** By slot: what each thread has for itself, and where it is. */
  readonly locals: readonly ReadonlyMap<number, Term>[];
  readonly slotCounters: readonly ReadonlyMap<string, Term>[];
  readonly shared: ReadonlyMap<number, Term>;
  /** Words have fewer bits than in the program. */
  readonly isNarrow: boolean;
  constrain(term: Term): void;
}

export function constrainNumbers(context: NumberContext): void {
  const { graph, model, slotCounters, constrain } = context;
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const isIdle = (slot: number) => slotCounters[slot]?.get('idle') as Term;
  const selves = context.locals.map((terms) =>
    replicated.flatMap(({ self }) => (self === null ? [] : (terms.get(self) ?? []))),
  );
  constrainCreated(context, selves, isIdle);
  const fixed = model.peers === null ? model.bodies.filter(({ isReplicated }) => !isReplicated) : [];
  selves.forEach((mine, s) => {
    for (const self of mine) {
      for (const { number } of fixed) {
        const differs = graph.not(graph.eq(self, graph.constant(graph.widthOf(self), BigInt(number))));
        constrain(graph.or(isIdle(s), differs));
      }
      // The bodies of the two slots may differ; then so do their variables, of which only the body's own counts.
      selves.slice(s + 1).forEach((others, i) => {
        for (const other of others) {
          const areIdle = graph.or(isIdle(s), isIdle(s + 1 + i));
          if (graph.widthOf(other) === graph.widthOf(self) && replicated.length === 1)
            constrain(graph.or(areIdle, graph.not(graph.eq(self, other))));
        }
      });
    }
  });
}

function constrainCreated(
  { graph, model: { peers }, shared, isNarrow, constrain }: NumberContext,
  selves: readonly (readonly Term[])[],
  isIdle: (slot: number) => Term,
): void {
  const created = peers === null ? undefined : shared.get(peers.created);
  if (peers === null || created === undefined) return;
  if (!isNarrow) constrain(graph.less('ult', created, graph.constant(32, BigInt(MOST_THREADS) - peers.unit + 1n)));
  // A thread has the count of those before it.
  selves.forEach((mine, s) => {
    for (const self of mine) constrain(graph.or(isIdle(s), graph.less('ult', self, created)));
  });
}
