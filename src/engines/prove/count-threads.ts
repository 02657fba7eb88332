/**
 * Counting lemma. If every step of a replicated thread adds to a shared variable a constant that is the difference of
 * the *weights* of its program counters (0 before it exists), then the variable is a rest, which only fixed threads
 * change, plus the sum of the weights of all threads. `x++` at the beginning and `x--` at the end of a critical section
 * is the typical case: x counts the threads inside.
 *
 * The sum does not wrap: there are at most MOST_THREADS threads, and variables of fewer than 24 bits are left alone.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import type { ProgramSteps } from './find-steps.ts';
import type { Body, Model, Variable } from './graph.ts';
import { type StepScope, walkStep } from './walk-step.ts';

const LEAST_WIDTH = 24;
const MOST_WEIGHT = 64;

export interface Counted {
  readonly variable: number;
  /** By the key of a counter: `body:node`, `idle`, `ended`. */
  readonly weights: ReadonlyMap<string, number>;
  readonly most: number;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly values: ReadonlyMap<number, Term>;
}

export function countThreads(
  model: Model,
  steps: ProgramSteps,
  shared: ReadonlyMap<number, Term>,
  scope: StepScope,
  graph: TermGraph,
): Counted[] {
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const edges = replicated.flatMap((body) => edgesOf(body, steps, scope));
  const counted: Counted[] = [];
  for (const [variable, term] of shared) {
    const { owner, kind, width } = model.variables[variable] as Variable;
    const isChanged = edges.some(({ values }) => values.has(variable));
    if (kind !== 'cell' || owner !== -1 || width < LEAST_WIDTH || !isChanged) continue;
    const weights = findWeights(variable, term, edges, replicated, graph);
    if (weights === null) continue;
    const most = [...weights.values()].reduce((a, b) => Math.max(a, b), 0);
    if (most <= MOST_WEIGHT) counted.push({ variable, weights, most });
  }
  return counted;
}

function edgesOf(body: Body, steps: ProgramSteps, scope: StepScope): Edge[] {
  const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
  return own.starts.flatMap((start) =>
    walkStep(body, own, start, scope).flatMap(({ end, values }): Edge[] => {
      if (end.kind !== 'finish' && end.kind !== 'node') return [];
      return [{ from: `${body.id}:${start}`, to: end.kind === 'finish' ? 'ended' : `${body.id}:${end.node}`, values }];
    }),
  );
}

/** Null where there are none, or some are negative. */
function findWeights(
  variable: number,
  term: Term,
  edges: readonly Edge[],
  replicated: readonly Body[],
  graph: TermGraph,
): Map<string, number> | null {
  const weights = new Map([['idle', 0], ...replicated.map(({ id, entry }): [string, number] => [`${id}:${entry}`, 0])]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, to, values } of edges) {
      const before = weights.get(from);
      if (before === undefined) continue;
      const added = addedTo(term, values.get(variable) ?? term, graph);
      if (added === null) return null;
      const after = before + added;
      const known = weights.get(to);
      if (known === undefined) {
        weights.set(to, after);
        changed = true;
      } else if (known !== after) return null;
    }
  }
  return [...weights.values()].some((weight) => weight < 0) ? null : weights;
}

function addedTo(before: Term, after: Term, graph: TermGraph): number | null {
  const difference = graph.constantOf(graph.sub(after, before));
  if (difference !== null) return toSmall(difference, graph.widthOf(before));
  if (graph.unrefined(after) === before) return 0;
  if (graph.operationOf(after) !== 'add' || graph.unrefined(graph.operand(after, 0)) !== before) return null;
  const added = graph.constantOf(graph.operand(after, 1));
  return added === null ? null : toSmall(added, graph.widthOf(before));
}

function toSmall(value: bigint, width: number): number | null {
  const signed = BigInt.asIntN(width, value);
  return signed >= -BigInt(MOST_WEIGHT) && signed <= BigInt(MOST_WEIGHT) ? Number(signed) : null;
}
