/**
 * Counting lemma. If every step of a replicated thread adds to a shared variable a constant that is the difference of
 * the *weights* of its program counters (0 before it exists), then the variable is a rest, which only fixed threads
 * change, plus the sum of the weights of all threads. `x++` at the beginning and `x--` at the end of a critical section
 * is the typical case: x counts the threads inside. Where all weights are negative, as those of a semaphore are, the
 * rest is the larger one, by what the threads have taken.
 *
 * What is added to a value that the variable is compared with in the same step, and equals, is added to the variable:
 * so loops with compare-and-swap count as well.
 *
 * A step that adds something else changes the rest, which is what the variable differs from the sum by; that is looked
 * at where steps leave out what they add otherwise.
 *
 * What the sum says of the variable depends on its not wrapping (constrain-counts.ts); variables of fewer than 24 bits
 * are left alone.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { factsOf } from './facts-of-guard.ts';
import type { ProgramSteps } from './find-steps.ts';
import type { Body, Model, Variable } from './graph.ts';
import { endedKey } from './system-state.ts';
import { type StepScope, walkStep } from './walk-step.ts';

export const LEAST_COUNTED_WIDTH = 24;
export const MOST_WEIGHT = 64;

export interface Counted {
  readonly variable: number;
  /** By the key of a counter: `body:node`, `idle`, `ended` (system-state.ts). */
  readonly weights: ReadonlyMap<string, number>;
  readonly most: number;
  /** Threads take their weights from the variable: its rest exceeds it. */
  readonly isTaken: boolean;
  /** Some steps leave out what they add otherwise, such as that to a semaphore that is full: then the rest changes. */
  readonly isLoose: boolean;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly values: ReadonlyMap<number, Term>;
  /** What holds before the step. */
  readonly guard: Term;
}

export function countThreads(
  model: Model,
  steps: ProgramSteps,
  shared: ReadonlyMap<number, Term>,
  scope: StepScope,
  graph: TermGraph,
): Counted[] {
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const edges = replicated.flatMap((body) => edgesOf(model, body, steps, scope));
  const counted: Counted[] = [];
  for (const [variable, term] of shared) {
    const { owner, kind, width } = model.variables[variable] as Variable;
    const isChanged = edges.some(({ values }) => values.has(variable));
    if (kind !== 'cell' || owner !== -1 || width < LEAST_COUNTED_WIDTH || !isChanged) continue;
    const found = findWeights(variable, term, edges, replicated, graph);
    if (found === null) continue;
    const { isLoose } = found;
    const isTaken = [...found.weights.values()].some((weight) => weight < 0);
    const weights = isTaken ? new Map([...found.weights].map(([key, weight]) => [key, -weight])) : found.weights;
    if ([...weights.values()].some((weight) => weight < 0)) continue;
    const most = [...weights.values()].reduce((a, b) => Math.max(a, b), 0);
    if (most <= MOST_WEIGHT) counted.push({ variable, weights, most, isTaken, isLoose });
  }
  return counted;
}

function edgesOf(model: Model, body: Body, steps: ProgramSteps, scope: StepScope): Edge[] {
  const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
  return own.starts.flatMap((start) =>
    walkStep(body, own, start, scope).flatMap(({ end, values, guard }): Edge[] => {
      if (end.kind !== 'finish' && end.kind !== 'node') return [];
      const to = end.kind === 'finish' ? endedKey(model, body) : `${body.id}:${end.node}`;
      return [{ from: `${body.id}:${start}`, to, values, guard }];
    }),
  );
}

interface Weighed {
  readonly weights: ReadonlyMap<string, number>;
  readonly isLoose: boolean;
}

/** Null where there are no weights. */
function findWeights(
  variable: number,
  term: Term,
  edges: readonly Edge[],
  replicated: readonly Body[],
  graph: TermGraph,
): Weighed | null {
  const changes = edges.map(({ from, to, values, guard }): Change => {
    const after = values.get(variable) ?? term;
    const added = addedTo(term, after, graph) ?? addedToEqual(term, after, guard, graph);
    return { from, to, added };
  });
  if (changes.some(({ added }) => added === null)) return null;
  const weights = new Map([['idle', 0], ...replicated.map(({ id, entry }): [string, number] => [`${id}:${entry}`, 0])]);
  // What changes the variable says more than what does not.
  const ordered = changes.toSorted((a, b) => Number(a.added === 0) - Number(b.added === 0));
  for (let hasChanged = true; hasChanged; ) {
    const found = ordered.find(({ from, to }) => weights.has(from) && !weights.has(to));
    hasChanged = found !== undefined;
    if (found) weights.set(found.to, (weights.get(found.from) as number) + (found.added as number));
  }
  const fits = ({ from, to, added }: Change) =>
    !weights.has(from) || weights.get(to) === (weights.get(from) as number) + (added as number);
  const odd = changes.filter((each) => !fits(each));
  if (odd.length === 0) return { weights, isLoose: false };
  const isSkipped = ({ from, to, added }: Change) =>
    added === 0 && changes.some((each) => each.from === from && each.to === to && each.added !== 0 && fits(each));
  const goesBack = [-1, 1].every((sign) => changes.some((each) => Math.sign(each.added as number) === sign));
  return goesBack && odd.every(isSkipped) ? { weights, isLoose: true } : null;
}

interface Change {
  readonly from: string;
  readonly to: string;
  readonly added: number | null;
}

function addedTo(before: Term, after: Term, graph: TermGraph): number | null {
  const difference = graph.constantOf(graph.sub(after, before));
  if (difference !== null) return toSmall(difference, graph.widthOf(before));
  if (graph.unrefined(after) === before) return 0;
  if (graph.operationOf(after) !== 'add' || graph.unrefined(graph.operand(after, 0)) !== before) return null;
  const added = graph.constantOf(graph.operand(after, 1));
  return added === null ? null : toSmall(added, graph.widthOf(before));
}

/** As `x = old + 1` is, where `x == old`: what swaps do that compare. The step is one of those in which that holds. */
function addedToEqual(before: Term, after: Term, guard: Term, graph: TermGraph): number | null {
  for (const each of factsOf(guard, graph)) {
    if (graph.operationOf(each) !== 'eq') continue;
    const [left, right] = graph.operandsOf(each).map((operand) => graph.unrefined(operand)) as [Term, Term];
    const other = left === before ? right : right === before ? left : null;
    const added = other === null || graph.constantOf(other) !== null ? null : addedTo(other, after, graph);
    if (added !== null) return added;
  }
  return null;
}

function toSmall(value: bigint, width: number): number | null {
  const signed = BigInt.asIntN(width, value);
  return signed >= -BigInt(MOST_WEIGHT) && signed <= BigInt(MOST_WEIGHT) ? Number(signed) : null;
}
