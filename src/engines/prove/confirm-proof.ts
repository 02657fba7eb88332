/**
 * The second road of a proof: the question once more, at full width, on a model that is made without the reductions of
 * the first (plain-model.ts), with sets of values that are proved before they are used (check-sets.ts). Clauses are
 * looked for among small words where the first road found its own there; they hold for the full ones, or it is searched
 * on among these. Where that takes too long, or the clauses that the attempt allows cannot say it, the claim lists what
 * is trusted.
 */

import type { Code } from '../../program/code.ts';
import { buildSystem, type SystemOptions } from './build-system.ts';
import { type FoundClauses, keepInductive, spellFound } from './check-invariant.ts';
import { withProvedSets } from './check-sets.ts';
import { errorCube, type SpelledCube } from './clause-space.ts';
import { FrameSolver, OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import { NotProvableError } from './graph.ts';
import { runIc3 } from './ic3.ts';
import { inductiveAmong } from './inductive-subset.ts';
import { lockLemmas } from './lock-lemmas.ts';
import { findObservables, type ObservableOptions } from './observables.ts';
import { peerLemmas } from './peer-lemmas.ts';
import { placeLemmas } from './place-lemmas.ts';
import { preparePlain } from './plain-model.ts';
import { type ModelOptions, type PreparedModel, prepareModel } from './prepare-model.ts';
import type { TransitionSystem } from './transition-system.ts';

/** Reductions that only the first road made, or that both did. */
export type Reduction = 'slicing' | 'inferred locks' | 'sets of values' | 'the counting of threads';

export interface Confirmation {
  /** Whether a second road came to the same. */
  readonly isConfirmed: boolean;
  readonly trusted: readonly Reduction[];
}

export interface ConfirmOptions {
  readonly model: ModelOptions;
  readonly observables: ObservableOptions;
  /** The proof counts threads. */
  readonly counting: boolean;
  /** It began with candidates about places. */
  readonly places: boolean;
  readonly questions: QuestionOptions;
  /** The most bits of words among which clauses are looked for first; null where it found its own among all. */
  readonly width: number | null;
  /** Lets time run from now, with a share of what is left. */
  readonly startTry: (share: number) => void;
}

/** What each road but the last gets of the time: the first tells most. */
const TRY_SHARE = 0.5;

/** A model and its system, in clauses about so many threads. */
interface Road {
  readonly trusted: readonly Reduction[];
  readonly views: number;
  readonly prepare: () => PreparedModel;
  /** Whether its sets of values are to be proved. */
  readonly provesSets: boolean;
}

export function confirmProof(code: Code, options: ConfirmOptions): Confirmation {
  const { model, counting } = options;
  const { views } = options.observables;
  const counted: readonly Reduction[] = counting ? ['the counting of threads'] : [];
  let plainModel: PreparedModel | null = null;
  const plain = {
    trusted: counted,
    prepare: () => {
      plainModel ??= preparePlain(code, model);
      return plainModel;
    },
    provesSets: true,
  };
  const prepareUnsliced = () => prepareModel(code, { ...model, reduce: false, locks: true });
  const lockedOnly: readonly Reduction[] = ['inferred locks', 'sets of values', ...counted];
  const roads: readonly Road[] = [
    { ...plain, views },
    // Where critical sections are no single steps, clauses need to speak of one thread more. Candidates about the
    // places of so many threads would be too many.
    ...(views === 0 || options.places ? [] : [{ ...plain, views: views + 1 }]),
    { trusted: lockedOnly, views, prepare: prepareUnsliced, provesSets: false },
  ];
  for (const [i, road] of roads.entries()) {
    options.startTry(i === roads.length - 1 ? 1 : TRY_SHARE);
    if (isProved(road, options)) return { isConfirmed: true, trusted: road.trusted };
  }
  return { isConfirmed: false, trusted: ['slicing', 'inferred locks', 'sets of values', ...counted] };
}

function isProved(road: Road, options: ConfirmOptions): boolean {
  try {
    const prepared = road.prepare();
    const { model, steps } = prepared;
    const build = (width: number | null) => buildSystem(model, steps, systemOptions(road, options, width));
    const system = road.provesSets ? withProvedSets(model, () => build(null), options.questions) : build(null);
    const { width } = options;
    const small = width === null ? null : findClauses(road, options, prepared, build(width));
    if (small && holds(road, options, prepared, system, small)) return true;
    const clauses = findClauses(road, options, prepared, system, small?.all);
    return clauses !== null && holds(road, options, prepared, system, clauses);
  } catch (error) {
    // Too large for this road, which says nothing about the other.
    if (error instanceof OutOfTimeError || error instanceof NotProvableError) return false;
    throw error;
  }
}

function systemOptions({ views }: Road, options: ConfirmOptions, width: number | null): SystemOptions {
  const {
    counting,
    places: keepsDead,
    model: { poll, waits },
  } = options;
  return { views, width, counting, sets: true, deadlocks: waits, poll, keepsDead };
}

function observablesOf({ views }: Road, options: ConfirmOptions, { model }: PreparedModel, system: TransitionSystem) {
  return findObservables(system, model, { ...options.observables, views });
}

/** Null where there is a way to the error, as far as the observables tell; `given` are candidates. */
function findClauses(
  road: Road,
  options: ConfirmOptions,
  prepared: PreparedModel,
  system: TransitionSystem,
  given: readonly SpelledCube[] = [],
): FoundClauses | null {
  const observables = observablesOf(road, options, prepared, system);
  const solver = new FrameSolver(system, observables, options.questions);
  try {
    const { space } = solver;
    const candidates = [
      ...lockLemmas(prepared, space),
      ...peerLemmas(prepared, space),
      ...(options.places ? placeLemmas(prepared.model, space) : []),
      ...space.readAll(given),
    ];
    solver.lemmas = inductiveAmong(solver, candidates);
    solver.frames = [[]];
    const found = runIc3(solver, errorCube(observables), { views: road.views, onFrame: () => {} });
    return found.kind === 'open' ? null : spellFound(solver, [...solver.lemmas, ...found.cubes]);
  } finally {
    solver.dispose();
  }
}

function holds(
  road: Road,
  options: ConfirmOptions,
  prepared: PreparedModel,
  system: TransitionSystem,
  clauses: FoundClauses,
): boolean {
  const observables = observablesOf(road, options, prepared, system);
  const { solver, check } = keepInductive(system, observables, clauses, options.questions);
  solver.dispose();
  return check.kind === 'holds';
}

export function describeConfirmation({ isConfirmed, trusted }: Confirmation): string {
  if (isConfirmed && trusted.length === 0) return 'confirmed on a second model, made without any reduction';
  const kept = `trusted: ${trusted.join(', ')}`;
  return isConfirmed ? `confirmed on a second model; ${kept}` : `not confirmed on a second model in time; ${kept}`;
}
