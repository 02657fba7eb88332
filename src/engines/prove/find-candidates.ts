/**
 * Candidates for invariants, from `__lazuli_invariant(condition)` in the source: the condition over memory as it is in
 * any state, not only where the call stands. The atomic section that evaluates it is followed on all its ways from its
 * beginning; it has no effect of its own and goes afterwards. Jumps are threaded by then, so that the ways of `a && b`
 * may each have the claim as a node of their own.
 *
 * What an assertion says of several variables that threads share, by computing with them, may hold at all times as
 * well: `assert(a + b == 200)` at the end, after transfers from one to the other. Comparisons of two variables are
 * among the predicates anyway (observables.ts).
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { type AnyNode, type Body, type Model, predecessorsOf, SHARED, type Variable } from './graph.ts';
import { VariableFinder } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

const MOST_WAYS = 64;

/** After accesses are resolved. Candidates about something else than cells that threads share are left alone. */
export function findCandidates(model: Model): void {
  const { graph, variables } = model;
  const finder = new VariableFinder(model);
  for (const body of model.bodies) {
    const starts = new Set<number>();
    body.nodes.forEach((node, at) => {
      const start = node.kind === 'claim' ? beginBefore(body.nodes, at) : null;
      if (start === null || starts.has(start)) return;
      starts.add(start);
      const condition = conditionFrom(model, body, start);
      const isShared = (id: number) => (variables[id] as Variable).owner === SHARED;
      if (condition !== null && graph.constantOf(condition) === null && finder.in(condition).every(isShared))
        model.candidates.push({ condition, loc: node.loc });
    });
    addAsserted(model, body, finder);
    body.nodes = body.nodes.map((node): AnyNode => {
      const { loc, isModel, next } = node;
      return node.kind === 'claim' ? { kind: 'skip', loc, isModel, next } : node;
    });
  }
}

function addAsserted(model: Model, body: Body, finder: VariableFinder): void {
  const before = predecessorsOf(body.nodes);
  body.nodes.forEach((node, at) => {
    if (node.kind !== 'assert' || node.isModel || node.check !== 'assertion') return;
    for (const start of assertedAt(model.graph, body, at, before)) {
      const condition = overMemory(model, body, start, before, finder);
      if (condition === null || !computes(model.graph, condition) || finder.in(condition).length < 2) continue;
      if (model.candidates.some((each) => each.condition === condition)) continue;
      model.candidates.push({ condition, loc: node.loc, isAsserted: true });
    }
  });
}

interface Asserted {
  /** Before this node. */
  readonly at: number;
  readonly condition: Term;
}

/** What is asserted: the condition, or, where the node must not be reached, that no branch leads there, one by one. */
function assertedAt(
  graph: TermGraph,
  { nodes }: Body,
  assertion: number,
  before: readonly (readonly number[])[],
): readonly Asserted[] {
  const { condition } = nodes[assertion] as Extract<AnyNode, { kind: 'assert' }>;
  if (!graph.isFalse(condition)) return [{ at: assertion, condition }];
  return (before[assertion] ?? []).flatMap((at) => {
    const node = nodes[at] as AnyNode;
    if (node.kind !== 'branch') return [];
    return [{ at, condition: node.next[0] === assertion ? graph.not(node.condition) : node.condition }];
  });
}

/**
 * What is asserted, over cells that threads share, as they were read just before; null where it is about something
 * else. Branches on the way are of no interest: a candidate may say more than the assertion does.
 */
function overMemory(
  { graph, variables }: Model,
  { nodes }: Body,
  start: Asserted,
  before: readonly (readonly number[])[],
  finder: VariableFinder,
): Term | null {
  const isShared = (id: number) => {
    const { owner, kind } = variables[id] as Variable;
    return owner === SHARED && kind === 'cell';
  };
  let { condition, at } = start;
  for (let count = 0; count < nodes.length; count++) {
    if (finder.in(condition).every(isShared)) return condition;
    const [only, ...others] = before[at] ?? [];
    if (only === undefined || others.length > 0) return null;
    const node = nodes[only] as AnyNode;
    if (node.kind === 'set') {
      const values = new Map(
        node.assignments.map(({ variable, value }) => [(variables[variable] as Variable).term, value]),
      );
      condition = new TermRebuilder(graph, graph, (term) => values.get(term) ?? term).rebuild(condition);
    }
    at = only;
  }
  return null;
}

/** It is more than a comparison of variables. */
function computes(graph: TermGraph, term: Term): boolean {
  const operands = graph.operandsOf(term);
  switch (graph.operationOf(term)) {
    case 'eq':
    case 'ult':
    case 'slt':
    case 'not':
    case 'and':
    case 'or':
    case 'ite':
    case 'zext':
    case 'sext':
    case 'extract':
    case 'refine':
      return operands.some((operand) => computes(graph, operand));
    case 'variable':
    case 'constant':
      return false;
    default:
      return true;
  }
}

interface Way {
  readonly node: number;
  readonly guard: Term;
  readonly values: ReadonlyMap<Term, Term>;
}

/** The claimed condition in terms of what was in memory where its section began; null where that is not told. */
function conditionFrom({ graph, variables }: Model, { nodes }: Body, start: number): Term | null {
  const read = (term: Term, values: ReadonlyMap<Term, Term>) =>
    new TermRebuilder(graph, graph, (variable) => values.get(variable) ?? variable).rebuild(term);
  let found: Term = graph.false;
  const work: Way[] = [{ node: start, guard: graph.true, values: new Map() }];
  for (let count = 0, way = work.pop(); way !== undefined; way = work.pop(), count++) {
    if (count > MOST_WAYS * nodes.length) return null;
    const { guard, values } = way;
    const node = nodes[way.node] as AnyNode;
    const follow = (change: Partial<Way>, branch = 0) =>
      work.push({ ...way, node: node.next[branch] as number, ...change });
    switch (node.kind) {
      case 'set': {
        const after = new Map(values);
        for (const { variable, value } of node.assignments)
          after.set((variables[variable] as Variable).term, read(value, values));
        follow({ values: after });
        break;
      }
      case 'branch': {
        const condition = read(node.condition, values);
        follow({ guard: graph.and(guard, condition) });
        follow({ guard: graph.and(guard, graph.not(condition)) }, 1);
        break;
      }
      case 'claim':
        found = graph.or(found, graph.and(guard, read(node.condition, values)));
        break;
      // What the proof shows to hold there.
      case 'assert':
      case 'skip':
      case 'begin':
        follow({});
        break;
      default:
        return null;
    }
  }
  return found;
}

/** The beginning of the section, on any way back. */
function beginBefore(nodes: readonly AnyNode[], claim: number): number | null {
  const seen = new Set<number>();
  const work = [claim];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (nodes[at]?.kind === 'begin') return at;
    nodes.forEach((node, i) => {
      if (node.next.includes(at as number)) work.push(i);
    });
  }
  return null;
}
