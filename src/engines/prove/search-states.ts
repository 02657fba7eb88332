/**
 * The attempt that enumerates states (cover-states.ts) or, where threads may be of any number, views of a few of them
 * (cover-views.ts): on the model of the search, then, as the second road, on the one that is made without reductions.
 */

import type { InvariantFact, ProofInvariant } from '../../outcome/invariant.ts';
import type { Code } from '../../program/code.ts';
import { buildSystem } from './build-system.ts';
import { withProvedSets } from './check-sets.ts';
import type { Confirmation, Reduction } from './confirm-proof.ts';
import { type Covering, type CoverResult, coverStates } from './cover-states.ts';
import { coverViews, findBound } from './cover-views.ts';
import { type ExcludedAccesses, excludedAmong } from './find-excluded.ts';
import { findGrowing, type Growing } from './find-growing.ts';
import { OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import { type Model, NotProvableError, SHARED, type Variable } from './graph.ts';
import { preparePlain } from './plain-model.ts';
import { type ModelOptions, type PreparedModel, prepareModel } from './prepare-model.ts';
import { ValueSpeller } from './spell-values.ts';
import { hasFewInputs, PERHAPS, VIOLATION } from './state-steps.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

/** So many are reached in a second or two; on the second road there are more steps. */
const MOST_STATES = 20_000;
const MOST_STATES_AGAIN = 400_000;
/** So many before it is asked which of them cover others. */
const EXACT_SHARE = 0.2;
/** Where nothing else was found. */
const PATIENCE_FACTOR = 20;
/** Each is one of a few threads together with the others that may be beside it, which takes longer. */
const MOST_VIEWS = 4_000;
const MOST_VIEWS_AGAIN = 80_000;
/** Views of so many threads at most. */
const MOST_THREADS = 3;
/** Variables of so few bits are followed exactly. */
const WIDEST = 6;

export interface StateSearchOptions {
  readonly model: ModelOptions;
  readonly questions: QuestionOptions;
  /** Throws when time is up. */
  readonly poll: () => void;
  /** More states are enumerated. */
  readonly isPatient?: boolean;
}

export interface StateProof {
  readonly kind: 'covered';
  readonly states: number;
  readonly invariant: ProofInvariant;
  readonly excluded: ExcludedAccesses;
}

/** Whether states, or views of threads, tell all that there is. */
export function canSearchStates({ model }: PreparedModel): boolean {
  return findBound(model) === null || hasFixedThreads(model);
}

export function hasFixedThreads({ bodies, peers }: Model): boolean {
  return peers.length === 0 && bodies.every(({ isReplicated }) => !isReplicated);
}

/** Says why where nothing is proved. */
export function searchStates(
  code: Code,
  prepared: PreparedModel,
  options: StateSearchOptions,
): StateProof | Extract<CoverResult, { kind: 'open' }> {
  const { model, steps } = prepared;
  const system = buildSystem(model, steps, systemOptions(options));
  const factor = options.isPatient ? PATIENCE_FACTOR : 1;
  const most = { states: factor * MOST_STATES, views: factor * MOST_VIEWS };
  const found = cover(system, model, most, options);
  const { covering } = found;
  if (covering.kind === 'open') return covering;
  return {
    kind: 'covered',
    states: covering.states.length,
    invariant: describe(code, prepared, system, covering, found),
    excluded: excludedFrom(prepared, covering),
  };
}

function systemOptions({ poll, model: { waits } }: StateSearchOptions) {
  return { views: 0, width: null, counting: false, sets: true, deadlocks: waits, poll };
}

interface Found {
  readonly covering: CoverResult;
  readonly growing: Growing;
  readonly isDown: boolean;
}

const EXACT: Growing = { variables: new Set(), ranges: new Map() };

interface Most {
  readonly states: number;
  readonly views: number;
}

function cover(system: TransitionSystem, model: Model, most: Most, options: StateSearchOptions): Found {
  return hasFixedThreads(model)
    ? coverByOrder(system, model, most, options)
    : coverByViews(system, model, most.views, options);
}

/** Of more and more threads, for as long as few of them tell too little. */
function coverByViews(system: TransitionSystem, model: Model, mostViews: number, { poll }: StateSearchOptions): Found {
  for (let threads = 1; ; threads++) {
    const covering = coverViews(system, model, { threads, mostViews, poll });
    const isLast = threads === MOST_THREADS || covering.kind === 'covered' || !isViolation(covering.reason);
    if (isLast) return { covering, growing: EXACT, isDown: false };
  }
}

function isViolation(reason: string): boolean {
  return reason === VIOLATION || reason === PERHAPS;
}

/** Where there are many, larger states cover smaller ones, or the other way round. */
function coverByOrder(
  system: TransitionSystem,
  model: Model,
  most: Most,
  { questions, poll }: StateSearchOptions,
): Found {
  const orderOf = (isDown: boolean) => findGrowing(system, model, { widest: WIDEST, isDown, questions });
  const tryWay = (growing: Growing, isDown: boolean, mostStates = most.states): Found => {
    return { covering: coverStates(system, { growing, isDown, mostStates, poll }), growing, isDown };
  };
  const isEnd = ({ covering }: Found) => covering.kind === 'covered' || isViolation(covering.reason);
  const isOrdered = hasFewInputs(system);
  const exact = tryWay(EXACT, false, isOrdered ? EXACT_SHARE * most.states : most.states);
  if (isEnd(exact) || !isOrdered) return exact;
  const up = tryWay(orderOf(false), false);
  if (isEnd(up)) return up;
  const down = orderOf(true);
  return down.variables.size === 0 ? up : tryWay(down, true);
}

/**
 * The same on a model without reductions; where that has too many states, or threads have numbers there, on one in
 * which only what the sets of values decide is decided; then on one with locks.
 */
export function confirmByStates(code: Code, options: StateSearchOptions): Confirmation {
  const roads: readonly (readonly [() => PreparedModel, boolean, readonly Reduction[]])[] = [
    [() => preparePlain(code, options.model), true, []],
    [() => prepareModel(code, { ...options.model, reduce: false, locks: false }), false, ['sets of values']],
    [() => prepareModel(code, { ...options.model, reduce: false }), false, ['inferred locks', 'sets of values']],
  ];
  for (const [prepare, provesSets, trusted] of roads)
    if (isCovered(prepare, provesSets, options)) return { isConfirmed: true, trusted };
  return { isConfirmed: false, trusted: ['slicing', 'inferred locks', 'sets of values'] };
}

function isCovered(prepare: () => PreparedModel, provesSets: boolean, options: StateSearchOptions): boolean {
  try {
    const { model, steps } = prepare();
    const build = () => buildSystem(model, steps, systemOptions(options));
    const system = provesSets ? withProvedSets(model, build, options.questions) : build();
    const most = { states: MOST_STATES_AGAIN, views: MOST_VIEWS_AGAIN };
    return cover(system, model, most, options).covering.kind === 'covered';
  } catch (error) {
    if (error instanceof OutOfTimeError || error instanceof NotProvableError) return false;
    throw error;
  }
}

function excludedFrom(prepared: PreparedModel, { states, groups }: Covering): ExcludedAccesses {
  const reached = groups.map((_, group) => new Set(states.map(({ at }) => at[group])));
  const places = groups.flatMap((counters, group) =>
    counters.flatMap(({ pc }, index) =>
      pc === null || pc.node === null || pc.body === null
        ? []
        : [{ body: pc.body, node: pc.node, isPossible: () => reached[group]?.has(index) ?? false }],
    ),
  );
  return excludedAmong(places, prepared);
}

// ---------------------------------------------------------------- what is told

/** The ranges of what threads share. */
function describe(
  code: Code,
  prepared: PreparedModel,
  system: TransitionSystem,
  { states, variables }: Covering,
  order: Pick<Found, 'growing' | 'isDown'>,
): ProofInvariant {
  const { model } = prepared;
  const speller = new ValueSpeller(model, system, code.sources);
  const facts = variables.flatMap((state, i): InvariantFact[] => {
    const variable = model.variables[state.variable ?? -1];
    if (variable?.owner !== SHARED || variable.name.startsWith('__lazuli')) return [];
    const reached = states.flatMap(({ values }) => values[i] ?? []);
    if (reached.length < states.length) return [];
    const range = rangeOf(reached, variable);
    const holds = spellRange(state, variable, range, order, speller);
    return holds === null ? [] : [{ when: [], holds }];
  });
  const threads = model.bodies.map(({ id, name, isReplicated }) => {
    return { name: id === 0 ? 'main' : `T${id}`, start: name, isReplicated };
  });
  return { threads, facts };
}

function rangeOf(
  values: readonly bigint[],
  { width, signed }: Variable,
): { readonly low: bigint; readonly high: bigint } {
  const read = values.map((value) => (signed ? BigInt.asIntN(width, value) : value));
  return read.reduce(
    ({ low, high }, value) => ({ low: value < low ? value : low, high: value > high ? value : high }),
    { low: read[0] as bigint, high: read[0] as bigint },
  );
}

/** Of growing variables, states that are not told lie below, down to 0, or above. Null where nothing can be told. */
function spellRange(
  state: StateVariable,
  { name }: Variable,
  { low, high }: { readonly low: bigint; readonly high: bigint },
  { growing, isDown }: Pick<Found, 'growing' | 'isDown'>,
  speller: ValueSpeller,
): string | null {
  const isGrowing = growing.variables.has(state.term);
  if (isGrowing && !growing.ranges.has(state.term)) return null;
  if (isGrowing && isDown) return `${name} >= ${speller.constantOf(state, low)}`;
  const from = isGrowing ? 0n : low;
  const to = high;
  const spell = (value: bigint) => speller.constantOf(state, value);
  return from === to ? `${name} == ${spell(from)}` : `${spell(from)} <= ${name} && ${name} <= ${spell(to)}`;
}
