/**
 * Locals get constant addresses. That is exact only where one address means one object: a local of a replicated body
 * exists once a thread, and one that comes to life in a loop exists again and again. Such an address must stay where it
 * cannot be taken for another's: the thread's own memory and, in a loop, registers that are dead when the object comes
 * to life again. Where it may go further, the program is refused.
 */

import type { Term } from '../../values/terms.ts';
import { type AnyNode, type Body, findCyclic, type GraphObject, type Model, NotProvableError } from './graph.ts';
import { findLive, mapTerms, VariableFinder } from './node-terms.ts';
import { collectVariables, TermRebuilder } from './rebuild-term.ts';

export function fixAddresses(model: Model): void {
  for (const body of model.bodies) new AddressFlow(model, body).check();
  const { graph, pointerWidth } = model;
  const addresses = new Map<Term, Term>();
  for (const { address, base } of model.objects) {
    if (address !== null) addresses.set(address, graph.constant(pointerWidth, base));
  }
  const rebuilder = new TermRebuilder(graph, graph, (variable) => addresses.get(variable) ?? variable);
  for (const body of model.bodies) body.nodes = body.nodes.map((node) => mapTerms(node, (t) => rebuilder.rebuild(t)));
}

type Objects = ReadonlySet<number>;

/** Where the addresses of a body's locals go. */
class AddressFlow {
  readonly #model: Model;
  readonly #body: Body;
  readonly #finder: VariableFinder;
  readonly #objectOf = new Map<Term, GraphObject>();
  readonly #termsIn = new Map<Term, Set<Term>>();
  /** The objects whose addresses a variable, or the memory of an object, may hold. */
  readonly #inVariable = new Map<number, Set<number>>();
  readonly #inMemory = new Map<number, Set<number>>();
  readonly #again: ReadonlySet<number>;

  constructor(model: Model, body: Body) {
    this.#model = model;
    this.#body = body;
    this.#finder = new VariableFinder(model);
    for (const object of model.objects) {
      if (object.owner === body.id && object.address !== null) this.#objectOf.set(object.address, object);
    }
    const cyclic = findCyclic(body.nodes);
    this.#again = new Set(
      body.nodes.flatMap((node, i) => (node.kind === 'enter' && cyclic.has(i) ? [node.object] : [])),
    );
  }

  check(): void {
    if (this.#objectOf.size === 0) return;
    for (let changed = true; changed; ) {
      changed = false;
      for (const node of this.#body.nodes) changed = this.#flow(node) || changed;
    }
    for (const node of this.#body.nodes) this.#judge(node);
    this.#judgeStale();
  }

  #objectsIn(term: Term): Objects {
    let terms = this.#termsIn.get(term);
    if (!terms) {
      terms = new Set();
      collectVariables(this.#model.graph, term, terms);
      this.#termsIn.set(term, terms);
    }
    const objects = new Set<number>();
    for (const each of terms) {
      const object = this.#objectOf.get(each);
      if (object) objects.add(object.id);
      const variable = this.#finder.idOf(each);
      if (variable !== undefined) for (const held of this.#inVariable.get(variable) ?? []) objects.add(held);
    }
    return objects;
  }

  #flow(node: AnyNode): boolean {
    switch (node.kind) {
      case 'set':
        return node.assignments
          .map(({ variable, value }) => addAll(this.#inVariable, variable, this.#objectsIn(value)))
          .includes(true);
      case 'allocate':
        return addAll(this.#inVariable, node.variable, new Set(node.objects.filter((id) => this.#isOwn(id))));
      case 'load':
        return [...this.#objectsIn(node.address)]
          .map((object) => addAll(this.#inVariable, node.variable, this.#inMemory.get(object) ?? new Set()))
          .includes(true);
      case 'store':
        return [...this.#objectsIn(node.address)]
          .map((object) => addAll(this.#inMemory, object, this.#objectsIn(node.value)))
          .includes(true);
      default:
        return false;
    }
  }

  #isOwn(id: number): boolean {
    const { owner, address } = this.#model.objects[id] as GraphObject;
    return owner === this.#body.id && address !== null;
  }

  #judge(node: AnyNode): void {
    if (node.kind !== 'store' && node.kind !== 'spawn') return;
    const held = this.#objectsIn(node.kind === 'store' ? node.value : node.argument);
    const staysHere = node.kind === 'store' && this.#objectsIn(node.address).size > 0;
    for (const id of held) {
      const { name } = this.#model.objects[id] as GraphObject;
      if (this.#again.has(id))
        throw new NotProvableError(node.loc, `the address of '${name}', a new object in each turn of a loop, is kept`);
      if (this.#body.isReplicated && !staysHere)
        throw new NotProvableError(
          node.loc,
          `other threads are given the address of '${name}', which every thread of any number has for itself`,
        );
    }
  }

  #judgeStale(): void {
    if (this.#again.size === 0) return;
    const live = findLive(this.#body, this.#finder);
    this.#body.nodes.forEach((node, i) => {
      if (node.kind !== 'enter' || !this.#again.has(node.object)) return;
      for (const variable of live[i] as ReadonlySet<number>) {
        if (!this.#inVariable.get(variable)?.has(node.object)) continue;
        const { name } = this.#model.objects[node.object] as GraphObject;
        throw new NotProvableError(node.loc, `a pointer to '${name}' may outlive it`);
      }
    });
  }
}

function addAll(table: Map<number, Set<number>>, key: number, added: Objects): boolean {
  const known = table.get(key) ?? new Set<number>();
  const size = known.size;
  for (const each of added) known.add(each);
  table.set(key, known);
  return known.size > size;
}
