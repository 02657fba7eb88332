/**
 * Whether all threads are stuck in a state: each one that exists has ended or waits in a thread routine, and at least
 * one waits. A thread waits where a step begins if on some way through that step the condition of a routine does not
 * hold. As for every deadlock, a waiter that could wake up without a signal counts as stuck: inputs are whatever keeps
 * it waiting. Each thread has inputs of its own.
 *
 * A thread also waits where it stands in a loop that does nothing, and where it spins: alone, it comes back to the step in some steps, and everything that is still
 * needed is as it was, what others see also in between, but for what thread routines keep for themselves: locks that
 * are taken and given back. A loop that looks at nothing counts, too: that more states are stuck than there are costs
 * proofs, not their truth.
 *
 * Who stands so inside of an atomic section, at a loop of it, keeps all others from going on.
 *
 * Of replicated threads only those in slots are seen: a state that is stuck looks so in every choice of them.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import type { ProgramSteps } from './find-steps.ts';
import { type AnyNode, type Body, reachableFrom, SHARED, type Variable } from './graph.ts';
import { writtenBy } from './node-terms.ts';
import { type StepPath, type StepScope, walkStep } from './walk-step.ts';

/** A fixed thread, or a slot, which runs one of several bodies. */
export interface StuckThread {
  readonly bodies: readonly Body[];
  /** By `body:node`, `idle` and `ended`. */
  readonly counters: ReadonlyMap<string, Term>;
  readonly scope: StepScope;
}

/** The graph of the system, and the variables of the model. */
interface StuckModel {
  readonly graph: TermGraph;
  readonly variables: readonly Variable[];
}

export function areStuck(threads: readonly StuckThread[], steps: ProgramSteps, { graph, variables }: StuckModel): Term {
  const kept = keptByRoutines(threads.flatMap(({ bodies }) => bodies));
  const found = threads.map((thread) => stuckAt(thread, steps, graph, variables, kept));
  const areAll = graph.and(
    graph.andAll(found.map(({ waits, isOver }) => graph.or(waits, isOver))),
    graph.orAll(found.map(({ waits }) => waits)),
  );
  return graph.or(areAll, graph.orAll(found.map(({ keepsAll }) => keepsAll)));
}

function stuckAt(
  { bodies, counters, scope }: StuckThread,
  steps: ProgramSteps,
  graph: TermGraph,
  variables: readonly Variable[],
  kept: ReadonlySet<number>,
): { readonly waits: Term; readonly isOver: Term; readonly keepsAll: Term } {
  const waits: Term[] = [];
  const keepsAll: Term[] = [];
  const isOver = [counters.get('idle') as Term, counters.get('ended') as Term];
  for (const body of bodies) {
    const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
    for (const start of own.starts) {
      const here = counters.get(`${body.id}:${start}`) as Term;
      const wait = (guard: Term) => {
        waits.push(graph.and(here, guard));
        if (own.isInside(start)) keepsAll.push(graph.and(here, guard));
      };
      for (const { guard, end } of walkStep(body, own, start, scope)) {
        if (end.kind === 'waits') wait(guard);
        if (end.kind === 'stopped') isOver.push(graph.and(here, guard));
      }
      for (const idle of idleTurns(body, own, start, { scope, variables, kept })) wait(idle);
    }
  }
  return { waits: graph.orAll(waits), isOver: graph.orAll(isOver), keepsAll: graph.orAll(keepsAll) };
}

/** Longer turns are taken to change nothing; so are those of loops with more ways round. */
const MOST_STEPS = 8;
const MOST_TURNS = 400;
/** No step has more inputs. */
const INPUTS_OF_A_STEP = 1_000;

interface TurnContext {
  readonly scope: StepScope;
  readonly variables: readonly Variable[];
  readonly kept: ReadonlySet<number>;
}

/** Variables that nobody writes but thread routines. */
function keptByRoutines(bodies: readonly Body[]): ReadonlySet<number> {
  const kept = new Set<number>();
  const nodes = bodies.flatMap((body) => body.nodes);
  for (const node of nodes) if (node.isModel) for (const id of writtenBy(node)) kept.add(id);
  for (const node of nodes) if (!node.isModel) for (const id of writtenBy(node)) kept.delete(id);
  return kept;
}

/** When the thread, from the beginning of a step on, comes back to it by itself with everything as it was. */
function idleTurns(
  body: Body,
  own: ProgramSteps['bodies'][number],
  start: number,
  { scope, variables, kept }: TurnContext,
): Term[] {
  const { graph } = scope;
  const found: Term[] = [];
  if (!reachesItself(body, start)) return found;
  const work: { readonly path: StepPath | null; readonly steps: number }[] = [{ path: null, steps: 0 }];
  for (let turn = work.pop(); turn !== undefined; turn = work.pop()) {
    const { path, steps } = turn;
    const at = path?.end.kind === 'node' ? path.end.node : start;
    const from = path && { path, inputs: steps * INPUTS_OF_A_STEP };
    for (const next of walkStep(body, own, at, scope, from)) {
      const { end, values } = next;
      // It looks at one thread after the other.
      if (end.kind === 'error' && end.isLost) found.push(next.guard);
      if (end.kind !== 'node' || next.spawned.length > 0) continue;
      const isBack = end.node === start;
      const isNeeded = ({ owner, id }: Variable) => owner === SHARED || (isBack && own.live[start]?.has(id) === true);
      // A lock that is given back in between lets others in; one that is taken in between helps nobody.
      const mayDiffer = ({ id, term }: Variable) =>
        isBack || !kept.has(id) ? graph.false : isZero(graph, scope.evaluate(term, new Map()));
      const guard = graph.and(next.guard, isUnchanged(values, scope, variables, isNeeded, mayDiffer));
      if (graph.isFalse(guard)) continue;
      if (end.node === start || steps + 1 >= MOST_STEPS || work.length > MOST_TURNS) found.push(guard);
      else work.push({ path: { ...next, guard }, steps: steps + 1 });
    }
  }
  return found;
}

function reachesItself({ nodes }: Body, start: number): boolean {
  return reachableFrom(nodes, (nodes[start] as AnyNode).next).has(start);
}

/** Registers that nobody needs any more may be other ones. */
function isUnchanged(
  values: ReadonlyMap<number, Term>,
  scope: StepScope,
  variables: readonly Variable[],
  isNeeded: (variable: Variable) => boolean,
  mayDiffer: (variable: Variable) => Term,
): Term {
  const { graph } = scope;
  const needed = [...values].map(([id, value]) => ({ variable: variables[id] as Variable, value }));
  return graph.andAll(
    needed
      .filter(({ variable }) => isNeeded(variable))
      .map(({ variable, value }) =>
        graph.or(mayDiffer(variable), graph.eq(value, scope.evaluate(variable.term, new Map()))),
      ),
  );
}

function isZero(graph: TermGraph, value: Term): Term {
  return graph.eq(value, graph.constant(graph.widthOf(value), 0n));
}
