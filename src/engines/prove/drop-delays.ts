/**
 * Conditions that decide nothing but how long a thread takes: of `for (i = 0; i < n; i++) ;`, with which somebody backs
 * off before he tries again, or of `if (n < 64) n *= 2;`, where `n` is but the length of such a loop. On all ways from
 * there a thread comes to the same place, and nothing happens before; so it goes there at once, and what nobody looks
 * at any more is not computed either.
 *
 * What happens is all that others may notice, or that may fail, wait or end; and an assignment to a variable of which
 * something depends that happens. To begin with, nothing is taken to depend on a condition that looks at the thread's
 * own variables only; then those conditions are kept from which there are ways to several places where something
 * happens, and what they look at, and so on until there are no more.
 *
 * Why that is sound: the thread comes to that place with all that matters as in the program, and with no less than the
 * program lets happen: what others do meanwhile they may do before as well. That a thread goes round a loop for ever is
 * not to be left out: there has to be one place behind the loop, and each way round makes progress, as
 * find-idle-loops.ts has it, so that who goes round it is not stuck.
 */

import { mayIdleWithin } from './find-idle-loops.ts';
import type { AnyNode, Body, Model, Variable } from './graph.ts';
import { VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';

/** Larger bodies are left as they are. */
const MOST_NODES = 4000;

export function dropDelays(model: Model): void {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  const watched = watchedVariables(model, finder);
  for (const body of model.bodies) {
    if (body.nodes.length > MOST_NODES || !body.nodes.some(({ kind }) => kind === 'branch')) continue;
    new DelaySearch(model, body, finder, users, watched).run();
  }
}

/** What is looked at otherwise than by nodes. */
function watchedVariables({ candidates, passages, additions, heap }: Model, finder: VariableFinder): Set<number> {
  const found = new Set<number>([...additions.keys(), ...(heap?.pointers ?? []), ...(passages?.ghosts.values() ?? [])]);
  for (const { condition, total } of candidates)
    for (const id of total === undefined ? finder.in(condition) : [...finder.in(condition), total]) found.add(id);
  return found;
}

class DelaySearch {
  readonly #model: Model;
  readonly #body: Body;
  readonly #finder: VariableFinder;
  readonly #users: VariableUsers;
  readonly #watched: ReadonlySet<number>;
  readonly #isOwn = new Map<number, boolean>();
  /** Variables of which something depends. */
  readonly #needed = new Set<number>();
  /** Nodes at which something happens. */
  readonly #events = new Set<number>();

  constructor(model: Model, body: Body, finder: VariableFinder, users: VariableUsers, watched: ReadonlySet<number>) {
    this.#model = model;
    this.#body = body;
    this.#finder = finder;
    this.#users = users;
    this.#watched = watched;
  }

  run(): void {
    const { nodes } = this.#body;
    for (const [at, node] of nodes.entries()) if (!this.#mayBeSilent(node)) this.#note(at);
    const open = new Set([...nodes.keys()].filter((at) => nodes[at]?.kind === 'branch' && !this.#events.has(at)));
    const targets = new Map<number, number>();
    for (let before = -1; before !== this.#events.size; ) {
      before = this.#events.size;
      this.#noteWrites();
      for (const at of open) {
        const target = this.#targetOf(at);
        if (target !== null) targets.set(at, target);
        else if (open.delete(at)) this.#note(at);
      }
    }
    if (open.size > 0) this.#rewrite(open, targets);
  }

  #mayBeSilent(node: AnyNode): boolean {
    const isLocal = () => [...this.#finder.readBy(node), ...writtenBy(node)].every((id) => this.#isOwnVariable(id));
    return (
      node.kind === 'skip' || ((node.kind === 'set' || node.kind === 'branch' || node.kind === 'havoc') && isLocal())
    );
  }

  #isOwnVariable(id: number): boolean {
    const known = this.#isOwn.get(id);
    if (known !== undefined) return known;
    const { owner, kind } = this.#model.variables[id] as Variable;
    const isLocal = owner === this.#body.id && (kind === 'cell' || kind === 'register');
    const isOwn = isLocal && !this.#watched.has(id) && this.#users.isPrivate(id);
    this.#isOwn.set(id, isOwn);
    return isOwn;
  }

  #note(at: number): void {
    this.#events.add(at);
    const node = this.#body.nodes[at] as AnyNode;
    if (node.kind === 'set' && this.#mayBeSilent(node)) return;
    for (const id of this.#finder.readBy(node)) this.#needed.add(id);
  }

  /** Assignments to what is needed happen, and need what they read. */
  #noteWrites(): void {
    const { nodes } = this.#body;
    for (let before = -1; before !== this.#needed.size + this.#events.size; ) {
      before = this.#needed.size + this.#events.size;
      for (const [at, node] of nodes.entries()) {
        if (!writtenBy(node).some((id) => this.#needed.has(id))) continue;
        this.#events.add(at);
        if (node.kind !== 'set') continue;
        for (const { variable, value } of node.assignments)
          if (this.#needed.has(variable)) for (const id of this.#finder.in(value)) this.#needed.add(id);
      }
    }
  }

  /** The only place to which all ways from the branch lead, without anything happening before. */
  #targetOf(branch: number): number | null {
    const { nodes } = this.#body;
    const silent = new Set([branch]);
    const work = [...(nodes[branch] as AnyNode).next];
    let target: number | null = null;
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (silent.has(at) || at === target) continue;
      if (this.#events.has(at)) {
        if (target !== null) return null;
        target = at;
        continue;
      }
      silent.add(at);
      for (const next of (nodes[at] as AnyNode).next) work.push(next);
    }
    return target === null || mayIdleWithin(this.#model, this.#users, nodes, silent) ? null : target;
  }

  #rewrite(branches: ReadonlySet<number>, targets: ReadonlyMap<number, number>): void {
    const { nodes } = this.#body;
    const isNeeded = (id: number) => this.#needed.has(id) || !this.#isOwnVariable(id);
    this.#body.nodes = nodes.map((node, at): AnyNode => {
      const { loc, isModel } = node;
      if (branches.has(at)) return { kind: 'skip', loc, isModel, next: [targets.get(at) as number] };
      if (node.kind === 'havoc') return { ...node, variables: node.variables.filter(isNeeded) };
      if (node.kind !== 'set') return node;
      return { ...node, assignments: node.assignments.filter(({ variable }) => isNeeded(variable)) };
    });
  }
}
