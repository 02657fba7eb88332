/**
 * Names for the instances of instructions: which activation of which function, and in which iterations of its loops.
 * The symbolic engine names the steps of a counterexample so, and the interpreter finds them again when it replays it.
 *
 * A key is the path of frames from the outermost in, joined by `/`; a frame is `function@pc`, where the pc of all but
 * the innermost is that of its call. If some loop around that pc is not in its first iteration, `[loop=count,…]`
 * follows: the loops by number, ascending, those with count 0 left out.
 *
 * A loop's range is [target of its closing jump, closing jump]; it is around a pc in this range. Its count starts at 0
 * with the frame, grows by one each time its closing jump is taken, and falls to 0 when the closing jump is reached and
 * not taken, or when the closing jump of another loop is taken whose range holds this loop's closing jump.
 */

import type { CodeFunction, Instruction, LoopId } from './code.ts';

export interface KeyFrame {
  readonly function: string;
  readonly pc: number;
  /** The counts of the loops around the pc. */
  readonly counts: readonly { readonly loop: LoopId; readonly count: number }[];
}

export function printKeyFrame(frame: KeyFrame): string {
  const counts = frame.counts.filter(({ count }) => count > 0).sort((a, b) => a.loop - b.loop);
  const suffix = counts.length === 0 ? '' : `[${counts.map(({ loop, count }) => `${loop}=${count}`).join(',')}]`;
  return `${frame.function}@${frame.pc}${suffix}`;
}

export function printInstanceKey(frames: readonly KeyFrame[]): string {
  return frames.map(printKeyFrame).join('/');
}

/** A loop of a function as a range of instructions. */
export interface LoopRange {
  readonly loop: LoopId;
  readonly head: number;
  readonly closing: number;
}

/** The loops of a function, in the order of their closing jumps. */
export function loopRanges(each: CodeFunction): LoopRange[] {
  const ranges: LoopRange[] = [];
  each.instructions.forEach((instruction: Instruction, pc) => {
    if ((instruction.kind === 'jump' || instruction.kind === 'branch') && instruction.loop !== null) {
      ranges.push({ loop: instruction.loop, head: instruction.target, closing: pc });
    }
  });
  return ranges;
}
