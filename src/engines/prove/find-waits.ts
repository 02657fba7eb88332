/**
 * Deadlock freedom, by a static argument. Threads wait in routines of the models only, and here only for a lock
 * (find-locks.ts) or for the end of a thread. If locks are taken in one order everywhere, nobody holds one who joins or
 * ends, and threads are joined by bodies that come before them in the order of creation, then there is no circle: who
 * waits for a lock waits for a thread that waits for no lock before it, and who waits for a thread waits for a later
 * one. The last of such a chain can go on.
 *
 * Other waits (conditions, semaphores, barriers) close no circle of locks and joins, but may last for ever. That all
 * threads are stuck is then an error of the system (find-stuck.ts), and what is left for the static argument are the
 * circles. Loops in which nothing happens are seen there, too. Held is what may be held on some way. Where a thread
 * waits for another to be done with something, that is like a lock (find-claims.ts).
 *
 * Nobody may spin for ever either (find-spins.ts), unless main does not spin and waits for nothing, or only for locks
 * under which nobody spins: then it goes on for ever, or the program ends with it. A loop around a lock (spin-locks.ts)
 * is a wait for that lock, like any other. And nobody may end with a lock that others wait for.
 */

import type { Code } from '../../program/code.ts';
import { type BodyClaims, findClaims } from './find-claims.ts';
import { mayIdle } from './find-idle-loops.ts';
import { findSpins } from './find-spins.ts';
import { isWait, type ProgramSteps } from './find-steps.ts';
import { type AnyNode, type Body, endsThread, type Model, predecessorsOf } from './graph.ts';
import { findHeld, type Held } from './held-locks.ts';
import { writtenBy } from './node-terms.ts';
import type { PreparedModel } from './prepare-model.ts';

/** Routines that wait for what no thread in particular holds. */
const WITHOUT_HOLDER =
  /^(__lazuli_condition_wait|__lazuli_once|sem_\w+|pthread_barrier_wait|pthread_rwlock_\w+|__lazuli_rwlock_\w+)$/;

/** Why some wait may last for ever; null where none does. `prepareWaiting`: the same model, in which waits are kept. */
export function findOpenWait(code: Code, prepared: PreparedModel, prepareWaiting: () => PreparedModel): string | null {
  // A waiter may wake up without a signal, so that it never blocks in the graph; for a deadlock that does not count.
  if (hasConditions(code)) return 'whether every wait for a condition is signalled is not known';
  const open = findOpen(prepared, judgeOther);
  if (open !== null) return open;
  const spin = findOpenSpin(code, prepared);
  if (spin === null) return null;
  const waiting = prepareWaiting();
  return spinsForLocks(waiting) || mainGoesOn(code, waiting) ? null : spin;
}

function judgeOther(node: AnyNode): string | null {
  const isOpen = node.kind === 'assume' && node.routine !== null && isOther(node.routine);
  return isOpen ? `whether '${node.routine}' waits for ever is not known` : null;
}

/** Nobody spins but for a lock, and such waits end like others. */
function spinsForLocks(waiting: PreparedModel): boolean {
  return !mayIdle(waiting.model) && findOpen(waiting, judgeOther) === null;
}

/** Main waits for nothing but locks or claims, which end like others, and nobody goes round under one for ever. */
function mainGoesOn(code: Code, waiting: PreparedModel): boolean {
  if (findSpins(code).in(code.main) !== null) return false;
  return [lockHoldings, allHoldings].some((find) => mainGoesOnBy(find(waiting), waiting));
}

function mainGoesOnBy(holdings: Holdings, waiting: PreparedModel): boolean {
  const [main] = waiting.model.bodies as [Body, ...Body[]];
  const isOpen = (at: number) => waitsAt(waiting, main, at) && !holdings[0]?.waits.has(at);
  if (main.nodes.some((node, at) => endsThread(node) || isOpen(at))) return false;
  const isUnderLock = (body: number, node: number) => (holdings[body]?.held[node]?.size ?? 0) > 0;
  return !mayIdle(waiting.model, isUnderLock) && findOpenAmong(waiting, holdings, judgeOther) === null;
}

/** Why threads may wait for one another in a circle of locks and joins, or for a lock whose owner has ended. */
export function findOpenCircle(prepared: PreparedModel): string | null {
  return findOpen(prepared, () => null);
}

function findOpenSpin(code: Code, prepared: PreparedModel): string | null {
  const spins = findSpins(code);
  const [main] = prepared.model.bodies as [Body, ...Body[]];
  const mayWait = hasConditions(code) || main.nodes.some((node, at) => endsThread(node) || waitsAt(prepared, main, at));
  const loc = spins.in(code.main) ?? (mayWait ? spins.anywhere : null);
  if (loc === null) return null;
  const place = code.sources.place(loc);
  return `whether the loop at ${place ? `${place.file}:${place.line}` : 'an unknown place'} is left is not known`;
}

/** In a section: elsewhere a routine only says which inputs there are, such as the time. */
function waitsAt({ steps }: PreparedModel, { id, nodes }: Body, at: number): boolean {
  return isWait(nodes[at] as AnyNode) && (steps.bodies[id]?.isInside(at) ?? false);
}

function hasConditions({ functions }: Code): boolean {
  return functions.some(({ name, isModel }) => isModel && name === '__lazuli_condition_wait');
}

function isOther(routine: string): boolean {
  return WITHOUT_HOLDER.test(routine);
}

/** Per body: what is waited for at nodes, and what may be held before each; null where a node is not reached. */
type Holdings = readonly { readonly waits: ReadonlyMap<number, number>; readonly held: Held }[];

function lockHoldings({ model, steps }: PreparedModel): Holdings {
  return model.bodies.map((body) => {
    const { takes, gives } = steps.locks.sections[body.id] ?? { takes: [], gives: [] };
    const waits = new Map(takes.flatMap(({ lock, nodes }) => nodes.map((node) => [node, lock] as const)));
    return { waits, held: findHeld(body, takes, gives, 'possibly') };
  });
}

function allHoldings(prepared: PreparedModel): Holdings {
  const claims = findClaims(prepared.model, prepared.steps);
  return lockHoldings(prepared).map(({ waits, held }, id) => {
    const more = claims[id] as BodyClaims;
    return {
      waits: new Map([...more.waits, ...waits]),
      held: held.map((locks, at) => locks && new Set([...locks, ...(more.held[at] ?? [])])),
    };
  });
}

/** Claims are asked for where locks alone leave something open: what is claimed need not be given back in any order. */
function findOpen(prepared: PreparedModel, judgeFirst: (node: AnyNode) => string | null): string | null {
  const open = findOpenAmong(prepared, lockHoldings(prepared), judgeFirst);
  return open === null || findOpenAmong(prepared, allHoldings(prepared), judgeFirst) === null ? null : open;
}

function findOpenAmong(
  prepared: PreparedModel,
  holdings: Holdings,
  judgeFirst: (node: AnyNode) => string | null,
): string | null {
  const { model, steps } = prepared;
  const order = new Map<number, Set<number>>();
  for (const body of model.bodies) {
    const { waits, held } = holdings[body.id] as Holdings[number];
    for (const [at, node] of body.nodes.entries()) {
      const here = held[at];
      if (!here) continue;
      if (endsThread(node) && here.size > 0) return 'a thread may end with a lock';
      const isWaiting = waitsAt(prepared, body, at);
      const open = waits.has(at) || !isWaiting ? null : (judgeFirst(node) ?? judge(node, here, body, model, steps));
      if (open !== null) return open;
      if (isWaiting && waitsAfterEffect(body, at, model, steps)) return 'a thread may wait in an atomic section';
      const taken = node.kind === 'assume' ? waits.get(at) : undefined;
      if (taken !== undefined) for (const lock of here) order.set(lock, (order.get(lock) ?? new Set()).add(taken));
    }
  }
  const circle = [...order.keys()].find((lock) => reaches(order, lock, lock));
  if (circle === undefined) return null;
  const { name } = model.variables[circle] as Model['variables'][number];
  return `'${name}' and other locks are not always taken in the same order`;
}

/**
 * The section that waits has done something before that others may notice, and that they have to, perhaps, for the wait
 * to end; they never do, for the section is taken as a whole.
 */
function waitsAfterEffect({ id, nodes }: Body, wait: number, { variables }: Model, steps: ProgramSteps): boolean {
  const before = predecessorsOf(nodes);
  const isInside = (at: number) => steps.bodies[id]?.isInside(at) ?? false;
  const isShared = (variable: number) => variables[variable]?.kind === 'cell' && !steps.users.isPrivate(variable);
  const seen = new Set<number>();
  const work = [wait];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (!isInside(at)) continue;
    for (const each of before[at] as number[]) {
      if (seen.has(each)) continue;
      seen.add(each);
      const node = nodes[each] as AnyNode;
      if (isInside(each) && (node.kind === 'spawn' || writtenBy(node).some(isShared))) return true;
      work.push(each);
    }
  }
  return false;
}

function judge(node: AnyNode, held: ReadonlySet<number>, body: Body, model: Model, steps: ProgramSteps): string | null {
  if (node.kind !== 'assume' || node.routine === null || isOther(node.routine)) return null;
  if (node.routine !== '__lazuli_join') return `whether '${node.routine}' waits for ever is not known`;
  if (held.size > 0) return 'a thread is joined under a lock';
  return joinsLater(node, body, model, steps) ? null : 'which thread is joined is not known';
}

/**
 * What the wait looks at was read, in this body, from cells that only bodies after it write. A wait of main that looks
 * at nothing is for threads that never end, and all of them come after main.
 */
function joinsLater(
  node: Extract<AnyNode, { kind: 'assume' }>,
  body: Body,
  model: Model,
  { finder }: ProgramSteps,
): boolean {
  const writers = (cell: number) =>
    model.bodies.filter(({ id, nodes }) => id !== body.id && nodes.some((each) => writtenBy(each).includes(cell)));
  const seen = new Set<number>();
  const work = [...finder.in(node.condition)];
  for (let variable = work.pop(); variable !== undefined; variable = work.pop()) {
    if (seen.has(variable)) continue;
    seen.add(variable);
    // Threads of any number are all created after main.
    if (writers(variable).some(({ id, isReplicated }) => id <= body.id || (isReplicated && body.id !== 0)))
      return false;
    for (const each of body.nodes) {
      if (!writtenBy(each).includes(variable)) continue;
      // The number of a thread that it created.
      if (each.kind === 'spawn') continue;
      if (each.kind !== 'set') return false;
      for (const { variable: target, value } of each.assignments) {
        if (target === variable) for (const read of finder.in(value)) work.push(read);
      }
    }
  }
  return seen.size > 0 || body === model.bodies[0];
}

function reaches(order: ReadonlyMap<number, ReadonlySet<number>>, from: number, to: number): boolean {
  const seen = new Set<number>();
  const work = [...(order.get(from) ?? [])];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (at === to) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const next of order.get(at) ?? []) work.push(next);
  }
  return false;
}
