/**
 * The second road of a proof: the question once more, at full width, on a model that is made without the reductions of
 * the first (plain-model.ts), with sets of values that are proved before they are used (check-sets.ts). Where that
 * takes too long, or the clauses that the attempt allows cannot say it, the claim lists what is trusted.
 */

import type { Code } from '../../program/code.ts';
import { buildSystem } from './build-system.ts';
import { inductiveAmong, keepInductive } from './check-invariant.ts';
import { withProvedSets } from './check-sets.ts';
import { FrameSolver, OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import { NotProvableError } from './graph.ts';
import { runIc3 } from './ic3.ts';
import { lockLemmas } from './lock-lemmas.ts';
import { findObservables, type ObservableOptions } from './observables.ts';
import { peerLemmas } from './peer-lemmas.ts';
import { placeLemmas } from './place-lemmas.ts';
import { preparePlain } from './plain-model.ts';
import { type ModelOptions, type PreparedModel, prepareModel } from './prepare-model.ts';

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
  readonly questions: (kind: 'quick' | 'thorough') => QuestionOptions;
  /** Lets time run from now, for one of so many tries. */
  readonly startTry: (tries: number) => void;
}

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
  const plain = { trusted: counted, prepare: () => preparePlain(code, model), provesSets: true };
  const prepareUnsliced = () => prepareModel(code, { ...model, reduce: false, locks: true });
  const lockedOnly: readonly Reduction[] = ['inferred locks', 'sets of values', ...counted];
  const roads: readonly Road[] = [
    { ...plain, views },
    // Where critical sections are no single steps, clauses need to speak of one thread more.
    ...(views === 0 ? [] : [{ ...plain, views: views + 1 }]),
    { trusted: lockedOnly, views, prepare: prepareUnsliced, provesSets: false },
  ];
  for (const [i, road] of roads.entries()) {
    options.startTry(roads.length - i);
    if (isProved(road, options)) return { isConfirmed: true, trusted: road.trusted };
  }
  return { isConfirmed: false, trusted: ['slicing', 'inferred locks', 'sets of values', ...counted] };
}

function systemOf(
  { prepare, provesSets, views }: Road,
  { counting, questions, places: keepsDead, model: { poll, waits } }: ConfirmOptions,
) {
  const prepared = prepare();
  const { model, steps } = prepared;
  const common = { views, width: null, counting, sets: true, deadlocks: waits, poll, keepsDead };
  const build = () => buildSystem(model, steps, common);
  return { prepared, system: provesSets ? withProvedSets(model, build, questions('quick')) : build() };
}

function isProved(road: Road, options: ConfirmOptions): boolean {
  const { questions } = options;
  const { views } = road;
  let solver: FrameSolver | null = null;
  try {
    const { prepared, system } = systemOf(road, options);
    const observables = findObservables(system, prepared.model, { ...options.observables, views });
    solver = new FrameSolver(system, observables, questions('quick'));
    const { space } = solver;
    const candidates = [
      ...lockLemmas(prepared, space),
      ...peerLemmas(prepared.model, space),
      ...(options.places ? placeLemmas(prepared.model, space) : []),
    ];
    solver.lemmas = inductiveAmong(solver, candidates);
    solver.frames = [[]];
    const error = [observables.findIndex(({ key }) => key === 'error[0]') + 1];
    const found = runIc3(solver, error, { views, onFrame: () => {} });
    if (found.kind === 'open') return false;
    const cubes = [...solver.lemmas, ...found.cubes].map((cube) => space.spell(cube));
    const { solver: second, check } = keepInductive(system, observables, cubes, questions('thorough'));
    second.dispose();
    return check.kind === 'holds';
  } catch (error) {
    // Too large for this road, which says nothing about the other.
    if (error instanceof OutOfTimeError || error instanceof NotProvableError) return false;
    throw error;
  } finally {
    solver?.dispose();
  }
}

export function describeConfirmation({ isConfirmed, trusted }: Confirmation): string {
  if (isConfirmed && trusted.length === 0) return 'confirmed on a second model, made without any reduction';
  const kept = `trusted: ${trusted.join(', ')}`;
  return isConfirmed ? `confirmed on a second model; ${kept}` : `not confirmed on a second model in time; ${kept}`;
}
