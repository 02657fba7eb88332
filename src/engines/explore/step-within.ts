/**
 * A step of a thread on the interpreter, within bounds: a thread that would go round a loop or call itself once too
 * often is cut there. Written from the meaning of the bounds alone, for the oracle of the tests: nothing of the
 * symbolic engine, whose cuts it judges, is in it.
 *
 * A thread that is cut stays where it is and has not ended; what it did before stands. Inside an atomic section the
 * section is never left, so that nobody sees any of it.
 */

import { type Bounds, jumpsBack, loopBound, recursionBound } from '../../program/bounds.ts';
import type { Machine } from '../../trace/interpreter/machine.ts';
import type { Frame, Thread } from '../../trace/interpreter/state.ts';

/**
 * `done`: the next visible event has happened, or the thread has ended, blocks or is stuck. `cut`: it would go beyond
 * the bounds; the machine must not be used any more. `endless`: so many instructions were not enough.
 */
export type StepWithin =
  | { readonly kind: 'done' | 'endless' }
  /** The loop or the function that needs more. */
  | { readonly kind: 'cut'; readonly where: string };

/** As Machine.step, but within bounds. */
export function stepWithin(machine: Machine, thread: Thread, limit: number, bounds: Bounds): StepWithin {
  const last = machine.instructions + limit;
  while (machine.status === 'running') {
    const { frame } = thread;
    const { pc } = frame;
    const isVisible = frame.function.visible[pc] === 1 || machine.atomicDepth > 0;
    machine.stepInstruction(thread);
    if (machine.status !== 'running') break;
    const where = thread.frame === frame ? loopBeyond(machine, frame, pc, bounds) : recursionBeyond(thread, bounds);
    if (where !== null) return { kind: 'cut', where };
    if (thread.status !== 'ready') break;
    if (isVisible && machine.atomicDepth === 0 && machine.threads.length > 1) break;
    if (machine.instructions >= last) return { kind: 'endless' };
  }
  return { kind: 'done' };
}

/** The loop that the instruction has just closed once too often. */
function loopBeyond(machine: Machine, frame: Frame, pc: number, bounds: Bounds): string | null {
  if (frame.pc > pc) return null;
  const at = frame.function.loops.findIndex(({ closing }) => closing === pc);
  const loop = machine.program.code.loops[frame.function.loops[at]?.loop ?? -1];
  if (!loop) return null;
  return (frame.counts[at] as number) > jumpsBack(loop, loopBound(loop, bounds)) ? loop.name : null;
}

/** The function that has just been called too deep. */
function recursionBeyond({ frame }: Thread, bounds: Bounds): string | null {
  let depth = 0;
  for (let at: Frame | null = frame; at; at = at.parent) if (at.function === frame.function) depth++;
  const { name } = frame.function.source;
  return depth - 1 > recursionBound(name, bounds) ? name : null;
}
