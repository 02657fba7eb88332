/**
 * Which memory of the bounded program its threads share, for the passes that ask. The answer is kept for the program
 * that it was found for: a pass that has nothing to change gives back the program it got, and the next one need not
 * look again.
 */

import type { BoundedProgram } from '../program/bounded-program.ts';
import { findSharedMemory, type SharedMemory } from './alias/find-shared-memory.ts';
import type { PassContext } from './pass.ts';

export function findShared(program: BoundedProgram, context: PassContext): SharedMemory {
  const known = context.shared.get(program);
  if (known !== undefined) return known;
  const found = findSharedMemory(program);
  context.shared.set(program, found);
  return found;
}
