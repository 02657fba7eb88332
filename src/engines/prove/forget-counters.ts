/**
 * Loops without their counters. What `for (i = 0; i < 1000; i++)` counts decides nothing but when the loop ends, and
 * multiplies states by a thousand; many a property holds whenever it ends. So each look at such a counter becomes a
 * look at any number, and nobody counts any more: there are more executions than in the program, but none less.
 *
 * A counter here is a local variable of the thread to which loops do nothing but add, always with the same sign, and
 * which only conditions look at. Every way round a loop with such a condition adds to it: so a thread does not go round
 * it for ever, and that it may leave at any time hides no thread that is stuck (find-stuck.ts).
 */

import { countValues } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import { signOfSum } from './find-idle-loops.ts';
import { type AnyNode, type Body, findCyclic, findLoops, type Model, type Variable } from './graph.ts';
import { assignedBy, mapTerms, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** Loops of fewer turns are followed. */
const FEWEST_VALUES = 16n;

export function hasCounters(model: Model): boolean {
  return model.bodies.some((body) => findCounters(model, body).size > 0);
}

/** After registers are replaced by what they hold. */
export function forgetCounters(model: Model): void {
  for (const body of model.bodies) {
    const counters = findCounters(model, body);
    if (counters.size > 0) forget(model, body, counters);
  }
}

function findCounters(model: Model, body: Body): ReadonlySet<number> {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  const cyclic = findCyclic(body.nodes);
  const written = new Set(body.nodes.flatMap((node, at) => (cyclic.has(at) ? writtenBy(node) : [])));
  return new Set(
    [...written].filter((id) => {
      const variable = model.variables[id] as Variable;
      const isLocal = variable.owner === body.id && (variable.kind === 'cell' || variable.kind === 'register');
      const isOwn = isLocal && users.isPrivate(id);
      if (!isOwn || model.heap?.pointers.has(id) || countValues(variable.set) < FEWEST_VALUES) return false;
      return isCounter(model, body, variable, { finder, cyclic });
    }),
  );
}

interface Look {
  readonly finder: VariableFinder;
  readonly cyclic: ReadonlySet<number>;
}

function isCounter({ graph }: Model, { nodes }: Body, variable: Variable, { finder, cyclic }: Look): boolean {
  const { id } = variable;
  const signs = new Set<number>();
  const updates = new Set<number>();
  for (const [at, node] of nodes.entries()) {
    const isWritten = writtenBy(node).includes(id);
    const value = assignedBy(node, id);
    if (isWritten && value === null) return false;
    if (value !== null && cyclic.has(at)) {
      signs.add(signOfSum(graph, value, variable));
      updates.add(at);
    }
    const others = node.kind === 'set' ? node.assignments.filter((each) => each.variable !== id) : null;
    const isRead =
      others === null ? finder.readBy(node).includes(id) : others.some((each) => finder.in(each.value).includes(id));
    if (isRead && node.kind !== 'branch') return false;
  }
  if (signs.size !== 1 || signs.has(0)) return false;
  const rest = nodes.map(({ next }, at) => ({ next: updates.has(at) ? [] : next.filter((to) => !updates.has(to)) }));
  return findLoops(rest).every((loop) => loop.every((at) => !finder.readBy(nodes[at] as AnyNode).includes(id)));
}

/**
 * Any number is drawn before each condition, and nothing is assigned to the counters: that a loop has counted is
 * noted.
 */
function forget(model: Model, body: Body, counters: ReadonlySet<number>): void {
  const { graph, variables } = model;
  const finder = new VariableFinder(model);
  const nodes = body.nodes.map((node): AnyNode => {
    if (node.kind !== 'set' || !writtenBy(node).some((id) => counters.has(id))) return node;
    const assignments = node.assignments.filter(({ variable }) => !counters.has(variable));
    return { ...node, assignments, isProgress: true };
  });
  for (const [at, node] of body.nodes.entries()) {
    const read = finder.readBy(node).filter((id) => counters.has(id));
    if (node.kind !== 'branch' || read.length === 0) continue;
    const drawn = new Map(
      read.map((id) => {
        const { name, width, signed, term } = variables[id] as Variable;
        const about = { name: `any ${name}`, width, signed, owner: body.id, kind: 'register' } as const;
        return [term, addVariable(model, about)] as const;
      }),
    );
    const rebuilder = new TermRebuilder(graph, graph, (term) => drawn.get(term)?.term ?? term);
    const { loc, isModel } = node;
    const moved = nodes.push(mapTerms(node, (term) => rebuilder.rebuild(term))) - 1;
    nodes[at] = {
      kind: 'havoc',
      variables: [...drawn.values()].map(({ id }) => id),
      isBool: false,
      loc,
      isModel,
      next: [moved],
    };
  }
  body.nodes = nodes;
}
