/**
 * Where the steps of a thread begin. A step makes at most one visible access, or one atomic section with some, and goes
 * on with what no other thread notices, up to before the next visible access; loops end steps too. A wait after a
 * visible effect begins a step of its own: the effect stands, even if the thread never gets past the wait.
 */

import { beforeThreads } from './before-threads.ts';
import { dropWatches } from './drop-watches.ts';
import { findLocks, type Locks } from './find-locks.ts';
import { type AnyNode, type Body, type Model, NotProvableError, SHARED, type Variable } from './graph.ts';
import { findLive, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';
import { findEnding } from './split-ending.ts';

export interface BodySteps {
  /** Nodes where steps begin, ascending. */
  readonly starts: readonly number[];
  /** How deep in atomic sections a node is. */
  readonly depth: readonly number[];
  isInside(node: number): boolean;
  readonly live: readonly ReadonlySet<number>[];
  /** A step that begins at a node. */
  startAt(node: number): StepProgress;
  /** Whether a step goes on with a node; null where it ends before. */
  goOn(node: number, progress: StepProgress): StepProgress | null;
}

/** How far a step has come. */
export interface StepProgress {
  readonly isFirst: boolean;
  readonly hasAccess: boolean;
  /** Others may notice that it was done. */
  readonly hasEffect: boolean;
}

export interface ProgramSteps {
  readonly bodies: readonly BodySteps[];
  readonly finder: VariableFinder;
  readonly users: VariableUsers;
  readonly locks: Locks;
}

export interface StepOptions {
  /** Infer locks, and where main is left alone. */
  readonly locks: boolean;
  /** Deadlocks are looked for: who waits has done all that comes before, also what nobody notices. */
  readonly waits: boolean;
}

/** A thread routine waits there, if it is in an atomic section. */
export function isWait(node: AnyNode): boolean {
  return node.kind === 'assume' && node.routine !== null;
}

const NO_LOCKS: Locks = { locks: new Set(), guarded: new Set(), releases: [], sections: [], held: [], heldAtAll: [] };

/** May change the values that locks have: values are to be analysed anew then, and steps found anew. */
export function findSteps(model: Model, options: StepOptions): ProgramSteps {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  const before = model.bodies.map((body) => (body.id === 0 ? beforeThreads(body) : new Set<number>()));
  const isBefore = (body: number, node: number) => before[body]?.has(node) ?? false;
  // Where nobody else is left, main only reads what others wrote.
  const ending = options.locks ? findEnding(model, finder) : new Set<number>();
  const isAlone = (body: number, node: number) => isBefore(body, node) || (body === 0 && ending.has(node));
  const locks = options.locks ? findLocks(model, finder, users, isBefore, isAlone) : NO_LOCKS;
  if (options.locks) dropWatches(model, finder, locks);
  const shared = findSharedCells(model, finder, isAlone);
  const bodies = model.bodies.map((body) => {
    const visible = body.nodes.map((node, at) => {
      if (isAlone(body.id, at) || locks.releases[body.id]?.has(at)) return false;
      const isSeen = (variable: number) => shared.has(variable) && !locks.guarded.has(variable);
      return node.kind === 'spawn' || [...finder.readBy(node), ...writtenBy(node)].some(isSeen);
    });
    return new StepFinder(model, body, finder, visible, locks.releases[body.id] ?? new Set(), options.waits).run();
  });
  return { bodies, finder, users, locks };
}

/** Cells that more than one thread accesses, once there is more than one. */
function findSharedCells(
  { bodies, variables }: Model,
  finder: VariableFinder,
  isBefore: (body: number, node: number) => boolean,
): Set<number> {
  const users = new Map<number, Set<number>>();
  const written = new Set<number>();
  for (const { id, nodes, isReplicated } of bodies) {
    nodes.forEach((node, at) => {
      if (isBefore(id, at)) return;
      for (const variable of writtenBy(node)) written.add(variable);
      for (const variable of [...finder.readBy(node), ...writtenBy(node)]) {
        const { kind, owner } = variables[variable] as Variable;
        if (kind !== 'cell') continue;
        const known = users.get(variable) ?? new Set();
        known.add(id);
        if (isReplicated && owner === SHARED) known.add(SHARED);
        users.set(variable, known);
      }
    });
  }
  return new Set([...users].flatMap(([variable, by]) => (by.size > 1 && written.has(variable) ? [variable] : [])));
}

class StepFinder implements BodySteps {
  readonly #model: Model;
  readonly #body: Body;
  readonly #visible: readonly boolean[];
  readonly #releases: ReadonlySet<number>;
  readonly #heads = new Set<number>();
  /** Outermost begins whose section has a visible access, or may block. */
  readonly #visibleSections = new Set<number>();
  readonly #blockingSections = new Set<number>();
  readonly #waitingSections = new Set<number>();
  readonly #splitsWaits: boolean;
  readonly depth: number[] = [];
  readonly live: readonly ReadonlySet<number>[];
  starts: number[] = [];

  constructor(
    model: Model,
    body: Body,
    finder: VariableFinder,
    visible: readonly boolean[],
    releases: ReadonlySet<number>,
    splitsWaits: boolean,
  ) {
    this.#model = model;
    this.#body = body;
    this.#visible = visible;
    this.#releases = releases;
    this.#splitsWaits = splitsWaits;
    this.live = findLive(body, finder);
  }

  run(): BodySteps {
    this.#walk();
    this.#findSections();
    const todo = [this.#body.entry];
    const starts = new Set<number>();
    for (let start = todo.pop(); start !== undefined; start = todo.pop()) {
      if (starts.has(start)) continue;
      starts.add(start);
      for (const end of this.#endsOf(start)) todo.push(end);
    }
    this.starts = [...starts].sort((a, b) => a - b);
    return this;
  }

  /** Depths, and heads of loops by the edges that go back. */
  #walk(): void {
    const { nodes, entry } = this.#body;
    const isOpen = new Map<number, boolean>();
    const work = [{ node: entry, at: 0 }];
    this.depth[entry] = 0;
    for (let top = work[0]; top !== undefined; top = work[work.length - 1]) {
      const node = nodes[top.node] as AnyNode;
      isOpen.set(top.node, true);
      const here = this.depth[top.node] as number;
      const next = node.next[top.at++];
      if (next === undefined) {
        isOpen.set(top.node, false);
        work.pop();
        continue;
      }
      const after = node.kind === 'begin' ? here + 1 : node.kind === 'end' ? Math.max(0, here - 1) : here;
      if (this.depth[next] === undefined) {
        this.depth[next] = after;
        work.push({ node: next, at: 0 });
        continue;
      }
      if (isOpen.get(next)) this.#heads.add(next);
      const kind = nodes[next]?.kind;
      if (this.depth[next] !== after && kind !== 'finish' && kind !== 'stop')
        throw new NotProvableError(node.loc, 'atomic sections that begin and end on different ways');
    }
  }

  #findSections(): void {
    const { nodes } = this.#body;
    nodes.forEach((begin, i) => {
      if (begin.kind !== 'begin' || this.depth[i] !== 0) return;
      const seen = new Set<number>();
      const stack = [...begin.next];
      let looping: number | null = null;
      for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
        if (seen.has(top) || this.depth[top] === 0) continue;
        seen.add(top);
        const node = nodes[top] as AnyNode;
        if (this.#visible[top]) this.#visibleSections.add(i);
        if (node.kind === 'assume' || node.kind === 'stop') this.#blockingSections.add(i);
        if (isWait(node)) this.#waitingSections.add(i);
        if (this.#heads.has(top)) looping = top;
        for (const next of node.next) stack.push(next);
      }
      if (looping !== null && this.#blockingSections.has(i))
        throw new NotProvableError((nodes[looping] as AnyNode).loc, 'a loop in an atomic section that may block');
    });
  }

  #endsOf(start: number): Set<number> {
    const ends = new Set<number>();
    const seen = new Set<string>();
    const work = [{ node: start, progress: this.startAt(start) }];
    for (let top = work.pop(); top !== undefined; top = work.pop()) {
      const { node, progress } = top;
      const key = `${node},${progress.isFirst},${progress.hasAccess},${progress.hasEffect}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const after = this.goOn(node, progress);
      if (after === null) ends.add(node);
      else for (const next of (this.#body.nodes[node] as AnyNode).next) work.push({ node: next, progress: after });
    }
    return ends;
  }

  /**
   * In an atomic section, at a loop of it, all others wait: what comes after the section is for steps of their own, as
   * others may go on in between, and have to where the thread waits for them.
   */
  startAt(node: number): StepProgress {
    const isInside = this.isInside(node);
    return { isFirst: true, hasAccess: isInside, hasEffect: isInside };
  }

  goOn(at: number, { isFirst, hasAccess, hasEffect }: StepProgress): StepProgress | null {
    const node = this.#body.nodes[at] as AnyNode;
    // That all have ended is asked in a step that looks at nobody else (build-system.ts).
    if (!isFirst && (node.kind === 'finish' || node.kind === 'alone' || this.#heads.has(at))) return null;
    let [access, effect] = [hasAccess, hasEffect];
    if (this.depth[at] === 0) {
      if (this.#visible[at] || this.#visibleSections.has(at)) {
        if (access && !isFirst) return null;
        access = true;
      }
      const mayBlock = node.kind === 'assume' || node.kind === 'stop' || this.#blockingSections.has(at);
      if (!isFirst && effect && mayBlock) return null;
      // Who has ended, or never goes on, has read what it read: others may write that afterwards.
      const mayBeStuck = this.#waitingSections.has(at) || node.kind === 'stop';
      if (!isFirst && hasAccess && this.#splitsWaits && mayBeStuck) return null;
    }
    if (this.#releases.has(at)) [access, effect] = [true, true];
    if (this.#visible[at] && this.#hasEffect(node)) effect = true;
    return { isFirst: false, hasAccess: access, hasEffect: effect };
  }

  isInside(node: number): boolean {
    return (this.depth[node] as number) > 0;
  }

  #hasEffect(node: AnyNode): boolean {
    if (node.kind === 'spawn') return true;
    return writtenBy(node).some((variable) => (this.#model.variables[variable] as Variable).kind === 'cell');
  }
}
