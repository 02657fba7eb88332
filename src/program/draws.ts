/**
 * What a nondet instruction is to a loop that goes round again and again: an input that may let it do something else
 * the next time; whether a weak compare-and-exchange fails without reason; or the value of a variable that is
 * declared and always set before it is read, which is nothing.
 */

import { CHANCE_FAILURE } from './atomics.ts';
import type { CodeFunction } from './code.ts';
import { Liveness } from './liveness.ts';

export type Draw = 'input' | 'chance' | 'unused';

const known = new WeakMap<CodeFunction, Map<number, Draw>>();

/** The nondet instruction at the place. */
export function drawAt(each: CodeFunction, pc: number): Draw {
  const found = known.get(each) ?? findDraws(each);
  known.set(each, found);
  return found.get(pc) ?? 'input';
}

function findDraws(each: CodeFunction): Map<number, Draw> {
  const draws = new Map<number, Draw>();
  const live = new Liveness(each);
  for (const [pc, instruction] of each.instructions.entries()) {
    if (instruction.kind !== 'nondet') continue;
    const { register, source } = instruction;
    const next = each.instructions[pc + 1];
    const isCopied = next?.kind === 'set' && next.value.kind === 'register' && next.value.register === register;
    const isUsed = isCopied
      ? live.isLive(pc + 2, register) || live.isLive(pc + 2, next.register)
      : live.isLive(pc + 1, register);
    draws.set(pc, source === CHANCE_FAILURE ? 'chance' : isUsed ? 'input' : 'unused');
  }
  return draws;
}
