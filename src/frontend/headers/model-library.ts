// The model library as a linker sees it: C functions and variables by name, each with the names that it needs.
//
// A program gets the models of the functions that it uses and does not define, and what these need in turn; nothing
// else, because every model is code that will be unwound, inlined and encoded. The result is C text that is to be
// preprocessed on its own (so that the program's macros cannot reach into it) with the program's -D options, and parsed
// after the program, whose types it uses.
//
// What is to be known of the library is found when the tool is built (index-models.ts). A line that starts with
// __LAZULI_WHEN(name) is kept only when `name` is linked too.

import { pushAll } from '../../support/push-all.ts';

/** One function or variable of the library. */
export interface ModelItem {
  readonly name: string;
  readonly kind: 'function' | 'variable';
  readonly file: string;
  /** The line of its first text line in the file, from 1. */
  readonly line: number;
  readonly text: string;
  /** The names of items that it uses. */
  readonly needs: readonly string[];
  /** What its conditional lines use, with the name on which they depend. */
  readonly conditionalNeeds: readonly ConditionalNeeds[];
}

export interface ConditionalNeeds {
  readonly condition: string;
  readonly needs: readonly string[];
}

/** The library as data. */
export interface PreparedModels {
  /** Its headers and macros: to stand before the items. */
  readonly preamble: string;
  readonly items: readonly ModelItem[];
}

export interface ModelLibrary {
  readonly preamble: string;
  readonly items: ReadonlyMap<string, ModelItem>;
}

export function openLibrary({ preamble, items }: PreparedModels): ModelLibrary {
  return { preamble, items: new Map(items.map((item) => [item.name, item])) };
}

export interface LinkedModels {
  /** The C text to append to the program; empty when nothing is needed. */
  readonly text: string;
  /** The linked items, in the order of the text. */
  readonly names: readonly string[];
}

/** Using the key needs the value, although its text does not say so: the primitive, or the end of main, calls it. */
export const IMPLIED_NEEDS: ReadonlyMap<string, string> = new Map([
  ['__lazuli_spawn', '__lazuli_thread_entry'],
  ['atexit', '__lazuli_run_exit_handlers'],
]);

export const CONDITIONAL_LINE = /^\s*__LAZULI_WHEN\((\w+)\)/;

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

/** The least set that holds the used names and is closed under needs; conditional ones hold once their name is in. */
function collectNeeds(
  library: ModelLibrary,
  used: Iterable<string>,
  defined: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): Set<string> {
  const linked = new Set<string>();
  const waiting = new Map<string, string[]>();
  const pending: string[] = [...used].flatMap((name) => [name, IMPLIED_NEEDS.get(name) ?? name]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const item = library.items.get(name);
    if (item === undefined || linked.has(name) || defined.has(name)) continue;
    linked.add(name);
    pushAll(pending, [...item.needs, ...(waiting.get(name) ?? [])]);
    for (const { condition, needs } of item.conditionalNeeds) {
      if (linked.has(condition) || elsewhere.has(condition)) pushAll(pending, needs);
      else waiting.set(condition, [...(waiting.get(condition) ?? []), ...needs]);
    }
  }
  return linked;
}

/** The number of parameters of a function; `...` counts as one. */
export function countParameters({ name, text }: ModelItem): number {
  const start = text.indexOf(`${name}(`) + name.length + 1;
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
  const { text } = item;
  return `${printLineMarker(item)}\n${text.slice(0, text.indexOf('{')).trimEnd()};`;
}

function printItem(item: ModelItem, isLinked: (name: string) => boolean): string {
  const lines = item.text.split('\n').map((line) => {
    const condition = CONDITIONAL_LINE.exec(line)?.[1];
    if (condition === undefined) return line;
    return isLinked(condition) ? line.replace(CONDITIONAL_LINE, '') : '';
  });
  return [printLineMarker(item), ...lines].join('\n');
}

function printLineMarker(item: ModelItem): string {
  return `# ${item.line} "<lazuli models>/${item.file}"`;
}
