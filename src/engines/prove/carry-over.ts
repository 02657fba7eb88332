/**
 * When a proof for sequential consistency also holds under TSO and PSO: if the program has no data races under
 * sequential consistency, and whatever it synchronises with waits for the thread's stores (locks, sections,
 * read-modify-writes, `seq_cst` stores, creation and join of threads: docs/semantics.md).
 *
 * Why: let a weak execution run beside one in which each store acts at once. Both show the same as long as nobody
 * touches a place to which another thread has a pending store, since memory with all pending stores on top of it is the
 * same in both. Take the first access that does. The thread with the pending store has not synchronised since it made
 * the store, else it had arrived. So nothing orders the two accesses, neither is atomic that waits, and they are a data
 * race of the execution in which stores act at once, which is one of sequential consistency.
 *
 * What a thread routine does to an object of its kind, in a section, is no data race for the user, but it may come upon
 * a pending store as well: of a thread that initialises the object by hand, say. Such pairs count here
 * (watch-races.ts).
 *
 * Here it is looked whether there are stores that synchronise without waiting: atomic ones weaker than `seq_cst`, and
 * plain ones of thread routines to what is theirs. Whether there are data races the prover is asked.
 */

import type { Code, CodeFunction, Value } from '../../program/code.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';

/** Why it need not hold, and where; null when it holds if there are no data races. */
export function findLateStore(code: Code): { readonly reason: string; readonly loc: Loc } | null {
  const accepted = code.objects.find(({ mayRace }) => mayRace);
  if (accepted) return { reason: `data races on ${accepted.name} are accepted`, loc: NOWHERE };
  for (const each of code.functions) {
    const depths = possibleDepths(each);
    for (const [at, instruction] of each.instructions.entries()) {
      if (instruction.kind !== 'store' || !depths[at]?.has(0)) continue;
      const { mode, loc, address } = instruction;
      if (mode.kind === 'atomic' && mode.order !== 'seq_cst')
        return { reason: `an atomic store with the order ${mode.order} does not wait`, loc };
      if (each.isModel && isOfModel(code.objects, address))
        return { reason: `${each.name} stores outside of sections`, loc };
    }
  }
  return null;
}

/** How many sections may be open where an instruction stands, none beyond MOST_DEPTH. */
function possibleDepths({ instructions }: CodeFunction): ReadonlySet<number>[] {
  const depths = instructions.map(() => new Set<number>());
  const work: { readonly at: number; readonly depth: number }[] = [{ at: 0, depth: 0 }];
  for (let next = work.pop(); next; next = work.pop()) {
    const { at, depth } = next;
    const instruction = instructions[at];
    if (!instruction || depths[at]?.has(depth)) continue;
    depths[at]?.add(depth);
    const change = instruction.kind === 'atomic-begin' ? 1 : instruction.kind === 'atomic-end' ? -1 : 0;
    const after = Math.min(MOST_DEPTH, Math.max(0, depth + change));
    if (instruction.kind === 'jump' || instruction.kind === 'branch')
      work.push({ at: instruction.target, depth: after });
    if (instruction.kind !== 'jump' && instruction.kind !== 'return') work.push({ at: at + 1, depth: after });
  }
  return depths;
}

const MOST_DEPTH = 3;

function isOfModel(objects: Code['objects'], address: Value): boolean {
  switch (address.kind) {
    case 'object-address': {
      const object = objects[address.object];
      return object?.isModel === true && object.duration === 'static';
    }
    case 'binary':
      return isOfModel(objects, address.left) || isOfModel(objects, address.right);
    case 'convert':
    case 'unary':
      return isOfModel(objects, address.operand);
    case 'register':
    case 'select':
    case 'overflows':
    case 'constant':
    case 'float-constant':
    case 'function-address':
      return false;
  }
}
