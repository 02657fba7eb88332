/**
 * The syntax tree as indented text, for `--dump=ast`: a line for each node with its kind and its plain fields, its
 * children below it under the names of their fields. It walks the fields as they are, so that new kinds of nodes need
 * nothing here. It uses a stack of its own and stops indenting at MAX_INDENT, since long chains of operators and of
 * `else if` are deep trees.
 */

import { pushAll } from '../../support/push-all.ts';
import type { Loc } from '../../support/source.ts';
import type { Qualifiers, TranslationUnit } from './ast.ts';

const MAX_INDENT = 40;

/** A node seen as its fields. */
type Fields = Readonly<Record<string, unknown>>;

interface Work {
  readonly label: string;
  readonly value: Fields;
  readonly depth: number;
}

/** `describe` says where a node stands, say as `12:3`; the empty text leaves it out. */
export function printAst(unit: TranslationUnit, describe: (loc: Loc) => string = () => ''): string {
  const lines: string[] = [];
  const work: Work[] = unit.declarations.map((value) => ({ label: '', value: value as unknown as Fields, depth: 0 }));
  work.reverse();
  for (let item = work.pop(); item; item = work.pop()) {
    const { label, value, depth } = item;
    const children: Work[] = [];
    const plain: string[] = [];
    for (const [name, field] of Object.entries(value)) {
      if (name === 'kind' || name === 'loc' || name === 'endLoc') continue;
      addField(name, field, depth + 1, plain, children);
    }
    const kind = typeof value.kind === 'string' ? value.kind : '';
    const place = typeof value.loc === 'number' ? describe(value.loc as Loc) : '';
    const indent = depth <= MAX_INDENT ? '  '.repeat(depth) : `${'  '.repeat(MAX_INDENT)}(${depth}) `;
    const head = [label && `${label}:`, kind, ...plain, place && `<${place}>`].filter((part) => part !== '');
    lines.push(indent + (head.length > 0 ? head.join(' ') : '-'));
    for (const child of children.reverse()) work.push(child);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Puts a field among the plain ones of its node's line, or among the children; what says nothing is left out. */
function addField(name: string, field: unknown, depth: number, plain: string[], children: Work[]): void {
  if (field === null || field === false || field === undefined) return;
  if (field === true) plain.push(name);
  else if (typeof field === 'string') plain.push(name === 'operator' ? field : `${name}=${JSON.stringify(field)}`);
  else if (typeof field === 'number') plain.push(`${name}=${field}`);
  else if (Array.isArray(field)) addList(name, field, depth, plain, children);
  else if (name === 'qualifiers') pushAll(plain, qualifierNames(field as Qualifiers));
  else children.push({ label: name, value: field as Fields, depth });
}

function addList(name: string, list: readonly unknown[], depth: number, plain: string[], children: Work[]): void {
  if (list.every((item) => typeof item === 'string')) {
    if (list.length > 0) plain.push(`${name}=${JSON.stringify(list)}`);
    return;
  }
  for (const item of list) children.push({ label: name, value: item as Fields, depth });
}

function qualifierNames(qualifiers: Qualifiers): string[] {
  return Object.entries(qualifiers)
    .filter(([, isSet]) => isSet)
    .map(([name]) => name);
}
