/**
 * What a thread waits for: the routine that it called, and who holds what it waits for. The holder is read from the
 * objects of the models, by the names of their inner routines.
 */

import type { Loc } from '../../support/source.ts';
import type { Machine } from './machine.ts';
import type { Frame } from './state.ts';

/** Where a waiting thread stands in the user's code, and what it waits for. */
export interface Wait {
  readonly thread: number;
  /** The thread routine that the user called. */
  readonly routine: string;
  readonly loc: Loc;
  /** The address of the object that it waits for; null when it waits for a thread or for something else. */
  readonly object: number | null;
  /** The thread that holds it or that is waited for; null when nobody in particular. */
  readonly holder: number | null;
  /** It waits in a loop, of the routine, and not in a thread routine. */
  readonly spins?: boolean;
}

type State = Pick<Machine, 'memory' | 'threads'>;

/** Of a thread that has just come to its wait, in this frame. */
export function waitAt(machine: State, innermost: Frame): Wait {
  const thread = innermost.thread.id;
  const { frame, routine, loc } = userCall(innermost);
  for (let at: Frame | null = innermost; at && at !== frame; at = at.parent) {
    const find = HOLDERS[at.function.source.name];
    if (find) return { thread, routine, loc, ...find(machine, Number(at.registers[0])) };
  }
  return { thread, routine, loc, object: null, holder: null };
}

/** The innermost frame of the user's, the routine that it called and where. */
function userCall(innermost: Frame): { readonly frame: Frame | null; readonly routine: string; readonly loc: Loc } {
  const { source } = innermost.function;
  const here = source.instructions[innermost.pc]?.loc as Loc;
  let at = innermost;
  while (at.parent?.function.source.isModel) at = at.parent;
  const call = at.parent?.function.source.instructions[at.callPc];
  return { frame: at.parent, routine: at.function.source.name, loc: call?.loc ?? here };
}

/** Whether a write to the address, made in the frame, takes a mutex. */
export function takesMutex({ function: { source }, registers }: Frame, address: number): boolean {
  return source.name === '__lazuli_mutex_lock' && Number(registers[0]) === address;
}

type Holder = Pick<Wait, 'object' | 'holder'>;

/** By the model's inner routine that waits: what its first argument tells. */
const HOLDERS: Readonly<Record<string, (machine: State, argument: number) => Holder>> = {
  __lazuli_mutex_lock: ownerOf,
  pthread_spin_lock: ownerOf,
  // A pthread_t is the thread's number plus one.
  __lazuli_join: (machine, joined) => ({ object: null, holder: machine.threads[joined - 1] ? joined - 1 : null }),
};

/** Word 0 of a mutex, or a spin lock, is its owner's number plus one. */
function ownerOf(machine: State, lock: number): Holder {
  const owner = Number(machine.memory.read(lock, OWNER_WORD));
  return { object: lock, holder: machine.threads[owner - 1] ? owner - 1 : null };
}

const OWNER_WORD = { kind: 'integer', bits: 32, signed: true, pointer: false } as const;
