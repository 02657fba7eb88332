/**
 * Initializers with all their braces. Items stand without designators as long as each follows the one before; a gap, a
 * range or another member of a union than the first is designated. So are all members of a structure that does not
 * initialize the last: compilers take it that this is meant.
 */

import type { Initializer, VariableSymbol } from '../../program/tree.ts';
import type { Field, Type } from '../../program/types.ts';
import { assertNever } from '../../support/invariant.ts';
import { indent, type PrintContext } from './context.ts';
import { printAssigned } from './print-expression.ts';
import { printString } from './print-literal.ts';

const LINE_WIDTH = 100;

export function printVariableInitializer(context: PrintContext, symbol: VariableSymbol): string {
  return symbol.initializer === null ? '{}' : printInitializer(context, symbol.initializer);
}

export function printInitializer(context: PrintContext, initializer: Initializer): string {
  switch (initializer.kind) {
    case 'scalar':
      return printAssigned(context, initializer.value);
    case 'characters':
      return printString(initializer.value);
    case 'array':
      return braces(printArrayItems(context, initializer));
    case 'record':
      return braces(printRecordItems(context, initializer));
    default:
      return assertNever(initializer);
  }
}

/** On one line if it fits, otherwise lines filled with items. */
function braces(items: readonly string[]): string {
  if (items.length === 0) return '{}';
  const flat = `{ ${items.join(', ')} }`;
  if (flat.length <= LINE_WIDTH && !flat.includes('\n')) return flat;
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    if (line !== '' && line.length + item.length > LINE_WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? `${item},` : ` ${item},`;
  }
  lines.push(line);
  return `{\n${indent(lines.join('\n'))}\n}`;
}

type ArrayInitializer = Extract<Initializer, { kind: 'array' }>;
type RecordInitializer = Extract<Initializer, { kind: 'record' }>;

function printArrayItems(context: PrintContext, initializer: ArrayInitializer): string[] {
  let next = 0;
  return initializer.items.map(({ first, last, value }) => {
    const text = printInitializer(context, value);
    const isNext = first === next && last === first;
    next = last + 1;
    if (isNext) return text;
    return first === last ? `[${first}] = ${text}` : `[${first} ... ${last}] = ${text}`;
  });
}

function printRecordItems(context: PrintContext, initializer: RecordInitializer): string[] {
  const fields = initializableFields(initializer.type);
  if (isIncomplete(initializer, fields)) {
    const items = designateMembers(context, initializer);
    if (items.length !== 1 || !items[0]?.endsWith(' = 0')) return items;
  }
  let next = 0;
  return initializer.items.flatMap(({ field, value }) => {
    const at = fields.indexOf(field);
    const isNext = at === next;
    next = at + 1;
    if (isNext) return [printInitializer(context, value)];
    // The members of an anonymous member are designated as if they were members of the outer record.
    if (field.name === null && value.kind === 'record') return designateMembers(context, value);
    return [`.${field.name} = ${printInitializer(context, value)}`];
  });
}

/** Anonymous members count with theirs. */
function isIncomplete({ type, items }: RecordInitializer, fields: readonly Field[]): boolean {
  const isStructure = type.kind === 'record' && !type.declaration.isUnion;
  return isStructure && items.length > 0 && items.at(-1)?.field !== fields.at(-1);
}

function designateMembers(context: PrintContext, initializer: RecordInitializer): string[] {
  return initializer.items.flatMap(({ field, value }) => {
    if (field.name === null && value.kind === 'record') return designateMembers(context, value);
    return [`.${field.name} = ${printInitializer(context, value)}`];
  });
}

/** Unnamed bit-fields take no initializer. */
function initializableFields(type: Type): readonly Field[] {
  if (type.kind !== 'record') return [];
  return (type.declaration.fields ?? []).filter((field) => field.name !== null || field.bits === null);
}
