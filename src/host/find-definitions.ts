/**
 * Which C files seem to define what a program lacks. A guess by the look of their text: a definition begins at the
 * start of a line, and a function's parameters are followed by a brace. A file that defines where the program starts
 * (mostly `main`) belongs to another program.
 *
 * Looked through are the folders of the program's files and of its headers that declare such names; and, as there may
 * be `include/` beside `src/`, the folders in and beside those of the headers.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { WantedDefinitions } from '../frontend/preprocess/options.ts';

/** Larger files and folders are not looked through. */
const MOST_FILES = 200;
const MOST_BYTES = 2 ** 20;
const MOST_FOLDERS = 50;

export function findDefinitions({ names, files, headers, start }: WantedDefinitions): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const known = new Set(files.map((file) => path.resolve(file)));
  const folders = new Set(
    [...files, ...headers].filter((file) => file !== '<stdin>').map((file) => path.dirname(file)),
  );
  for (const header of headers) for (const folder of foldersAround(path.dirname(header))) folders.add(folder);
  const beside = [...folders].flatMap(listSources).filter((file) => !known.has(path.resolve(file)));
  for (const file of beside.slice(0, MOST_FILES)) {
    const text = readSmall(file);
    if (text === null) continue;
    const defined = names.filter((name) => seemsToDefine(text, name));
    if (defined.length === 0 || seemsToDefine(text, start)) continue;
    for (const name of defined) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

/** In it, beside it, and in its parent where that is no root: nobody keeps projects there. */
function foldersAround(folder: string): string[] {
  const parent = path.join(folder, '..');
  const isTop = path.dirname(path.resolve(parent)) === path.resolve(parent);
  const above = isTop ? [] : [parent, ...listFolders(parent)];
  return [...listFolders(folder), ...above].slice(0, MOST_FOLDERS);
}

function listFolders(folder: string): string[] {
  return listEntries(folder).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));
}

function listSources(folder: string): string[] {
  return listEntries(folder).flatMap(({ name }) => (name.endsWith('.c') ? [path.join(folder, name)] : []));
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function readSmall(file: string): string | null {
  try {
    return statSync(file).size <= MOST_BYTES ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Not `static`, nor a prototype; a variable is not `extern` either. The type may stand on lines of its own. */
export function seemsToDefine(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const word = name.replace(/\W/g, '\\$&');
  const plain = '^(?!(?:static|typedef|return|else)\\b)';
  const body = `${plain}(?:[A-Za-z_][^;{}=#"]*[\\s*])?${word}\\s*\\([^;{}]*\\)\\s*\\{`;
  if (new RegExp(`(?<!\\bstatic\\b[^;{}]*)${body}`, 'm').test(text)) return true;
  const value = `(?!extern\\b)[A-Za-z_][\\w \\t*]*[\\s*]${word}\\s*(?:\\[[^\\]]*\\]\\s*)*(?:=|;|,)`;
  return new RegExp(`${plain}${value}`, 'm').test(text);
}
