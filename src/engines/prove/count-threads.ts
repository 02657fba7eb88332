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
 * at where another way between the same places adds what the weights say.
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
  /**
   * Some steps add something else than on other ways to the same place, as nothing to a semaphore that is full, or
   * where who unlocks may be the writer or a reader: then the rest changes.
   */
  readonly isLoose: boolean;
}

/** A way of a thread of a replicated body from place to place. */
export interface ThreadWay {
  readonly body: number;
  readonly from: string;
  readonly to: string;
  readonly values: ReadonlyMap<number, Term>;
  /** What holds before the step. */
  readonly guard: Term;
}

export function findEdges(model: Model, steps: ProgramSteps, scope: StepScope): ThreadWay[] {
  return model.bodies.flatMap((body) => (body.isReplicated ? edgesOf(model, body, steps, scope) : []));
}

export function countThreads(
  model: Model,
  edges: readonly ThreadWay[],
  shared: ReadonlyMap<number, Term>,
  graph: TermGraph,
): Counted[] {
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const starts = replicated.map(({ id, entry }) => `${id}:${entry}`);
  const ends = replicated.map((body) => endedKey(model, body));
  const counted: Counted[] = [];
  for (const [variable, term] of shared) {
    const { owner, kind, width } = model.variables[variable] as Variable;
    const isChanged = edges.some(({ values }) => values.has(variable));
    if (kind !== 'cell' || owner !== -1 || width < LEAST_COUNTED_WIDTH || !isChanged) continue;
    const found = findWeights(variable, term, edges, { starts, ends }, graph);
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

function edgesOf(model: Model, body: Body, steps: ProgramSteps, scope: StepScope): ThreadWay[] {
  const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
  return own.starts.flatMap((start) =>
    walkStep(body, own, start, scope).flatMap(({ end, values, guard }): ThreadWay[] => {
      if (end.kind !== 'finish' && end.kind !== 'node') return [];
      const to = end.kind === 'finish' ? endedKey(model, body) : `${body.id}:${end.node}`;
      return [{ body: body.id, from: `${body.id}:${start}`, to, values, guard }];
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
  edges: readonly ThreadWay[],
  { starts, ends }: { readonly starts: readonly string[]; readonly ends: readonly string[] },
  graph: TermGraph,
): Weighed | null {
  const changes = edges.map(({ from, to, values, guard }): Change => {
    const after = values.get(variable) ?? term;
    const added = addedTo(term, after, graph) ?? addedToEqual(term, after, guard, graph);
    return { from, to, added };
  });
  if (!changes.every(isKnown)) return null;
  const weights = spread(changes, ['idle', ...starts], false);
  const odd = changes.filter((each) => !fits(each, weights));
  if (odd.length === 0) return { weights, isLoose: false };
  if (![-1, 1].every((sign) => changes.some(({ added }) => Math.sign(added) === sign))) return null;
  const hasOther = ({ from, to }: KnownChange, known: Weights) =>
    changes.some((each) => each.from === from && each.to === to && fits(each, known));
  if (odd.every((each) => each.added === 0 && hasOther(each, weights))) return { weights, isLoose: true };
  // Whatever a thread adds, it has taken back in the end.
  const balanced = spread(changes, ['idle', ...starts, ...ends], true);
  const isLoose = changes.every((each) => fits(each, balanced) || hasOther(each, balanced));
  return isLoose ? { weights: balanced, isLoose } : null;
}

type Weights = ReadonlyMap<string, number>;

/**
 * The weights that follow from some that are 0: first, where ends are among them, by steps that always add the same,
 * also from where they lead to; then by others, of which those that change the variable say more than those that do
 * not.
 */
function spread(changes: readonly KnownChange[], zeros: readonly string[], knowsEnd: boolean): Weights {
  const weights = new Map(zeros.map((key) => [key, 0]));
  const isPlain = ({ from, to, added }: KnownChange) =>
    knowsEnd && changes.every((each) => each.from !== from || each.to !== to || each.added === added);
  const rank = (each: KnownChange) => (isPlain(each) ? 0 : each.added === 0 ? 2 : 1);
  const ordered = changes.map((each) => ({ ...each, rank: rank(each) })).sort((a, b) => a.rank - b.rank);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { from, to, added, rank } of ordered) {
      const [before, after] = [weights.get(from), weights.get(to)];
      if (before !== undefined && after === undefined) weights.set(to, before + added);
      else if (before === undefined && after !== undefined && rank === 0) weights.set(from, after - added);
      else continue;
      hasChanged = true;
      break;
    }
  }
  return weights;
}

function fits({ from, to, added }: KnownChange, weights: Weights): boolean {
  const before = weights.get(from);
  return before === undefined || weights.get(to) === before + added;
}

type KnownChange = Change & { readonly added: number };

function isKnown(change: Change): change is KnownChange {
  return change.added !== null;
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
