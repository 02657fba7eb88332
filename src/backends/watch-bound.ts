/**
 * Tells when an execution goes beyond an unwinding bound. The interpreter itself knows no bounds; a backend that was
 * asked for unwinding assertions says which loop or recursion needs more, and the interpreter confirms it by going
 * there.
 */

import type { LoopInfo, PassContext } from '../passes/pass.ts';
import type { BoundedProgram } from '../passes/pipeline.ts';
import type { Code } from '../program/code.ts';
import type { Frame, Thread } from '../trace/interpreter/state.ts';

/** Whether the instruction that comes next goes beyond the bound. */
export type BoundWatch = (thread: Thread) => boolean;

/** `message` is that of the unwinding assertion (passes/cut-off.ts); null when it names nothing that is known. */
export function watchBound(message: string, { context }: BoundedProgram, code: Code): BoundWatch | null {
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
