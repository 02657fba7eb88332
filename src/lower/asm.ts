/**
 * Inline assembly. What only orders or delays (an empty template, fences, pause, nop) has no effect here, since memory
 * is sequentially consistent; everything else is refused, because its effect is unknown.
 */

import type { AsmStatement } from '../program/tree.ts';
import type { FunctionContext } from './context.ts';

const DELAYS = ['', 'nop', 'pause', 'rep nop', 'rep; nop', 'rep;nop', 'yield', 'wfe', 'sev'];

/** Of x86, ARM, POWER, RISC-V and SPARC. */
const FENCE =
  /^([mls]fence|d[ms]b( (ish|osh|nsh)?(st|ld)?| sy)?|isb( sy)?|(hw|lw|i)?sync|eieio|fence(\s+\w+\s*,\s*\w+|\.i)?|membar .*)$/;

export function lowerAsm(f: FunctionContext, statement: AsmStatement): void {
  if (!isHarmlessAsm(statement)) f.program.unsupported(statement.loc, 'this inline assembly is');
}

/** Whether a statement does nothing that can be noticed. */
export function isHarmlessAsm(statement: AsmStatement): boolean {
  const template = statement.template
    .split(/[\n;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('; ');
  const isBarrier = /^lock;? ?(addl|orl) \$(0x)?0,\s*(-?\d+)?\(%%?[er]?sp\)$/.test(template);
  // An output of an empty template keeps its value only if it is also an input (`+r`, or a matching constraint).
  const keepsOutputs = statement.outputs.every((output) => output.constraint.startsWith('+'));
  return (
    (DELAYS.includes(template) || FENCE.test(template) || isBarrier) && keepsOutputs && statement.labels.length === 0
  );
}
