/**
 * Which locals are certainly alive where they are accessed. By its own thread: on every way from the entry to the
 * access the object was entered and not left since. By another thread: at every point that the owner can reach after it
 * created any thread; the owner is main, or is still running then. (Where main ends alone, leaving all its locals is a
 * node before its end, or else they stay.) Of other locals of main, a cell can tell whether
 * they are alive, if nothing ends them but leaving their scope.
 */

import { type AnyNode, type Body, type Model, reachableFrom } from './graph.ts';

export class Lifetimes {
  readonly #alive: readonly (ReadonlySet<number> | null)[][];
  /** Objects that outlive every thread that their owner creates. */
  readonly #stable: ReadonlySet<number>;
  /** Bodies that may end with locals in scope, while other threads go on. */
  readonly #mayEnd: readonly boolean[];

  constructor(model: Model) {
    this.#alive = model.bodies.map(findAlive);
    this.#mayEnd = model.bodies.map((body) => body.isReplicated || mayEndInScope(body));
    this.#stable = new Set(model.bodies.flatMap((body) => findStable(body, this.#alive[body.id] ?? [])));
  }

  isAlive(object: number, body: number, node: number): boolean {
    return this.#alive[body]?.[node]?.has(object) ?? true;
  }

  isStable(object: number): boolean {
    return this.#stable.has(object);
  }

  /** Whether no local of the body ends otherwise than by leaving its scope. */
  endOnlyByLeaving(body: number): boolean {
    return this.#mayEnd[body] === false;
  }
}

/** Per node the objects that are alive before it; null where it is not reached. */
function findAlive({ nodes, entry }: Body): (ReadonlySet<number> | null)[] {
  const alive: (Set<number> | null)[] = nodes.map(() => null);
  alive[entry] = new Set();
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const node = nodes[at] as AnyNode;
    const after = new Set(alive[at]);
    if (node.kind === 'enter') after.add(node.object);
    if (node.kind === 'leave') for (const object of node.objects) after.delete(object);
    for (const next of node.next) {
      const before = alive[next];
      if (!before) {
        alive[next] = new Set(after);
        work.push(next);
        continue;
      }
      const size = before.size;
      for (const object of before) if (!after.has(object)) before.delete(object);
      if (before.size < size) work.push(next);
    }
  }
  return alive;
}

/** From there the program ends without another step: when main returns, its locals and all threads end together. */
export function endsAtOnce(nodes: readonly AnyNode[], start: number): boolean {
  const seen = new Set<number>();
  for (let at = start; !seen.has(at); ) {
    seen.add(at);
    const node = nodes[at] as AnyNode;
    if (node.kind === 'stop') return endsProgram(node);
    if (node.kind !== 'leave' && node.kind !== 'skip') return false;
    at = node.next[0] as number;
  }
  return false;
}

function endsProgram(node: AnyNode): boolean {
  return node.kind === 'stop' && !node.endsThread && !node.isEndless;
}

/** Where a thread ends its locals end, whether or not it has left their scopes; main leaves them, or they stay. */
function mayEndInScope({ nodes }: Body): boolean {
  return nodes.some((node) => node.kind === 'finish');
}

function findStable({ nodes }: Body, alive: readonly (ReadonlySet<number> | null)[]): number[] {
  const spawns = nodes.flatMap((node, i) => (node.kind === 'spawn' && alive[i] ? [i] : []));
  if (spawns.length === 0) return [];
  let stable: number[] | null = null;
  for (const at of reachableFrom(nodes, spawns)) {
    // Where a thread ends, its locals end; where the program does, nobody is left to look.
    const node = nodes[at] as AnyNode;
    if (node.kind === 'finish') return [];
    const here = alive[at];
    if (!here || endsProgram(node) || endsAtOnce(nodes, at)) continue;
    stable = stable === null ? [...here] : stable.filter((object) => here.has(object));
  }
  return stable ?? [];
}
