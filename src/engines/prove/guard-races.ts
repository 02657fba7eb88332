/**
 * The nodes that watch for data races (watch-races.ts says what is watched): before an access that may race a thread
 * looks whether a conflicting one is announced, and may announce its own.
 */

import type { Term } from '../../values/terms.ts';
import type { AccessTargets, RawAccess } from './access-targets.ts';
import { addTemporary } from './add-variable.ts';
import { type Body, type GraphObject, type Model, type Node, type RawNode, SHARED } from './graph.ts';
import type { RaceWatch, WatchedPlace } from './watch-races.ts';

type RawFree = Extract<RawNode, { kind: 'free' }>;

export class RaceGuards {
  readonly #model: Model;
  readonly #targets: AccessTargets;
  readonly #races: RaceWatch;

  /** Once accesses are divided. */
  constructor(model: Model, targets: AccessTargets, races: RaceWatch) {
    this.#model = model;
    this.#targets = targets;
    this.#races = races;
    for (const body of model.bodies) {
      body.nodes.forEach((node, i) => {
        if (node.kind === 'load' || node.kind === 'store' || node.kind === 'free')
          races.note(node, body, i, this.#placesOf(node, body, i));
      });
    }
    races.choose();
  }

  /** Whether a load may give anything (watch-races.ts). */
  isFree(node: RawAccess, body: Body, at: number): boolean {
    return this.#races.isFree(node, body, at, this.#placesOf(node, body, at));
  }

  /** What counts as touched by an access, or by the end of an allocation. */
  #placesOf(node: RawAccess | RawFree, body: Body, at: number): WatchedPlace[] {
    const { graph, objects, pointerWidth } = this.#model;
    const place = (object: GraphObject, key: string, condition: Term): WatchedPlace => {
      const owner = object.kind === 'static' ? SHARED : object.owner;
      const { isModel: isOfModel = false, mayRace = false } = object.source ?? {};
      return { key, condition, owner, isOfModel, mayRace };
    };
    if (node.kind === 'free') {
      const heap = objects.filter(({ kind, owner }) => kind === 'heap' && (owner === SHARED || owner === body.id));
      const isAt = ({ base }: GraphObject) => graph.eq(node.address, graph.constant(pointerWidth, base));
      return heap.map((object) => place(object, `${object.name}${object.id}`, isAt(object)));
    }
    return this.#targets.placesOf(node, body, at).flatMap(({ object, condition, cells }) => {
      const whole = `${object.name}${object.id}`;
      const parts = cells ? cells.map(({ id, name }) => place(object, `${name}${id}`, condition)) : [];
      const isWhole = cells === null || object.kind === 'heap';
      return isWhole ? [...parts, place(object, cells === null ? `${whole}…` : whole, condition)] : parts;
    });
  }

  /** The access, with what is to be done before it if it may race: all of it is one step. */
  guard<T extends RawAccess | RawFree>(node: T, body: Body, at: number, resolve: (node: T) => Node): Node {
    const watch = this.#races.watch(node, body, at, this.#placesOf(node, body, at));
    if (!watch) return resolve(node);
    const { loc, isModel } = node;
    const add = (made: Node): number => body.nodes.push(made) - 1;
    const end = add({ kind: 'end', loc, isModel, next: node.next });
    const access = add(resolve({ ...node, next: [end] }));
    let first = access;
    if (watch.announced) {
      const choice = addTemporary(this.#model, { name: 'announces', width: 1 }, body);
      const stop = add({ kind: 'stop', loc, isModel, next: [] });
      // Behind the section: what was announced stands, although the thread never goes on.
      const left = add({ kind: 'end', loc, isModel, next: [stop] });
      const announce = add({ kind: 'set', assignments: watch.announced, loc, isModel, next: [left] });
      const branch = add({ kind: 'branch', condition: choice.term, loc, isModel, next: [announce, access] });
      first = add({ kind: 'havoc', variables: [choice.id], isBool: true, loc, isModel, next: [branch] });
    }
    const check = add({ kind: 'assert', condition: watch.condition, check: 'race', loc, isModel, next: [first] });
    return { kind: 'begin', loc, isModel, next: [check] };
  }
}
