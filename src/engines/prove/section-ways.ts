/**
 * What a thread does from a place to the next one that others notice, over what variables held there: from an atomic
 * section through it and on, by itself, or only what it does by itself. All ways that there are, if these are few.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { topSet } from '../../values/value-set.ts';
import { underGuard } from './facts-of-guard.ts';
import { type AnyNode, type Body, type Model, predecessorsOf, type Variable } from './graph.ts';
import { type VariableFinder, type VariableUsers, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

const MOST_WAYS = 32;
const MOST_NODES = 400;
const MOST_INPUTS = 3;

/** One of them. */
export interface Way {
  readonly node: number;
  readonly depth: number;
  /** The section has begun. */
  readonly hasBegun: boolean;
  readonly guard: Term;
  readonly values: ReadonlyMap<Term, Term>;
  /** What the thread has come through by itself, behind the section. */
  readonly trail: readonly number[];
}

interface WayOptions {
  /** What variables hold at the start, and what is known of that. */
  readonly known?: ReadonlyMap<Term, Term>;
  readonly guard?: Term;
  /** Only what the thread does by itself, before any section. */
  readonly isAlone?: boolean;
  /** Ways end there, too, behind the section. */
  readonly stop?: number | null;
}

export class SectionWays {
  readonly #model: Model;
  readonly #body: Body;
  readonly #finder: VariableFinder;
  readonly #users: VariableUsers;
  /** What was chosen on the ways that were followed last. */
  inputs: Term[] = [];
  /** One way may go on where another has ended: what they choose has different names. */
  #chosen = 0;

  constructor(model: Model, body: Body, finder: VariableFinder, users: VariableUsers) {
    this.#model = model;
    this.#body = body;
    this.#finder = finder;
    this.#users = users;
  }

  /** Null where something happens that is not looked at. */
  from(
    start: number,
    { known = new Map(), guard = this.#model.graph.true, isAlone = false, stop = null }: WayOptions = {},
  ): Way[] | null {
    const { graph } = this.#model;
    const done: Way[] = [];
    this.inputs = [];
    const work: Way[] = [{ node: start, depth: 0, hasBegun: isAlone, guard, values: known, trail: [] }];
    let isFirst = !isAlone || !this.isNoticed(start);
    for (let count = 0, way = work.pop(); way !== undefined; way = work.pop(), count++) {
      if (count > MOST_NODES || done.length > MOST_WAYS) return null;
      const isNoticed = this.isNoticed(way.node);
      const isBehind = way.hasBegun && way.depth === 0;
      if (isBehind && !isFirst && (isNoticed || way.node === start || way.node === stop)) {
        done.push(way);
        continue;
      }
      isFirst = false;
      const here = isBehind ? { ...way, trail: [...way.trail, way.node] } : way;
      const following = this.#advance(isNoticed ? { ...here, hasBegun: true } : here);
      if (following === null) return null;
      for (const each of following) if (!graph.isFalse(each.guard)) work.push(each);
    }
    return done;
  }

  isNoticed(at: number): boolean {
    const node = this.#body.nodes[at] as AnyNode;
    if (node.kind !== 'set' && node.kind !== 'branch' && node.kind !== 'skip' && node.kind !== 'havoc') return true;
    return [...this.#finder.readBy(node), ...writtenBy(node)].some((id) => !this.isOwn(id));
  }

  isOwn(id: number): boolean {
    return this.#users.isPrivate(id);
  }

  #advance(way: Way): Way[] | null {
    const { graph, variables } = this.#model;
    const { guard, values, depth } = way;
    const node = this.#body.nodes[way.node] as AnyNode;
    const read = (term: Term) => this.read(term, values);
    const follow = (change: Partial<Way>, branch = 0): Way => ({
      ...way,
      node: node.next[branch] as number,
      ...change,
    });
    switch (node.kind) {
      case 'skip':
        return [follow({})];
      case 'begin':
        return [follow({ depth: depth + 1 })];
      case 'end':
        return depth > 0 ? [follow({ depth: depth - 1 })] : null;
      case 'set': {
        const after = new Map(values);
        for (const { variable, value } of node.assignments)
          after.set((variables[variable] as Variable).term, read(value));
        return [follow({ values: after })];
      }
      case 'havoc': {
        const after = new Map(values);
        for (const id of node.variables) {
          const { term, width } = variables[id] as Variable;
          const input = graph.variable(topSet(node.isBool ? 1 : width), `input ${this.#chosen++}`);
          this.inputs.push(input);
          after.set(term, graph.extend(input, width, false));
        }
        return [follow({ values: after })];
      }
      case 'branch': {
        const condition = underGuard(read(node.condition), guard, graph);
        return [
          follow({ guard: graph.and(guard, condition) }),
          follow({ guard: graph.and(guard, graph.not(condition)) }, 1),
        ];
      }
      case 'assert':
        return graph.isTrue(underGuard(read(node.condition), guard, graph)) ? [follow({})] : null;
      default:
        return null;
    }
  }

  read(term: Term, values: ReadonlyMap<Term, Term>): Term {
    return replaceIn(this.#model.graph, term, values);
  }

  /** Own variables that certainly hold a constant where the section begins. */
  constantsIn(ways: readonly Way[], start: number): ReadonlyMap<Term, Term> {
    const { variables } = this.#model;
    const terms = ways.flatMap(({ guard, values }) => [guard, ...values.values()]);
    const ids = new Set(terms.flatMap((term) => this.#finder.in(term)).filter((id) => this.isOwn(id)));
    const known = new Map<Term, Term>();
    for (const id of ids) {
      const value = this.#constantAt(id, start);
      if (value !== null) known.set((variables[id] as Variable).term, value);
    }
    return known;
  }

  /** What every way to the node assigned last. */
  #constantAt(id: number, start: number): Term | null {
    const { graph } = this.#model;
    const before = predecessorsOf(this.#body.nodes);
    const seen = new Set<number>([start]);
    let found: Term | null = null;
    if (start === this.#body.entry) return null;
    const work = [...(before[start] as readonly number[])];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const node = this.#body.nodes[at] as AnyNode;
      if (!writtenBy(node).includes(id)) {
        if (at === this.#body.entry) return null;
        for (const each of before[at] as readonly number[]) work.push(each);
        continue;
      }
      const value = node.kind === 'set' ? node.assignments.find(({ variable }) => variable === id)?.value : undefined;
      if (value === undefined || graph.constantOf(value) === null || (found !== null && found !== value)) return null;
      found = value;
    }
    return found;
  }

  /** All values of inputs that have one bit, where these are few. */
  choices(): ReadonlyMap<Term, Term>[] {
    const { graph } = this.#model;
    const bits = this.inputs.filter((input) => graph.widthOf(input) === 1);
    if (bits.length > MOST_INPUTS) return [new Map()];
    return Array.from({ length: 1 << bits.length }, (_, choice) => {
      return new Map(bits.map((input, i) => [input, graph.boolean(((choice >> i) & 1) === 1)]));
    });
  }
}

/** The term with others for some of its variables. */
export function replaceIn(graph: TermGraph, term: Term, values: ReadonlyMap<Term, Term>): Term {
  if (values.size === 0) return term;
  return new TermRebuilder(graph, graph, (variable) => values.get(variable) ?? variable).rebuild(term);
}
