/**
 * Data races where relaxed atomics or fences decide what happens before what: the program with a watch. One access is
 * chosen to be watched, and every thread carries whether it knows of that access, that is, whether the access happens
 * before what the thread does now. Whoever comes to an access that conflicts with the watched one, after it and without
 * knowing of it, races: a failed assertion.
 *
 * Knowledge goes the ways of C11's *synchronizes with*, as ghost bits in memory, read and written in the steps of the
 * accesses that they belong to. An atomic write hands on what its thread knows if it releases, or what the thread knew
 * at its last release fence; who reads it takes that over if the read acquires, or at the next acquire fence. Updates
 * hand on what was there, too, and later writes of the thread that began it go on with a release sequence; so a bit is
 * kept for each thread. Thread routines hand on all that is known by the words that they write, sections of the
 * program's own by one bit for all of them, and a new thread knows what its creator knew.
 *
 * The same is done, with clocks for all accesses at once, by trace/interpreter/race-detector.ts.
 */

import { type AtomicMode, acquires, PLAIN, releases } from '../program/memory-order.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { type Contender, findConflicts, isConflict } from './find-conflicts.ts';
import type { Access, Assertion, CellId, Fence, SharedCell, Step, SteppedProgram, SteppedThread } from './steps.ts';

/** The program in which a data race is a failed assertion, and nothing else is. */
export function watchOrder(program: SteppedProgram): SteppedProgram {
  return new OrderWatch(program).run();
}

/** An access that can be watched, at one of its cells. */
interface Watched extends Contender {
  readonly cell: CellId;
  /** It is the one. */
  readonly isChosen: Term;
}

/** What a thread knows. */
interface Knowledge {
  /** The watched access happens before what comes now. */
  now: Term;
  /** Known after the next acquire fence; known at the last release fence. */
  seen: Term;
  fenced: Term;
}

class OrderWatch {
  readonly #program: SteppedProgram;
  readonly #graph: TermGraph;
  readonly #watched: readonly Watched[];
  readonly #ghosts = new Map<string, SharedCell>();
  /** By thread, what was known behind each step that creates others. */
  readonly #atStep = new Map<string, Term>();
  #nextCell: number;

  constructor(program: SteppedProgram) {
    this.#program = program;
    this.#graph = program.graph;
    this.#nextCell = program.cells.reduce((next, { id }) => Math.max(next, id + 1), 0);
    const all = [...findConflicts(program)].flatMap(([cell, list]) => list.map((each) => ({ ...each, cell })));
    const width = Math.max(1, Math.ceil(Math.log2(all.length + 1)));
    const choice = this.#graph.variable(sets.rangeSet(width, 0n, BigInt(Math.max(0, all.length - 1))), 'watched');
    this.#watched = all.map((each, i) => ({
      ...each,
      isChosen: this.#graph.eq(choice, this.#graph.constant(width, BigInt(i))),
    }));
  }

  run(): SteppedProgram {
    const threads = this.#program.threads.map((thread) => this.#thread(thread));
    return { ...this.#program, threads, cells: [...this.#program.cells, ...this.#ghosts.values()] };
  }

  #thread(thread: SteppedThread): SteppedThread {
    const { graph } = this.#program;
    const { spawn } = thread;
    const given = spawn ? this.#atStep.get(`${spawn.thread} ${spawn.step}`) : undefined;
    const knowledge: Knowledge = { now: given ?? graph.false, seen: graph.false, fenced: graph.false };
    const assertions: Assertion[] = [];
    this.#passFences(thread.fences, -1, knowledge);
    const steps = thread.steps.map((step, at) => {
      const made = this.#step(thread, step, at, knowledge, assertions);
      this.#atStep.set(`${thread.index} ${at}`, knowledge.now);
      this.#passFences(thread.fences, at, knowledge);
      return made;
    });
    const assumptions = thread.assumptions.map((each) => ({ ...each, waits: false, holder: null, turn: null }));
    assertions.sort((a, b) => a.position - b.position);
    return { ...thread, steps, assumptions, assertions, visits: [] };
  }

  #passFences(fences: readonly Fence[], at: number, knowledge: Knowledge): void {
    const graph = this.#graph;
    for (const { step, guard, order } of fences) {
      if (step !== at) continue;
      if (acquires(order)) knowledge.now = graph.or(knowledge.now, graph.and(guard, knowledge.seen));
      if (releases(order)) knowledge.fenced = graph.ite(guard, knowledge.now, knowledge.fenced);
    }
  }

  #step(thread: SteppedThread, step: Step, at: number, knowledge: Knowledge, assertions: Assertion[]): Step {
    const ghosts: Access[] = [];
    const own = step.accesses.filter(({ mode, touch }) => touch === 'atomic' && mode.kind === 'plain');
    const routine = step.accesses.filter(({ touch }) => touch === null);
    this.#takeOver(routine, knowledge, ghosts);
    if (own.length > 0) this.#takeOverOwn(own, knowledge, ghosts);
    for (const [i, access] of step.accesses.entries()) {
      if (access.touch === null) continue;
      this.#judge({ thread: thread.index, at, step, access }, knowledge, ghosts, assertions);
      const succeeds = exchangeOf(step.accesses, i)?.guard ?? this.#graph.false;
      if (access.mode.kind === 'atomic')
        this.#synchronise(thread.index, access, access.mode, succeeds, knowledge, ghosts);
    }
    this.#handOn(routine, knowledge, ghosts);
    if (own.length > 0) this.#handOnOwn(own, knowledge, ghosts);
    const accesses = step.accesses.map((access): Access => ({ ...access, touch: null }));
    return { ...step, accesses: [...accesses, ...ghosts] };
  }

  // -------------------------------------------------------------- what is watched

  /** The access may be the watched one, or race with it. */
  #judge(contender: Contender, knowledge: Knowledge, ghosts: Access[], assertions: Assertion[]): void {
    const graph = this.#graph;
    const { access, step, at, thread } = contender;
    let knows = knowledge.now;
    for (const { cell, select } of access.targets) {
      const here = this.#watched.filter((each) => each.cell === cell);
      const rivals = here.filter((each) => isConflict(each, contender));
      const happens = graph.andAll([step.guard, access.guard, select]);
      // A step without an end is never left.
      if (rivals.length > 0 && step.end !== null) {
        const isDone = this.#read(this.#ghost(`done ${cell}`, 1), happens, access, ghosts);
        const isRival = graph.orAll(rivals.map(({ isChosen }) => isChosen));
        const races = graph.andAll([isRival, isDone, graph.not(knowledge.now)]);
        const position = step.end - 1 + (assertions.length + 1) / (assertions.length + 2);
        const { key } = access;
        const told = { check: 'race', message: 'data race', loc: step.loc, key } as const;
        assertions.push({ step: at, guard: happens, position, condition: graph.not(races), ...told });
      }
      const own = here.find((each) => each.thread === thread && each.at === at && each.access === access);
      if (!own) continue;
      const isWatched = graph.and(happens, own.isChosen);
      this.#write(this.#ghost(`done ${cell}`, 1), isWatched, graph.true, access, ghosts);
      knows = graph.or(knows, isWatched);
    }
    knowledge.now = knows;
  }

  // -------------------------------------------------------------- what is handed on

  #takeOver(reads: readonly Access[], knowledge: Knowledge, ghosts: Access[]): void {
    for (const access of reads) {
      if (access.kind !== 'read') continue;
      for (const { cell, select } of access.targets) {
        const when = this.#graph.and(access.guard, select);
        this.#learn(this.#read(this.#ghost(`word ${cell}`, 1), when, access, ghosts), when, knowledge);
      }
    }
  }

  #handOn(writes: readonly Access[], { now }: Knowledge, ghosts: Access[]): void {
    for (const access of writes) {
      if (access.kind !== 'write') continue;
      for (const { cell, select } of access.targets)
        this.#add(`word ${cell}`, this.#graph.and(access.guard, select), now, access, ghosts);
    }
  }

  #takeOverOwn(own: readonly Access[], knowledge: Knowledge, ghosts: Access[]): void {
    const when = this.#graph.orAll(own.map(({ guard }) => guard));
    this.#learn(this.#read(this.#ghost('sections', 1), when, own[0] as Access, ghosts), when, knowledge);
  }

  #handOnOwn(own: readonly Access[], { now }: Knowledge, ghosts: Access[]): void {
    this.#add('sections', this.#graph.orAll(own.map(({ guard }) => guard)), now, own[0] as Access, ghosts);
  }

  #learn(known: Term, when: Term, knowledge: Knowledge): void {
    knowledge.now = this.#graph.or(knowledge.now, this.#graph.and(when, known));
  }

  /** What is there stays, and something is added: written where there is something to add. */
  #add(name: string, when: Term, known: Term, access: Access, ghosts: Access[]): void {
    this.#write(this.#ghost(name, 1), this.#graph.and(when, known), this.#graph.true, access, ghosts);
  }

  /** An atomic access, by its order. `succeeds`: the store of its compare-and-exchange is made. */
  #synchronise(
    thread: number,
    access: Access,
    { order, isUpdate, onFailure }: AtomicMode,
    succeeds: Term,
    knowledge: Knowledge,
    ghosts: Access[],
  ): void {
    const graph = this.#graph;
    const count = this.#program.threads.length;
    for (const { cell, select } of access.targets) {
      const when = graph.and(access.guard, select);
      const heads = this.#ghost(`heads ${cell}`, count);
      const before = this.#read(heads, when, access, ghosts);
      if (access.kind === 'read') {
        const known = graph.and(when, graph.isNonZero(before));
        const isSuccess = onFailure === null ? graph.true : succeeds;
        const acquired = graph.or(
          graph.and(graph.constant(1, acquires(order) ? 1n : 0n), isSuccess),
          graph.and(graph.constant(1, acquires(onFailure ?? order) ? 1n : 0n), graph.not(isSuccess)),
        );
        knowledge.now = graph.or(knowledge.now, graph.and(known, acquired));
        knowledge.seen = graph.or(knowledge.seen, graph.and(known, graph.not(acquired)));
        continue;
      }
      const given = releases(order) ? knowledge.now : knowledge.fenced;
      const isKept = graph.or(given, graph.extract(before, thread, 1));
      this.#write(heads, when, withBit(graph, isUpdate ? before : null, count, thread, isKept), access, ghosts);
    }
  }

  // -------------------------------------------------------------- ghosts

  #ghost(name: string, width: number): SharedCell {
    const known = this.#ghosts.get(name);
    if (known) return known;
    const initial = this.#graph.constant(width, 0n);
    const cell = { id: this.#nextCell++ as CellId, name: `?${name}`, width, initial, set: sets.topSet(width) };
    this.#ghosts.set(name, cell);
    return cell;
  }

  #read(cell: SharedCell, guard: Term, { key }: Access, ghosts: Access[]): Term {
    const result = this.#graph.variable(cell.set, cell.name);
    const targets = [{ cell: cell.id, select: this.#graph.true }];
    ghosts.push({ kind: 'read', guard, targets, key, mode: PLAIN, touch: null, result });
    return result;
  }

  #write(cell: SharedCell, guard: Term, value: Term, { key }: Access, ghosts: Access[]): void {
    if (this.#graph.isFalse(guard)) return;
    const targets = [{ cell: cell.id, select: this.#graph.true }];
    ghosts.push({ kind: 'write', guard, targets, key, mode: PLAIN, touch: null, value, isDelayed: false });
  }
}

/** The store of a compare-and-exchange, which follows its load, in however many cells; without it, it has failed. */
function exchangeOf(accesses: readonly Access[], load: number): Access | null {
  const key = accesses[load]?.key;
  const next = accesses.find((access, i) => i > load && !(access.kind === 'read' && access.key === key));
  return next?.kind === 'write' && next.mode.kind === 'atomic' && next.mode.onFailure !== null ? next : null;
}

/** A word of so many bits, all as before or 0, but for one of them. */
function withBit(graph: TermGraph, before: Term | null, width: number, at: number, bit: Term): Term {
  const bits = Array.from({ length: width }, (_, i) => {
    if (i === at) return bit;
    return before === null ? graph.false : graph.extract(before, i, 1);
  });
  return bits.slice(1).reduce((low, high) => graph.concat(high, low), bits[0] as Term);
}
