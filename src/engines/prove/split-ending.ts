/**
 * The end of main, when every other thread has ended: what happens there is nobody else's business. From there on main
 * works on copies of the shared cells that are its own, so that a mutex that is destroyed at the end is a lock until
 * then, and what the end reads without a lock is guarded until then.
 *
 * A thread has ended when main has waited for the flag that the thread sets last, and nobody else does; main alone
 * creates threads. Where threads are of any number, all of them are, and that all have ended is asserted (`alone`).
 */

import type { Term } from '../../values/terms.ts';
import { type AnyNode, type Body, type Model, SHARED, type Variable } from './graph.ts';
import { mapTerms, VariableFinder, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** Nodes of main at which all other threads have ended. */
export function findEnding(model: Model, finder: VariableFinder): ReadonlySet<number> {
  const [main, ...others] = model.bodies as [Body, ...Body[]];
  // Of threads of any number it is an obligation of the proof.
  const isAsserted = main.nodes.some(({ kind }) => kind === 'alone');
  const isSimple = others.every(
    ({ isReplicated, nodes }) => isReplicated === isAsserted && !nodes.some(({ kind }) => kind === 'spawn'),
  );
  if (!isSimple || others.length === 0) return new Set();
  const flags = new Map(others.flatMap((body) => lastFlags(body, model).map((flag) => [flag, body.id] as const)));
  const all = others.map(({ id }) => id);
  const ended = findEnded(main, (at) =>
    main.nodes[at]?.kind === 'alone' ? all : endedBy(main, at, flags, model, finder),
  );
  return new Set(ended.flatMap((bodies, at) => (bodies?.size === others.length ? [at] : [])));
}

/** Cells that start as 0 and that only this body sets, as the last thing that it does. */
function lastFlags(body: Body, model: Model): number[] {
  const isLast = (at: number): boolean => {
    const node = body.nodes[at] as AnyNode;
    return node.kind === 'finish' || (node.kind === 'end' && node.next.every(isLast));
  };
  const candidates = new Set(
    body.nodes.flatMap((node) => (node.kind === 'set' && node.next.every(isLast) ? writtenBy(node) : [])),
  );
  return [...candidates].filter((cell) => {
    const { kind, owner, initial } = model.variables[cell] as Variable;
    const isElsewhere = model.bodies.some(({ id, nodes }) =>
      nodes.some((node) => writtenBy(node).includes(cell) && (id !== body.id || !node.next.every(isLast))),
    );
    return kind === 'cell' && owner === SHARED && initial === 0n && !isElsewhere;
  });
}

/** The body whose end the node waits for, if any: `r = flag; assume(r != 0)`. */
function endedBy(
  { nodes }: Body,
  at: number,
  flags: ReadonlyMap<number, number>,
  { graph }: Model,
  finder: VariableFinder,
): readonly number[] {
  const node = nodes[at] as AnyNode;
  if (node.kind !== 'assume' || graph.operationOf(node.condition) !== 'not') return [];
  const equality = graph.operand(node.condition, 0);
  if (graph.operationOf(equality) !== 'eq' || graph.constantOf(graph.operand(equality, 1)) !== 0n) return [];
  const read = finder.idOf(graph.operand(equality, 0));
  if (read === undefined) return [];
  for (let before = onlyBefore(nodes, at); before !== undefined; before = onlyBefore(nodes, before)) {
    const each = nodes[before] as AnyNode;
    if (!writtenBy(each).includes(read)) continue;
    if (each.kind !== 'set' || each.assignments.length !== 1) return [];
    const flag = finder.idOf(each.assignments[0]?.value as Term);
    const body = flag === undefined ? undefined : flags.get(flag);
    return body === undefined ? [] : [body];
  }
  return [];
}

function onlyBefore(nodes: readonly AnyNode[], at: number): number | undefined {
  const before = nodes.flatMap((node, i) => (node.next.includes(at) ? [i] : []));
  return before.length === 1 && before[0] !== at ? before[0] : undefined;
}

/** Per node, the bodies that have certainly ended; null where it is not reached. */
function findEnded(
  { nodes, entry }: Body,
  endedAfter: (at: number) => readonly number[],
): (ReadonlySet<number> | null)[] {
  const ended: (Set<number> | null)[] = nodes.map(() => null);
  ended[entry] = new Set();
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const after = new Set([...(ended[at] ?? []), ...endedAfter(at)]);
    for (const next of (nodes[at] as AnyNode).next) {
      const before = ended[next];
      if (!before) {
        ended[next] = new Set(after);
        work.push(next);
        continue;
      }
      const size = before.size;
      for (const each of before) if (!after.has(each)) before.delete(each);
      if (before.size < size) work.push(next);
    }
  }
  return ended;
}

/** Lets the end of main work on copies. */
export function splitEnding(model: Model): void {
  // Who has the address of what was freed is asked of the cells themselves.
  if (model.heap !== null) return;
  const finder = new VariableFinder(model);
  const ending = findEnding(model, finder);
  const main = model.bodies[0] as Body;
  const isShared = (id: number) => {
    const { kind, owner } = model.variables[id] as Variable;
    return kind === 'cell' && owner !== main.id;
  };
  const accessed = new Set<number>();
  for (const at of ending) {
    const node = main.nodes[at] as AnyNode;
    for (const id of [...finder.readBy(node), ...writtenBy(node)]) if (isShared(id)) accessed.add(id);
  }
  if (accessed.size === 0) return;
  const copies = new Map([...accessed].map((id) => [id, addCopy(model, id)]));
  const terms = new Map([...copies].map(([id, copy]) => [(model.variables[id] as Variable).term, copy.term]));
  const rebuilder = new TermRebuilder(model.graph, model.graph, (term) => terms.get(term) ?? term);
  const assignments = [...copies].map(([id, copy]) => ({
    variable: copy.id,
    value: (model.variables[id] as Variable).term,
  }));
  const targetOf = (id: number) => copies.get(id)?.id ?? id;
  const { length } = main.nodes;
  const nodes = main.nodes.map((node, at) =>
    ending.has(at)
      ? retarget(
          mapTerms(node, (term) => rebuilder.rebuild(term)),
          targetOf,
        )
      : node,
  );
  for (let at = 0; at < length; at++) {
    const node = nodes[at] as AnyNode;
    if (ending.has(at) || !node.next.some((next) => ending.has(next))) continue;
    const next = node.next.map((each) => {
      if (!ending.has(each)) return each;
      nodes.push({ kind: 'set', assignments, loc: node.loc, isModel: true, next: [each] });
      return nodes.length - 1;
    });
    nodes[at] = { ...node, next };
  }
  main.nodes = nodes;
}

function addCopy({ variables, graph }: Model, id: number): Variable {
  const original = variables[id] as Variable;
  const term = graph.variable(original.set, original.name);
  const copy: Variable = { ...original, id: variables.length, owner: 0, term };
  variables.push(copy);
  return copy;
}

function retarget(node: AnyNode, targetOf: (id: number) => number): AnyNode {
  if (node.kind === 'set') {
    const assignments = node.assignments.map(({ variable, value }) => ({ variable: targetOf(variable), value }));
    return { ...node, assignments };
  }
  return node.kind === 'havoc' ? { ...node, variables: node.variables.map(targetOf) } : node;
}
