/**
 * Where a program ends: main returns or ends itself as a thread, or anybody ends the whole program. And whether it can
 * end at all, as far as its jumps and calls tell; what its values and its waiting decide is a matter for engines.
 */

import type { Code, CodeFunction, CodePoint, FunctionId, Instruction } from './code.ts';
import { findCalled, successors } from './control-flow.ts';

/** `byMain`: only if main itself comes there. */
export interface EndPoint {
  readonly point: CodePoint;
  readonly byMain: boolean;
}

export function findEndings(code: Code): readonly EndPoint[] {
  return findCalled(code).flatMap(({ id, instructions }) =>
    instructions.flatMap(({ kind }, pc): EndPoint[] => {
      const isEnding = kind === 'halt' || kind === 'end-thread' || (kind === 'return' && id === code.main);
      return isEnding ? [{ point: { function: id, pc }, byMain: kind !== 'halt' }] : [];
    }),
  );
}

/** False only if no execution can end, whatever its values are. */
export function canEnd(code: Code): boolean {
  const returning = findReturning(code);
  for (const each of findCalled(code)) {
    for (const pc of reachable(each, returning)) {
      const { kind } = each.instructions[pc] as Instruction;
      if (kind === 'halt' || kind === 'end-thread') return true;
    }
  }
  return returning.has(code.main);
}

/** The functions that can return. */
function findReturning(code: Code): ReadonlySet<FunctionId> {
  const returning = new Set<FunctionId>();
  for (let before = -1; before < returning.size; ) {
    before = returning.size;
    for (const each of code.functions) {
      const returns = (pc: number) => each.instructions[pc]?.kind === 'return';
      if (!returning.has(each.id) && [...reachable(each, returning)].some(returns)) returning.add(each.id);
    }
  }
  return returning;
}

/** The instructions that control can come to, if calls of no other functions return than these. */
function reachable({ instructions }: CodeFunction, returning: ReadonlySet<FunctionId>): ReadonlySet<number> {
  const found = new Set([0]);
  for (const pc of found) {
    const instruction = instructions[pc];
    const callee = instruction?.kind === 'call' ? instruction.callee : null;
    if (typeof callee === 'number' && !returning.has(callee)) continue;
    for (const next of successors(instructions, pc)) found.add(next);
  }
  return found;
}
