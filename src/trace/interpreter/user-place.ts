/** Where the user's code stands when something happens: in a model, the user's call. */

import type { Loc } from '../../support/source.ts';
import type { Frame } from './state.ts';

export interface UserCall {
  readonly function: string;
  /** Where it goes on: the access, or the call of the next one. */
  readonly loc: Loc;
}

/** `pc` is that of the frame's instruction. */
export function userPlace(frame: Frame, pc: number): Loc {
  const [innermost] = userCalls(frame, pc);
  return innermost?.loc ?? (frame.function.source.instructions[pc]?.loc as Loc);
}

/** The calls of the user's code that led here, innermost first. What calls them stays as it is when they go on. */
export function userCalls(frame: Frame, pc: number): UserCall[] {
  const calls: UserCall[] = [];
  let at: number = pc;
  for (let each: Frame | null = frame; each; each = each.parent) {
    const { source } = each.function;
    const loc = source.instructions[at]?.loc;
    if (!source.isModel && loc !== undefined) calls.push({ function: source.name, loc });
    at = each.callPc;
  }
  return calls;
}
