/**
 * Waits for whoever has *claimed* a cell: a thread makes it a value that others wait for to go away, and makes it
 * another one later on, as `pthread_once` does, or a semaphore that stands for a lock. While a cell has such a value,
 * the thread that wrote it last has not written another one since: it still has its claim. So a claim is like a lock
 * for those who ask whether waits end (find-waits.ts), though it excludes nobody.
 *
 * Left alone: waits that look at several cells, and cells that a thread may leave claimed when it ends, as semaphores
 * that are signals.
 */

import type { Term } from '../../values/terms.ts';
import { hasValue, withoutValue } from '../../values/value-set.ts';
import type { ProgramSteps } from './find-steps.ts';
import { type AnyNode, type Body, endsThread, type Model, predecessorsOf, SHARED, type Variable } from './graph.ts';
import { assignedBy, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';
import { type ClaimedNodes, walkClaims } from './walk-claims.ts';

/** Of one body: the cells that are waited for at nodes, and those that may be claimed before each node. */
export interface BodyClaims {
  readonly waits: ReadonlyMap<number, number>;
  readonly held: readonly ReadonlySet<number>[];
}

/** What is waited for to go away. */
const CLAIMED_VALUES: readonly bigint[] = [0n, 1n, 2n];

interface Wait {
  readonly body: number;
  readonly node: number;
  readonly cell: number;
  /** The value of the cell that is waited for to go away. */
  readonly claimed: bigint;
}

/** Per body. */
export function findClaims(model: Model, steps: ProgramSteps): readonly BodyClaims[] {
  const waits = model.bodies.flatMap((body) => new WaitReader(model, body, steps).run());
  const cells = new Map<number, Set<bigint>>();
  for (const { cell, claimed } of waits) {
    cells.set(cell, (cells.get(cell) ?? new Set()).add(claimed));
  }
  const held = new Map<number, readonly ClaimedNodes[]>();
  for (const [cell, values] of cells) {
    const found = findClaimed(model, cell, values);
    if (found !== null) held.set(cell, found);
  }
  return model.bodies.map(({ id, nodes }) => ({
    waits: new Map(waits.flatMap(({ body, node, cell }) => (body === id && held.has(cell) ? [[node, cell]] : []))),
    held: nodes.map((_, at) => new Set([...held].flatMap(([cell, nodesOf]) => (nodesOf[id]?.has(at) ? [cell] : [])))),
  }));
}

/** Per body; null where a cell may stay claimed with nobody to give it up. */
function findClaimed(model: Model, cell: number, claimed: ReadonlySet<bigint>): readonly ClaimedNodes[] | null {
  // What it holds at first is as if main had written it.
  const byMain = claimed.has((model.variables[cell] as Variable).initial);
  const all: ClaimedNodes[] = [];
  for (const body of model.bodies) {
    const held = walkClaims(model, body, { cell, claimed, isClaimedFirst: byMain && body.id === 0 });
    if (held === null || [...held].some((at) => endsThread(body.nodes[at] as AnyNode))) return null;
    all.push(held);
  }
  return all;
}

/** The waits of a body that look at one shared cell, of few values. */
class WaitReader {
  readonly #model: Model;
  readonly #body: Body;
  readonly #steps: ProgramSteps;
  readonly #before: readonly (readonly number[])[];

  constructor(model: Model, body: Body, steps: ProgramSteps) {
    this.#model = model;
    this.#body = body;
    this.#steps = steps;
    this.#before = predecessorsOf(body.nodes);
  }

  run(): Wait[] {
    return this.#body.nodes.flatMap((_, at) => this.#read(at) ?? []);
  }

  #read(at: number): Wait | null {
    const node = this.#body.nodes[at] as AnyNode;
    if (node.kind !== 'assume' || node.routine === null) return null;
    const [looksAt, ...others] = this.#steps.finder.in(node.condition);
    if (looksAt === undefined || others.length > 0) return null;
    const cell = this.#cellBehind(looksAt, at);
    if (cell === null || this.#steps.locks.locks.has(cell)) return null;
    const claimed = this.#valueThatWaits(node.condition, looksAt);
    return claimed === null ? null : { body: this.#body.id, node: at, cell, claimed };
  }

  /** What the variable holds is what the cell holds when the thread waits: it was read in the section that waits. */
  #cellBehind(variable: number, wait: number): number | null {
    const depth = this.#steps.bodies[this.#body.id]?.depth[wait];
    let cell = this.#isShared(variable) ? variable : null;
    if (depth === 0) return cell;
    for (let at = this.#onlyBefore(wait); at !== null; at = this.#onlyBefore(at)) {
      const node = this.#body.nodes[at] as AnyNode;
      if (node.kind === 'begin') return cell;
      const written = writtenBy(node);
      if (cell !== null && written.includes(cell)) return null;
      if (cell !== null || !written.includes(variable)) continue;
      const value = assignedBy(node, variable);
      const read = value === null ? undefined : this.#steps.finder.idOf(value);
      if (read === undefined || !this.#isShared(read) || written.includes(read)) return null;
      cell = read;
    }
    return null;
  }

  #onlyBefore(at: number): number | null {
    const [before, ...others] = this.#before[at] ?? [];
    return others.length > 0 ? null : (before ?? null);
  }

  #isShared(variable: number): boolean {
    const { kind, owner } = this.#model.variables[variable] as Variable;
    return kind === 'cell' && owner === SHARED;
  }

  /** The one value with which the condition does not hold; null where others may be such. */
  #valueThatWaits(condition: Term, variable: number): bigint | null {
    const { graph, variables } = this.#model;
    const { term, set } = variables[variable] as Variable;
    const isDecided = (value: bigint) => {
      const other = graph.variable(withoutValue(set, value), 'other');
      return graph.isTrue(new TermRebuilder(graph, graph, (each) => (each === term ? other : each)).rebuild(condition));
    };
    return CLAIMED_VALUES.find((value) => hasValue(set, value) && isDecided(value)) ?? null;
  }
}
