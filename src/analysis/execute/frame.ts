/**
 * Activations of functions during symbolic execution, and how instances of instructions are named: by the calls that lead to them
 * and, for each loop around them, by how often its closing jump was taken since the loop was entered.
 */

import type { CodeFunction, LoopId, ObjectId } from '../../program/code.ts';
import type { Term } from '../terms.ts';
import type { MemoryObject } from './knowledge.ts';
import type { State } from './state.ts';

/** How far a loop has come in an activation. */
export interface Turn {
  /** How often the closing jump was taken, and how many of these count for the bound. */
  taken: number;
  counted: number;
  /** Since it was last taken, constants decided that the loop goes on, and they had changed since the time before. */
  progress: boolean;
  /** What was compared at the branches that lead out, when constants last decided them. */
  readonly decisions: Map<number, string>;
}

export interface Frame {
  readonly function: CodeFunction;
  readonly path: string;
  readonly entryGuard: Term;
  readonly turns: Map<LoopId, Turn>;
  readonly objects: Map<ObjectId, MemoryObject>;
  /** States that wait for the execution to come to an instruction. */
  readonly waiting: Map<number, State[]>;
}

export function makeFrame(fn: CodeFunction, path: string, entryGuard: Term): Frame {
  return { function: fn, path, entryGuard, turns: new Map(), objects: new Map(), waiting: new Map() };
}

export function turnOf(frame: Frame, loop: LoopId): Turn {
  let turn = frame.turns.get(loop);
  if (!turn) {
    turn = { taken: 0, counted: 0, progress: false, decisions: new Map() };
    frame.turns.set(loop, turn);
  }
  return turn;
}

export interface LoopRegion {
  readonly loop: LoopId;
  readonly first: number;
  /** The closing jump. */
  readonly last: number;
}

const regionCache = new WeakMap<CodeFunction, readonly LoopRegion[]>();

/** The loops of a function: from the target of the closing jump to the jump itself. */
export function regionsOf(fn: CodeFunction): readonly LoopRegion[] {
  const known = regionCache.get(fn);
  if (known) return known;
  const regions: LoopRegion[] = [];
  for (const [pc, instruction] of fn.instructions.entries()) {
    if (
      (instruction.kind === 'jump' || instruction.kind === 'branch') &&
      instruction.target <= pc &&
      instruction.loop !== null
    ) {
      regions.push({ loop: instruction.loop, first: instruction.target, last: pc });
    }
  }
  regionCache.set(fn, regions);
  return regions;
}

export function instanceKey(frame: Frame, pc: number): string {
  let key = `${frame.path}${frame.function.name}@${pc}`;
  for (const { loop, first, last } of regionsOf(frame.function)) {
    if (pc >= first && pc <= last) key += `[${loop}=${frame.turns.get(loop)?.taken ?? 0}]`;
  }
  return key;
}
