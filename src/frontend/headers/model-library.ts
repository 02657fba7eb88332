// The model library as a linker sees it: C functions and variables by name, each with the names that it needs.
//
// A program gets the models of the functions that it uses and does not define, and what these need in turn; nothing
// else, because every model is code that will be unwound, inlined and encoded. The result is C text that is to be
// preprocessed on its own (so that the program's macros cannot reach into it) with the program's -D options, and parsed
// after the program, whose types it uses.
//
// The files follow the form that models/primitives.h states, so that items are found by lines and no parser is
// needed: an item starts at the left margin and ends with a line that is a closing brace there, or with a semicolon.
// A line that starts with __LAZULI_WHEN(name) is kept only when `name` is linked too.

import { InvariantError } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';

/** One function or variable of the library. */
export interface ModelItem {
  readonly name: string;
  readonly kind: 'function' | 'variable';
  readonly file: string;
  /** The line of its first text line in the file, from 1. */
  readonly line: number;
  readonly textLines: readonly string[];
}

/** The names of items that an item uses. */
interface Needs {
  readonly always: ReadonlySet<string>;
  /** What its conditional lines use, by the name on which they depend. */
  readonly conditional: ReadonlyMap<string, readonly string[]>;
}

export interface ModelLibrary {
  readonly items: ReadonlyMap<string, ModelItem>;
  /** The library's headers and macros: to stand before the items. */
  readonly preamble: string;
}

export interface LinkedModels {
  /** The C text to append to the program; empty when nothing is needed. */
  readonly text: string;
  /** The linked items, in the order of the text. */
  readonly names: readonly string[];
}

/** Using the key needs the value, although its text does not say so: the primitive, or the end of main, calls it. */
const impliedNeeds: ReadonlyMap<string, string> = new Map([
  ['__lazuli_spawn', '__lazuli_thread_entry'],
  ['atexit', '__lazuli_run_exit_handlers'],
]);

const conditionalLine = /^\s*__LAZULI_WHEN\((\w+)\)/;

/** Finds the items of the library in the texts of its files, as `bundledModels` holds them. */
export function indexModels(models: ReadonlyMap<string, string>): ModelLibrary {
  const preamble: string[] = [];
  const items: ModelItem[] = [];
  const files = [...models].sort(([left], [right]) => headersFirst(left, right));
  for (const [file, text] of files) {
    if (file.endsWith('.h')) preamble.push(text);
    else pushAll(items, splitFile(file, text, preamble));
  }
  const byName = new Map(items.map((item) => [item.name, item]));
  if (byName.size !== items.length) throw new InvariantError('the model library defines a name twice');
  return { items: byName, preamble: `${preamble.join('\n')}\n` };
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Links the models of `used` names. A name that the program defines is the program's, for the models as well; a name
 * that the library does not have is left alone. What is linked with other files of the program (`elsewhere`) counts for
 * conditional lines.
 */
export function linkModels(
  library: ModelLibrary,
  used: Iterable<string>,
  defined: ReadonlySet<string>,
  elsewhere: ReadonlySet<string> = NOTHING,
): LinkedModels {
  const linked = collectNeeds(library, used, defined, elsewhere);
  if (linked.size === 0) return { text: '', names: [] };
  const items = [...library.items.values()].filter((item) => linked.has(item.name));
  const variables = items.filter((item) => item.kind === 'variable');
  const functions = items.filter((item) => item.kind === 'function');
  const parts = [library.preamble, ...functions.map(printPrototype)];
  for (const item of [...variables, ...functions]) {
    parts.push(printItem(item, (name) => linked.has(name) || elsewhere.has(name)));
  }
  return { text: `${parts.join('\n')}\n`, names: [...variables, ...functions].map((item) => item.name) };
}

function headersFirst(left: string, right: string): number {
  const byKind = Number(right.endsWith('.h')) - Number(left.endsWith('.h'));
  return byKind !== 0 ? byKind : left < right ? -1 : 1;
}

/** The items of one file. Its macros go to the end of `preamble`. */
function splitFile(file: string, text: string, preamble: string[]): ModelItem[] {
  const lines = text.split('\n');
  const items: ModelItem[] = [];
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

function buildItem(file: string, line: number, textLines: readonly string[]): ModelItem {
  const text = textLines.join('\n');
  const isFunction = /\)\s*\{$/m.test(text) && text.endsWith('}');
  const name = (isFunction ? /(\w+)\(/ : /\b(__lazuli_\w+)/).exec(text)?.[1];
  if (name === undefined) throw new InvariantError(`a model item has no name: ${textLines[0]}`);
  return { name, kind: isFunction ? 'function' : 'variable', file, line, textLines };
}

/** Most programs link few items: only for these it is found out. */
function findNeeds(item: ModelItem, { items }: ModelLibrary): Needs {
  const always = new Set<string>();
  const conditional = new Map<string, string[]>();
  for (const line of item.textLines) {
    const condition = conditionalLine.exec(line);
    const used = namesIn(line.replace(conditionalLine, ''), items).filter((name) => name !== item.name);
    if (condition?.[1] === undefined) {
      for (const name of used) always.add(name);
    } else {
      if (!items.has(condition[1])) throw new InvariantError(`a model depends on an unknown name: ${line}`);
      conditional.set(condition[1], [...(conditional.get(condition[1]) ?? []), ...used]);
    }
  }
  return { always, conditional };
}

function namesIn(line: string, items: ModelLibrary['items']): string[] {
  const code = line.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/\/\*.*?\*\//g, '');
  const found: string[] = [];
  for (const word of code.match(/\w+/g) ?? []) {
    if (items.has(word)) found.push(word);
    const implied = impliedNeeds.get(word);
    if (implied !== undefined) found.push(implied);
  }
  return found;
}

/** The least set that holds the used names and is closed under needs; conditional ones hold once their name is in. */
function collectNeeds(
  library: ModelLibrary,
  used: Iterable<string>,
  defined: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): Set<string> {
  const linked = new Set<string>();
  const waiting = new Map<string, string[]>();
  const pending: string[] = [...used].flatMap((name) => [name, impliedNeeds.get(name) ?? name]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const item = library.items.get(name);
    if (item === undefined || linked.has(name) || defined.has(name)) continue;
    linked.add(name);
    const { always, conditional } = findNeeds(item, library);
    pushAll(pending, [...always, ...(waiting.get(name) ?? [])]);
    for (const [condition, needs] of conditional) {
      if (linked.has(condition) || elsewhere.has(condition)) pushAll(pending, needs);
      else waiting.set(condition, [...(waiting.get(condition) ?? []), ...needs]);
    }
  }
  return linked;
}

/** The number of parameters of a function; `...` counts as one. */
export function countParameters(item: ModelItem): number {
  const text = item.textLines.join('\n');
  const start = text.indexOf(`${item.name}(`) + item.name.length + 1;
  let depth = 1;
  let commas = 0;
  let at = start;
  for (; depth > 0 && at < text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 1) commas++;
  }
  return text.slice(start, at - 1).trim() === 'void' ? 0 : commas + 1;
}

function printPrototype(item: ModelItem): string {
  const text = item.textLines.join('\n');
  return `${printLineMarker(item)}\n${text.slice(0, text.indexOf('{')).trimEnd()};`;
}

function printItem(item: ModelItem, isLinked: (name: string) => boolean): string {
  const lines = item.textLines.map((line) => {
    const condition = conditionalLine.exec(line)?.[1];
    if (condition === undefined) return line;
    return isLinked(condition) ? line.replace(conditionalLine, '') : '';
  });
  return [printLineMarker(item), ...lines].join('\n');
}

function printLineMarker(item: ModelItem): string {
  return `# ${item.line} "<lazuli models>/${item.file}"`;
}
