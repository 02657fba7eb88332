/**
 * Allocations that may run any number of times: a place has a few *instances*, objects that it allocates in turn. Which
 * one is taken is the first that is not alive. A program that has more of them alive at a time than there are instances
 * is not proved: that this does not happen is asserted.
 *
 * An instance that was freed is taken again, although the program gets a new object each time. That is exact as long as
 * nobody has the address of the old one: that is asserted, too (node `fresh`). Then every object of the program that
 * is alive, or whose address somebody may still look at, has an instance of its own, and all comparisons of addresses
 * come out as in the program; a pointer to a freed object points to an instance that is not alive until it is
 * forgotten. What memory holds that nobody stored to counts for no address: it may be anything, and where that matters
 * it may also be something else.
 */

import type { Term } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import type { CellVariables } from './cell-variables.ts';
import { followPointers } from './follow-pointers.ts';
import type { AnyNode, Assignment, Body, GraphObject, Model, Node, RawNode, Variable } from './graph.ts';

type RawAllocate = Extract<RawNode, { kind: 'allocate' }>;

export class HeapInstances {
  readonly #model: Model;
  readonly #cells: CellVariables;
  readonly #aliveOf: (object: GraphObject) => Variable;
  /** By cell: whether it was stored to since the object came to life. */
  readonly #isSet = new Map<number, Variable>();
  readonly #objects: readonly GraphObject[];
  readonly #blurred: { readonly node: AnyNode; readonly value: Term }[] = [];

  /** Once cells are made. */
  constructor(model: Model, cells: CellVariables, aliveOf: (object: GraphObject) => Variable) {
    this.#model = model;
    this.#cells = cells;
    this.#aliveOf = aliveOf;
    const ids = new Set(
      model.bodies.flatMap(({ nodes }) => nodes.flatMap((node) => (node.kind === 'allocate' ? [...node.objects] : []))),
    );
    this.#objects = model.objects.filter(({ id }) => ids.has(id));
    for (const object of this.#objects) {
      for (const id of cells.of(object)) {
        const { width, name, owner } = model.variables[id] as Variable;
        if (width === model.pointerWidth)
          this.#isSet.set(id, addVariable(model, { name: `set(${name})`, width: 1, owner, kind: 'cell' }));
      }
    }
  }

  /** What is to be noted with a store to a cell, where the condition holds. */
  noteStore(cell: number, condition: Term): Assignment[] {
    const flag = this.#isSet.get(cell);
    return flag === undefined ? [] : [{ variable: flag.id, value: this.#model.graph.or(flag.term, condition) }];
  }

  /** What is stored where places are not told apart is not seen again. */
  noteBlurred(node: AnyNode, value: Term): void {
    this.#blurred.push({ node, value });
  }

  /** The nodes of an allocation, all in one section; the first is returned, the others are added to the body. */
  allocate(node: RawAllocate, body: Body): Node {
    const { graph, objects, pointerWidth } = this.#model;
    const { loc, isModel } = node;
    const add = (made: AnyNode): number => body.nodes.push(made) - 1;
    const end = add({ kind: 'end', loc, isModel, next: node.next });
    const stop = add({ kind: 'stop', loc, isModel, next: [] });
    let otherwise = add({ kind: 'assert', condition: graph.false, check: null, loc, isModel, next: [stop] });
    for (const id of [...node.objects].reverse()) {
      const object = objects[id] as GraphObject;
      const address = graph.constant(pointerWidth, object.base);
      const cells = this.#cells.of(object);
      const alive = this.#aliveOf(object);
      const begun: Assignment[] = [
        { variable: node.variable, value: address },
        { variable: alive.id, value: graph.true },
        ...cells.flatMap((cell) => {
          const flag = this.#isSet.get(cell);
          return flag === undefined ? [] : [{ variable: flag.id, value: graph.false }];
        }),
        ...(node.zeroed ? cells.map((cell) => ({ variable: cell, value: this.#zero(cell) })) : []),
      ];
      let next = add({ kind: 'set', assignments: begun, loc, isModel, next: [end] });
      if (!node.zeroed) next = add({ kind: 'havoc', variables: cells, isBool: false, loc, isModel, next: [next] });
      const fresh = add({ kind: 'fresh', object: id, looksAt: this.#looksAt(object), loc, isModel, next: [next] });
      otherwise = add({
        ...{ kind: 'branch', condition: graph.not(alive.term), loc, isModel },
        next: [fresh, otherwise],
      });
    }
    return { kind: 'begin', loc, isModel, next: [otherwise] };
  }

  #zero(cell: number): Term {
    return this.#model.graph.constant((this.#model.variables[cell] as Variable).width, 0n);
  }

  /** Those flags of objects with the same owner that say which cells count. */
  #looksAt({ owner }: GraphObject): Term[] {
    return this.#objects
      .filter((object) => object.owner === owner)
      .flatMap((object) => [
        this.#aliveOf(object).term,
        ...this.#cells.of(object).flatMap((cell) => this.#isSet.get(cell)?.term ?? []),
      ]);
  }

  /** Once all accesses are resolved. */
  finish(): void {
    if (this.#objects.length === 0) return;
    const cells = new Map<number, { readonly alive: number; readonly isSet: number }>();
    for (const object of this.#objects) {
      for (const cell of this.#cells.of(object)) {
        const flag = this.#isSet.get(cell);
        if (flag) cells.set(cell, { alive: this.#aliveOf(object).id, isSet: flag.id });
      }
    }
    this.#model.heap = { pointers: followPointers(this.#model, this.#objects, this.#blurred), cells };
  }
}

/** Allocations that run once, in one thread, need no instances. */
export function singleAllocations(model: Model, isRepeated: (body: Body, node: number) => boolean): void {
  const { graph, objects, pointerWidth } = model;
  for (const body of model.bodies) {
    const { length } = body.nodes;
    for (let at = 0; at < length; at++) {
      const node = body.nodes[at] as AnyNode;
      if (node.kind !== 'allocate' || isRepeated(body, at)) continue;
      const { loc, isModel, next, zeroed, variable } = node;
      const [id] = node.objects as [number];
      const assignments = [{ variable, value: graph.constant(pointerWidth, (objects[id] as GraphObject).base) }];
      body.nodes.push({ kind: 'set', assignments, loc, isModel, next });
      body.nodes[at] = { kind: 'enter', object: id, zeroed, loc, isModel, next: [body.nodes.length - 1] };
    }
  }
}
