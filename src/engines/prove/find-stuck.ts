/**
 * Whether all threads are stuck in a state: each one that exists has ended or waits in a thread routine, and at least
 * one waits. A thread waits where a step begins if on some way through that step the condition of a routine does not
 * hold. As for every deadlock, a waiter that could wake up without a signal counts as stuck: inputs are whatever keeps
 * it waiting. Each thread has inputs of its own.
 *
 * A thread also waits where it stands in a loop that does nothing, and where it spins: alone, it comes back to the step
 * in some steps, and everything that is still needed is as it was. What was different in between must be nothing that
 * another one looks at while it waits, but for what thread routines keep for themselves: locks that are taken and given
 * back. What others look at is what they read on their way to where they wait. A loop that looks at nothing counts,
 * too: that more states are stuck than there are costs proofs, not their truth.
 *
 * Who stands so inside of an atomic section keeps all others from going on.
 *
 * Of replicated threads only those in slots are seen: a state that is stuck looks so in every choice of them.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { signOfSum } from './find-idle-loops.ts';
import type { ProgramSteps } from './find-steps.ts';
import { type AnyNode, type Body, type Model, reachableFrom, SHARED, type Variable } from './graph.ts';
import { assignedBy, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';
import { endedKey } from './system-state.ts';
import { type StepPath, type StepScope, type Trail, walkStep } from './walk-step.ts';

/** A fixed thread, or a slot, which runs one of several bodies. */
export interface StuckThread {
  readonly bodies: readonly Body[];
  /** By `body:node`, `idle` and `ended`. */
  readonly counters: ReadonlyMap<string, Term>;
  readonly scope: StepScope;
}

/** A way to stand still. */
interface Standstill {
  readonly guard: Term;
  /** The variables that are read again and again. */
  readonly looksAt: ReadonlySet<number>;
  /** By variable that all share: when it is different in between. */
  readonly changes: Changes;
  readonly isInside: boolean;
}

type Changes = ReadonlyMap<number, Term>;

interface StuckWays {
  readonly waits: readonly Standstill[];
  readonly isOver: Term;
}

/** In the graph of the system. */
export function areStuck(threads: readonly StuckThread[], steps: ProgramSteps, graph: TermGraph, model: Model): Term {
  const kept = keptByRoutines(threads.flatMap(({ bodies }) => bodies));
  const found = threads.map((thread) => stuckAt(thread, steps, graph, model, kept));
  const waits = found.map((each) => {
    const others = found.filter((other) => other !== each);
    const known = new Map<number, Term>();
    const isUnseen = (variable: number) => {
      const unseen = known.get(variable) ?? graph.andAll(others.map((other) => looksElsewhere(graph, other, variable)));
      known.set(variable, unseen);
      return unseen;
    };
    return each.waits.map(({ guard, changes, isInside }) => {
      const areUnseen = [...changes].map(([id, differs]) => graph.or(graph.not(differs), isUnseen(id)));
      return { isInside, guard: graph.andAll([guard, ...areUnseen]) };
    });
  });
  const anyOf = (ways: readonly { readonly guard: Term }[]) => graph.orAll(ways.map(({ guard }) => guard));
  const areAll = graph.and(
    graph.andAll(found.map(({ isOver }, i) => graph.or(anyOf(waits[i] ?? []), isOver))),
    anyOf(waits.flat()),
  );
  return graph.or(areAll, anyOf(waits.flat().filter(({ isInside }) => isInside)));
}

/** Whether a thread may be over, or stand still, without a look at a variable: not to see some looks is fine. */
function looksElsewhere(graph: TermGraph, { waits, isOver }: StuckWays, variable: number): Term {
  return graph.orAll([isOver, ...waits.flatMap(({ guard, looksAt }) => (looksAt.has(variable) ? [] : [guard]))]);
}

function stuckAt(
  { bodies, counters, scope }: StuckThread,
  steps: ProgramSteps,
  graph: TermGraph,
  model: Model,
  kept: ReadonlySet<number>,
): StuckWays {
  const waits: Standstill[] = [];
  const ends = new Set(['idle', ...bodies.map((body) => endedKey(model, body))]);
  const isOver = [...ends].map((key) => counters.get(key) as Term);
  const ghosts = new Set([...model.additions.keys(), ...(model.passages?.ghosts.values() ?? [])]);
  for (const body of bodies) {
    const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
    for (const start of own.starts) {
      const here = counters.get(`${body.id}:${start}`) as Term;
      const add = ({ guard, trail }: StepPath, changes: Changes, isInside = false) =>
        waits.push({
          ...{ guard: graph.and(here, guard), changes, isInside: isInside || own.isInside(start) },
          looksAt: readOn(trail, body, steps),
        });
      for (const path of walkStep(body, own, start, scope)) {
        if (path.end.kind === 'waits') add(path, new Map(), standsInside(path, body, own));
        if (path.end.kind === 'stopped') isOver.push(graph.and(here, path.guard));
      }
      const context = { scope, model, kept, ghosts };
      for (const path of idleTurns(body, own, start, context)) add(path, changesOn(path, own, context));
    }
  }
  return { waits, isOver: graph.orAll(isOver) };
}

/** It has come to a loop that does nothing, inside of an atomic section. */
function standsInside({ trail }: StepPath, { nodes }: Body, own: ProgramSteps['bodies'][number]): boolean {
  return trail !== null && nodes[trail.node]?.kind === 'stop' && own.isInside(trail.node);
}

function readOn(trail: Trail | null, { nodes }: Body, { finder }: ProgramSteps): ReadonlySet<number> {
  const read = new Set<number>();
  for (let at = trail; at !== null; at = at.before)
    for (const variable of finder.readBy(nodes[at.node] as AnyNode)) read.add(variable);
  return read;
}

/** Longer turns are taken to come back; so are those of loops with more ways round. */
const MOST_STEPS = 16;
const MOST_TURNS = 400;
/** No step has more inputs. */
const INPUTS_OF_A_STEP = 1_000;

interface TurnContext {
  readonly model: Model;
  readonly scope: StepScope;
  readonly kept: ReadonlySet<number>;
  /** They count what turns do, and nobody looks at them. */
  readonly ghosts: ReadonlySet<number>;
}

/** Variables that nobody writes but thread routines. */
function keptByRoutines(bodies: readonly Body[]): ReadonlySet<number> {
  const kept = new Set<number>();
  const nodes = bodies.flatMap((body) => body.nodes);
  for (const node of nodes) if (node.isModel) for (const id of writtenBy(node)) kept.add(id);
  for (const node of nodes) if (!node.isModel) for (const id of writtenBy(node)) kept.delete(id);
  return kept;
}

interface Turn {
  /** Null at the beginning. */
  readonly turn: StepPath | null;
  readonly steps: number;
  /** Where it has been, with what there was. */
  readonly seen: ReadonlySet<string>;
}

/** When the thread, from the beginning of a step on, comes back to it by itself with everything as it was. */
function idleTurns(
  body: Body,
  own: ProgramSteps['bodies'][number],
  start: number,
  context: TurnContext,
): readonly StepPath[] {
  const { scope } = context;
  const { graph } = scope;
  const found: StepPath[] = [];
  if (!reachesItself(body, start)) return found;
  const oneWay = findOneWay(body, start, context);
  const work: Turn[] = [{ turn: null, steps: 0, seen: new Set() }];
  for (let top = work.pop(); top !== undefined; top = work.pop()) {
    const { turn, steps, seen } = top;
    const at = turn?.end.kind === 'node' ? turn.end.node : start;
    const from = turn && { path: turn, inputs: steps * INPUTS_OF_A_STEP };
    for (const path of walkStep(body, own, at, scope, from)) {
      const { end } = path;
      // It looks at one thread after the other.
      if (end.kind === 'error' && end.isLost) found.push(path);
      if (end.kind !== 'node' || path.spawned.length > 0 || hasCounted(path.trail, body)) continue;
      const isNeeded = ({ owner, id }: Variable) =>
        !context.ghosts.has(id) && (owner === SHARED || own.live[end.node]?.has(id) === true);
      const differs = differing(path.values, context, isNeeded);
      if ([...differs].some(([id, isOther]) => oneWay.has(id) && graph.isTrue(isOther))) continue;
      // It was there before, and all was as now: what it does from here it could have done then.
      const state = `${end.node} ${[...path.values].flatMap(([id, value]) => (differs.has(id) ? [`${id}=${value}`] : [])).sort()}`;
      if (seen.has(state)) continue;
      const isOther = graph.orAll([...differs.values()]);
      const guard = graph.and(path.guard, graph.not(isOther));
      if (end.node === start && !graph.isFalse(guard)) found.push({ ...path, guard });
      if (end.node === start && graph.isFalse(isOther)) continue;
      if (steps + 1 >= MOST_STEPS || work.length > MOST_TURNS) found.push(path);
      else work.push({ turn: path, steps: steps + 1, seen: new Set([...seen, state]) });
    }
  }
  return found;
}

/** The loop has come nearer to its end. */
function hasCounted(trail: Trail | null, { nodes }: Body): boolean {
  for (let at = trail; at !== null; at = at.before) {
    const node = nodes[at.node] as AnyNode;
    if (node.kind === 'set' && node.isProgress) return true;
  }
  return false;
}

/** What others could see, if they looked, that is different on a turn: outside of atomic sections. */
function changesOn({ trail }: StepPath, own: ProgramSteps['bodies'][number], context: TurnContext): Changes {
  const { graph } = context.scope;
  // Most nodes of a turn change nothing, so that the same is seen after them.
  const seen = new Map<number, Set<Term>>();
  const isShared = ({ owner, id }: Variable) => owner === SHARED && !context.ghosts.has(id);
  for (let at = trail; at !== null; at = at.before) {
    if (own.isInside(at.node)) continue;
    for (const [id, differs] of differing(at.values, context, isShared)) {
      const variable = context.model.variables[id] as Variable;
      // A lock that is given back in between lets others in; one that is taken in between helps nobody.
      const helps = context.kept.has(id) ? graph.not(isZero(graph, valueNow(variable, context.scope))) : graph.true;
      const isSeen = graph.and(differs, helps);
      if (!graph.isFalse(isSeen)) seen.set(id, (seen.get(id) ?? new Set()).add(isSeen));
    }
  }
  return new Map([...seen].map(([id, terms]) => [id, graph.orAll([...terms])]));
}

/**
 * Variables to which the ways round only add, or from which they only take: each value is one that the variable had
 * before, and some more, so that no state in which it was written comes again. (Words wrap, which is no matter here.)
 */
function findOneWay({ nodes }: Body, start: number, { model }: TurnContext): ReadonlySet<number> {
  const { graph, variables } = model;
  const round = [...reachableFrom(nodes, [start])].map((at) => nodes[at] as AnyNode);
  const writes = round.flatMap((node) => writtenBy(node).map((id) => ({ id, value: assignedBy(node, id) })));
  const copies = new Map<Term, Term>();
  for (const { id, value } of writes) {
    const { kind, term } = variables[id] as Variable;
    const isOnly = writes.every((other) => other.id !== id || other.value === value);
    if (kind === 'register' && value !== null && isOnly) copies.set(term, graph.unrefined(value));
  }
  const expand = new TermRebuilder(graph, graph, (term) => copies.get(term) ?? term);
  const signs = new Map<number, Set<number>>();
  for (const { id, value } of writes) {
    const sign = value === null ? 0 : signOfSum(graph, expand.rebuild(value), variables[id] as Variable);
    signs.set(id, (signs.get(id) ?? new Set()).add(sign));
  }
  return new Set([...signs].flatMap(([id, found]) => (found.size === 1 && !found.has(0) ? [id] : [])));
}

function reachesItself({ nodes }: Body, start: number): boolean {
  return reachableFrom(nodes, (nodes[start] as AnyNode).next).has(start);
}

/** By variable that is needed: when it is not as it was. Registers that nobody needs any more may be other ones. */
function differing(
  values: ReadonlyMap<number, Term>,
  { scope, model: { variables } }: TurnContext,
  isNeeded: (variable: Variable) => boolean,
): ReadonlyMap<number, Term> {
  const { graph } = scope;
  const needed = [...values].filter(([id]) => isNeeded(variables[id] as Variable));
  return new Map(needed.map(([id, value]) => [id, isOther(graph, value, valueNow(variables[id] as Variable, scope))]));
}

/** What constants were added to is certainly another one, whatever else is known of it. */
function isOther(graph: TermGraph, value: Term, now: Term): Term {
  const width = graph.widthOf(value);
  let added = 0n;
  for (let plain = graph.unrefined(value); plain !== graph.unrefined(now); ) {
    const more = graph.operationOf(plain) === 'add' ? graph.constantOf(graph.operand(plain, 1)) : null;
    if (more === null) return graph.not(graph.eq(value, now));
    added = BigInt.asUintN(width, added + more);
    plain = graph.unrefined(graph.operand(plain, 0));
  }
  return graph.boolean(added !== 0n);
}

function valueNow({ term }: Variable, scope: StepScope): Term {
  return scope.evaluate(term, new Map());
}

function isZero(graph: TermGraph, value: Term): Term {
  return graph.eq(value, graph.constant(graph.widthOf(value), 0n));
}
