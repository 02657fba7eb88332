/**
 * Data races as assertions. What two threads may race for is *watched*: a ghost variable says whether some thread
 * stands before a plain access to it, and of which kind. Before such an access a thread may announce it and stand there
 * for ever; whoever comes to an access that conflicts with what is announced fails an assertion. So a race, two threads
 * that stand before conflicting accesses (encode/encode-race.ts says why that is all), is a violation like any other,
 * and what excludes it is an invariant like any other: that what is announced under a lock holds the lock, for
 * instance.
 *
 * Of two plain accesses one announces and the other looks: it is enough that main looks, unless what the others do is
 * atomic. Atomic reads that need not happen after the write that they see may give anything (execute/weak-reads.ts says
 * why).
 */

import { alwaysAcquires, releases } from '../../program/memory-order.ts';
import type { Term } from '../../values/terms.ts';
import { rangeSet } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import { beforeThreads } from './before-threads.ts';
import {
  type AnyNode,
  type Assignment,
  type Body,
  type Model,
  NotProvableError,
  type RawNode,
  SHARED,
  type Variable,
} from './graph.ts';

type RawTouch = Extract<RawNode, { kind: 'load' | 'store' | 'free' }>;

/** What an access may touch: a cell, or an object as far as its places are not told apart or it is freed. */
export interface WatchedPlace {
  readonly key: string;
  readonly condition: Term;
  /** It belongs to a thread routine. */
  readonly isOfModel: boolean;
  /** Its races are accepted. */
  readonly mayRace: boolean;
  /** Its owner, where each thread of a replicated body has its own. */
  readonly owner: number;
}

interface Touch {
  readonly body: number;
  readonly kind: 'read' | 'write';
  readonly isAtomic: boolean;
  /** An atomic operation that does not order what comes before or after it. */
  readonly isWeak: boolean;
  /** By an atomic section, and not by an atomic operation. */
  readonly isSection: boolean;
  readonly node: RawTouch;
}

const NOBODY = 0n;
const READER = 1n;
const WRITER = 2n;
const WIDTH = 2;
/** More would be no proof that ends. */
const MOST_WATCHED = 96;

/** What is to be done before an access: `announced` is null where nothing is. */
export interface Watch {
  readonly condition: Term;
  readonly announced: readonly Assignment[] | null;
}

export class RaceWatch {
  readonly #model: Model;
  readonly #touches = new Map<string, Touch[]>();
  readonly #owners = new Map<string, number>();
  readonly #ghosts = new Map<string, Variable>();
  /** Where atomic accesses of different threads do not order what is around them. */
  readonly #weak = new Set<string>();
  /** What thread routines do in sections of theirs counts, too. */
  readonly #countsRoutines: boolean;
  /** Per body, the kind of the atomic section that a node lies in. */
  readonly #sections: readonly (SectionKind | undefined)[][];
  readonly #before: ReadonlySet<number>;

  constructor(model: Model, countsRoutines: boolean) {
    this.#model = model;
    this.#countsRoutines = countsRoutines;
    this.#sections = model.bodies.map(findSections);
    this.#before = beforeThreads(model.bodies[0] as Body);
  }

  note(node: RawTouch, body: Body, at: number, places: readonly WatchedPlace[]): void {
    const touch = this.#touchOf(node, body, at);
    if (!touch) return;
    for (const { key, owner } of this.#own(node, places)) {
      this.#owners.set(key, owner);
      const list = this.#touches.get(key) ?? [];
      this.#touches.set(key, list);
      list.push(touch);
    }
  }

  /** Once all accesses are noted: what is watched. */
  choose(): void {
    const { bodies, watches } = this.#model;
    for (const [key, touches] of this.#touches) {
      const owner = this.#owners.get(key);
      const areApart = (a: Touch, b: Touch) =>
        a.body !== b.body || (bodies[a.body]?.isReplicated === true && owner !== a.body);
      const kinds = distinct(touches);
      const meet = (isWanted: (a: Touch, b: Touch) => boolean) =>
        kinds.some((a) =>
          kinds.some((b) => areApart(a, b) && (a.kind === 'write' || b.kind === 'write') && isWanted(a, b)),
        );
      const isWeak = meet((a, b) => a.isAtomic && b.isAtomic && (a.isWeak || b.isWeak || a.isSection !== b.isSection));
      if (isWeak) this.#weak.add(key);
      if (!meet((a, b) => !a.isAtomic || !b.isAtomic)) continue;
      const set = rangeSet(WIDTH, NOBODY, WRITER);
      const name = `before ${key}`;
      const made = { name, width: WIDTH, owner: SHARED, kind: 'cell', initial: NOBODY, set } as const;
      const ghost = addVariable(this.#model, made);
      watches.add(ghost.id);
      this.#ghosts.set(key, ghost);
    }
    const [first] = this.#touches.values().next().value ?? [];
    if (this.#ghosts.size > MOST_WATCHED && first)
      throw new NotProvableError(first.node.loc, 'too many places to watch for data races');
  }

  /** Whether a read may give anything. */
  isFree(node: RawTouch, body: Body, at: number, places: readonly WatchedPlace[]): boolean {
    const touch = this.#ghosts.size > 0 ? this.#touchOf(node, body, at) : null;
    return touch?.isAtomic === true && this.#own(node, places).some(({ key }) => this.#weak.has(key));
  }

  /** Null where the access is not watched. */
  watch(node: RawTouch, body: Body, at: number, places: readonly WatchedPlace[]): Watch | null {
    const { graph } = this.#model;
    const touch = this.#touchOf(node, body, at);
    if (!touch) return null;
    let condition = graph.true;
    const announced: Assignment[] = [];
    for (const place of this.#own(node, places)) {
      const ghost = this.#ghosts.get(place.key);
      if (!ghost) continue;
      const is = (value: bigint) => graph.eq(ghost.term, graph.constant(WIDTH, value));
      const isFine = touch.kind === 'write' ? is(NOBODY) : graph.not(is(WRITER));
      condition = graph.and(condition, graph.or(graph.not(place.condition), isFine));
      if (!this.#announces(touch, place.key)) continue;
      const mark = graph.constant(WIDTH, touch.kind === 'write' ? WRITER : READER);
      announced.push({ variable: ghost.id, value: graph.ite(place.condition, mark, ghost.term) });
    }
    if (graph.isTrue(condition)) return null;
    return { condition, announced: announced.length > 0 ? announced : null };
  }

  #announces(touch: Touch, key: string): boolean {
    if (touch.isAtomic) return false;
    return touch.body !== 0 || (this.#touches.get(key) ?? []).some((other) => other.body !== 0 && other.isAtomic);
  }

  /** What thread routines do with variables of theirs is nobody's business. */
  #own(node: RawTouch, places: readonly WatchedPlace[]): readonly WatchedPlace[] {
    return places.filter(({ isOfModel, mayRace }) => !mayRace && !(node.isModel && isOfModel));
  }

  #touchOf(node: RawTouch, body: Body, at: number): Touch | null {
    const section = this.#sections[body.id]?.[at];
    if (body.id === 0 && this.#before.has(at)) return null;
    // It waits for the stores of its own thread, and may come upon one of another's.
    if (section === 'model') {
      const touch = { body: body.id, kind: 'read', isAtomic: true, isWeak: false, isSection: true, node } as const;
      return this.#countsRoutines ? touch : null;
    }
    const kind = node.kind === 'load' ? 'read' : 'write';
    const mode = node.kind === 'free' ? null : node.mode;
    const isOperation = mode?.kind === 'atomic';
    const isWeak = mode?.kind === 'atomic' && !(kind === 'read' ? alwaysAcquires(mode) : releases(mode.order));
    const isSection = section === 'program' && !isOperation;
    return { body: body.id, kind, isAtomic: isOperation || isSection, isWeak, isSection, node };
  }
}

/** One of each kind of access and body. */
function distinct(touches: readonly Touch[]): readonly Touch[] {
  const found = new Map(
    touches.map((touch) => [`${touch.body} ${touch.kind} ${touch.isAtomic} ${touch.isWeak} ${touch.isSection}`, touch]),
  );
  return [...found.values()];
}

type SectionKind = 'program' | 'model';

/** The kind of the outermost section that each node lies in. */
function findSections({ nodes, entry }: Body): (SectionKind | undefined)[] {
  const kinds: (SectionKind | undefined)[] = [];
  const seen = new Set<number>();
  const work: { readonly node: number; readonly depth: number; readonly kind: SectionKind | undefined }[] = [
    { node: entry, depth: 0, kind: undefined },
  ];
  for (let top = work.pop(); top !== undefined; top = work.pop()) {
    if (seen.has(top.node)) continue;
    seen.add(top.node);
    const node = nodes[top.node] as AnyNode;
    let { depth, kind } = top;
    if (node.kind === 'begin' && depth++ === 0) kind = node.isModel ? 'model' : 'program';
    kinds[top.node] = kind;
    if (node.kind === 'end') {
      depth = Math.max(0, depth - 1);
      if (depth === 0) kind = undefined;
    }
    for (const next of node.next) work.push({ node: next, depth, kind });
  }
  return kinds;
}
