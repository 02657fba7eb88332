/**
 * Elements of arrays whose places are not told apart hold anything (cell-variables.ts). Here one element of each array
 * is followed exactly all the same: the one whose index is `any`, a number that is chosen before the program starts and
 * never changes. An access to it is seen by its address; all other elements still hold anything. Whatever is proved
 * holds for every choice, and so for all elements: "queue[any] == stored[any] while any < tail".
 *
 * An assertion that fails by what another element was taken to hold says nothing. Therefore each thread notes whether
 * it *missed*: whether the last element that it read was not the chosen one. Only who did not miss can fail. Nothing is
 * lost by that: take an execution of the program that violates something, as far as its first violation. Let i be the
 * index of the last element that its thread had read. In the model there is the same execution with `any` == i (or with
 * any choice, if it had read none): what it reads elsewhere is anything, so also what it read really, and its thread
 * has not missed. For the same reason an assertion that has been passed may be taken to hold. Obligations of the proof
 * are such assertions, too; those that are no assertions (of addresses, of threads that have ended, of deadlocks) count
 * whether somebody missed or not.
 *
 * Arrays share the index, which is what relates their contents. The first element is where the first access that does
 * not tell places apart may begin; arrays of one structure are told apart by what accesses reach, and so are fields of
 * elements (element-pools.ts). Left out: arrays that are accessed in several ways, and relations of two elements of one
 * array.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { rangeSet } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import { type CellVariables, initialBits } from './cell-variables.ts';
import {
  type AnyNode,
  type Assignment,
  type Body,
  type GraphObject,
  type Model,
  type Node,
  reachableFrom,
  SHARED,
  type Variable,
} from './graph.ts';
import type { TargetGuess, TargetRange } from './guess-targets.ts';
import { isAtIndex } from './scaled-index.ts';
import { anyWithin } from './within-set.ts';

/** Whether an access is to the chosen element, and what that holds. */
export interface ChosenElement {
  readonly isChosen: Term;
  readonly cell: Variable;
}

/** The same field of all elements of an array. */
interface Field {
  readonly object: GraphObject;
  readonly width: number;
  readonly stride: bigint;
  /** Where accesses begin, from the beginning of the object. */
  readonly low: bigint;
  high: bigint;
}

/** First values are told apart in so many elements. */
const MOST_FIRST_VALUES = 200;
const MOST_ELEMENTS = 10_000n;
/** Wider ones are as wide as addresses. */
const INDEX_WIDTH = 32;

export class ChosenElements {
  readonly #model: Model;
  readonly #guess: TargetGuess;
  /** Where accesses begin, by object and field. */
  readonly #ranges = new Map<string, Field[]>();
  readonly #fields = new Map<string, Field[]>();
  readonly #excluded = new Set<number>();
  readonly #cells = new Map<Field, Variable>();
  #index: Variable | null = null;
  readonly #missed = new Map<number, Variable>();
  /** Where elements are read, by body. */
  readonly #reads = new Map<number, number[]>();

  constructor(model: Model, guess: TargetGuess) {
    this.#model = model;
    this.#guess = guess;
  }

  /** An access of this width that does not tell places apart. */
  note({ object, low, high }: TargetRange, width: number): void {
    const key = this.#keyOf(object, low, width);
    const stride = this.#guess.strideOf(object);
    if (key === null || stride === null) return;
    // Each thread has its own from its beginning on, and the first values are those of one element.
    if (object.kind === 'thread') return;
    const range = { object, width, stride, low: low - object.base, high: high - object.base };
    this.#ranges.set(key, [...(this.#ranges.get(key) ?? []), range]);
  }

  /** It is accessed in a way that is not seen here. */
  exclude({ id }: GraphObject): void {
    this.#excluded.add(id);
  }

  /** Once all accesses are noted. */
  choose(cells: CellVariables): void {
    for (const [key, [range]] of this.#ranges)
      if (range && this.#excluded.has(range.object.id)) this.#ranges.delete(key);
    if (this.#ranges.size === 0) return;
    for (const [key, ranges] of this.#ranges) {
      const fields = joinOverlapping(ranges);
      this.#fields.set(key, fields);
      for (const field of fields) {
        const cell = cells.addElement(field.object, Number(field.low), field.width, this.#commonValue(field) ?? 0n);
        this.#cells.set(field, cell);
      }
    }
    const isWide = this.#mostElements() > 1n << BigInt(INDEX_WIDTH - 1);
    this.#index = this.#addVariable('any', isWide ? this.#model.pointerWidth : INDEX_WIDTH, SHARED, 'cell');
  }

  /** Of an access that is known to be within the array; null where it is to none of the arrays that have one. */
  at(object: GraphObject, place: bigint, width: number, address: Term): ChosenElement | null {
    const key = this.#keyOf(object, place, width);
    const offset = place - object.base;
    const fields = key === null ? [] : (this.#fields.get(key) ?? []);
    const field = fields.find(({ low, high }) => low <= offset && offset <= high);
    const cell = field && this.#cells.get(field);
    if (!field || !cell || this.#index === null) return null;
    const { graph, pointerWidth } = this.#model;
    const from = graph.sub(address, graph.constant(pointerWidth, object.base + field.low));
    const index = graph.extend(this.#index.term, pointerWidth, false);
    return { isChosen: isAtIndex(graph, { offset: from, stride: field.stride }, index), cell };
  }

  /** What a thread notes when it reads at a node: where one of these conditions holds, whether it is the chosen one. */
  noteRead(body: Body, at: number, elements: readonly { readonly condition: Term; readonly isChosen: Term }[]) {
    const { graph } = this.#model;
    const known = this.#missed.get(body.id);
    const missed = known ?? this.#addVariable('missed', 1, body.id, 'register');
    this.#missed.set(body.id, missed);
    this.#reads.set(body.id, [...(this.#reads.get(body.id) ?? []), at]);
    const [only] = elements;
    const value =
      elements.length === 1 && only && graph.isTrue(only.condition)
        ? graph.not(only.isChosen)
        : elements.reduce(
            (rest, { condition, isChosen }) => graph.ite(condition, graph.not(isChosen), rest),
            missed.term,
          );
    return { variable: missed.id, value } satisfies Assignment;
  }

  /** Once all accesses are resolved: the choice is made where main begins, and only who did not miss fails. */
  finish(): void {
    if (this.#index === null) return;
    for (const body of this.#model.bodies) this.#weaken(body);
    this.#begin(this.#model.bodies[0] as Body, this.#index);
  }

  #weaken(body: Body): void {
    const { graph } = this.#model;
    const missed = this.#missed.get(body.id);
    if (!missed) return;
    for (const at of reachableFrom(body.nodes, this.#reads.get(body.id) ?? [])) {
      const node = body.nodes[at] as AnyNode;
      if (node.kind !== 'assert') continue;
      const { condition, loc, isModel, next } = node;
      const assume: Node = { kind: 'assume', condition, routine: null, loc, isModel, next };
      const passed = body.nodes.push(assume) - 1;
      body.nodes[at] = { ...node, condition: graph.or(condition, missed.term), next: [passed] };
    }
  }

  #begin(main: Body, index: Variable): void {
    const { graph } = this.#model;
    const { loc } = main.nodes[main.entry] as AnyNode;
    const add = (node: Node): number => main.nodes.push(node) - 1;
    const base = { loc, isModel: true } as const;
    let next = main.entry;
    for (const [field, cell] of this.#cells) {
      if (field.object.kind !== 'static' || this.#commonValue(field) !== null) continue;
      const value = this.#firstValue(field, index);
      next =
        value === null
          ? add({ kind: 'havoc', variables: [cell.id], isBool: false, ...base, next: [next] })
          : add({ kind: 'set', assignments: [{ variable: cell.id, value }], ...base, next: [next] });
    }
    const choice = this.#addVariable('any?', index.width, main.id, 'register');
    const assignments = [{ variable: index.id, value: belowOf(graph, choice.term, this.#mostElements()) }];
    next = add({ kind: 'set', assignments, ...base, next: [next] });
    main.entry = add({ kind: 'havoc', variables: [choice.id], isBool: false, ...base, next: [next] });
  }

  #mostElements(): bigint {
    return [...this.#cells.keys()].map(countOf).reduce((most, each) => (each > most ? each : most), 1n);
  }

  /** What all elements start with; null where they differ, or start as anything. */
  #commonValue(field: Field): bigint | null {
    const { object } = field;
    if (object.kind === 'static' && object.source?.initial.length === 0) return 0n;
    if (countOf(field) > MOST_ELEMENTS) return null;
    const values = new Set(Array.from({ length: Number(countOf(field)) }, (_, i) => this.#valueAt(field, i)));
    const [only = null] = values;
    return values.size === 1 ? only : null;
  }

  #valueAt({ object, low, stride, width }: Field, index: number): bigint | null {
    return initialBits(object, this.#model, Number(low) + index * Number(stride), width);
  }

  #firstValue(field: Field, index: Variable): Term | null {
    const { graph } = this.#model;
    const count = Number(countOf(field));
    if (count > MOST_FIRST_VALUES) return null;
    const constant = (i: number) => graph.constant(field.width, this.#valueAt(field, i) ?? 0n);
    let value = constant(0);
    for (let i = 1; i < count; i++)
      value = graph.ite(graph.eq(index.term, graph.constant(index.width, BigInt(i))), constant(i), value);
    return value;
  }

  #keyOf(object: GraphObject, place: bigint, width: number): string | null {
    const field = this.#guess.fieldOf(object, place, width);
    return field === null ? null : `${object.id}:${field}`;
  }

  #addVariable(name: string, width: number, owner: number, kind: Variable['kind']): Variable {
    return addVariable(this.#model, { name, width, owner, kind });
  }
}

/** Any index below a limit, or some that are too large: so no large number is left in the program for it. */
function belowOf(graph: TermGraph, choice: Term, limit: bigint): Term {
  const width = graph.widthOf(choice);
  if (limit <= MOST_ELEMENTS) return anyWithin(graph, choice, rangeSet(width, 0n, limit - 1n));
  const bits = (limit - 1n).toString(2).length;
  return graph.extend(graph.extract(choice, 0, bits), width, false);
}

/** Ranges that have places in common are of one array. */
function joinOverlapping(ranges: readonly Field[]): Field[] {
  const sorted = [...ranges].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
  const joined: Field[] = [];
  for (const range of sorted) {
    const last = joined[joined.length - 1];
    if (last === undefined || range.low > last.high) joined.push({ ...range });
    else if (range.high > last.high) last.high = range.high;
  }
  return joined;
}

function countOf({ low, high, stride }: Field): bigint {
  return (high - low) / stride + 1n;
}
