/**
 * Locks that are spun for: `while (atomic_exchange(&lock, 1));`, a loop around a compare-and-swap or a trylock, with or
 * without a look at the lock before. An atomic section that takes the lock where it is free, and otherwise changes
 * nothing and comes back, becomes "wait until it is 0; set it", as find-locks.ts knows it.
 *
 * Why that is the same: a turn that fails leaves everything as it was. Nobody else sees it, for what it stores into the
 * lock is what the lock holds; the thread has nothing of it, for what it assigned is assigned again before it is read.
 * So an execution without these turns comes to the same states, and to the same errors. A look at the lock before the
 * section only delays it: whoever finds the lock free in the section would have found it free just before. Where
 * deadlocks are looked for, a thread that can do nothing but such turns is one that waits.
 *
 * Left alone: sections that look at other shared cells, or whose failure leads elsewhere; and all of them where data
 * races are looked for, since an atomic access need not order anything.
 */

import type { Term } from '../../values/terms.ts';
import { enumerateValues, hasValue, withoutValue } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import { type AnyNode, type Body, type Model, outermostBegins, predecessorsOf, type Variable } from './graph.ts';
import { findLive, VariableFinder, VariableUsers } from './node-terms.ts';
import { SectionWays, type Way } from './section-ways.ts';

/** A lock holds one of so many values, where storing the same again matters. */
const MOST_VALUES = 8;
/** What the wait is called where deadlocks are looked for. */
const SPIN = 'a spin lock';

/** `isWaiting`: where threads wait matters. */
export function waitForSpinLocks(model: Model, isWaiting: boolean): void {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  for (const body of model.bodies) new SpinSearch(model, body, finder, users, isWaiting).run();
}

interface Take {
  readonly lock: Variable;
  readonly value: Term;
  readonly next: number;
  /** What else the thread assigns. */
  readonly own: readonly { readonly variable: number; readonly value: Term }[];
  /** Where a turn that failed goes on, if that is not the section. */
  readonly look: number | null;
}

class SpinSearch {
  readonly #model: Model;
  readonly #body: Body;
  readonly #finder: VariableFinder;
  readonly #isWaiting: boolean;
  readonly #live: ReadonlySet<number>[];
  readonly #before: readonly (readonly number[])[];
  readonly #ways: SectionWays;

  constructor(model: Model, body: Body, finder: VariableFinder, users: VariableUsers, isWaiting: boolean) {
    this.#model = model;
    this.#body = body;
    this.#finder = finder;
    this.#isWaiting = isWaiting;
    this.#live = findLive(body, finder);
    this.#ways = new SectionWays(model, body, finder, users);
    this.#before = predecessorsOf(body.nodes);
  }

  run(): void {
    const outermost = outermostBegins(this.#body);
    for (const begin of outermost) {
      const start = this.#withPrefix(begin);
      const take = this.#readTake(start);
      if (take !== null) this.#rewrite(start, take);
    }
  }

  /** What a thread does for itself on the only way to a section belongs to the turn: it may choose an input there. */
  #withPrefix(begin: number): number {
    const { nodes, entry } = this.#body;
    const seen = new Set<number>();
    for (let start = begin; ; ) {
      const [previous, ...others] = this.#before[start] as readonly number[];
      if (start === entry || previous === undefined || others.length > 0 || seen.has(previous)) return start;
      if (nodes[previous]?.next.length !== 1 || this.#ways.isNoticed(previous)) return start;
      seen.add(previous);
      start = previous;
    }
  }

  // -------------------------------------------------------------- what a section is

  #readTake(start: number): Take | null {
    const unknown = this.#ways.from(start);
    if (unknown === null || unknown.length < 2) return null;
    const known = this.#ways.constantsIn(unknown, start);
    const all = known.size === 0 ? unknown : this.#ways.from(start, { known });
    const lock = all && this.#lockOf(all);
    if (!all || !lock) return null;
    const ways = all.filter((way) => this.#isPossible(way, lock));
    const others = ways.filter(({ node }) => node !== start);
    const { inputs } = this.#ways;
    const look = others.map(({ node }) => node).find((node) => this.#isLook(node, start, lock)) ?? null;
    this.#ways.inputs = inputs;
    const success = others.filter(({ node }) => node !== look);
    const failed = ways.filter(({ node }) => node === start || node === look);
    const [way] = success;
    if (success.length !== 1 || way === undefined || failed.length === 0) return null;
    if (!failed.every((each) => this.#isIdle(each, lock, known))) return null;
    return this.#takeBy(way, lock, look);
  }

  /** Nodes that are new are not asked about; what changed since only needs less. */
  #isLive(node: number, id: number): boolean {
    return this.#live[node]?.has(id) ?? true;
  }

  /** The only cell of others that is looked at or stored to. */
  #lockOf(ways: readonly Way[]): Variable | null {
    const { variables } = this.#model;
    const touched = new Set<number>();
    for (const { guard, values } of ways) {
      for (const term of [guard, ...values.values()]) for (const id of this.#finder.in(term)) touched.add(id);
      for (const variable of values.keys()) touched.add(this.#finder.idOf(variable) as number);
    }
    const shared = [...touched].filter((id) => !this.#ways.isOwn(id));
    const lock = shared.length === 1 ? (variables[shared[0] as number] as Variable) : null;
    return lock?.kind === 'cell' ? lock : null;
  }

  /**
   * From there one comes back while the lock is taken, or to the section, and has done nothing but look at the lock.
   */
  #isLook(at: number, start: number, lock: Variable): boolean {
    const node = this.#body.nodes[at] as AnyNode;
    const isRead = node.kind === 'set' && this.#finder.readBy(node).includes(lock.id);
    const ways = isRead ? this.#ways.from(at) : null;
    if (ways === null || ways.length < 2) return false;
    const free = new Map([[lock.term, this.#model.graph.constant(lock.width, 0n)]]);
    return ways.every((way) => {
      const isAgain = way.node === at && this.#model.graph.isFalse(this.#ways.read(way.guard, free));
      const isBack = isAgain || way.node === start;
      const writes = [...way.values.keys()].map((term) => this.#finder.idOf(term) as number);
      return isBack && writes.every((id) => this.#ways.isOwn(id) && !this.#isLive(way.node, id));
    });
  }

  /** Nothing has changed that anybody needs. */
  #isIdle({ node, guard, values }: Way, lock: Variable, known: ReadonlyMap<Term, Term>): boolean {
    return [...values].every(([variable, value]) => {
      const id = this.#finder.idOf(variable) as number;
      if (id === lock.id) return this.#isSame(lock, value, guard);
      return !this.#isLive(node, id) || value === (known.get(variable) ?? variable);
    });
  }

  /** Whether the lock holds the value wherever the guard holds. */
  #isSame(lock: Variable, value: Term, guard: Term): boolean {
    const { graph } = this.#model;
    if (value === lock.term) return true;
    const possible = enumerateValues(lock.set, MOST_VALUES);
    if (possible === null) return false;
    return possible.every((each) => {
      const constant = graph.constant(lock.width, each);
      const given = new Map([[lock.term, constant]]);
      return graph.isFalse(this.#ways.read(guard, given)) || this.#ways.read(value, given) === constant;
    });
  }

  /** Not all conditions that cannot hold together are found out before. */
  #isPossible({ guard }: Way, lock: Variable): boolean {
    const { graph } = this.#model;
    const states = [graph.constant(lock.width, 0n), graph.variable(withoutValue(lock.set, 0n), 'taken')];
    return states.some((state) => {
      const here = this.#ways.read(guard, new Map([[lock.term, state]]));
      return this.#ways.choices().some((inputs) => !graph.isFalse(this.#ways.read(here, inputs)));
    });
  }

  /** Where the lock is free, it is taken, if inputs are chosen for that; where it is not, it is not. */
  #takeBy({ node, guard, values }: Way, lock: Variable, look: number | null): Take | null {
    const { graph } = this.#model;
    const zero = graph.constant(lock.width, 0n);
    const free = new Map([[lock.term, zero]]);
    const taken = new Map([[lock.term, graph.variable(withoutValue(lock.set, 0n), 'taken')]]);
    const whenFree = this.#ways.read(guard, free);
    const goesOn = this.#ways.choices().some((inputs) => graph.isTrue(this.#ways.read(whenFree, inputs)));
    if (!goesOn || !graph.isFalse(this.#ways.read(guard, taken))) return null;
    const after = new Map([...values].map(([variable, value]) => [variable, this.#ways.read(value, free)]));
    const value = after.get(lock.term);
    if (value === undefined || hasValue(graph.setOf(value), 0n)) return null;
    const own = [...after].flatMap(([variable, each]) => {
      const id = this.#finder.idOf(variable) as number;
      return id !== lock.id && this.#isLive(node, id) ? [{ variable: id, value: each }] : [];
    });
    // What does not depend on inputs is the same for all that lead here.
    const inputs = new Set(this.#ways.inputs);
    const isChosen = [value, ...own.map((each) => each.value)].some((each) => this.#mentions(each, inputs));
    return isChosen ? null : { lock, value, next: node, own, look };
  }

  #mentions(term: Term, inputs: ReadonlySet<Term>): boolean {
    const { graph } = this.#model;
    if (inputs.has(term)) return true;
    return graph.operandsOf(term).some((operand) => this.#mentions(operand, inputs));
  }

  // -------------------------------------------------------------- the wait

  #rewrite(start: number, { lock, value, next, own, look }: Take): void {
    const { graph } = this.#model;
    const { nodes } = this.#body;
    const { loc, isModel } = nodes[start] as AnyNode;
    const base = { loc, isModel };
    const read = addVariable(this.#model, {
      ...{ name: `${lock.name} as tried`, width: lock.width, owner: this.#body.id },
      ...{ kind: 'register', signed: lock.signed },
    });
    const add = (node: AnyNode) => nodes.push(node) - 1;
    const after = own.length === 0 ? next : add({ ...base, kind: 'set', assignments: own, next: [next] });
    const end = add({ ...base, kind: 'end', next: [after] });
    const store = add({ ...base, kind: 'set', assignments: [{ variable: lock.id, value }], next: [end] });
    const condition = graph.eq(read.term, graph.constant(lock.width, 0n));
    const routine = this.#isWaiting ? SPIN : null;
    const wait = add({ ...base, kind: 'assume', condition, routine, next: [store] });
    const load = add({ ...base, kind: 'set', assignments: [{ variable: read.id, value: lock.term }], next: [wait] });
    nodes[start] = { ...base, kind: 'begin', next: [load] };
    if (look === null) return;
    for (const [at, node] of nodes.entries())
      nodes[at] = { ...node, next: node.next.map((each) => (each === look ? start : each)) };
    if (this.#body.entry === look) this.#body.entry = start;
  }
}
