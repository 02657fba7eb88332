/**
 * Where a thread may have a cell claimed (find-claims.ts): it was the last to write a claimed value, and has neither
 * written nor seen another one since. All ways through a body are followed with what its branches have decided, for
 * who claims a cell on one side of a branch asks later, by the same condition, whether it has.
 */

import { pushAll } from '../../support/push-all.ts';
import type { Term } from '../../values/terms.ts';
import { hasValue } from '../../values/value-set.ts';
import type { AnyNode, Body, Model, Variable } from './graph.ts';
import { assignedBy, VariableFinder, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

export interface Claim {
  readonly cell: number;
  /** The values that others wait for to go away. */
  readonly claimed: ReadonlySet<bigint>;
  /** At the entry. */
  readonly isClaimedFirst: boolean;
}

/** The nodes of a body before which the thread may have the cell claimed. */
export type ClaimedNodes = ReadonlySet<number>;

const MOST_WAYS = 20_000;

/** Null where there are too many ways. */
export function walkClaims(model: Model, body: Body, claim: Claim): ClaimedNodes | null {
  return new ClaimWalk(model, body, claim).run();
}

interface Way {
  readonly at: number;
  readonly isClaimed: boolean;
  /** What branches have decided. */
  readonly known: ReadonlyMap<Term, boolean>;
  /** Variables of the thread that hold what the cell has held at some time since it was claimed. */
  readonly copies: ReadonlySet<number>;
}

type After = Omit<Way, 'at'>;

class ClaimWalk {
  readonly #model: Model;
  readonly #body: Body;
  readonly #claim: Claim;
  readonly #finder: VariableFinder;
  /** Conditions that several branches ask for, with the variables of the thread that they depend on. */
  readonly #asked: ReadonlyMap<Term, readonly number[]>;

  constructor(model: Model, body: Body, claim: Claim) {
    this.#model = model;
    this.#body = body;
    this.#claim = claim;
    this.#finder = new VariableFinder(model);
    const isOwn = (variable: number) => (model.variables[variable] as Variable).kind !== 'cell';
    const conditions = body.nodes.flatMap((node) => (node.kind === 'branch' ? [this.#positive(node.condition)] : []));
    this.#asked = new Map(
      conditions
        .filter((term, i) => conditions.indexOf(term) < i && this.#finder.in(term).every(isOwn))
        .map((term) => [term, this.#finder.in(term)]),
    );
  }

  run(): ClaimedNodes | null {
    const { nodes, entry } = this.#body;
    const claimed = new Set<number>();
    const seen = new Set<string>();
    const first = { isClaimed: this.#claim.isClaimedFirst, known: new Map(), copies: new Set<number>() };
    const work: Way[] = [{ ...first, at: entry }];
    for (let way = work.pop(); way !== undefined; way = work.pop()) {
      const known = [...way.known].toSorted(([a], [b]) => a - b);
      const key = `${way.at} ${way.isClaimed} ${known.join()} ${[...way.copies].toSorted((a, b) => a - b).join()}`;
      if (seen.has(key)) continue;
      if (seen.add(key).size > MOST_WAYS) return null;
      if (way.isClaimed) claimed.add(way.at);
      const node = nodes[way.at] as AnyNode;
      const after = this.#after(node, way);
      if (node.kind === 'branch') pushAll(work, this.#branch(node, after));
      else for (const at of node.next) work.push({ ...after, at });
    }
    return claimed;
  }

  #after(node: AnyNode, { isClaimed, known, copies }: Way): After {
    const written = writtenBy(node);
    if (written.length === 0) return { isClaimed, known, copies };
    const isKept = ([term]: readonly [Term, boolean]) => !this.#asked.get(term)?.some((id) => written.includes(id));
    const after = { known: new Map([...known].filter(isKept)), copies: this.#copiesAfter(node, copies) };
    if (!written.includes(this.#claim.cell)) return { ...after, isClaimed };
    return this.#mayClaim(node) ? { ...after, isClaimed: true, copies: new Set() } : { ...after, isClaimed: false };
  }

  #copiesAfter(node: AnyNode, copies: ReadonlySet<number>): ReadonlySet<number> {
    const after = new Set(copies);
    for (const each of writtenBy(node)) {
      const value = assignedBy(node, each);
      const from = value === null ? undefined : this.#finder.idOf(value);
      if (from !== undefined && (from === this.#claim.cell || copies.has(from))) after.add(each);
      else after.delete(each);
    }
    return after;
  }

  #mayClaim(node: AnyNode): boolean {
    const value = assignedBy(node, this.#claim.cell);
    return value === null || [...this.#claim.claimed].some((each) => hasValue(this.#model.graph.setOf(value), each));
  }

  #branch({ condition, next }: Extract<AnyNode, { kind: 'branch' }>, { isClaimed, known, copies }: After): Way[] {
    const { graph } = this.#model;
    const term = this.#positive(condition);
    const decided = known.get(term);
    const isAsked = this.#asked.has(term);
    return next.flatMap((at, i) => {
      const edge = i === 0 ? condition : graph.not(condition);
      const holds = edge === term;
      if (decided !== undefined && decided !== holds) return [];
      const isStillClaimed = isClaimed && !this.#tellsOther(edge, copies);
      return [{ at, isClaimed: isStillClaimed, known: isAsked ? new Map(known).set(term, holds) : known, copies }];
    });
  }

  /** Whether the condition does not hold where the cell, or what was read of it since, has a claimed value. */
  #tellsOther(condition: Term, copies: ReadonlySet<number>): boolean {
    const { graph, variables } = this.#model;
    return this.#finder.in(condition).some((id) => {
      if (id !== this.#claim.cell && !copies.has(id)) return false;
      const { term, width } = variables[id] as Variable;
      return [...this.#claim.claimed].every((value) => {
        const given = (each: Term) => (each === term ? graph.constant(width, value) : each);
        return graph.isFalse(new TermRebuilder(graph, graph, given).rebuild(condition));
      });
    });
  }

  /** A condition or its negation, the same for both. */
  #positive(condition: Term): Term {
    const negated = this.#model.graph.not(condition);
    return negated < condition ? negated : condition;
  }
}
