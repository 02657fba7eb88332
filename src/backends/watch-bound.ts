/**
 * Tells when an execution goes beyond an unwinding bound. The interpreter itself knows no bounds; a backend that was
 * asked for unwinding assertions says which loop or recursion needs more, or that there are too many threads, and the
 * interpreter confirms it by going there.
 */

import type { LoopInfo, PassContext } from '../passes/pass.ts';
import type { BoundedProgram } from '../passes/pipeline.ts';
import type { Code } from '../program/code.ts';
import type { Frame, Thread } from '../trace/interpreter/state.ts';
import type { BackendRun } from './read-run.ts';

/** Whether the instruction that comes next goes beyond the bound, when there are so many threads. */
export type BoundWatch = (thread: Thread, threadCount: number) => boolean;

/** null when the message of the unwinding assertion (passes/cut-off.ts) names nothing that is known. */
export function watchBound(run: BackendRun, { context }: BoundedProgram, code: Code): BoundWatch | null {
  const { message } = run.failure;
  if (/limit of \d+ threads$/.test(message)) return watchCreation(run);
  const [, kind, name = ''] = /(loop|recursion of) (\S+)$/.exec(message) ?? [];
  if (kind === 'recursion of') return watchRecursion(name, context, code);
  const loop = code.loops.find((each) => each.name === name);
  const info = [...context.loops.values()].find((each) => each.name === name);
  if (!loop || !info) return null;
  const bound = boundOf(info, context);
  return ({ frame }) => {
    const instruction = frame.function.source.instructions[frame.pc];
    if (instruction?.kind !== 'jump' && instruction?.kind !== 'branch') return false;
    const at = frame.function.loops.findIndex((each) => each.loop === loop.id && each.closing === frame.pc);
    return at >= 0 && (frame.counts[at] ?? 0) >= bound;
  };
}

/** As unwind-loops.ts counts copies. */
function boundOf({ name, form, tripCount }: LoopInfo, { options }: PassContext): number {
  const named = options.unwindset.get(name);
  if (named !== undefined) return named;
  if (tripCount !== null && options.unwindConstantLoops) return tripCount;
  return (form === 'for' ? options.forUnwind : options.whileUnwind) ?? options.unwind;
}

function watchRecursion(name: string, { options }: PassContext, code: Code): BoundWatch | null {
  const callee = code.functions.find((each) => each.name === name);
  const bound = Math.max(1, options.unwindset.get(name) ?? options.unwind);
  if (!callee) return null;
  return ({ frame }) => {
    const instruction = frame.function.source.instructions[frame.pc];
    if (instruction?.kind !== 'call' || instruction.callee !== callee.id) return false;
    let depth = 0;
    for (let at: Frame | null = frame; at; at = at.parent) if (at.function.source.id === callee.id) depth++;
    return depth >= bound;
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
