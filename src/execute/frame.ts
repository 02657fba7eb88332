/** Activations of functions during symbolic execution, and the keys of their instructions (program/instance-key.ts). */

import type { CodeFunction, LoopId, ObjectId } from '../program/code.ts';
import { type LoopRange, loopRanges, printKeyFrame } from '../program/instance-key.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import type { MemoryObject } from './cells.ts';
import type { Arrival } from './idle-turns.ts';
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
  /** For a model: the place of the user's code that it was called from. Null for the user's own functions. */
  readonly place: Loc | null;
  readonly turns: Map<LoopId, Turn>;
  readonly objects: Map<ObjectId, MemoryObject>;
  /** The last visits of the points of loops in which the thread may spin (idle-turns.ts). */
  readonly arrivals: Map<number, Arrival>;
  /** States that wait for the execution to come to an instruction. */
  readonly waiting: Map<number, State[]>;
}

export function makeFrame(fn: CodeFunction, path: string, entryGuard: Term, place: Loc | null): Frame {
  return {
    function: fn,
    path,
    entryGuard,
    place,
    turns: new Map(),
    objects: new Map(),
    arrivals: new Map(),
    waiting: new Map(),
  };
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

/** The state waits until the execution comes to an instruction. */
export function waitAt(frame: Frame, pc: number, state: State): void {
  const list = frame.waiting.get(pc);
  if (list) list.push(state);
  else frame.waiting.set(pc, [state]);
}

/** The first instruction for which a state waits. */
export function nextWaiting(frame: Frame): number | null {
  let least: number | null = null;
  for (const pc of frame.waiting.keys()) if (least === null || pc < least) least = pc;
  return least;
}

/**
 * A branch that could have left a loop was decided by constants, and by others than the last time: the loop makes its
 * way to an end that does not depend on the schedule or on inputs.
 */
export function noteDecision(frame: Frame, pc: number, target: number, operands: string | null): void {
  if (operands === null) return;
  for (const { loop, head, closing } of rangesOf(frame.function)) {
    if (pc < head || pc > closing || (target >= head && target <= closing)) continue;
    const turn = turnOf(frame, loop);
    if (turn.decisions.get(pc) === operands) continue;
    turn.decisions.set(pc, operands);
    turn.progress = true;
  }
}
