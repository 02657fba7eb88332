/**
 * Updates of one word that are tried until nobody comes between: look at the word, decide by what it holds whether and
 * how to change it, then compare and swap, and begin again where it holds something else by now. So readers count
 * themselves into a word that a writer may have taken, and out again (read-write-locks.ts). The loop becomes one atomic
 * section, "wait until the word is such that it can be changed; change it".
 *
 * Why that is the same: a turn that fails stores nothing, and what it leaves to the thread is what it has seen of the
 * word, which is looked at again or compared. A turn that succeeds has found in the word just what it had seen before
 * (that is asked: where the word differs from what was seen, no way leads on); so all that it decided by what it had
 * seen, it could have decided in that very step. What the word may hold when the thread goes on, what it holds then,
 * and what the thread has of it, has to come out the same from wherever it gets to the comparison: from a look, from a
 * turn that failed, or from before the loop. Looks at the word that lead nowhere else are left out with the rest.
 *
 * Who never gets on goes round doing nothing, for as long as the word does not change: that is a wait. Left alone:
 * loops that are left in several ways, or that look at other shared cells; and where data races are looked for, all.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { underGuard } from './facts-of-guard.ts';
import { type AnyNode, type Body, type Model, outermostBegins, predecessorsOf, type Variable } from './graph.ts';
import { findLive, VariableFinder, VariableUsers } from './node-terms.ts';
import { replaceIn, SectionWays, type Way } from './section-ways.ts';

/** What the wait is called where deadlocks are looked for. */
const SPIN = 'a spin lock';
const MOST_LOOKS = 16;
const MOST_COMPARED = 5;

/** `isWaiting`: where threads wait matters. */
export function joinRetriedUpdates(model: Model, isWaiting: boolean): void {
  let finder = new VariableFinder(model);
  let users = new VariableUsers(model, finder);
  for (const body of model.bodies) {
    for (const begin of outermostBegins(body)) {
      const update = new UpdateSearch(model, body, finder, users).read(begin);
      if (update === null) continue;
      rewrite(model, body, begin, update, isWaiting);
      finder = new VariableFinder(model);
      users = new VariableUsers(model, finder);
    }
  }
}

/** What the loop comes to, over what the word and the thread's variables hold where it gets on. */
interface Update {
  readonly word: Variable;
  readonly condition: Term;
  readonly value: Term;
  /** What else the thread has of it. */
  readonly own: readonly { readonly variable: number; readonly value: Term }[];
  readonly next: number;
  /** The looks that are part of it. */
  readonly looks: ReadonlySet<number>;
}

/** How a thread gets to the section: what it knows there, and the choices on its way. */
interface Segment {
  readonly guard: Term;
  readonly values: ReadonlyMap<Term, Term>;
  readonly inputs: readonly Term[];
  /** Stands for what was seen of the word; null where nothing was. */
  readonly seen: Term | null;
}

class UpdateSearch {
  readonly #model: Model;
  readonly #graph: TermGraph;
  readonly #body: Body;
  readonly #finder: VariableFinder;
  readonly #live: readonly ReadonlySet<number>[];
  readonly #ways: SectionWays;

  constructor(model: Model, body: Body, finder: VariableFinder, users: VariableUsers) {
    this.#model = model;
    this.#graph = model.graph;
    this.#body = body;
    this.#finder = finder;
    this.#live = findLive(body, finder);
    this.#ways = new SectionWays(model, body, finder, users);
  }

  /** Null where the section is no such update. */
  read(section: number): Update | null {
    const known = this.#ways.constantsIn(this.#ways.from(section) ?? [], section);
    const followed = this.#possible(this.#ways.from(section, { known }));
    if (followed === null || followed.length < 2) return null;
    const word = this.#wordOf(followed);
    const next = word && this.#exitOf(followed, word);
    if (word === null || next === null || next === section) return null;
    const all = this.#possible(this.#ways.from(section, { known, stop: next }));
    if (all === null || !all.every((way) => way.node === next || this.#leaves(way, word))) return null;
    const inputs = this.#ways.inputs;
    const failed = all.filter(({ node }) => node !== next);
    const looks = this.#looksBefore(section, failed, word);
    if (looks === null || looks.has(next)) return null;
    const changed = new Set<Term>();
    const ofLooks = [...looks].flatMap((look) => this.#ways.from(look) ?? []);
    for (const { values } of [...all, ...ofLooks]) for (const variable of values.keys()) changed.add(variable);
    changed.delete(word.term);
    const done = all.filter(({ node }) => node === next);
    const segments = this.#segmentsTo(section, { failed, done, inputs, looks, word, changed });
    return segments && this.#join(section, word, next, looks, segments, changed);
  }

  /**
   * Without those that nobody can go, which are not all found out by following them: conditions are asked again where
   * it is known what was chosen, and which numbers are equal.
   */
  #possible(ways: readonly Way[] | null, inputs: readonly Term[] = this.#ways.inputs): readonly Way[] | null {
    const graph = this.#graph;
    const isPossible = ({ guard }: Way) => {
      const equal = comparisonsIn(graph, guard);
      if (equal.length > MOST_COMPARED) return true;
      const cases = equal.reduce<readonly Term[]>(
        (all, each) => all.flatMap((one) => [graph.and(one, each), graph.and(one, graph.not(each))]),
        [graph.true],
      );
      const choices = this.#choices(inputs);
      return cases.some((one) =>
        choices.some((choice) => !graph.isFalse(this.#ways.read(underGuard(guard, one, graph), choice))),
      );
    };
    const found = ways?.filter(isPossible) ?? null;
    this.#ways.inputs = [...inputs];
    return found;
  }

  /** The first place behind the section to which a thread comes where it has changed the word, and only then. */
  #exitOf(ways: readonly Way[], word: Variable): number | null {
    const isFailed = (way: Way) => this.#leaves(way, word);
    const failed = new Set(ways.filter(isFailed).flatMap(({ trail, node }) => [...trail, node]));
    const done = ways.filter((way) => !isFailed(way));
    const exits = new Set(done.map(({ trail, node }) => [...trail, node].find((at) => !failed.has(at))));
    const [exit, ...others] = exits;
    return failed.size > 0 && exit !== undefined && others.length === 0 ? exit : null;
  }

  /** The only cell of others that is touched. */
  #wordOf(ways: readonly Way[]): Variable | null {
    const touched = new Set<number>();
    for (const { guard, values } of ways) {
      for (const term of [guard, ...values.values()]) for (const id of this.#finder.in(term)) touched.add(id);
      for (const variable of values.keys()) touched.add(this.#finder.idOf(variable) as number);
    }
    const shared = [...touched].filter((id) => !this.#ways.isOwn(id));
    const word = shared.length === 1 ? (this.#model.variables[shared[0] as number] as Variable) : null;
    return word?.kind === 'cell' ? word : null;
  }

  /** The word is as it was. */
  #leaves({ values }: Way, { term }: Variable): boolean {
    return (values.get(term) ?? term) === term;
  }

  // -------------------------------------------------------------- looks

  /** Where turns that fail go on, and other looks that lead to the section only. Null where they lead elsewhere. */
  #looksBefore(section: number, failed: readonly Way[], word: Variable): ReadonlySet<number> | null {
    const looks = new Set<number>();
    const work = failed.map(({ node }) => node);
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at === section || looks.has(at)) continue;
      const ways = this.#looks(at, word);
      if (ways === null || looks.size > MOST_LOOKS) return null;
      looks.add(at);
      for (const { node } of ways) work.push(node);
    }
    for (let size = -1; size !== looks.size; ) {
      size = looks.size;
      for (const at of this.#body.nodes.keys()) {
        if (looks.has(at)) continue;
        const ways = this.#looks(at, word);
        const isLook = ({ node }: Way) => node === section || (node !== at && looks.has(node));
        if (ways !== null && ways.length > 0 && ways.every(isLook)) looks.add(at);
      }
    }
    return looks;
  }

  /** What comes after a look at the word, alone; null where the node is none. */
  #looks(at: number, word: Variable): readonly Way[] | null {
    const node = this.#body.nodes[at] as AnyNode;
    if (node.kind !== 'set' || !this.#finder.readBy(node).includes(word.id)) return null;
    const ways = this.#possible(this.#ways.from(at));
    return ways !== null && this.#wordOf(ways) === word && ways.every((way) => this.#leaves(way, word)) ? ways : null;
  }

  // -------------------------------------------------------------- ways to the section

  /** From looks, from turns that failed or got on, and from elsewhere. Null where not all are known. */
  #segmentsTo(
    section: number,
    loop: {
      readonly failed: readonly Way[];
      readonly done: readonly Way[];
      readonly inputs: readonly Term[];
      readonly looks: ReadonlySet<number>;
      readonly word: Variable;
      readonly changed: ReadonlySet<Term>;
    },
  ): readonly Segment[] | null {
    const { failed, done, inputs, looks, word, changed } = loop;
    const again = failed.filter(({ node }) => node === section);
    const segments: Segment[] = again.map((way) => this.#forgetFailure(this.#segmentOf(way, inputs, word), changed));
    // Who got on may come straight back, with what he saw before.
    for (const { node, values: known, guard } of done) {
      const ways = this.#ways.from(node, { known, guard, isAlone: true });
      if (ways === null || ways.some((way) => way.node === node && !this.#ways.isNoticed(node))) return null;
      const chosen = [...inputs, ...this.#ways.inputs];
      for (const way of ways)
        if (way.node === section) segments.push(this.#forgetFailure(this.#segmentOf(way, chosen, word), changed));
    }
    for (const look of looks) {
      const ways = this.#possible(this.#ways.from(look));
      if (ways === null) return null;
      const chosen = this.#ways.inputs;
      for (const way of ways) if (way.node === section) segments.push(this.#segmentOf(way, chosen, word));
    }
    for (const start of this.#startsBefore(section, looks)) {
      const ways = this.#ways.from(start, { isAlone: true });
      if (ways === null) return null;
      const chosen = this.#ways.inputs;
      for (const way of ways)
        if (way.node === section) segments.push({ guard: way.guard, values: way.values, inputs: chosen, seen: null });
    }
    return segments.length > 0 ? segments : null;
  }

  /**
   * Why the turn before has failed, which is about what the thread had then, does not matter to the next one: without
   * that more turns may succeed, and whoever comes straight back compares with what the word held just now.
   */
  #forgetFailure(segment: Segment, changed: ReadonlySet<Term>): Segment {
    const { variables } = this.#model;
    const isKept = (fact: Term) => this.#finder.in(fact).every((id) => !changed.has((variables[id] as Variable).term));
    return { ...segment, guard: this.#graph.andAll(this.#graph.conjuncts(segment.guard).filter(isKept)) };
  }

  #segmentOf({ guard, values }: Way, inputs: readonly Term[], word: Variable): Segment {
    const seen = this.#graph.variable(word.set, 'seen');
    const renamed = new Map([[word.term, seen]]);
    const read = (term: Term) => this.#ways.read(term, renamed);
    const own = [...values].filter(([variable]) => variable !== word.term);
    return {
      guard: read(guard),
      values: new Map(own.map(([variable, value]) => [variable, read(value)])),
      inputs,
      seen,
    };
  }

  /** Where a thread begins to do something by itself that leads to the section, but for the loop's own places. */
  #startsBefore(section: number, looks: ReadonlySet<number>): ReadonlySet<number> {
    const { nodes, entry } = this.#body;
    const before = predecessorsOf(nodes);
    const inside = this.#nodesOf(section);
    const starts = new Set<number>();
    const seen = new Set([section]);
    const work = [section];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at === entry) starts.add(at);
      for (const previous of before[at] as readonly number[]) {
        if (inside.has(previous) || looks.has(previous)) continue;
        if (this.#ways.isNoticed(previous)) starts.add(at);
        else if (!seen.has(previous)) {
          seen.add(previous);
          work.push(previous);
        }
      }
    }
    return starts;
  }

  /** From the begin of the section to its ends. */
  #nodesOf(section: number): ReadonlySet<number> {
    const { nodes } = this.#body;
    const depths = new Map([[section, 0]]);
    const work = [section];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const node = nodes[at] as AnyNode;
      const after = (depths.get(at) as number) + (node.kind === 'begin' ? 1 : node.kind === 'end' ? -1 : 0);
      if (after <= 0) continue;
      for (const next of node.next) {
        if (depths.has(next)) continue;
        depths.set(next, after);
        work.push(next);
      }
    }
    return new Set(depths.keys());
  }

  // -------------------------------------------------------------- all of them together

  #join(
    section: number,
    word: Variable,
    next: number,
    looks: ReadonlySet<number>,
    segments: readonly Segment[],
    changed: ReadonlySet<Term>,
  ): Update | null {
    const written = new Set(changed);
    for (const { values } of segments) for (const variable of values.keys()) written.add(variable);
    let found = null as Update | null;
    for (const segment of segments) {
      const update = this.#through(section, segment, { word, next, looks, changed });
      if (update === null || !this.#isKnown(update, written)) return null;
      if (found !== null && !isSame(found, update)) return null;
      found = update;
    }
    return found;
  }

  /** What a turn comes to that begins with the segment; null where it does not succeed, or in several ways. */
  #through(
    section: number,
    segment: Segment,
    loop: Pick<Update, 'word' | 'next' | 'looks'> & { readonly changed: ReadonlySet<Term> },
  ): Update | null {
    const { word, next, looks, changed } = loop;
    const { values: known, guard } = segment;
    const followed = this.#ways.from(section, { known, guard, stop: next });
    const inputs = [...segment.inputs, ...this.#ways.inputs];
    const all = this.#possible(followed, inputs);
    if (all === null) return null;
    let found = null as Update | null;
    for (const way of all) {
      if (this.#leaves(way, word) && way.node !== next) continue;
      if (this.#leaves(way, word)) return null;
      const read = this.#asSeen(way, segment, word);
      if (read === null || way.node !== next) return null;
      const condition = this.#graph.orAll(
        this.#choices(inputs).map((choice) => this.#ways.read(read(way.guard), choice)),
      );
      if (this.#graph.isFalse(condition)) continue;
      const own: { variable: number; value: Term }[] = [];
      for (const variable of changed) {
        const id = this.#finder.idOf(variable) as number;
        if (!(this.#live[next]?.has(id) ?? true)) continue;
        own.push({ variable: id, value: read(way.values.get(variable) ?? variable) });
      }
      const value = read(way.values.get(word.term) as Term);
      const update: Update = { word, condition, value, own, next, looks };
      if (found === null) found = update;
      else if (isSame({ ...found, condition }, update))
        found = { ...found, condition: this.#graph.or(found.condition, condition) };
      else return null;
    }
    return found;
  }

  /** The word is what was seen; null where the turn may succeed although it is not. */
  #asSeen({ guard }: Way, { seen }: Segment, { term }: Variable): ((value: Term) => Term) | null {
    if (seen === null) return (value) => value;
    const graph = this.#graph;
    const isSeen = graph.eq(term, seen);
    if (!graph.isFalse(underGuard(guard, graph.not(isSeen), graph))) return null;
    const same = new Map([[seen, term]]);
    return (value) => this.#ways.read(underGuard(value, isSeen, graph), same);
  }

  #choices(inputs: readonly Term[]): readonly ReadonlyMap<Term, Term>[] {
    this.#ways.inputs = [...inputs];
    return this.#ways.choices();
  }

  /** What it comes to depends on the word and on what the loop, and the ways to it, leave as it is. */
  #isKnown({ word, condition, value, own }: Update, written: ReadonlySet<Term>): boolean {
    const { variables } = this.#model;
    const terms = [condition, value, ...own.map((each) => each.value)];
    const ids = terms.flatMap((term) => this.#finder.in(term));
    for (const id of ids) {
      const { term } = variables[id] as Variable;
      if (term !== word.term && (written.has(term) || !this.#ways.isOwn(id))) return false;
    }
    return terms.every((term) => this.#isOfModel(term));
  }

  /** No choice and nothing that was seen is left in it. */
  #isOfModel(term: Term): boolean {
    const graph = this.#graph;
    if (graph.operationOf(term) === 'variable') return this.#finder.idOf(term) !== undefined;
    return graph.operandsOf(term).every((operand) => this.#isOfModel(operand));
  }
}

/** The conditions in a term that two numbers are equal in which there are no others. */
function comparisonsIn(graph: TermGraph, term: Term): Term[] {
  const found = new Set<Term>();
  const compares = new Map<Term, boolean>();
  const visit = (each: Term): boolean => {
    const known = compares.get(each);
    if (known !== undefined) return known;
    const isAbove = graph.operandsOf(each).map(visit).includes(true);
    const isOne = graph.operationOf(each) === 'eq';
    if (isOne && !isAbove) found.add(each);
    compares.set(each, isOne || isAbove);
    return isOne || isAbove;
  };
  visit(term);
  return [...found];
}

function isSame(a: Update, b: Update): boolean {
  const ownOf = (each: Update) => new Map(each.own.map(({ variable, value }) => [variable, value]));
  const [own, other] = [ownOf(a), ownOf(b)];
  const isEqual = own.size === other.size && [...own].every(([variable, value]) => other.get(variable) === value);
  return a.condition === b.condition && a.value === b.value && isEqual;
}

function rewrite(
  model: Model,
  body: Body,
  section: number,
  { word, condition, value, own, next, looks }: Update,
  isWaiting: boolean,
): void {
  const { graph } = model;
  const { nodes } = body;
  const { loc, isModel } = nodes[section] as AnyNode;
  const base = { loc, isModel };
  const read = addVariable(model, {
    ...{ name: `${word.name} as found`, width: word.width, owner: body.id },
    ...{ kind: 'register', signed: word.signed },
  });
  const found = new Map([[word.term, read.term]]);
  const given = (term: Term) => replaceIn(graph, term, found);
  const add = (node: AnyNode) => nodes.push(node) - 1;
  const assignments = own.map((each) => ({ ...each, value: given(each.value) }));
  const after = assignments.length === 0 ? next : add({ ...base, kind: 'set', assignments, next: [next] });
  const end = add({ ...base, kind: 'end', next: [after] });
  const store = add({
    ...base,
    kind: 'set',
    assignments: [{ variable: word.id, value: given(value) }],
    next: [end],
  });
  const routine = isWaiting ? SPIN : null;
  const wait = add({ ...base, kind: 'assume', condition: given(condition), routine, next: [store] });
  const load = add({ ...base, kind: 'set', assignments: [{ variable: read.id, value: word.term }], next: [wait] });
  nodes[section] = { ...base, kind: 'begin', next: [load] };
  for (const [at, node] of nodes.entries())
    nodes[at] = { ...node, next: node.next.map((each) => (looks.has(each) ? section : each)) };
  if (looks.has(body.entry)) body.entry = section;
}
