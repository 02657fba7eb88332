/** Activations of functions during symbolic execution, and the keys of their instructions (program/instance-key.ts). */

import type { CodeFunction, LoopId, ObjectId } from '../../program/code.ts';
import { type LoopRange, loopRanges, printKeyFrame } from '../../program/instance-key.ts';
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

const rangeCache = new WeakMap<CodeFunction, readonly LoopRange[]>();

/** The loops of a function as ranges of instructions. */
export function rangesOf(fn: CodeFunction): readonly LoopRange[] {
  const known = rangeCache.get(fn);
  if (known) return known;
  const ranges = loopRanges(fn);
  rangeCache.set(fn, ranges);
  return ranges;
}

export function instanceKey(frame: Frame, pc: number): string {
  const around = rangesOf(frame.function).filter(({ head, closing }) => pc >= head && pc <= closing);
  const counts = around.map(({ loop }) => ({ loop, count: frame.turns.get(loop)?.taken ?? 0 }));
  return `${frame.path}${printKeyFrame({ function: frame.function.name, pc, counts })}`;
}
