/**
 * Which stores can wait in the buffer of their thread, under a weak memory model: those that others can notice. What a
 * lock protects at every access is not among them. Nobody can tell: the thread itself sees its own store either way,
 * and others come to the place only when the lock has been let go, which waits for the stores before it or arrives
 * after them. The words of the lock itself are written late where they are written outside of atomic sections.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import type { Expression } from '../../program/tree.ts';
import type { SharedMemory } from '../alias/find-shared-memory.ts';
import { rootOf } from '../alias/sharing.ts';
import { findHidden } from './find-protected.ts';

export type AssignmentExpression = Extract<Expression, { kind: 'assignment' }>;

/** Whether the store that an assignment in the text of a thread makes can wait, outside of atomic sections. */
export type IsDelayed = (thread: number, assignment: AssignmentExpression) => boolean;

export function findDelayed(program: BoundedProgram, sharing: SharedMemory): IsDelayed {
  const isHidden = findHidden(program, sharing);
  return (thread, assignment) => {
    if (!sharing.isNoticed(thread, assignment)) return false;
    const touched = sharing.touchedBy(thread, assignment);
    if (touched === null) return mayBeShared(thread, assignment.target, sharing);
    const writes = touched.filter(({ kind, lvalue }) => kind === 'write' && lvalue === assignment.target);
    return writes.some((touch) => !isHidden(thread, touch));
  };
}

function mayBeShared(thread: number, target: Expression, sharing: SharedMemory): boolean {
  const root = rootOf(target);
  return root === null || sharing.isShared(thread, root, 'write');
}
