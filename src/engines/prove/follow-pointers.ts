/**
 * Which variables may hold addresses of heap objects of which there are several instances, so that it can be told
 * whether an instance that was freed is still pointed to (held-addresses.ts, node `fresh`). For that a pointer must be
 * recognised as one: it is copied whole, and at most one constant is added to the address that `malloc` gave. What
 * keeps a part of an address, or something else that is computed from one, is refused.
 */

import type { Term } from '../../values/terms.ts';
import { type AnyNode, type GraphObject, type Model, NotProvableError, type Variable } from './graph.ts';
import { VariableFinder } from './node-terms.ts';

/** 0: the address itself. 1: a constant was added. */
type Level = 0 | 1;

/** Objects lie further apart than this from one another. */
export const POINTER_MARGIN = 0x4000n;

/** `lost`: what is stored where it is not followed. */
export function followPointers(
  model: Model,
  instances: readonly GraphObject[],
  lost: readonly { readonly node: AnyNode; readonly value: Term }[],
): Set<number> {
  const flow = new PointerFlow(model, instances);
  const pointers = flow.run();
  for (const { node, value } of lost) flow.refuseAddress(node, value);
  return pointers;
}

class PointerFlow {
  readonly #model: Model;
  readonly #instances: readonly GraphObject[];
  readonly #finder: VariableFinder;
  readonly #levels = new Map<number, Level>();

  constructor(model: Model, instances: readonly GraphObject[]) {
    this.#model = model;
    this.#instances = instances;
    this.#finder = new VariableFinder(model);
  }

  run(): Set<number> {
    for (let changed = true; changed; ) {
      changed = false;
      for (const { nodes } of this.#model.bodies)
        for (const node of nodes)
          for (const { variable, value } of assignmentsOf(node, this.#model)) {
            const level = this.#levelOf(value, node);
            if (level === null || level <= (this.#levels.get(variable) ?? -1)) continue;
            this.#levels.set(variable, level);
            changed = true;
          }
    }
    const narrow = [...this.#levels.keys()].find((id) => this.#variable(id).width !== this.#model.pointerWidth);
    if (narrow !== undefined) this.#refuse(this.#placeOf(narrow));
    return new Set(this.#levels.keys());
  }

  refuseAddress(node: AnyNode, value: Term): void {
    if (this.#levelOf(value, node) !== null) this.#refuse(node);
  }

  #variable(id: number): Variable {
    return this.#model.variables[id] as Variable;
  }

  #placeOf(id: number): AnyNode {
    const nodes = this.#model.bodies.flatMap((body) => body.nodes);
    return nodes.find((node) => assignmentsOf(node, this.#model).some(({ variable }) => variable === id)) as AnyNode;
  }

  #refuse({ loc }: AnyNode): never {
    throw new NotProvableError(
      loc,
      'an address of an allocation that runs any number of times is kept in parts, or where it is not followed',
    );
  }

  /** Null where no address is in it. */
  #levelOf(term: Term, node: AnyNode): Level | null {
    const { graph } = this.#model;
    const value = graph.constantOf(term);
    if (value !== null) return this.#levelOfConstant(value, graph.widthOf(term));
    const variable = this.#finder.idOf(term);
    if (variable !== undefined) return this.#levels.get(variable) ?? null;
    const operands = graph.operandsOf(term);
    switch (graph.operationOf(term)) {
      case 'eq':
      case 'ult':
      case 'slt':
        return null;
      case 'refine':
        return this.#levelOf(operands[0] as Term, node);
      case 'ite': {
        const levels = operands.slice(1).map((operand) => this.#levelOf(operand, node));
        return levels.includes(1) ? 1 : levels.includes(0) ? 0 : null;
      }
      case 'add':
        return this.#levelOfSum(operands as [Term, Term], node);
      default:
        if (operands.some((operand) => this.#levelOf(operand, node) !== null)) this.#refuse(node);
        return null;
    }
  }

  #levelOfConstant(value: bigint, width: number): Level | null {
    if (width !== this.#model.pointerWidth) return null;
    const object = this.#instances.find(
      ({ base, size }) => value >= base - POINTER_MARGIN && value < base + BigInt(size) + POINTER_MARGIN,
    );
    return object === undefined ? null : object.base === value ? 0 : 1;
  }

  #levelOfSum([a, b]: readonly [Term, Term], node: AnyNode): Level | null {
    const { graph } = this.#model;
    const levels = [this.#levelOf(a, node), this.#levelOf(b, node)];
    const [other, level] = levels[0] === null ? [a, levels[1] ?? null] : [b, levels[0]];
    if (level === null) return null;
    const added = graph.constantOf(other);
    if (level === 1 || levels.every((each) => each !== null) || added === null) return this.#refuse(node);
    const signed = BigInt.asIntN(graph.widthOf(other), added);
    return signed > -POINTER_MARGIN && signed < POINTER_MARGIN ? 1 : this.#refuse(node);
  }
}

function assignmentsOf(
  node: AnyNode,
  { bodies }: Model,
): readonly { readonly variable: number; readonly value: Term }[] {
  if (node.kind === 'set') return node.assignments;
  if (node.kind !== 'spawn') return [];
  const argument = bodies[node.body]?.argument ?? null;
  return argument === null ? [] : [{ variable: argument, value: node.argument }];
}
