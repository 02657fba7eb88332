// Which files beside those of a program seem to define what it lacks. A guess by the look of their text, for a note: a
// definition begins at the start of a line, and a function's parameters are followed by a brace.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CheckReport } from '../report/check-report.ts';

/** Larger files and folders are not looked through. */
const MOST_FILES = 200;
const MOST_BYTES = 2 ** 20;
const MOST_SUGGESTED = 5;

export function suggestFiles({ files = [], approximations }: CheckReport): string[] {
  const missing = approximations.filter(({ isOwn }) => isOwn).map(({ name }) => name);
  if (missing.length === 0) return [];
  const folders = [...new Set(files.map((file) => path.dirname(file)))];
  const known = new Set(files.map((file) => path.resolve(file)));
  const beside = folders.flatMap((folder) => listSources(folder)).filter((file) => !known.has(path.resolve(file)));
  const found = beside.slice(0, MOST_FILES).filter((file) => {
    const text = readSmall(file);
    return text !== null && missing.some((name) => seemsToDefine(text, name));
  });
  if (found.length === 0) return [];
  const more = found.length > MOST_SUGGESTED ? ', …' : '';
  return [`Perhaps in: ${found.slice(0, MOST_SUGGESTED).join(', ')}${more}.`];
}

function listSources(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.c'));
    return names.sort().map((name) => (folder === '.' ? name : path.join(folder, name)));
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

/** Neither `extern` nor `static`, nor a prototype. */
export function seemsToDefine(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const head = `^(?!\\s*(?:extern|static|typedef|return|#)\\b)[A-Za-z_][\\w \\t*]*[\\s*]${name.replace(/\W/g, '\\$&')}\\b`;
  const isFunction = new RegExp(`${head}\\s*\\([^;{}]*\\)\\s*\\{`, 'm').test(text);
  return isFunction || new RegExp(`${head}\\s*(?:\\[[^\\]]*\\]\\s*)*(?:=|;|,)`, 'm').test(text);
}
