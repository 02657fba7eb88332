/**
 * From Code to flow graphs: one body for main and one for each place that creates a thread, every call inlined. What is
 * constant while inlining (arguments, start functions) is put in at once, so that most of the models folds away.
 *
 * A function that creates threads is *specialised*: its instructions are copied for every combination of constants in
 * its registers, so that `for (i = 0; i < 3; i++) pthread_create(…)` gives three bodies. Where that does not end, its
 * loops stay, and what they create is replicated. So are the loops of the models. With `replicate` loops of the program
 * always stay, and threads with the same start are replicated anyway.
 *
 * Refused, with a place: recursion that constant arguments do not end, objects of variable size, and what only the
 * whole memory could answer (`object-size`).
 */

import { seesIdentifiers } from '../../execute/sees-identifiers.ts';
import { findAddressNumbers, firstNumberFrom } from '../../program/address-numbers.ts';
import type { CheckName } from '../../program/check-names.ts';
import type { Code, CodeFunction, CodeObject, Value } from '../../program/code.ts';
import { functionAddress } from '../../program/function-addresses.ts';
import { operandsOf } from '../../program/operands.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import { type Term, TermGraph } from '../../values/terms.ts';
import { topSet } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import {
  type AnyNode,
  type Body,
  findCyclic,
  type GraphObject,
  inProgramOrder,
  ManyThreadsError,
  type Model,
  NotProvableError,
  type ObjectLength,
  reachableFrom,
  SHARED,
  type Variable,
} from './graph.ts';
import { BodyInliner } from './inline-calls.ts';
import type { InlineContext } from './inline-context.ts';

const MOST_BODIES = 40;
/** Objects lie in regions of their own of 64 KiB, as value sets expect it. */
const REGION = 0x10000n;

export interface InlineOptions {
  readonly checks: ReadonlySet<CheckName>;
  /** Threads that begin alike are of any number, also where there are few: more than the program does, and simpler. */
  readonly replicate: boolean;
  /** How many objects a place allocates at most at a time; 0: one, which may run once. */
  readonly instances: number;
  /** Those of threads of any number are each thread's own. */
  readonly ownHeap: boolean;
  /** Copy the loops of threads of any number that end by constants. */
  readonly unroll: boolean;
}

export function inlineThreads(code: Code, options: InlineOptions): Model {
  return new ThreadInliner(code, options).run();
}

class ThreadInliner implements InlineContext {
  readonly #code: Code;
  readonly #options: InlineOptions;
  readonly #graph = new TermGraph();
  readonly #pointerWidth: number;
  readonly #variables: Variable[] = [];
  readonly #bodies: Body[] = [];
  readonly #objects: GraphObject[] = [];
  readonly #statics = new Map<number, GraphObject>();
  /** What each body starts with, and which of them spawn sites already share. */
  readonly #startOf = new Map<number, number>();
  readonly #addressTaken: readonly number[];
  readonly #spawning: ReadonlySet<number>;
  /** Spawn nodes whose body is made once the whole of their own body is known. */
  #sites: { readonly node: number; readonly start: number }[] = [];
  #isNumbered = true;
  #nextBase = REGION;
  readonly #numbers: readonly number[];

  constructor(code: Code, options: InlineOptions) {
    this.#code = code;
    this.#options = options;
    this.#pointerWidth = code.dataModel === 'ILP32' ? 32 : 64;
    this.#numbers = findAddressNumbers(code);
    this.#addressTaken = findAddressTaken(code);
    this.#spawning = findSpawning(code, this.#addressTaken);
    for (const object of code.objects) {
      if (object.duration === 'static') this.#statics.set(object.id, this.#addObject(object, SHARED));
    }
  }

  run(): Model {
    this.#addBody(this.#code.main, false);
    for (let i = 0; i < this.#bodies.length; i++) {
      const body = this.#bodies[i] as Body;
      this.#sites = [];
      this.#buildBody(body);
      this.#createSpawned(body);
    }
    return {
      graph: this.#graph,
      pointerWidth: this.#pointerWidth,
      variables: this.#variables,
      bodies: this.#bodies,
      isNumbered: this.#isNumbered,
      objects: this.#objects,
      candidates: [],
      peers: [],
      heap: null,
      passages: null,
      additions: new Map(),
      expected: new Map(),
      turns: [],
      lifetimes: new Set(),
      blurred: new Set(),
      watches: new Set(),
    };
  }

  // -------------------------------------------------------------- bodies

  #addBody(start: number, isReplicated: boolean): Body {
    const { loc, name } = { loc: NOWHERE, name: this.#code.functions[start]?.name ?? '' };
    if (this.#bodies.length >= MOST_BODIES) throw new ManyThreadsError(loc, 'more than 40 places create threads');
    const id = this.#bodies.length;
    const body: Body = {
      id,
      name,
      isReplicated,
      number: id,
      self: isReplicated ? this.#addVariable(`${name}.self`, 32, id, 'self') : null,
      argument: id === 0 ? null : this.#addVariable(`${name}.argument`, this.#pointerWidth, id, 'argument'),
      entry: 0,
      nodes: [],
    };
    this.#bodies.push(body);
    this.#startOf.set(id, start);
    return body;
  }

  #buildBody(body: Body): void {
    const { code } = { code: this.#code };
    const start = this.#startOf.get(body.id) as number;
    const locals = new Map<number, GraphObject>();
    for (const object of code.objects) {
      if (object.duration === 'thread') locals.set(object.id, this.#addObject(object, body.id));
    }
    const inliner = new BodyInliner(this, body, locals);
    const isMain = body.id === 0;
    const entry = code.functions[isMain ? code.main : (code.threadEntry ?? start)] as CodeFunction;
    const argument = body.argument === null ? [] : [this.variable(body.argument).term];
    const args = isMain ? [] : [this.functionTerm(start), ...argument];
    const end = inliner.addNode({ kind: isMain ? 'stop' : 'finish', loc: NOWHERE, isModel: true, next: [] });
    const stop = { kind: 'stop', endsThread: true, loc: NOWHERE, isModel: true, next: [] } as const;
    inliner.end = isMain ? inliner.addNode(stop) : end;
    body.entry = inliner.inline({ function: entry, args, result: null, next: end, path: [], loc: NOWHERE });
    // What main leaves behind when it ends alone ends for who asks, and stays in practice.
    if (isMain && this.#options.checks.has('pointer')) this.#endLocals(body, inliner.end);
  }

  /** At the end of a thread that leaves others running, all its locals end, whichever of them there are. */
  #endLocals(body: Body, stop: number): void {
    const locals = this.#objects.filter(({ kind, owner }) => kind === 'automatic' && owner === body.id);
    if (locals.length === 0) return;
    const next = [body.nodes.push(body.nodes[stop] as AnyNode) - 1];
    body.nodes[stop] = { kind: 'leave', objects: locals.map(({ id }) => id), loc: NOWHERE, isModel: true, next };
  }

  /** A place that may run more than once, or in a replicated thread, creates replicated threads. */
  #createSpawned(body: Body): void {
    const cyclic = findCyclic(body.nodes);
    // In the order of the program: so the numbers are those that the threads get, where the order is always the same.
    const position = new Map(inProgramOrder(body.nodes, body.entry).map((node, i) => [node, i]));
    const sites = this.#sites.filter(({ node }) => position.has(node));
    sites.sort((a, b) => (position.get(a.node) as number) - (position.get(b.node) as number));
    if (
      !areInOneOrder(
        body,
        sites.map(({ node }) => node),
      )
    )
      this.#refuseNumbers();
    const isAlike = (start: number) => sites.filter((site) => site.start === start).length > 1;
    for (const { node, start } of sites) {
      const isReplicated = body.isReplicated || cyclic.has(node) || (this.#options.replicate && isAlike(start));
      const known = this.#bodies.find((each) => each.isReplicated && this.#startOf.get(each.id) === start);
      const target = isReplicated && known ? known : this.#addBody(start, isReplicated);
      const spawn = body.nodes[node] as AnyNode;
      if (spawn.kind === 'spawn') body.nodes[node] = { ...spawn, body: target.id };
      // How many come before it, its body does not tell.
      if (!isReplicated && this.#bodies.some((each) => each.isReplicated)) this.#refuseNumbers();
    }
  }

  /**
   * Threads are numbered as they are created. Where that is not always in the same order, another numbering is as good
   * unless the program looks at it.
   */
  #refuseNumbers(): void {
    this.#isNumbered = false;
    const asking = this.#code.functions.find(
      ({ name, isModel }) => isModel && /^(pthread_self|thrd_current)$/.test(name),
    );
    if (!asking && !seesIdentifiers(this.#code)) return;
    const loc = asking?.instructions[0]?.loc ?? NOWHERE;
    throw new NotProvableError(
      loc,
      'threads that look at their identifiers and are not always created in the same order',
    );
  }

  // -------------------------------------------------------------- for the inliner of a body

  get code(): Code {
    return this.#code;
  }

  get graph(): TermGraph {
    return this.#graph;
  }

  get checks(): ReadonlySet<CheckName> {
    return this.#options.checks;
  }

  get instances(): number {
    return this.#options.instances;
  }

  get unroll(): boolean {
    return this.#options.unroll;
  }

  get keepsLoops(): boolean {
    return this.#options.replicate;
  }

  get pointerWidth(): number {
    return this.#pointerWidth;
  }

  get addressTaken(): readonly number[] {
    return this.#addressTaken;
  }

  isSpawning(id: number): boolean {
    return this.#spawning.has(id);
  }

  variable(id: number): Variable {
    return this.#variables[id] as Variable;
  }

  functionTerm(id: number): Term {
    return this.#graph.constant(this.#pointerWidth, BigInt(functionAddress(id)));
  }

  staticObject(id: number): GraphObject {
    return this.#statics.get(id) as GraphObject;
  }

  addSite(node: number, start: number): void {
    this.#sites.push({ node, start });
  }

  addVariable(name: string, width: number, owner: number, signed: boolean): number {
    return this.#addVariable(name, width, owner, 'register', signed);
  }

  #addVariable(name: string, width: number, owner: number, kind: Variable['kind'], signed = false): number {
    const model = { graph: this.#graph, variables: this.#variables };
    return addVariable(model, { name, width, owner, kind, signed }).id;
  }

  addObject(source: CodeObject, owner: number): GraphObject {
    return this.#addObject(source, owner);
  }

  #addObject(source: CodeObject, owner: number): GraphObject {
    const { name, size, duration, isConstant } = source;
    return this.#place(name, size, owner, duration, isConstant, source);
  }

  dropSites(from: number): void {
    this.#sites = this.#sites.filter(({ node }) => node < from);
  }

  /** An object that is as long as a variable of its own says, and at most so long as any can be. */
  addLongObject(loc: Loc, body: Body): GraphObject & { readonly length: ObjectLength } {
    const line = this.#code.sources.place(loc)?.line ?? '';
    const count = this.#addVariable(`length(heap@${line})`, this.#pointerWidth, SHARED, 'cell');
    const length = { count, unit: 1n };
    const object = this.#place(`heap@${line}`, this.mostBytes, SHARED, 'heap', false, null, length);
    const number = firstNumberFrom(this.#numbers, Number(object.base));
    // A number that is taken for an address would be one of it.
    if (this.checks.has('pointer') && number < Number(object.base) + object.size)
      throw new NotProvableError(loc, `an allocation of unknown size in a program with the number ${number}`);
    if (body.isReplicated) throw new NotProvableError(loc, 'allocations of unknown size in threads of any number');
    return { ...object, length };
  }

  /** No object is larger: differences of pointers, and in 64 bits the addresses that there are. */
  get mostBytes(): number {
    return this.#pointerWidth === 32 ? 0x7fff_ffff : 2 ** 46;
  }

  addHeapObject(size: number, loc: Loc, body: Body, instance: number): GraphObject {
    const line = this.#code.sources.place(loc)?.line ?? '';
    const owner = body.isReplicated && this.#options.ownHeap && this.#options.instances > 0 ? body.id : SHARED;
    const name = body.id === 0 ? `heap@${line}` : `heap@${line}.T${body.id}`;
    return this.#place(instance === 0 ? name : `${name}#${instance + 1}`, size, owner, 'heap', false, null);
  }

  /** Not where a number of the program's own would lead. */
  #freeBase(size: bigint): bigint {
    for (;;) {
      const base = this.#nextBase;
      const number = firstNumberFrom(this.#numbers, Number(base - REGION));
      if (BigInt(Math.min(number, Number.MAX_SAFE_INTEGER)) >= base + size + REGION) return base;
      this.#nextBase += REGION;
    }
  }

  #place(
    name: string,
    size: number,
    owner: number,
    kind: GraphObject['kind'],
    isConstant: boolean,
    source: CodeObject | null,
    length: ObjectLength | null = null,
  ): GraphObject {
    const base = this.#freeBase(length === null ? BigInt(size) : 0n);
    if (base + BigInt(size) + REGION >= 1n << BigInt(this.#pointerWidth))
      throw new NotProvableError(NOWHERE, 'objects that do not fit into the addresses that there are');
    this.#nextBase += ((BigInt(size) + REGION) / REGION) * REGION + REGION;
    const address = owner === SHARED ? null : this.#graph.variable(topSet(this.#pointerWidth), `&${name}`);
    const object: GraphObject = {
      id: this.#objects.length,
      name,
      base,
      size,
      owner,
      kind,
      isConstant,
      length,
      source,
      address,
    };
    this.#objects.push(object);
    return object;
  }
}

/** Main creates the threads, each place only after the one before it, and those of any number last. */
function areInOneOrder({ id, nodes, entry }: Body, sites: readonly number[]): boolean {
  if (sites.length === 0) return true;
  const cyclic = findCyclic(nodes);
  const isLate = (i: number) =>
    i > 0 && !reachableWithout(nodes, entry, sites[i - 1] as number).has(sites[i] as number);
  return id === 0 && sites.every((site, i) => (i === 0 || isLate(i)) && (!cyclic.has(site) || i === sites.length - 1));
}

function reachableWithout(nodes: readonly AnyNode[], entry: number, avoided: number): Set<number> {
  const cut = nodes.map((node, i) => (i === avoided ? { ...node, next: [] } : node));
  const found = reachableFrom(cut, [entry]);
  found.delete(avoided);
  return found;
}

function findAddressTaken(code: Code): number[] {
  const taken = new Set<number>();
  const visit = (value: Value): void => {
    if (value.kind === 'function-address') taken.add(value.function);
    else if (value.kind === 'unary' || value.kind === 'convert') visit(value.operand);
    else if (value.kind === 'binary' || value.kind === 'overflows')
      for (const each of [value.left, value.right]) visit(each);
    else if (value.kind === 'select') for (const each of [value.condition, value.then, value.otherwise]) visit(each);
  };
  for (const { initial } of code.objects) for (const { value } of initial) visit(value);
  for (const { instructions } of code.functions)
    for (const instruction of instructions) for (const value of operandsOf(instruction)) visit(value);
  return [...taken].sort((a, b) => a - b);
}

/** Functions in which, or in whose callees, threads are created. */
function findSpawning(code: Code, addressTaken: readonly number[]): Set<number> {
  const spawning = new Set<number>();
  const callees = ({ instructions }: CodeFunction) =>
    instructions.flatMap((each) =>
      each.kind !== 'call' ? [] : typeof each.callee === 'number' ? [each.callee as number] : [...addressTaken],
    );
  for (let size = -1; size !== spawning.size; ) {
    size = spawning.size;
    for (const each of code.functions) {
      const creates = each.instructions.some(({ kind }) => kind === 'spawn');
      if (creates || callees(each).some((id) => spawning.has(id))) spawning.add(each.id);
    }
  }
  return spawning;
}
