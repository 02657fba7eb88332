/**
 * Tells when an execution goes beyond an unwinding bound. The interpreter itself knows no bounds; a backend that was
 * asked for unwinding assertions says which loop or recursion needs more, or that there are too many threads, and the
 * interpreter confirms it by going there.
 */

import type { BoundedProgram } from '../program/bounded-program.ts';
import { iterationBound, jumpsBack, recursionBound } from '../program/bounds.ts';
import type { Code } from '../program/code.ts';
import type { Frame, Thread } from '../trace/interpreter/state.ts';
import type { BackendRun } from './read-run.ts';

/** Whether the instruction that comes next goes beyond the bound, when there are so many threads. */
export type BoundWatch = (thread: Thread, threadCount: number) => boolean;

/** null when the message of the unwinding assertion (passes/cut-off.ts) names nothing that is known. */
export function watchBound(run: BackendRun, bounded: BoundedProgram, code: Code): BoundWatch | null {
  const { message } = run.failure;
  if (/limit of \d+ threads$/.test(message)) return watchCreation(run);
  const [, kind, name = ''] = /(loop|recursion of) (\S+)$/.exec(message) ?? [];
  return kind === 'recursion of' ? watchRecursion(name, bounded, code) : watchLoop(name, bounded, code);
}

function watchLoop(name: string, { loops: known, options }: BoundedProgram, code: Code): BoundWatch | null {
  // Several jumps back may close a loop that a label begins: each of them is one more turn.
  const loops = new Set(code.loops.filter((each) => each.name === name).map(({ id }) => id));
  const info = [...known.values()].find((each) => each.name === name);
  if (loops.size === 0 || !info) return null;
  const most = jumpsBack(info, iterationBound(info, options));
  return ({ frame }) => {
    const instruction = frame.function.source.instructions[frame.pc];
    if (instruction?.kind !== 'jump' && instruction?.kind !== 'branch') return false;
    const closing = frame.function.loops.filter(({ loop }) => loops.has(loop));
    if (!closing.some((each) => each.closing === frame.pc)) return false;
    const turns = frame.function.loops.map(({ loop }, at) => (loops.has(loop) ? (frame.counts[at] ?? 0) : 0));
    return turns.reduce((sum, count) => sum + count, 0) >= most;
  };
}

function watchRecursion(name: string, { options }: BoundedProgram, code: Code): BoundWatch | null {
  const callee = code.functions.find((each) => each.name === name);
  const bound = recursionBound(name, options);
  if (!callee) return null;
  return ({ frame }) => {
    const instruction = frame.function.source.instructions[frame.pc];
    if (instruction?.kind !== 'call' || instruction.callee !== callee.id) return false;
    let depth = 0;
    for (let at: Frame | null = frame; at; at = at.parent) if (at.function.source.id === callee.id) depth++;
    return depth > bound;
  };
}

/** The thread that fails would create one more than the run has created. */
function watchCreation({ created, failure }: BackendRun): BoundWatch {
  const creator = created.indexOf(failure.thread);
  return ({ id, frame }, threadCount) => {
    const instruction = frame.function.source.instructions[frame.pc];
    return id === creator && threadCount >= created.length && instruction?.kind === 'spawn';
  };
}
