/**
 * The sizes of allocated objects, for backends that have no word for them: `realloc` has to know how much to copy.
 * Every allocation enters its object into a table; no statement runs twice, so that their number bounds its length. The
 * size is looked for from the end, since the address of a freed object may come again. Where loops are kept, and with
 * them the number of allocations without a bound, the table is a list.
 */

import type { DataModel } from '../program/data-model.ts';
import { PRIMITIVES } from '../program/primitives.ts';
import { printType } from '../program/print-type.ts';
import type { Program } from '../program/tree.ts';
import { sizeType } from '../program/type-operations.ts';
import { walkStatement, walkStatementOnce } from '../program/visit-tree.ts';

/** What the table's functions are called in the emitted C. */
export const KEEP = '__lazuli_keep';
export const SIZE = '__lazuli_kept_size';

/** The number of allocations, if a size is asked for somewhere; 0 otherwise. */
export function countKept(program: Program): number {
  let isAsked = false;
  let count = 0;
  for (const item of program.items) {
    if (item.kind !== 'function') continue;
    walkStatementOnce(item.definition.body, {
      expression: (node) => {
        if (node.kind === 'builtin' && node.name === PRIMITIVES.objectSize) isAsked = true;
      },
    });
  }
  if (!isAsked) return 0;
  for (const item of program.items) {
    if (item.kind !== 'function') continue;
    walkStatement(item.definition.body, {
      expression: (node) => {
        if (node.kind === 'builtin' && node.name === PRIMITIVES.allocate) count++;
      },
    });
  }
  return count;
}

/** The declarations of a table of so many objects; null for any number. */
export function sizeTable(count: number | null, model: DataModel): string[] {
  const size = printType(sizeType(model));
  if (count === null) return sizeList(size);
  const lines = [
    `static void *${KEEP}_objects[${count}];`,
    `static ${size} ${KEEP}_sizes[${count}];`,
    `static unsigned ${KEEP}_count;`,
    `static void *${KEEP}(void *object, ${size} size) {`,
    `  ${KEEP}_objects[${KEEP}_count] = object;`,
    `  ${KEEP}_sizes[${KEEP}_count] = size;`,
    `  ${KEEP}_count = ${KEEP}_count + 1;`,
    '  return object;',
    '}',
    `static ${size} ${SIZE}(const void *object) {`,
  ];
  for (let i = count - 1; i >= 0; i--) lines.push(`  if (${KEEP}_objects[${i}] == object) return ${KEEP}_sizes[${i}];`);
  return [...lines, '  return 0;', '}'];
}

/** The newest object comes first. */
function sizeList(size: string): string[] {
  return [
    `struct ${KEEP}_entry {`,
    '  void *object;',
    `  ${size} size;`,
    `  struct ${KEEP}_entry *next;`,
    '};',
    `static struct ${KEEP}_entry *${KEEP}_first;`,
    `static void *${KEEP}(void *object, ${size} size) {`,
    `  struct ${KEEP}_entry *entry = malloc(sizeof *entry);`,
    '  entry->object = object;',
    '  entry->size = size;',
    `  entry->next = ${KEEP}_first;`,
    `  ${KEEP}_first = entry;`,
    '  return object;',
    '}',
    `static ${size} ${SIZE}(const void *object) {`,
    `  for (struct ${KEEP}_entry *entry = ${KEEP}_first; entry; entry = entry->next) {`,
    '    if (entry->object == object) return entry->size;',
    '  }',
    '  return 0;',
    '}',
  ];
}
