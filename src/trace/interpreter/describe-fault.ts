/** What is wrong with an access to memory, in words. */

import type { CodeObject } from '../../program/code.ts';
import { functionAt } from '../../program/function-addresses.ts';
import { isStringLiteral, nameOfObject } from '../../program/string-text.ts';
import type { CompiledProgram } from './compile-instructions.ts';
import { ENDED, type Memory } from './memory.ts';

interface FaultyAccess {
  readonly address: number;
  readonly size: number;
  readonly writing: boolean;
}

export function describeFault(
  { code, functions }: CompiledProgram,
  memory: Memory,
  { address, size, writing }: FaultyAccess,
): string {
  const what = writing ? 'write' : 'read';
  if (address >= 0 && address < 0x1000) return `${what} through a null pointer`;
  if (functionAt(address, functions.length) >= 0) return `${what} of a function`;
  const region = memory.find(address);
  if (!region) return `${what} through an invalid pointer`;
  const name = describeObject(code.objects[region.object]);
  if (!region.alive || (memory.stateAt(address) & ENDED) !== 0) {
    return region.kind === 'heap' ? `${what} of freed memory` : `${what} of ${name}, which has ended`;
  }
  if (address + size > region.base + region.size) return `${what} past the end of ${name}`;
  return `${what} of constant ${name}`;
}

/** The object of a region in a message; allocations have none. */
function describeObject(object: CodeObject | undefined): string {
  if (object === undefined) return 'allocated memory';
  return isStringLiteral(object) ? nameOfObject(object) : `'${object.name}'`;
}
