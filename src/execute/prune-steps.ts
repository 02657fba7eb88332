/**
 * Drops what cannot matter: reads whose value nobody uses, writes to cells that nobody reads, and steps that then do
 * nothing. What matters is found backwards from assertions, assumptions and cuts: the terms in them, the reads that
 * these terms contain, the cells that those read, and everything that writes these cells. Where data races are looked
 * for, accesses that may take part in one matter, too, and where atomics and fences decide (watch-order.ts), these.
 */

import { isWeak } from '../program/memory-model.ts';
import type { Term } from '../values/terms.ts';
import { findConflicts } from './find-conflicts.ts';
import type { Access, Cut, Step, SteppedProgram, SteppedThread } from './steps.ts';
import { findWeakReads } from './weak-reads.ts';

interface AccessInStep {
  readonly step: Step;
  readonly access: Access;
}

export function pruneSteps(program: SteppedProgram): SteppedProgram {
  const live = findLiveAccesses(program);
  const threads = program.threads.map((thread) => pruneThread(thread, live, spawnSteps(program, thread.index)));
  const renumbered = threads.map(({ thread }) => {
    const { spawn } = thread;
    if (!spawn) return thread;
    const parent = threads[spawn.thread];
    return { ...thread, spawn: { ...spawn, step: parent?.newIndex[spawn.step] ?? 0 } };
  });
  const used = new Set([...live].flatMap((access) => access.targets.map((target) => target.cell)));
  return { ...program, threads: renumbered, cells: program.cells.filter((cell) => used.has(cell.id)) };
}

function spawnSteps(program: SteppedProgram, parent: number): Set<number> {
  const steps = new Set<number>();
  for (const { spawn } of program.threads) if (spawn?.thread === parent) steps.add(spawn.step);
  return steps;
}

function findLiveAccesses(program: SteppedProgram): Set<Access> {
  const { graph, threads } = program;
  const reads = new Map<Term, AccessInStep[]>();
  const writes = new Map<number, AccessInStep[]>();
  for (const thread of threads) {
    for (const step of thread.steps) for (const access of step.accesses) indexAccess(reads, writes, { step, access });
  }
  const live = new Set<Access>();
  const liveCells = new Set<number>();
  const seen = new Uint8Array(graph.size);
  const work: Term[] = [];
  const require = (term: Term) => {
    if (seen[term] === 1) return;
    seen[term] = 1;
    work.push(term);
  };
  const enliven = ({ step, access }: AccessInStep) => {
    if (live.has(access)) return;
    live.add(access);
    require(step.guard);
    require(access.guard);
    if (access.kind === 'write') require(access.value);
    for (const { cell, select } of access.targets) {
      require(select);
      if (access.kind === 'write' || liveCells.has(cell)) continue;
      liveCells.add(cell);
      for (const write of writes.get(cell) ?? []) enliven(write);
    }
  };
  const conflicts = findConflicts(program);
  const orders = conflicts.size > 0 && findWeakReads(program).size > 0;
  for (const thread of threads)
    for (const term of rootsOf(thread, orders || isWeak(program.memoryModel))) require(term);
  for (const places of conflicts.values()) for (const place of places) enliven(place);
  if (orders) for (const place of synchronising(threads)) enliven(place);
  while (work.length > 0) {
    const term = work.pop() as Term;
    for (const place of reads.get(term) ?? []) enliven(place);
    for (const operand of graph.operandsOf(term)) require(operand);
  }
  return live;
}

/** What may order accesses, by its order or as part of a thread routine. */
function* synchronising(threads: readonly SteppedThread[]): Generator<AccessInStep> {
  for (const { steps } of threads) {
    for (const step of steps) {
      for (const access of step.accesses)
        if (access.touch === null || access.mode.kind === 'atomic') yield { step, access };
    }
  }
}

function indexAccess(reads: Map<Term, AccessInStep[]>, writes: Map<number, AccessInStep[]>, place: AccessInStep): void {
  const { access } = place;
  if (access.kind === 'read') {
    const known = reads.get(access.result);
    if (known) known.push(place);
    else reads.set(access.result, [place]);
    return;
  }
  for (const { cell } of access.targets) {
    const known = writes.get(cell);
    if (known) known.push(place);
    else writes.set(cell, [place]);
  }
}

function rootsOf(thread: SteppedThread, asksForOrder: boolean): Term[] {
  const roots = thread.spawn ? [thread.spawn.guard] : [];
  for (const { guard, condition } of [...thread.assertions, ...thread.assumptions]) roots.push(guard, condition);
  for (const { holder, turn } of thread.assumptions) {
    if (holder !== null) roots.push(holder);
    if (turn !== null) roots.push(turn.isForced);
  }
  for (const { guard } of [...thread.cuts, ...thread.halts, ...thread.visits]) roots.push(guard);
  if (!asksForOrder) return roots;
  for (const { guard } of thread.fences) roots.push(guard);
  for (const { guard, drains } of thread.steps) if (drains) roots.push(guard);
  return roots;
}

/** `keep`: steps that start threads. The new index of a dropped step is that of the last one kept before it. */
function pruneThread(thread: SteppedThread, live: ReadonlySet<Access>, keep: ReadonlySet<number>) {
  const conditions = [...thread.assertions, ...thread.assumptions, ...thread.cuts];
  const hung = new Set([...keep, ...conditions.map((c: Pick<Cut, 'step'>) => c.step)]);
  const steps: Step[] = [];
  const newIndex: number[] = [];
  // Whether a store may be pending: a step that only waits for none is not needed.
  let isPending = false;
  for (const [index, step] of thread.steps.entries()) {
    const accesses = step.accesses.filter((access) => live.has(access));
    const isKept = accesses.length > 0 || hung.has(index) || (step.drains && isPending);
    if (isKept) steps.push({ ...step, accesses });
    isPending ||= accesses.some((access) => access.kind === 'write' && access.isDelayed);
    newIndex.push(steps.length - 1);
  }
  const move = <T extends { readonly step: number }>(item: T): T => ({ ...item, step: newIndex[item.step] ?? -1 });
  const pruned: SteppedThread = {
    ...thread,
    steps,
    assertions: thread.assertions.map(move),
    assumptions: thread.assumptions.map(move),
    cuts: thread.cuts.map(move),
    visits: thread.visits.map(move),
    fences: thread.fences.map(move),
    halts: thread.halts.map(({ step, guard }) => ({ step: step < 0 ? step : (newIndex[step] as number), guard })),
  };
  return { thread: pruned, newIndex };
}
