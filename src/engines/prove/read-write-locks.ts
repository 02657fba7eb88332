/**
 * Read-write locks, whoever wrote them: two cells that are 0 at first, one that counts readers and one that a writer
 * sets; or one word for both, in which a writer stores what no number of readers comes to (read-write-shapes.ts).
 * Atomic sections take them: to write, "wait until both are 0; set the writer's", and to read, "wait until the writer's
 * is 0; count one more"; and give them back. Those that retry a compare-and-swap have become such sections
 * (retried-updates.ts). What is only written by threads that hold such a lock to write,
 * and only read by threads that hold it at all, needs no step of its own, and giving it back moves left: as with other
 * locks (find-locks.ts) a critical section is one step.
 *
 * A section is judged by what it does in the three states that there are while everybody keeps to the rules: nobody
 * holds the lock, some read, one writes. Rules: whoever takes it holds it in no way, whoever gives it back holds it,
 * and nobody else touches the cells. What a section does in other states never happens, so that branches to it are
 * dropped. Whoever reads must not learn how many do, for that changes when sections of others move past; and so many
 * that their count wraps there must not be.
 *
 * Left alone: locks that are tried, that are taken twice, or held on some ways to a place only.
 */

import type { Term } from '../../values/terms.ts';
import { underGuard } from './facts-of-guard.ts';
import { type AnyNode, type Body, type Model, outermostBegins, type Variable } from './graph.ts';
import type { LockUse } from './held-locks.ts';
import { findLive, type VariableFinder, type VariableUsers, writtenBy } from './node-terms.ts';
import { type LockShape, type LockState, MOST_READERS, shapeOfOne, shapeOfTwo } from './read-write-shapes.ts';
import { collectVariables, TermRebuilder } from './rebuild-term.ts';

export type LockMode = 'read' | 'write';

/** Locks go by the writer's cell. */
interface ModeUse extends LockUse {
  readonly mode: LockMode;
}

export interface ReadWriteLocks {
  /** Per body. */
  readonly takes: readonly (readonly ModeUse[])[];
  readonly gives: readonly (readonly ModeUse[])[];
  /** How a thread certainly holds each lock before a node. */
  heldAt(body: number, node: number): ReadonlyMap<number, LockMode>;
}

const LONGEST_SECTION = 60;
const NOT_HELD: ReadonlyMap<number, LockMode> = new Map();

/** Drops branches of their sections as it finds them. `isBefore`: nodes that run before any thread is created. */
export function findReadWriteLocks(
  model: Model,
  finder: VariableFinder,
  users: VariableUsers,
  isBefore: (body: number, node: number) => boolean,
): ReadWriteLocks {
  const sections = model.bodies.map((body) => findSections(body));
  const isShared = (id: number) => model.variables[id]?.kind === 'cell' && !users.isPrivate(id);
  const found: FollowedBody[][] = [];
  const seen = new Set<string>();
  const search = (cells: readonly number[]) => {
    const key = cells.join();
    if (seen.has(key)) return;
    seen.add(key);
    const followed = new LockSearch(model, finder, sections, isBefore, cells).run();
    if (followed !== null) found.push(followed);
  };
  for (const [id, all] of sections.entries()) {
    const { nodes } = model.bodies[id] as Body;
    for (const section of all) {
      const parts = section.nodes.map((at) => nodes[at] as AnyNode);
      if (!parts.some(({ kind }) => kind === 'assume')) continue;
      const touched = [...new Set(parts.flatMap((node) => [...finder.readBy(node), ...writtenBy(node)]))];
      const [a, b, ...more] = touched.filter(isShared);
      if (a === undefined || more.length > 0) continue;
      if (b === undefined) search([a]);
      else
        for (const pair of [
          [a, b],
          [b, a],
        ])
          search(pair);
    }
  }
  for (const followed of found)
    for (const [id, { paths }] of followed.entries()) prune(model.bodies[id] as Body, paths);
  const usesOf = (kind: 'takes' | 'gives') =>
    model.bodies.map(({ id }) => found.flatMap((followed) => followed[id]?.[kind] ?? []));
  return {
    takes: usesOf('takes'),
    gives: usesOf('gives'),
    heldAt: (body, node) => {
      if (found.length === 0) return NOT_HELD;
      const here = found.flatMap((followed) => {
        const { lock, modes } = followed[body] as FollowedBody;
        const mode = modes[node];
        return mode === 'read' || mode === 'write' ? [[lock, mode] as const] : [];
      });
      return new Map(here);
    },
  };
}

/** An atomic section that nobody leaves but by its end. */
interface Section {
  readonly begin: number;
  readonly end: number;
  readonly nodes: readonly number[];
}

function findSections(body: Body): Section[] {
  return outermostBegins(body).flatMap((begin) => sectionFrom(body, begin) ?? []);
}

function sectionFrom({ nodes }: Body, begin: number): Section | null {
  const depthAt = new Map([[begin, 0]]);
  const ends = new Set<number>();
  const work = [begin];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const node = nodes[at] as AnyNode;
    const after = (depthAt.get(at) as number) + (node.kind === 'begin' ? 1 : node.kind === 'end' ? -1 : 0);
    if (depthAt.size > LONGEST_SECTION || node.next.length === 0) return null;
    if (after === 0) {
      ends.add(at);
      continue;
    }
    for (const next of node.next) {
      const known = depthAt.get(next);
      if (known !== undefined && known !== after) return null;
      if (known !== undefined) continue;
      depthAt.set(next, after);
      work.push(next);
    }
  }
  const [end] = ends;
  return ends.size === 1 && end !== undefined ? { begin, end, nodes: [...depthAt.keys()] } : null;
}

type Mode = LockMode | 'none';

/** What a thread does with a lock. */
interface FollowedBody {
  readonly lock: number;
  readonly takes: readonly ModeUse[];
  readonly gives: readonly ModeUse[];
  /** Before each node; null where it is not reached. */
  readonly modes: readonly (Mode | null)[];
  readonly paths: Paths;
}

/** Where branches of sections lead in the states that there are, and assertions that hold in them. */
type Paths = ReadonlyMap<number, ReadonlySet<number>>;

type Passage =
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'passed';
      /** Of the cells. */
      readonly values: ReadonlyMap<Term, Term>;
      /** What else was assigned, by its variable. */
      readonly own: ReadonlyMap<Term, Term>;
    };

type Passed = Extract<Passage, { kind: 'passed' }>;

/** Whether cells are a lock: one word, or that of readers and that of a writer. */
class LockSearch {
  readonly #model: Model;
  readonly #finder: VariableFinder;
  readonly #sections: readonly ReadonlyMap<number, Section>[];
  readonly #isBefore: (body: number, node: number) => boolean;
  readonly #cells: readonly Variable[];
  #paths = new Map<number, Set<number>>();

  constructor(
    model: Model,
    finder: VariableFinder,
    sections: readonly (readonly Section[])[],
    isBefore: (body: number, node: number) => boolean,
    cells: readonly number[],
  ) {
    this.#model = model;
    this.#finder = finder;
    this.#isBefore = isBefore;
    this.#cells = cells.map((id) => model.variables[id] as Variable);
    this.#sections = sections.map((all) => new Map(all.map((section) => [section.begin, section])));
  }

  run(): FollowedBody[] | null {
    const isPlain = ({ initial, width }: Variable) => initial === 0n && width >= 8;
    if (!this.#cells.every(isPlain)) return null;
    for (const shape of this.#shapes()) {
      const followed = this.#runAs(shape);
      if (followed !== null) return followed;
    }
    return null;
  }

  #runAs(shape: LockShape): FollowedBody[] | null {
    const followed: FollowedBody[] = [];
    for (const body of this.#model.bodies) {
      const each = this.#follow(shape, body);
      if (each === null) return null;
      followed.push(each);
    }
    const writes = followed.some((each) => takesTo('write', each));
    const reads = followed.some((each) => takesTo('read', each));
    return writes && reads && this.#areFew(shape, followed) ? followed : null;
  }

  /** The lock that the cells can be, by what sections make of them where it is free. */
  #shapes(): readonly LockShape[] {
    const { graph } = this.#model;
    const [first, second] = this.#cells as [Variable, Variable?];
    const free = {
      values: new Map(this.#cells.map(({ term, width }) => [term, graph.constant(width, 0n)])),
      guard: graph.true,
    };
    const fromFree = this.#model.bodies.map((body) => {
      const all = [...(this.#sections[body.id]?.values() ?? [])].filter(({ nodes }) => this.#touches(body, nodes));
      const waiting = all.filter(({ nodes }) => nodes.some((at) => body.nodes[at]?.kind === 'assume'));
      const passages = (second === undefined ? waiting : all).map((section) => this.#pass(body, section, free));
      return passages.flatMap((passage) => (passage?.kind === 'passed' ? [passage.values] : []));
    });
    if (second !== undefined) return [shapeOfTwo(this.#model, first, second, fromFree)];
    const stored = new Set(fromFree.flat().map((values) => graph.constantOf(values.get(first.term) as Term)));
    const [a, b, ...more] = [...stored].filter((value) => value !== 0n);
    if (typeof a !== 'bigint' || typeof b !== 'bigint' || more.length > 0) return [];
    const shapes = [shapeOfOne(this.#model, first, a, b), shapeOfOne(this.#model, first, b, a)];
    return shapes.filter((shape) => shape !== null);
  }

  /** No more read at a time than the count can tell: who has ended reads no more. */
  #areFew({ mostReaders }: LockShape, followed: readonly FollowedBody[]): boolean {
    let most = 0n;
    for (const { id, isReplicated, nodes } of this.#model.bodies) {
      const each = followed[id] as FollowedBody;
      if (!takesTo('read', each)) continue;
      const endsWithIt = nodes.some(({ kind }, at) => kind === 'finish' && each.modes[at] === 'read');
      if (isReplicated && endsWithIt) return false;
      most += isReplicated ? MOST_READERS : 1n;
    }
    return (most < MOST_READERS ? most : MOST_READERS) <= mostReaders;
  }

  #touches({ nodes }: Body, parts: readonly number[]): boolean {
    return parts.some((at) => this.#touchedBy(nodes[at] as AnyNode).some((id) => this.#isLockCell(id)));
  }

  #touchedBy(node: AnyNode): number[] {
    return [...this.#finder.readBy(node), ...writtenBy(node)];
  }

  #isLockCell(id: number): boolean {
    return this.#cells.some((cell) => cell.id === id);
  }

  // -------------------------------------------------------------- how a thread holds the lock

  #follow(shape: LockShape, body: Body): FollowedBody | null {
    const { nodes, entry } = body;
    const modes: (Mode | null)[] = nodes.map(() => null);
    const [takes, gives]: [ModeUse[], ModeUse[]] = [[], []];
    this.#paths = new Map();
    modes[entry] = 'none';
    const work = [entry];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const mode = modes[at] as Mode;
      const section = this.#sectionAt(body, at);
      const isUse = this.#touches(body, section.nodes);
      const after = isUse ? this.#judge(shape, body, section, mode) : mode;
      if (after === null) return null;
      const use = { lock: shape.lock, nodes: section.nodes };
      if (after !== 'none' && mode === 'none') takes.push({ ...use, nodes: inOrder(section), mode: after });
      if (after === 'none' && mode !== 'none') gives.push({ ...use, nodes: inOrder(section), mode });
      for (const next of (nodes[section.end] as AnyNode).next) {
        if (modes[next] === null) work.push(next);
        else if (modes[next] !== after) return null;
        modes[next] = after;
      }
    }
    return { lock: shape.lock, takes, gives, modes, paths: this.#paths };
  }

  /** A node outside of sections is one for itself, and so is one inside of a section that is not looked at. */
  #sectionAt({ id }: Body, at: number): Section {
    return this.#sections[id]?.get(at) ?? { begin: at, end: at, nodes: [at] };
  }

  /** How the lock is held after a section; null where the rules are broken. */
  #judge(shape: LockShape, body: Body, section: Section, mode: Mode): Mode | null {
    if (!this.#isApart(body, section)) return null;
    if (mode !== 'none') return this.#isGive(shape, body, section, mode) ? 'none' : null;
    const free = this.#passNoted(body, section, shape.free);
    if (free?.kind !== 'passed') return null;
    const isBefore = section.nodes.every((at) => this.#isBefore(body.id, at));
    if (isBefore && shape.isFree(free.values)) return 'none';
    const taken = shape.takenState(body);
    if (taken !== null && this.#passNoted(body, section, taken)?.kind !== 'blocked') return null;
    const read = this.#passNoted(body, section, shape.read);
    if (shape.isWritten(free.values)) {
      const isKnown = shape.ownState(body) !== null;
      return read?.kind === 'blocked' && isKnown ? 'write' : null;
    }
    if (!shape.isMore(free.values, shape.free, 1n) || read?.kind !== 'passed') return null;
    if (!shape.isMore(read.values, shape.read, 1n)) return null;
    return this.#learnsNothing(shape, body, section, read, free) ? 'read' : null;
  }

  /** What the thread needs later does not tell how many read, nor whether anybody else does. */
  #learnsNothing(shape: LockShape, body: Body, { end }: Section, read: Passed, free: Passed | null): boolean {
    const { graph } = this.#model;
    const liveAt = findLive(body, this.#finder);
    const live = (body.nodes[end] as AnyNode).next.map((next) => liveAt[next]);
    return [...new Set([...read.own.keys(), ...(free?.own.keys() ?? [])])].every((variable) => {
      const number = this.#finder.idOf(variable);
      if (number === undefined || live.every((each) => !each?.has(number))) return true;
      const value = read.own.get(variable) ?? variable;
      if (free !== null && (free.own.get(variable) ?? variable) !== value) return false;
      const variables = new Set<Term>();
      collectVariables(graph, value, variables);
      return [...shape.read.values.values()].every((unknown) => !variables.has(unknown));
    });
  }

  /** Nothing else that others may notice is done, but before there are any. */
  #isApart({ id, nodes }: Body, { nodes: parts }: Section): boolean {
    return parts.every((at) => {
      const touched = this.#touchedBy(nodes[at] as AnyNode);
      const isElsewhere = (each: number) =>
        !this.#isLockCell(each) && (this.#model.variables[each] as Variable).kind === 'cell';
      return this.#isBefore(id, at) || !touched.some(isElsewhere);
    });
  }

  #isGive(shape: LockShape, body: Body, section: Section, mode: LockMode): boolean {
    const state = mode === 'read' ? shape.read : shape.ownState(body);
    const passage = state && this.#passNoted(body, section, state);
    if (passage?.kind !== 'passed') return false;
    if (mode === 'write') return shape.isFree(passage.values);
    return shape.isMore(passage.values, shape.read, -1n) && this.#learnsNothing(shape, body, section, passage, null);
  }

  // -------------------------------------------------------------- ways through a section

  /** Null where the state does not decide the way. */
  #pass(
    body: Body,
    { begin, end }: Section,
    { values: held, guard }: LockState,
    note: (at: number, next: number | undefined) => void = () => {},
  ): Passage | null {
    const { graph, variables } = this.#model;
    const values = new Map(held);
    const read = (term: Term) => {
      const rebuilder = new TermRebuilder(graph, graph, (variable) => values.get(variable) ?? variable);
      return underGuard(rebuilder.rebuild(term), guard, graph);
    };
    for (let at = begin, count = 0; count < LONGEST_SECTION; count++) {
      const node = body.nodes[at] as AnyNode;
      let next = node.next[0];
      switch (node.kind) {
        case 'begin':
        case 'end':
        case 'skip':
          break;
        case 'set': {
          const assigned = node.assignments.map(({ variable, value }) => [variable, read(value)] as const);
          for (const [variable, value] of assigned) values.set((variables[variable] as Variable).term, value);
          break;
        }
        case 'branch': {
          const condition = read(node.condition);
          if (graph.constantOf(condition) === null) return null;
          if (graph.isFalse(condition)) next = node.next[1];
          note(at, next);
          break;
        }
        case 'assume': {
          const condition = read(node.condition);
          if (graph.isFalse(condition)) return { kind: 'blocked' };
          if (!graph.isTrue(condition)) return null;
          break;
        }
        case 'assert':
          if (!graph.isTrue(read(node.condition))) return null;
          note(at, next);
          break;
        default:
          return null;
      }
      if (at === end) {
        const own = new Map(
          [...values].filter(([variable]) => !this.#isLockCell(this.#finder.idOf(variable) as number)),
        );
        const cells = new Map(this.#cells.map(({ term }) => [term, read(term)]));
        return { kind: 'passed', values: cells, own };
      }
      if (next === undefined) return null;
      at = next;
    }
    return null;
  }

  /** In a state that there is: what is passed there need not be looked at again. */
  #passNoted(body: Body, section: Section, state: LockState): Passage | null {
    return this.#pass(body, section, state, (at, next) => {
      if (next !== undefined) this.#paths.set(at, (this.#paths.get(at) ?? new Set()).add(next));
    });
  }
}

function takesTo(mode: LockMode, { takes }: FollowedBody): boolean {
  return takes.some((take) => take.mode === mode);
}

/** What takes or gives is done when the end is. */
function inOrder({ nodes, end }: Section): number[] {
  return [...nodes.filter((at) => at !== end), end];
}

function prune({ nodes }: Body, paths: Paths): void {
  for (const [at, [only, ...others]] of paths) {
    const { loc, isModel } = nodes[at] as AnyNode;
    if (only !== undefined && others.length === 0) nodes[at] = { kind: 'skip', loc, isModel, next: [only] };
  }
}
