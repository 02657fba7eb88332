/**
 * `#include`, `#include_next`, `#import`: finding a header and opening it. `"x"` is looked for beside the file that
 * includes it, then in the paths for quotes, then, as `<x>`, in the include paths in order, in those of the system, and
 * among the bundled headers. Bundled headers may
 * include each other in all forms. A header that guards itself (`#ifndef X … #endif`, `#pragma once`) is not read a
 * second time.
 */

import type { PreprocessingToken } from '../lex/token.ts';
import { expectLineEnd } from './directive-line.ts';
import { openFile } from './open-file.ts';
import { currentFile, type Session } from './session.ts';

const INCLUDE_DEPTH = 200;
/** Inclusions in one run: a file that includes itself twice would otherwise end long after the universe. */
const INCLUSION_LIMIT = 50_000;
/** Characters of all inclusions together. */
const CHARACTER_LIMIT = 256_000_000;

export interface FoundHeader {
  readonly path: string;
  readonly text: string;
  readonly directory: string;
  readonly searchIndex: number;
  readonly bundled: boolean;
  /** It was found where `-isystem` says. */
  readonly system: boolean;
}

export interface HeaderRequest {
  readonly name: string;
  readonly angled: boolean;
  /** Go on after the place where the current file was found. */
  readonly next: boolean;
}

export function runInclude(session: Session, directive: PreprocessingToken): void {
  const request = readHeaderName(session);
  if (!request || request.name === '') {
    session.sink.error(directive.loc, 'include', `#${directive.text} expects "FILENAME" or <FILENAME>`);
    return;
  }
  expectLineEnd(session, directive);
  const next = directive.text === 'include_next' && session.files.length > 1;
  const found = findHeader(session, { ...request, next });
  if (!found) {
    session.fail.fatal(directive.loc, 'include', describeMissing(request.name));
  }
  const guard = session.guards.get(found.path);
  if (session.readOnce.has(found.path) || (guard !== undefined && session.macros.has(guard))) return;
  if (directive.text === 'import') session.readOnce.add(found.path);
  if (session.files.length >= INCLUDE_DEPTH) {
    session.fail.fatal(directive.loc, 'include-limit', `#include nested more than ${INCLUDE_DEPTH} deep`);
  }
  if (++session.inclusions > INCLUSION_LIMIT) {
    session.fail.fatal(directive.loc, 'include-limit', `more than ${INCLUSION_LIMIT} inclusions`);
  }
  session.includedCharacters += found.text.length;
  if (session.includedCharacters > CHARACTER_LIMIT) {
    session.fail.fatal(directive.loc, 'include-limit', `more than ${CHARACTER_LIMIT} characters of included text`);
  }
  currentFile(session).lexer.skipLine();
  openFile(session, found, directive.loc);
}

function describeMissing(name: string): string {
  return `cannot find the header '${name}' (-I names its directory; --cpp "gcc -E" takes the headers of the system)`;
}

/** A header name as written, or as the expansion of the rest of the line; null when there is none. */
export function readHeaderName(session: Session): { name: string; angled: boolean } | null {
  if (!session.expander.insideExpansion) {
    const plain = currentFile(session).lexer.headerName();
    if (plain) return plain;
  }
  const first = session.expander.next();
  if (first.kind === 'string' && first.text.startsWith('"')) return { name: first.text.slice(1, -1), angled: false };
  if (first.text !== '<') return null;
  let name = '';
  for (;;) {
    const token = session.expander.next();
    if (token.kind === 'end') return null;
    if (token.text === '>') return { name, angled: true };
    name += token.spaceBefore && name !== '' ? ` ${token.text}` : token.text;
  }
}

/** Where a header is; null when nowhere. */
export function findHeader(session: Session, request: HeaderRequest): FoundHeader | null {
  const { name } = request;
  const paths = searchPaths(session);
  const first = request.angled ? (session.options.quotePaths?.length ?? 0) : 0;
  const current = currentFile(session);
  if (isAbsolute(name)) return readHeader(session, name, -1);
  if (!request.angled && !request.next) {
    const beside = current.bundled
      ? bundledHeader(session, normalise(joinPath(current.directory, name)))
      : readHeader(session, joinPath(current.directory, name), -1);
    if (beside) return beside;
  }
  for (let index = request.next ? Math.max(first, current.searchIndex + 1) : first; index < paths.length; index++) {
    const found = readHeader(session, joinPath(paths[index] as string, name), index);
    if (found) return found;
  }
  return request.next && current.bundled ? null : bundledHeader(session, normalise(name));
}

/** In the order of the search: for quotes, for all, of the system. */
function searchPaths({ options }: Session): readonly string[] {
  return [...(options.quotePaths ?? []), ...(options.includePaths ?? []), ...(options.systemPaths ?? [])];
}

function bundledHeader(session: Session, name: string): FoundHeader | null {
  const text = session.options.bundledHeaders?.get(name);
  if (text === undefined) return null;
  const searchIndex = searchPaths(session).length;
  return { path: `<lazuli>/${name}`, text, directory: directoryOf(name), searchIndex, bundled: true, system: true };
}

function readHeader(session: Session, given: string, searchIndex: number): FoundHeader | null {
  const path = normalise(given);
  let text = session.fileTexts.get(path);
  if (text === undefined) {
    text = session.options.reader?.read(path) ?? null;
    session.fileTexts.set(path, text);
  }
  if (text === null) return null;
  const { quotePaths = [], includePaths = [] } = session.options;
  const system = searchIndex >= quotePaths.length + includePaths.length;
  return { path, text, directory: directoryOf(path), searchIndex, bundled: false, system };
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

export function directoryOf(path: string): string {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return slash < 0 ? '' : path.slice(0, Math.max(slash, 1));
}

function joinPath(directory: string, name: string): string {
  if (directory === '') return name;
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** Without `.` components and repeated slashes. `..` stays: a symbolic link may stand before it. */
function normalise(path: string): string {
  const parts = path.split('/').filter((part, at) => part !== '.' && (part !== '' || at === 0));
  return parts.join('/');
}
