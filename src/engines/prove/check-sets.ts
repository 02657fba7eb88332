/**
 * Proves the sets of values that a system takes for granted: every assignment stays within the set of its variable,
 * given that all variables were in theirs before. Sets that are not proved so are given up, until the rest holds.
 */

import { TermEncoder } from '../../encode/encode-terms.ts';
import { Circuit } from '../../logic/circuit.ts';
import { Cnf } from '../../logic/cnf.ts';
import { invariant } from '../../support/invariant.ts';
import { isSubset, topSet } from '../../values/value-set.ts';
import { OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import type { Model, Variable } from './graph.ts';
import type { Assigned, TransitionSystem } from './transition-system.ts';
import { isWithin } from './within-set.ts';

/** A system in which every set is proved; `build` makes one with the sets that the variables have. */
export function withProvedSets(
  model: Model,
  build: () => TransitionSystem,
  options: QuestionOptions,
): TransitionSystem {
  for (;;) {
    const system = build();
    const open = findOpenSets(system, model, options);
    if (open.length === 0) return system;
    for (const variable of open) {
      invariant(variable.kind !== 'self', 'numbers of threads are what the system gives them');
      variable.set = topSet(variable.width);
    }
  }
}

/** Variables that may get a value outside of their sets. */
function findOpenSets(system: TransitionSystem, { variables }: Model, options: QuestionOptions): Variable[] {
  const { graph } = system;
  const setOf = ({ variable }: Assigned) => (variables[variable] as Variable).set;
  const questions = system.assigned.filter((each) => !isSubset(graph.setOf(each.value), setOf(each)));
  if (questions.length === 0) return [];
  const circuit = new Circuit();
  const encoder = new TermEncoder(graph, circuit);
  const leaves = questions.map((each) => {
    const outside = graph.not(isWithin(graph, each.value, setOf(each)));
    return encoder.literalOf(graph.and(each.guard, outside));
  });
  const constraints = system.constraints.map((term) => encoder.literalOf(term));
  const cnf = new Cnf(circuit);
  const asked = leaves.map((literal) => cnf.literal(literal));
  const assumed = constraints.map((literal) => cnf.literal(literal));
  const solver = options.solvers.create('quick');
  solver.addClauses(cnf.takeClauses());
  for (const literal of assumed) solver.addClause([literal]);
  const open = new Set<number>();
  questions.forEach(({ variable }, i) => {
    if (open.has(variable)) return;
    const answer = options.isTimeUp() ? null : solver.solve([asked[i] as number]);
    if (answer === null) {
      solver.dispose();
      throw new OutOfTimeError();
    }
    if (answer) open.add(variable);
  });
  solver.dispose();
  return [...open].map((id) => variables[id] as Variable);
}
