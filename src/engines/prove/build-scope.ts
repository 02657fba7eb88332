/**
 * What a walk through a step (walk-step.ts) reads of the state of a system: variables of the thread that moves, of its
 * slot, of a peer; inputs; who is alive, and who holds an address.
 */

import type { Term } from '../../values/terms.ts';
import { restValue } from './analyse-values.ts';
import { type Body, peersOf, threadNumbers, type Variable } from './graph.ts';
import { type HeldContext, isHeld } from './held-addresses.ts';
import { NarrowRebuilder, narrowSet } from './narrow-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';
import type { SystemState } from './system-state.ts';
import type { StepScope } from './walk-step.ts';

/** `inputs` begins the names of inputs that are not those of the thread that moves. */
export function buildScope(
  state: SystemState,
  slot: number | null,
  inputs = '',
  visit: StepScope['visit'] = () => {},
): StepScope {
  const { variables, graph: from } = state.model;
  const { width: most } = state.options;
  const idOf = new Map(variables.map(({ term, id }) => [term, id]));
  const rest = (id: number) => {
    const variable = variables[id] as Variable;
    return state.graph.constant(state.widthOf(variable.width), restValue(variable));
  };
  const lookUp = (values: ReadonlyMap<number, Term>, peer: number | null) => (term: Term) => {
    const id = idOf.get(term) as number;
    const kept = state.termOf(id, slot ?? peer);
    return values.get(id) ?? (kept === undefined ? rest(id) : state.valueOf(kept));
  };
  return {
    ...peerScope(state, slot),
    isHeld: (object, body, node, values) => isHeld(heldContext(state), object, { body, node, slot, values }),
    graph: state.graph,
    evaluate: (term, values, peer) =>
      (most === null
        ? new TermRebuilder(from, state.graph, lookUp(values, peer ?? null))
        : new NarrowRebuilder(from, state.graph, most, lookUp(values, peer ?? null))
      ).rebuild(term),
    input: (index, variable, isBool) => {
      const bits = state.widthOf((variables[variable] as Variable).width);
      if (!isBool) return state.input(`${inputs}input ${index} of ${bits} bits`, bits);
      return state.graph.extend(state.input(`${inputs}choice ${index}`, 1), bits, false);
    },
    newNumber: (body, index) => {
      const { isReplicated, number } = state.model.bodies[body] as Body;
      const bits = state.widthOf(32);
      if (!isReplicated) return state.graph.constant(bits, BigInt(number));
      const numbers = threadNumbers(state.model, body);
      const { width } = state.options;
      const set = width === null ? numbers : narrowSet(numbers, width);
      return state.inputOf(`${inputs}number ${index}`, set);
    },
    visit,
  };
}

function peerScope(
  state: SystemState,
  slot: number | null,
): Pick<StepScope, 'peerCells' | 'firstValue' | 'peerSlots' | 'isPeer' | 'anyRuns' | 'firstNumber'> {
  const { peers, variables, bodies } = state.model;
  return {
    peerCells: new Set(peers.flatMap(({ cells }) => [...cells])),
    firstValue: (cell) => {
      const { width, initial } = variables[cell] as Variable;
      return state.graph.constant(state.widthOf(width), initial);
    },
    peerSlots: slot === null ? state.slotCounters.map((_, i) => i) : null,
    isPeer: (at, body, order) => {
      const graph = state.graph;
      const number = state.local[at]?.get(bodies[body]?.self as number) as Term;
      return graph.and(state.isOf(at, body), graph.eq(state.valueOf(number), order));
    },
    anyRuns: () => state.graph.orAll(state.slotCounters.map((counters) => runsAt(state, counters))),
    firstNumber: (body) => peersOf(state.model, body)?.first ?? 0n,
  };
}

function heldContext(state: SystemState): HeldContext {
  return {
    ...{ graph: state.graph, model: state.model, steps: state.steps },
    ...{ counters: state.counters, slotCounters: state.slotCounters },
    stateOf: (id, slot) => {
      const kept = state.termOf(id, slot);
      return kept === undefined ? undefined : state.valueOf(kept);
    },
  };
}

/** It exists, and is not before its end, either: there it does nothing that anybody notices. */
function runsAt(state: SystemState, counters: ReadonlyMap<string, Term>): Term {
  const isOver = (key: string) => {
    const [body, node] = key.split(':').map(Number) as [number, number];
    return Number.isNaN(node ?? Number.NaN) || state.model.bodies[body]?.nodes[node]?.kind === 'finish';
  };
  return state.graph.orAll([...counters].flatMap(([key, term]) => (isOver(key) ? [] : [term])));
}
