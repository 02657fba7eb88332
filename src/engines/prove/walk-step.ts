/** All paths of one step, from where it begins to where the next begins, as guards and assignments over terms. */

import type { CheckName } from '../../program/check-names.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { type BodySteps, isWait, STEP_START, type StepProgress } from './find-steps.ts';
import { type AnyNode, type Assignment, type Body, NotProvableError } from './graph.ts';

const MOST_PATHS = 6_000;

export interface StepPath {
  readonly guard: Term;
  readonly values: ReadonlyMap<number, Term>;
  readonly end: PathEnd;
  readonly spawned: readonly Spawned[];
}

export type PathEnd =
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'finish' }
  /** No step: a thread routine waits on the way, or main has ended. */
  | { readonly kind: 'waits' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'error'; readonly loc: Loc; readonly check: CheckName | null };

export interface Spawned {
  readonly body: number;
  readonly argument: Term;
  /** The new thread's number. */
  readonly number: Term;
}

/** What the walk needs to know of the system. */
export interface StepScope {
  readonly graph: TermGraph;
  /** A term of the model, where variables have these values. */
  evaluate(term: Term, values: ReadonlyMap<number, Term>): Term;
  /** The n-th input of a step, of a variable's width. */
  input(index: number, variable: number, isBool: boolean): Term;
  /** The number that a new thread gets. */
  newNumber(body: number, index: number): Term;
  /** The walk comes to a node, from another (null: where the step begins). */
  visit(body: number, node: number, from: number | null): void;
}

interface Walk {
  readonly node: number;
  readonly from: number | null;
  readonly guard: Term;
  readonly values: ReadonlyMap<number, Term>;
  readonly progress: StepProgress;
  readonly inputs: number;
  readonly spawned: readonly Spawned[];
}

/** `from`: after a path that ends where the step begins, with inputs from that number on. */
export function walkStep(
  body: Body,
  steps: BodySteps,
  start: number,
  scope: StepScope,
  from: { readonly path: StepPath; readonly inputs: number } | null = null,
): StepPath[] {
  const { graph } = scope;
  const paths: StepPath[] = [];
  const { guard, values } = from?.path ?? { guard: graph.true, values: new Map<number, Term>() };
  const work: Walk[] = [
    { node: start, from: null, guard, values, progress: STEP_START, inputs: from?.inputs ?? 0, spawned: [] },
  ];
  for (let walk = work.pop(); walk !== undefined; walk = work.pop()) {
    if (paths.length > MOST_PATHS)
      throw new NotProvableError((body.nodes[start] as AnyNode).loc, 'too many ways through one step');
    for (const following of advance(body, steps, walk, scope, paths)) {
      if (!graph.isFalse(following.guard)) work.push(following);
    }
  }
  return paths;
}

/** One node further; finished paths are added. */
function advance(body: Body, steps: BodySteps, walk: Walk, scope: StepScope, paths: StepPath[]): Walk[] {
  const { graph } = scope;
  const { guard, values, spawned } = walk;
  scope.visit(body.id, walk.node, walk.from);
  const progress = steps.goOn(walk.node, walk.progress);
  if (progress === null) {
    paths.push({ guard, values, spawned, end: { kind: 'node', node: walk.node } });
    return [];
  }
  const node = body.nodes[walk.node] as AnyNode;
  const follow = (change: Partial<Walk>, branch = 0): Walk => ({
    ...walk,
    progress,
    from: walk.node,
    node: node.next[branch] as number,
    ...change,
  });
  switch (node.kind) {
    case 'finish':
      paths.push({ guard, values, spawned, end: { kind: 'finish' } });
      return [];
    case 'stop':
      if (node.endsThread) paths.push({ guard, values, spawned, end: { kind: 'stopped' } });
      return [];
    case 'skip':
    case 'begin':
    case 'end':
      return [follow({})];
    case 'set':
      return [follow({ values: assign(values, node.assignments, scope) })];
    case 'havoc': {
      const after = new Map(values);
      node.variables.forEach((variable, i) => {
        after.set(variable, scope.input(walk.inputs + i, variable, node.isBool));
      });
      return [follow({ values: after, inputs: walk.inputs + node.variables.length })];
    }
    case 'assume': {
      const holds = scope.evaluate(node.condition, values);
      const waits = isWait(node) && steps.isInside(walk.node) ? graph.and(guard, graph.not(holds)) : graph.false;
      if (!graph.isFalse(waits)) paths.push({ guard: waits, values, spawned, end: { kind: 'waits' } });
      return [follow({ guard: graph.and(guard, holds) })];
    }
    case 'assert': {
      const holds = scope.evaluate(node.condition, values);
      const fails = graph.and(guard, graph.not(holds));
      const end: PathEnd = { kind: 'error', loc: node.loc, check: node.check };
      if (!graph.isFalse(fails)) paths.push({ guard: fails, values: new Map(), spawned: [], end });
      return [follow({ guard: graph.and(guard, holds) })];
    }
    case 'branch': {
      const condition = scope.evaluate(node.condition, values);
      return [
        follow({ guard: graph.and(guard, graph.not(condition)) }, 1),
        follow({ guard: graph.and(guard, condition) }, 0),
      ];
    }
    case 'spawn': {
      const number = scope.newNumber(node.body, walk.inputs);
      const argument = scope.evaluate(node.argument, values);
      const after = new Map(values).set(node.number, number);
      return [
        follow({
          values: after,
          inputs: walk.inputs + 1,
          spawned: [...spawned, { body: node.body, argument, number }],
        }),
      ];
    }
    case 'load':
    case 'store':
    case 'enter':
    case 'leave':
    case 'free':
    case 'claim':
      throw new NotProvableError(node.loc, 'an access that was not resolved');
    default:
      return assertNever(node);
  }
}

function assign(
  values: ReadonlyMap<number, Term>,
  assignments: readonly Assignment[],
  scope: StepScope,
): ReadonlyMap<number, Term> {
  const after = new Map(values);
  for (const { variable, value } of assignments) after.set(variable, scope.evaluate(value, values));
  return after;
}
