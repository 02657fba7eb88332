/**
 * From graphs to a transition system (transition-system.ts). A clause about k threads of the replicated bodies is
 * checked with k+1 slots: the step that breaks it may be that of a thread that it does not speak of, and two others are
 * all alike.
 *
 * A slot is one thread for ever: it is created into an idle slot, or into none (then it is one of those that nobody
 * looks at). What every step may assume of a state is in `constraints`; each is there with its reason. Here the state
 * (system-state.ts) and the moves (build-moves.ts) are put together: an input says who moves.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { maxUnsigned, minUnsigned } from '../../values/value-set.ts';
import { buildMoves, type Move, type MoveOptions } from './build-moves.ts';
import { buildScope } from './build-scope.ts';
import { constrainCounts } from './constrain-counts.ts';
import { constrainNumbers } from './constrain-numbers.ts';
import { type Counted, countThreads, findEdges } from './count-threads.ts';
import { type CountedTurns, findCountedTurns } from './count-turns.ts';
import type { ProgramSteps } from './find-steps.ts';
import { type Body, type Model, selfNumbers, type Variable } from './graph.ts';
import { constrainMarks } from './own-marks.ts';
import { type StateOptions, SystemState } from './system-state.ts';
import type { Assigned, TransitionSystem } from './transition-system.ts';
import type { Spawned } from './walk-step.ts';

export interface SystemOptions extends StateOptions, MoveOptions {
  /** Use the counting of threads. */
  readonly counting: boolean;
}

export function buildSystem(model: Model, steps: ProgramSteps, options: SystemOptions): TransitionSystem {
  const state = new SystemState(model, steps, options);
  constrainNumbers({
    ...{ graph: state.graph, model },
    ...{ locals: state.local, slotCounters: state.slotCounters, shared: state.shared },
    isOf: (slot, body) => state.isOf(slot, body),
    isNarrow: options.width !== null,
    constrain: (term) => state.constraints.push(term),
  });
  constrainMarks({
    ...{ graph: state.graph, model, steps },
    ...{ locals: state.local, slotCounters: state.slotCounters, shared: state.shared },
    constrain: (term) => state.constraints.push(term),
  });
  const counts = options.counting && state.slots > 0 ? countInSlots(state, options) : NO_COUNTS;
  const alone = constrainByCounting(state, options, counts);
  const { moves, assigned, transitions, pathCount } = buildMoves(state, options, alone);
  const selects = selectMovers(state, moves.length);
  const created: Assigned[] = [];
  const next = nextState(state, moves, selects, created, counts.counted);
  const { graph, slots, error, constraints } = state;
  const enabled = moves.reduceRight(
    (rest, { enabled: each }, i) => graph.ite(selects[i] as Term, each, rest),
    graph.false,
  );
  const candidates = findCandidateTerms(state);
  return {
    ...{ graph, slots, state: state.variables, next, inputs: state.inputs, enabled, error, constraints, candidates },
    ...{ assigned: [...assigned, ...created], transitions, pathCount },
  };
}

interface Counts {
  readonly counted: readonly Counted[];
  readonly turns: readonly CountedTurns[];
}

const NO_COUNTS: Counts = { counted: [], turns: [] };

function countInSlots(state: SystemState, options: SystemOptions): Counts {
  const { model, steps, shared, local, graph } = state;
  const edges = findEdges(model, steps, buildScope(state, 0, '', options.onVisit));
  return {
    counted: countThreads(model, edges, shared, graph),
    turns: findCountedTurns(model, edges, shared, local[0] as Map<number, Term>, graph),
  };
}

/** What a step of a fixed thread may take for granted that looks at no peer, by the counting of threads. */
function constrainByCounting(state: SystemState, options: SystemOptions, { counted, turns }: Counts): Term {
  return constrainCounts({
    ...{ graph: state.graph, model: state.model, counted, turns },
    ...{ locals: state.local, slotCounters: state.slotCounters, shared: state.shared },
    isOf: (slot, body) => state.isOf(slot, body),
    isNarrow: options.width !== null,
    addRest: (variable, width) => {
      const { name, initial } = state.model.variables[variable] as Variable;
      return state.add({ name: `rest of ${name}`, width, initial, variable, isGhost: true }).term;
    },
    constrain: (term) => state.constraints.push(term),
  });
}

function findCandidateTerms(state: SystemState): TransitionSystem['candidates'] {
  const { graph, variables, bodies, candidates } = state.model;
  return candidates.flatMap(({ condition, loc, total, isAsserted, relation = null }, index) => {
    const isOfSlots = relation !== null && bodies[relation.body]?.isReplicated === true;
    const slots = isOfSlots ? state.slotCounters.map((_, slot) => slot) : [null];
    return slots.flatMap((slot) => {
      const isState = (id: number) =>
        state.termOf(id, slot) !== undefined || graph.constantOf((variables[id] as Variable).term) !== null;
      if (!state.steps.finder.in(condition).every(isState)) return [];
      const term = buildScope(state, slot).evaluate(condition, new Map());
      const isSum = total !== undefined && relation === null;
      return [{ term, loc, isSum, isAsserted: isAsserted === true, relation, slot, index }];
    });
  });
}

/** By move: that it is chosen, if none before it is. */
function selectMovers(state: SystemState, count: number): Term[] {
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? state.graph.true : state.input(`mover ${i}`, 1)));
}

/** The next values of all variables; what creations of replicated threads assign is added to `assigned`. */
function nextState(
  state: SystemState,
  moves: readonly Move[],
  selects: readonly Term[],
  assigned: Assigned[],
  counted: readonly Counted[],
): Term[] {
  const graph = state.graph;
  const chosen = (pick: (move: Move, i: number) => Term) =>
    moves.reduceRight<Term | null>((rest, move, i) => {
      const value = pick(move, i);
      return rest === null ? value : graph.ite(selects[i] as Term, value, rest);
    }, null) as Term;
  const fixedCount = state.fixed.length;
  const created = moves.map((move) => createInSlots(state, move, assigned));
  return state.variables.map(({ term, slot, isGhost, variable }) => {
    if (isGhost) {
      const target = state.shared.get(variable as number) as Term;
      const grown = (move: Move) => graph.add(term, graph.sub(move.changed.get(target) ?? target, target));
      const loose = counted.find((each) => each.isLoose && each.variable === variable);
      const moved = (move: Move, i: number) => {
        const counters = state.slotCounters[i - fixedCount];
        return loose && counters ? lessWeight(graph, grown(move), move, loose, counters) : term;
      };
      return chosen((move, i) => (i < fixedCount ? grown(move) : moved(move, i)));
    }
    return chosen((move, i) => {
      const moved = move.changed.get(term) ?? term;
      return slot === null || i === fixedCount + slot ? moved : (created[i]?.get(term) ?? moved);
    });
  });
}

/** The rest after a step of a slot: what the variable has grown by is the thread's weight as far as that has grown. */
function lessWeight(
  graph: TermGraph,
  grown: Term,
  { changed }: Move,
  { weights, isTaken }: Counted,
  counters: ReadonlyMap<string, Term>,
): Term {
  const constant = (weight: number) => graph.constant(graph.widthOf(grown), BigInt(weight));
  const weightOf = (at: (counter: Term) => Term) =>
    [...weights].reduce((sum, [key, weight]) => {
      const counter = counters.get(key);
      return weight === 0 || counter === undefined ? sum : graph.ite(at(counter), constant(weight), sum);
    }, constant(0));
  const [before, after] = [weightOf((counter) => counter), weightOf((counter) => changed.get(counter) ?? counter)];
  const difference = graph.sub(after, before);
  return isTaken ? graph.add(grown, difference) : graph.sub(grown, difference);
}

/** Threads with larger numbers never run. */
function runs(state: SystemState, { number, body }: Spawned): Term {
  const graph = state.graph;
  if (graph.widthOf(number) < 32) return graph.true;
  const numbers = selfNumbers(state.model, body);
  const first = minUnsigned(numbers);
  const offset = graph.sub(number, graph.constant(32, first));
  return graph.less('ult', offset, graph.constant(32, maxUnsigned(numbers) + 1n - first));
}

/** What the creation of a replicated thread changes in the slots: it goes into the first chosen one, if idle. */
function createInSlots(state: SystemState, { spawns, changed: moved }: Move, assigned: Assigned[]): Map<Term, Term> {
  const graph = state.graph;
  const changed = new Map<Term, Term>();
  let open = graph.true;
  for (let slot = 0; slot < state.slots; slot++) {
    const takes = state.input(`create into ${slot}`, 1);
    const counters = state.slotCounters[slot] as Map<string, Term>;
    const isTaken = graph.and(open, graph.and(takes, counters.get('idle') as Term));
    open = graph.and(open, graph.not(takes));
    for (const { guard, spawned } of spawns) {
      const body = state.model.bodies[spawned.body] as Body;
      const here = graph.andAll([guard, isTaken, runs(state, spawned)]);
      const put = (target: Term | undefined, value: Term, variable: number | null = null) => {
        if (target === undefined) return;
        changed.set(target, graph.ite(here, value, changed.get(target) ?? moved.get(target) ?? target));
        if (variable !== null) assigned.push({ variable, guard: here, value });
      };
      put(counters.get('idle'), graph.false);
      put(counters.get(`${body.id}:${body.entry}`), graph.true);
      const locals = state.local[slot] as Map<number, Term>;
      if (body.argument !== null) put(locals.get(body.argument), spawned.argument, body.argument);
      if (body.self !== null) put(locals.get(body.self), spawned.number, body.self);
      const { peerCells, firstValue } = buildScope(state, null);
      for (const id of peerCells) put(locals.get(id), spawned.values.get(id) ?? firstValue(id), id);
    }
  }
  return changed;
}
