/**
 * The second road from Code to graphs, for the check of a proof: calls are inlined and accesses resolved, and that is
 * all. Nothing is sliced away or substituted, no lock is inferred, every access to what another thread may access is a
 * step of its own. The values that the analysis finds are only noted here: confirm-proof.ts proves them before it uses
 * them.
 */

import type { Code } from '../../program/code.ts';
import type { Term } from '../../values/terms.ts';
import { constantSet, isEmpty, joinSets, topSet } from '../../values/value-set.ts';
import { analyseValues } from './analyse-values.ts';
import { buildSystem } from './build-system.ts';
import { countAdditions } from './count-additions.ts';
import { countPassages } from './count-passages.ts';
import { countTurns } from './count-turns.ts';
import { findCandidates } from './find-candidates.ts';
import { findSteps, type ProgramSteps } from './find-steps.ts';
import { fixAddresses } from './fix-addresses.ts';
import { forgetCounters } from './forget-counters.ts';
import type { AnyNode, Model } from './graph.ts';
import { inlineThreads } from './inline-threads.ts';
import { VariableFinder } from './node-terms.ts';
import type { ModelOptions, PreparedModel } from './prepare-model.ts';
import { resolveAccesses } from './resolve-accesses.ts';
import { simplifyGraph } from './simplify-graph.ts';

type PlainOptions = Omit<ModelOptions, 'reduce' | 'locks'>;

/** What the analysis finds out first lets it find out more. */
const ANALYSES = 2;
const PRUNINGS = 2;
const JUMPS_ONLY = { slice: false, forward: false } as const;

/** The sets of the variables are candidates: what the analysis found, and nobody has proved. */
export function preparePlain(code: Code, options: PlainOptions): PreparedModel {
  const { waits } = options;
  const model = resolvedModel(code, options);
  const analysed = resolvedModel(code, options);
  for (let i = 0; i < ANALYSES; i++) {
    const isOpen = analysed.variables.map(({ term }) => analysed.graph.constantOf(term) === null);
    analyseValues(analysed, options);
    for (const variable of model.variables) {
      const set = analysed.variables[variable.id]?.set ?? topSet(variable.width);
      if (isOpen[variable.id] && !isEmpty(set)) variable.set = set;
    }
    simplifyGraph(analysed, JUMPS_ONLY);
  }
  addFirstValues(model, findSteps(model, { locks: false, waits }));
  for (let i = 0; i < PRUNINGS; i++) dropUnreached(model, options);
  return { model, steps: findSteps(model, { locks: false, waits }) };
}

/** What can be read before it is assigned has its first value. */
function addFirstValues({ variables, bodies }: Model, steps: ProgramSteps): void {
  for (const variable of variables) {
    const { id, owner, width, initial, kind } = variable;
    const entry = bodies[owner]?.entry ?? -1;
    const isDead = steps.users.isPrivate(id) && !steps.bodies[owner]?.live[entry]?.has(id);
    if (!isDead && kind !== 'self' && kind !== 'argument')
      variable.set = joinSets(variable.set, constantSet(width, initial));
  }
}

/**
 * Drops the nodes and branches that no step comes to where all variables are in their sets. That these hold is proved
 * for what is left: by induction over the steps, none of them leaves it.
 */
function dropUnreached(model: Model, { poll, waits }: PlainOptions): void {
  const edges = model.bodies.map(() => new Set<string>());
  const nodes = model.bodies.map(() => new Set<number>());
  buildSystem(model, findSteps(model, { locks: false, waits }), {
    ...{ views: 1, width: null, counting: false, sets: true, deadlocks: waits, poll },
    onVisit: (body, node, from) => {
      nodes[body]?.add(node);
      edges[body]?.add(`${from},${node}`);
    },
  });
  const finder = new VariableFinder(model);
  const isOfPointers = (term: Term) => finder.in(term).some((id) => model.heap?.pointers.has(id));
  for (const body of model.bodies) {
    body.nodes = body.nodes.map((node, at): AnyNode => {
      const { loc, isModel } = node;
      if (!nodes[body.id]?.has(at)) return { kind: 'stop', loc, isModel, next: [] };
      if (node.kind !== 'branch' || isOfPointers(node.condition)) return node;
      const taken = node.next.filter((next) => edges[body.id]?.has(`${at},${next}`));
      return taken.length === 1 ? { kind: 'skip', loc, isModel, next: taken } : node;
    });
  }
  simplifyGraph(model, JUMPS_ONLY);
}

function resolvedModel(code: Code, options: PlainOptions): Model {
  const { checks, ending, elements, isWeak, poll } = options;
  const model = inlineThreads(code, options);
  poll();
  fixAddresses(model);
  simplifyGraph(model, JUMPS_ONLY);
  resolveAccesses(model, { dataModel: code.dataModel, checks, ending, elements, isWeak });
  findCandidates(model);
  if (options.passages) countPassages(model, options.turns);
  // A register that holds `x + 1` would compare with what counts only as `passages + 1`.
  simplifyGraph(model, { slice: false, forward: options.passages || options.additions || options.forget });
  if (options.additions) countAdditions(model, poll);
  if (options.turns) countTurns(model, poll);
  if (options.forget) forgetCounters(model);
  poll();
  return model;
}
