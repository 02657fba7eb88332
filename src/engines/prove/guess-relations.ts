/**
 * What ghosts that count have to do with the loop counters of the thread that they count for, as candidates for
 * invariants: `additions == 20 * i + j` at the head of a loop in a loop, `additions == 500 - i` where one counts down.
 * They are guessed from what a thread does that runs alone (run-alone.ts): at each place in a loop a line is put
 * through what was seen there (fit-relation.ts).
 */

import type { Term } from '../../values/terms.ts';
import { Additions } from './count-passages.ts';
import { fitRelation, type Sample } from './fit-relation.ts';
import { type AnyNode, type Body, type CountRelation, findCyclic, type Model, type Variable } from './graph.ts';
import { assignedBy } from './node-terms.ts';
import { type ReadValue, runAlone } from './run-alone.ts';

/** At each place, from the beginning. */
const MOST_SAMPLES = 300;
const MOST_COUNTERS = 4;
/** Of one variable, at different places. */
const MOST_RELATIONS = 8;

/** What is to be related to the counters: a ghost, or a variable of the thread that is added to something. */
export interface Related {
  readonly variable: number;
  /** The variable that it is about: where that is of no interest, nor is this. */
  readonly total: number;
}

/** Adds candidates to the model. What the variables are at the end of the run; null where it does not come to one. */
export function guessRelations(
  model: Model,
  body: Body,
  related: readonly Related[],
  poll: () => void,
): ReadValue | null {
  const counters = findCounters(model, body).slice(0, MOST_COUNTERS);
  const series = related.map((each) => ({ ...each, counters: counters.filter((id) => id !== each.variable) }));
  const samples = new Map([...findCyclic(body.nodes)].map((at) => [at, series.map((): Sample[] => [])]));
  const take = (node: number, read: ReadValue) => {
    const taken = samples.get(node);
    if (taken === undefined || taken.every((each) => each.length >= MOST_SAMPLES)) return;
    series.forEach(({ variable, counters: own }, i) => {
      const value = signedOf(model, variable, read);
      const seen = own.map((counter) => signedOf(model, counter, read)).filter((each) => each !== null);
      if (value !== null && seen.length === own.length) taken[i]?.push({ value, counters: seen });
    });
  };
  const last = runAlone(model, body, take, poll);
  if (last === null) return null;
  series.forEach(({ variable, total, counters: own }, i) => {
    const found = new Set<Term>();
    for (const [at, taken] of samples) {
      const fitted = fitRelation(taken[i] as Sample[]);
      if (fitted === null) continue;
      const { scale, constant, coefficients } = fitted;
      const parts = own.map((counter, each) => ({ counter, times: coefficients[each] as bigint }));
      const relation = { body: body.id, variable, scale, constant, parts: parts.filter(({ times }) => times !== 0n) };
      const condition = conditionOf(model, relation);
      if (found.has(condition) || found.size >= MOST_RELATIONS) continue;
      found.add(condition);
      model.candidates.push({ condition, loc: (body.nodes[at] as AnyNode).loc, total, relation });
    }
  });
  return last;
}

/** The thread's own variables that go up or down by constants in loops. */
function findCounters(model: Model, body: Body): number[] {
  const additions = new Additions(model, body);
  const cyclic = [...findCyclic(body.nodes)].map((at) => body.nodes[at] as AnyNode);
  return model.variables.flatMap(({ id, owner, kind }): number[] => {
    if (owner !== body.id || (kind !== 'register' && kind !== 'cell')) return [];
    const isCounted = cyclic.some((node) => {
      const value = assignedBy(node, id);
      return value !== null && additions.signed(value) !== null;
    });
    return isCounted ? [id] : [];
  });
}

function signedOf({ variables }: Model, variable: number, read: ReadValue): bigint | null {
  const value = read(variable);
  return value === null ? null : BigInt.asIntN((variables[variable] as Variable).width, value);
}

function conditionOf({ graph, variables }: Model, { variable, scale, constant, parts }: CountRelation): Term {
  const { term, width } = variables[variable] as Variable;
  const times = (each: Term, factor: bigint) => graph.mul(each, graph.constant(width, factor));
  const resized = ({ term: own, width: from }: Variable) =>
    from < width ? graph.extend(own, width, true) : graph.extract(own, 0, width);
  const sum = parts.reduce<Term>(
    (all, part) => graph.add(all, times(resized(variables[part.counter] as Variable), part.times)),
    graph.constant(width, constant),
  );
  return graph.eq(times(term, scale), sum);
}
