/**
 * Ghosts that count how often a thread adds to a variable in a loop. For a shared variable `x` to which fixed threads
 * add constants, there is a ghost for each thread and constant, which goes up by one in the same instant, and one for
 * what main assigns otherwise. That `x` is the sum of what they say is a candidate for an invariant, like one that the
 * program states itself (find-candidates.ts): where increments may get lost it does not hold, and nothing follows from
 * it. How often a thread has added is then compared with its own loop counters, at its places and where it has ended,
 * or related to them (guess-relations.ts): so two threads that add 1 a thousand times each, under a lock, end with
 * 2000, though no clause about `x` alone says so at any time before.
 *
 * Ghosts are sound by themselves: no condition of the program reads them, and they are assigned where something else
 * is.
 */

import type { Term } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { Additions } from './count-passages.ts';
import { type AnyNode, type Assignment, type Body, findCyclic, type Model, SHARED, type Variable } from './graph.ts';
import { guessRelations, type Related } from './guess-relations.ts';
import { writtenBy } from './node-terms.ts';

/** More ghosts cost more than they bring. */
const MOST_GHOSTS = 8;
const LEAST_WIDTH = 8;

/** A write of a variable, and what it adds; null where it assigns something else. */
interface Write {
  readonly body: Body;
  readonly at: number;
  readonly added: bigint | null;
}

/** After accesses are resolved. */
export function countAdditions(model: Model, poll: () => void): void {
  const related: (Related & { readonly body: number })[] = [];
  for (const [id, writes] of findAdded(model)) {
    const ghosts = new Map<string, Variable>();
    const { name, width, initial } = model.variables[id] as Variable;
    const addGhost = (ghost: string, first: bigint) =>
      addVariable(model, { name: ghost, width, owner: SHARED, kind: 'cell', signed: true, initial: first });
    const given = writes.some(({ added }) => added === null) ? addGhost(`given(${name})`, initial) : null;
    for (const { body, at, added } of writes) {
      const key = `${body.id} ${added}`;
      const by = added === 1n ? '' : ` by ${added}`;
      const ghost =
        added === null
          ? (given as Variable)
          : (ghosts.get(key) ?? addGhost(`additions(${name}${by}, T${body.id})`, 0n));
      if (added !== null) ghosts.set(key, ghost);
      note(model, { body, at }, id, ghost, added === null ? null : 1n);
      if (added !== null) model.additions.set(ghost.id, body.id);
    }
    const counts = [...ghosts].map(([key, ghost]): Count => {
      const [body, added] = key.split(' ').map(Number) as [number, number];
      return { body, added: BigInt(added), ghost };
    });
    claimSum(model, id, writes, counts, given);
    for (const { body, ghost } of counts) related.push({ body, variable: ghost.id, total: id });
  }
  for (const body of model.bodies) {
    const own = related.filter((each) => each.body === body.id);
    const last = own.length > 0 && body.id !== 0 ? guessRelations(model, body, own, poll) : null;
    for (const { variable } of own) {
      const expected = last?.(variable) ?? null;
      if (expected !== null) model.expected.set(variable, expected);
    }
  }
}

/** What is counted of one thread and constant. */
interface Count {
  readonly body: number;
  readonly added: bigint;
  readonly ghost: Variable;
}

/**
 * That the variable is the sum of what was counted. Of three counts and more, the sums of the first ones are ghosts of
 * their own, each with a claim of its own: that `(a + 1) + b + c` is `(a + b + c) + 1` takes a solver long to see; of
 * two summands it takes no time.
 */
function claimSum(
  model: Model,
  id: number,
  writes: readonly Write[],
  counts: readonly Count[],
  given: Variable | null,
): void {
  const { graph } = model;
  const { name, width, initial, term } = model.variables[id] as Variable;
  const [{ body, at }] = writes as readonly [Write];
  const { loc } = body.nodes[at] as AnyNode;
  const claim = (sum: Term, total: Term) => model.candidates.push({ condition: graph.eq(sum, total), loc, total: id });
  const constant = (value: bigint) => graph.constant(width, value);
  let sum = given?.term ?? constant(initial);
  counts.forEach(({ added, ghost }, i) => {
    const total = graph.add(sum, graph.mul(ghost.term, constant(added)));
    const isLast = i === counts.length - 1;
    sum = total;
    if (isLast || (i === 0 && given === null && initial === 0n)) return;
    const before = counts.slice(0, i + 1);
    const names = before.map((each) => `T${each.body}`).join(' + ');
    const about = { width, owner: SHARED, kind: 'cell', signed: true, initial } as const;
    const partial = addVariable(model, { name: `${name} by ${names}`, ...about });
    for (const write of writes) {
      const isGiven = write.added === null;
      if (isGiven || before.some((each) => each.body === write.body.id && each.added === write.added))
        note(model, write, id, partial, isGiven ? null : write.added);
    }
    claim(partial.term, total);
    sum = partial.term;
  });
  claim(term, sum);
}

/** Whether there is something to count. */
export function hasLoopedAdditions(model: Model): boolean {
  return findAdded(model).size > 0;
}

/** The ghost is assigned together with the variable: gets more, or, with null, the same. */
function note(
  { graph }: Model,
  { body, at }: Pick<Write, 'body' | 'at'>,
  id: number,
  ghost: Variable,
  more: bigint | null,
): void {
  const node = body.nodes[at] as Extract<AnyNode, { kind: 'set' }>;
  const added: Assignment[] = node.assignments.flatMap(({ variable, value }) => {
    if (variable !== id) return [];
    return [
      {
        variable: ghost.id,
        value: more === null ? value : graph.add(ghost.term, graph.constant(ghost.width, more)),
      },
    ];
  });
  body.nodes[at] = { ...node, assignments: [...node.assignments, ...added] };
}

/** Shared variables to which fixed threads do nothing but add constants, some of them in loops; main may do more. */
function findAdded(model: Model): Map<number, readonly Write[]> {
  const { bodies, variables, heap } = model;
  const writes = new Map<number, Write[]>();
  const excluded = new Set<number>();
  const looped = new Set<number>();
  for (const body of bodies) {
    const additions = new Additions(model, body);
    const cyclic = findCyclic(body.nodes);
    body.nodes.forEach((node, at) => {
      for (const id of writtenBy(node)) {
        const { kind, owner, width } = variables[id] as Variable;
        if (kind !== 'cell' || owner !== SHARED || width < LEAST_WIDTH || heap?.pointers.has(id)) continue;
        const value = node.kind === 'set' ? node.assignments.find(({ variable }) => variable === id)?.value : undefined;
        const added = value === undefined ? null : additions.signed(value);
        if (body.isReplicated || value === undefined || (added === null && body.id !== 0)) excluded.add(id);
        if (added !== null && cyclic.has(at) && !node.isModel) looped.add(id);
        writes.set(id, [...(writes.get(id) ?? []), { body, at, added }]);
      }
    });
  }
  const found = [...writes].filter(([id]) => looped.has(id) && !excluded.has(id));
  const countOf = (own: readonly Write[]) => new Set(own.map(({ body, added }) => `${body.id} ${added}`)).size;
  const isFew = found.reduce((sum, [, own]) => sum + countOf(own), 0) <= MOST_GHOSTS;
  return new Map(isFew ? found : []);
}
