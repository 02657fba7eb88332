// Finds the items of the model library in the texts of its files, and what each of them needs: when the tool is built
// (scripts/generate.js), so that no run has to.
//
// The files follow the form that models/primitives.h states, so that items are found by lines and no parser is needed:
// an item starts at the left margin and ends with a line that is a closing brace there, or with a semicolon.

import { InvariantError } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import {
  CONDITIONAL_LINE,
  type ConditionalNeeds,
  IMPLIED_NEEDS,
  type ModelItem,
  type PreparedModels,
} from './model-library.ts';

/** An item before it is known which names are items. */
type FoundItem = Omit<ModelItem, 'needs' | 'conditionalNeeds'>;

/** The library of the texts by the names of their files. */
export function indexModels(models: ReadonlyMap<string, string>): PreparedModels {
  const preamble: string[] = [];
  const found: FoundItem[] = [];
  const files = [...models].sort(([left], [right]) => headersFirst(left, right));
  for (const [file, text] of files) {
    if (file.endsWith('.h')) preamble.push(text);
    else pushAll(found, splitFile(file, text, preamble));
  }
  const names = new Set(found.map((item) => item.name));
  if (names.size !== found.length) throw new InvariantError('the model library defines a name twice');
  const items = found.map((item) => ({ ...item, ...findNeeds(item, names) }));
  return { preamble: `${withoutComments(preamble.join('\n'))}\n`, items };
}

/** The preamble stands before the models of every program: what is only for readers would be read each time. */
function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/\n+/g, '\n');
}

function headersFirst(left: string, right: string): number {
  const byKind = Number(right.endsWith('.h')) - Number(left.endsWith('.h'));
  return byKind !== 0 ? byKind : left < right ? -1 : 1;
}

/** The items of one file. Its macros go to the end of `preamble`. */
function splitFile(file: string, text: string, preamble: string[]): FoundItem[] {
  const lines = text.split('\n');
  const items: FoundItem[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (line.startsWith('#')) {
      if (!line.startsWith('#include')) preamble.push(line);
      index++;
    } else if (line.startsWith('/*')) {
      while (!(lines[index] ?? '*/').includes('*/')) index++;
      index++;
    } else if (line === '') {
      index++;
    } else {
      const end = findItemEnd(lines, index);
      items.push(buildItem(file, index + 1, lines.slice(index, end)));
      index = end;
    }
  }
  return items;
}

/** The index after the last line of the item that starts at `start`. */
function findItemEnd(lines: readonly string[], start: number): number {
  let hasBody = false;
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.endsWith('{')) hasBody = true;
    if (hasBody ? /^\};?$/.test(line) : line.endsWith(';')) return index + 1;
  }
  throw new InvariantError(`a model item has no end: ${lines[start]}`);
}

function buildItem(file: string, line: number, textLines: readonly string[]): FoundItem {
  const text = textLines.join('\n');
  const isFunction = /\)\s*\{$/m.test(text) && text.endsWith('}');
  const name = (isFunction ? /(\w+)\(/ : /\b(__lazuli_\w+)/).exec(text)?.[1];
  if (name === undefined) throw new InvariantError(`a model item has no name: ${textLines[0]}`);
  return { name, kind: isFunction ? 'function' : 'variable', file, line, text };
}

function findNeeds(
  { name, text }: FoundItem,
  items: ReadonlySet<string>,
): Pick<ModelItem, 'needs' | 'conditionalNeeds'> {
  const always = new Set<string>();
  const conditionalNeeds: ConditionalNeeds[] = [];
  for (const line of text.split('\n')) {
    const condition = CONDITIONAL_LINE.exec(line)?.[1];
    const needs = namesIn(line.replace(CONDITIONAL_LINE, ''), items).filter((used) => used !== name);
    if (condition === undefined) {
      for (const used of needs) always.add(used);
    } else {
      if (!items.has(condition)) throw new InvariantError(`a model depends on an unknown name: ${line}`);
      conditionalNeeds.push({ condition, needs });
    }
  }
  return { needs: [...always], conditionalNeeds };
}

function namesIn(line: string, items: ReadonlySet<string>): string[] {
  const code = line.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/\/\*.*?\*\//g, '');
  const found: string[] = [];
  for (const word of code.match(/\w+/g) ?? []) {
    if (items.has(word)) found.push(word);
    const implied = IMPLIED_NEEDS.get(word);
    if (implied !== undefined) found.push(implied);
  }
  return found;
}
