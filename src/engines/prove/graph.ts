/**
 * The program as the proof engine sees it: one flow graph a thread body, all calls inlined, loops kept. A body that is
 * created in a loop (or by such a body) is *replicated*: it stands for any number of threads. Nodes compute with terms
 * over variables; a variable belongs to one body (each of its threads has its own) or to all.
 *
 * Who owns it: each stage from inline-threads.ts to find-locks.ts replaces nodes in place and hands the model on.
 */

import type { CheckName } from '../../program/check-names.ts';
import type { CodeObject } from '../../program/code.ts';
import type { AccessMode } from '../../program/memory-order.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { rangeSet, type ValueSet } from '../../values/value-set.ts';

/** Owner of what all threads share. */
export const SHARED = -1;

/**
 * The bounds of the models of thread routines (constants.h there): so many threads are created at most, and those with
 * a number from the second on never run. Numbers of replicated threads lie above the others'.
 */
export const MOST_THREADS = 16_384;
export const RUNNING_THREADS = 512;
/**
 * So many threads are there at a time, at most: Linux has no more numbers for them, and less room for their stacks in
 * 32 bits. How many there are one after the other has no bound.
 */
export const LIVE_THREADS = 1 << 22;

/**
 * The numbers that threads of a replicated body get. Where main joins them by number, that they are no more is an
 * obligation (find-peers.ts); elsewhere a number is a name, and which one does not matter.
 */
export function threadNumbers(model: Pick<Model, 'bodies' | 'peers'>, body: number): ValueSet {
  const peers = peersOf(model, body);
  if (peers === null) return rangeSet(32, BigInt(model.bodies.length), BigInt(RUNNING_THREADS) - 1n);
  return rangeSet(32, peers.first, peers.first + peers.room - 1n);
}

/** What the variable `self` of a replicated body can be: numbers of threads that run, of peers from 0 on. */
export function selfNumbers(model: Pick<Model, 'bodies' | 'peers'>, body: number): ValueSet {
  const peers = peersOf(model, body);
  return peers === null ? threadNumbers(model, body) : rangeSet(32, 0n, peers.room - 1n);
}

/** Null where nobody sees the threads of the body one by one. */
export function peersOf({ peers }: Pick<Model, 'peers'>, body: number): Peers | null {
  return peers.find((each) => each.body === body) ?? null;
}

export interface Variable {
  readonly id: number;
  readonly name: string;
  readonly width: number;
  /** A body's number, or SHARED. */
  readonly owner: number;
  /** `self`: the number of a replicated thread. `argument`: what its creator gave it. */
  readonly kind: 'register' | 'cell' | 'self' | 'argument';
  readonly signed: boolean;
  /** Before the owner's first step. */
  readonly initial: bigint;
  /** Contains all values; the whole width until they are analysed. */
  set: ValueSet;
  /** Stands for it in the terms of the model; a constant when it has one value only. */
  term: Term;
}

interface NodeBase {
  readonly loc: Loc;
  /** It comes from the bundled models. */
  readonly isModel: boolean;
  readonly next: readonly number[];
}

export interface Assignment {
  readonly variable: number;
  readonly value: Term;
}

/** What a node does, before accesses are resolved to cells. */
export type RawNode =
  | (NodeBase & {
      readonly kind: 'load';
      readonly variable: number;
      readonly address: Term;
      readonly isFloat: boolean;
      readonly mode: AccessMode;
    })
  | (NodeBase & { readonly kind: 'store'; readonly address: Term; readonly value: Term; readonly mode: AccessMode })
  /** An object comes to life: its contents are anything, or zeros. */
  | (NodeBase & { readonly kind: 'enter'; readonly object: number; readonly zeroed: boolean })
  | (NodeBase & { readonly kind: 'leave'; readonly objects: readonly number[] })
  | (NodeBase & { readonly kind: 'free'; readonly address: Term })
  /** One of the objects comes to life that is not alive; `variable` gets its address. */
  | (NodeBase & {
      readonly kind: 'allocate';
      readonly objects: readonly number[];
      readonly variable: number;
      readonly zeroed: boolean;
    })
  /** A candidate for an invariant, over registers that were read just now. */
  | (NodeBase & { readonly kind: 'claim'; readonly condition: Term });

export type Node =
  /** All at once. */
  | (NodeBase & {
      readonly kind: 'set';
      readonly assignments: readonly Assignment[];
      /** A loop has counted there; nobody looks at what (forget-counters.ts). */
      readonly isProgress?: true;
    })
  | (NodeBase & { readonly kind: 'havoc'; readonly variables: readonly number[]; readonly isBool: boolean })
  /** The first successor when the condition holds. */
  | (NodeBase & { readonly kind: 'branch'; readonly condition: Term })
  /** `routine`: the function of the models that waits here; null for an assumption of the program's own. */
  | (NodeBase & { readonly kind: 'assume'; readonly condition: Term; readonly routine: string | null })
  /** `check` null: an access that the analysis of addresses did not foresee. */
  | (NodeBase & { readonly kind: 'assert'; readonly condition: Term; readonly check: CheckName | null })
  | (NodeBase & { readonly kind: 'begin' })
  | (NodeBase & { readonly kind: 'end' })
  /** `number`: the variable that gets the new thread's number. `order`: where peers are, what its `self` will be. */
  | (NodeBase & {
      readonly kind: 'spawn';
      readonly body: number;
      readonly argument: Term;
      readonly number: number;
      readonly order: Term | null;
    })
  /**
   * From here to the next such node, variables of peers are those of the thread of `body` whose `self` is `order`
   * (`isNew`: which was created in this step). `created`: what the next thread will have. With null: they are the
   * thread's own again.
   */
  | (NodeBase & { readonly kind: 'peer'; readonly peer: PeerTerms | null })
  /**
   * An obligation of the proof: nobody has the address of an object that is not alive. `looksAt`: what that depends on.
   */
  | (NodeBase & { readonly kind: 'fresh'; readonly object: number; readonly looksAt: readonly Term[] })
  /** An obligation of the proof: no thread of a replicated body does anything any more. */
  | (NodeBase & { readonly kind: 'alone' })
  /** The thread ends. */
  | (NodeBase & { readonly kind: 'finish' })
  /**
   * The execution ends, or this thread never goes on. `endsThread`: main ends and leaves the others running.
   * `isEndless`: it was a loop that does nothing, and the thread goes round it for ever.
   */
  | (NodeBase & { readonly kind: 'stop'; readonly endsThread?: true; readonly isEndless?: true })
  | (NodeBase & { readonly kind: 'skip' });

export interface PeerTerms {
  readonly body: number;
  readonly order: Term;
  readonly created: Term;
  readonly isNew: boolean;
}

/** What its author thinks holds at all times, over registers and cells: from `__lazuli_invariant`, or an assertion. */
export interface GivenInvariant {
  condition: Term;
  readonly loc: Loc;
  readonly isAsserted?: true;
  /** About what threads add (count-additions.ts, count-turns.ts): the variable that it says something of. */
  readonly total?: number;
  /** What it says, if that is what such a ghost has to do with its thread's loop counters. */
  readonly relation?: CountRelation;
}

/** `scale * variable == constant + times * counter + …`, for a thread of the body (guess-relations.ts). */
export interface CountRelation {
  readonly body: number;
  readonly variable: number;
  readonly scale: bigint;
  readonly constant: bigint;
  readonly parts: readonly { readonly times: bigint; readonly counter: number }[];
}

export type AnyNode = Node | RawNode;

export interface Body {
  readonly id: number;
  readonly name: string;
  readonly isReplicated: boolean;
  /** The thread's number; of a replicated body it is the variable `self`. */
  readonly number: number;
  readonly self: number | null;
  readonly argument: number | null;
  entry: number;
  nodes: AnyNode[];
}

/** An object in memory: its address is a constant, its owner like a variable's. */
export interface GraphObject {
  readonly id: number;
  readonly name: string;
  readonly base: bigint;
  readonly size: number;
  readonly owner: number;
  readonly kind: 'static' | 'thread' | 'automatic' | 'heap';
  readonly isConstant: boolean;
  /** Of an allocation whose size is not known beforehand: how long it is. Its `size` is the most that there can be. */
  readonly length: ObjectLength | null;
  /** What it is declared as; null on the heap. */
  readonly source: CodeObject | null;
  /** Stands for the address until it is known that the address does not outlive the object; null where it cannot. */
  readonly address: Term | null;
}

/** A variable holds how many units of so many bytes there are: at first bytes, then what is accessed. */
export interface ObjectLength {
  readonly count: number;
  unit: bigint;
}

/** How main sees the threads of a replicated body, one by one (find-peers.ts). */
export interface Peers {
  readonly body: number;
  /** The number of its first thread: numbers less this are what `self` and `created` hold. */
  readonly first: bigint;
  /** How many numbers there are for its threads. */
  readonly room: bigint;
  /** The variable that counts the threads: what the next one will have in `self`. */
  readonly created: number;
  /** Cells that each thread has for itself and others access by its number. */
  readonly cells: ReadonlySet<number>;
}

/** Allocations of which there are several instances, or the same again and again. */
export interface Heap {
  /** The variables that may hold their addresses. */
  readonly pointers: ReadonlySet<number>;
  /**
   * Of a cell of such an object: the variables that say whether the object is alive, and whether the cell was stored
   * to.
   */
  readonly cells: ReadonlyMap<number, { readonly alive: number; readonly isSet: number }>;
}

export interface Passages {
  /** By the variable whose writes they count. */
  readonly ghosts: ReadonlyMap<number, number>;
  /** How many threads were created, or one more; null where peers have a count. */
  readonly created: number | null;
}

/** A ghost of a replicated body: each of its threads keeps what it has added to some passages (count-turns.ts). */
export interface Turns {
  readonly body: number;
  /** The ghost that sums up the passages. */
  readonly counted: number;
  /** Each thread's own. */
  readonly ghost: number;
}

export interface Model {
  graph: TermGraph;
  readonly pointerWidth: number;
  readonly variables: Variable[];
  readonly bodies: Body[];
  /** Each thread has the number of its body, whatever is executed: only those of any number come in another order. */
  isNumbered: boolean;
  readonly objects: GraphObject[];
  /** Over cells that threads share (find-candidates.ts). */
  readonly candidates: GivenInvariant[];
  /** None, or one for each replicated body. */
  peers: readonly Peers[];
  heap: Heap | null;
  /** Ghosts that count what threads of any number write (count-passages.ts). */
  passages: Passages | null;
  /** Ghosts that count how often a thread adds to variables, with its body (count-additions.ts, count-turns.ts). */
  readonly additions: Map<number, number>;
  /** What these are guessed to be when the thread has ended. */
  readonly expected: Map<number, bigint>;
  /** Those of them that each thread of a replicated body has for itself. */
  readonly turns: Turns[];
  /** Cells that say whether an object is alive: nobody waits for what they say. */
  readonly lifetimes: Set<number>;
  /** What is read of arrays whose places are not told apart, and may be anything. */
  readonly blurred: Set<number>;
  /** The ghosts that say which accesses are announced, where data races are looked for (watch-races.ts). */
  readonly watches: Set<number>;
}

/** What the proof engine cannot represent, with a place. */
export class NotProvableError extends Error {
  override readonly name = 'NotProvableError';
  readonly loc: Loc;

  constructor(loc: Loc, message: string) {
    super(message);
    this.loc = loc;
  }
}

/** More places create threads than are told apart; taken for threads of any number they may be few. */
export class ManyThreadsError extends NotProvableError {}

/** An allocation in a loop or in threads of any number, where each place allocates one object. */
export class RepeatedAllocationError extends NotProvableError {
  constructor(loc: Loc) {
    super(loc, 'an allocation that may run any number of times');
  }
}

/** A thread ends, and others go on. */
export function endsThread(node: AnyNode): boolean {
  return node.kind === 'finish' || (node.kind === 'stop' && node.endsThread === true);
}

/** The successors of a node, and so on. */
export function reachableFrom(nodes: readonly AnyNode[], starts: Iterable<number>): Set<number> {
  const seen = new Set<number>();
  const stack = [...starts];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (seen.has(top)) continue;
    seen.add(top);
    for (const next of (nodes[top] as AnyNode).next) stack.push(next);
  }
  return seen;
}

/** By node, those that lead to it. */
export function predecessorsOf(nodes: readonly AnyNode[]): number[][] {
  const before: number[][] = nodes.map(() => []);
  nodes.forEach(({ next }, i) => {
    for (const each of next) before[each]?.push(i);
  });
  return before;
}

/** The nodes that are reached from a start, each before its successors as far as loops allow it. */
export function inProgramOrder(nodes: readonly AnyNode[], start: number): number[] {
  const seen = new Set([start]);
  const finished: number[] = [];
  const work = [{ node: start, at: 0 }];
  for (let top = work[0]; top !== undefined; top = work[work.length - 1]) {
    const next = (nodes[top.node] as AnyNode).next[top.at++];
    if (next === undefined) {
      finished.push(top.node);
      work.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      work.push({ node: next, at: 0 });
    }
  }
  return finished.reverse();
}

/** The nodes that lie on a cycle. */
export function findCyclic(nodes: readonly AnyNode[]): Set<number> {
  return new Set(findLoops(nodes).flat());
}

/** The strongly connected components with a cycle (Tarjan, without recursion). */
export function findLoops(nodes: readonly Pick<AnyNode, 'next'>[]): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const loops: number[][] = [];
  const lower = (node: number, to: number) => low.set(node, Math.min(low.get(node) as number, to));
  const close = (root: number) => {
    const component: number[] = [];
    for (;;) {
      const node = stack.pop() as number;
      onStack.delete(node);
      component.push(node);
      if (node === root) break;
    }
    if (component.length > 1 || nodes[root]?.next.includes(root)) loops.push(component);
  };
  for (let root = 0; root < nodes.length; root++) {
    if (index.has(root)) continue;
    const work = [{ node: root, at: 0 }];
    for (let top = work[0]; top !== undefined; top = work[work.length - 1]) {
      const { node } = top;
      if (top.at === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) as number);
        stack.push(node);
        onStack.add(node);
      }
      const next = nodes[node]?.next[top.at++];
      if (next === undefined) {
        work.pop();
        const parent = work[work.length - 1];
        if (parent) lower(parent.node, low.get(node) as number);
        if (low.get(node) === index.get(node)) close(node);
      } else if (!index.has(next)) work.push({ node: next, at: 0 });
      else if (onStack.has(next)) lower(node, index.get(next) as number);
    }
  }
  return loops;
}

/** Where atomic sections begin that are in no other. */
export function outermostBegins({ nodes, entry }: Body): number[] {
  const depthOf = new Map([[entry, 0]]);
  const found = new Set<number>();
  const inside = new Set<number>();
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const node = nodes[at] as AnyNode;
    const depth = depthOf.get(at) as number;
    if (node.kind === 'begin') (depth === 0 ? found : inside).add(at);
    const after = Math.max(0, depth + (node.kind === 'begin' ? 1 : node.kind === 'end' ? -1 : 0));
    for (const next of node.next) {
      if ((depthOf.get(next) ?? -1) >= after) continue;
      depthOf.set(next, after);
      if (after < 100) work.push(next);
    }
  }
  return [...found].filter((at) => !inside.has(at));
}
