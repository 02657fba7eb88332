/**
 * Source places. A place is one integer, `Loc`, as in clang: positive numbers point into the texts of all files read
 * (each inclusion of a file has its own range of numbers); negative ones are entries of a table of macro expansions,
 * which know where the token was spelled and where the macro was used. 0 is "no place" (what the compiler itself made
 * up).
 *
 * Who owns it: one `SourceMap` belongs to one run of the front end, which alone adds to it; afterwards it is only read.
 * `#line` and the linemarkers of `.i` files change the *presumed* place: file name and line as the user knows them.
 */

import { hasRawBytes, showRawBytes } from './raw-bytes.ts';

declare const locBrand: unique symbol;
export type Loc = number & { readonly [locBrand]: true };

export const NOWHERE = 0 as Loc;

export interface SourceFile {
  readonly index: number;
  readonly name: string;
  readonly text: string;
  /** The place of offset 0. */
  readonly base: number;
  /** Where the `#include` stands, or NOWHERE for the main file. */
  readonly includedFrom: Loc;
}

/** A place as people read it: lines and columns from 1, after `#line` and linemarkers. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The text of the physical source line, without its line end. */
  readonly lineText: string;
  /** True when a linemarker says that the text comes from a system header. */
  readonly inSystemHeader: boolean;
}

interface LineDirective {
  readonly offset: number;
  /** The presumed line of the first line that starts after the directive. */
  readonly line: number;
  readonly file: string;
  readonly system: boolean;
}

/** All that a map knows, as plain data. */
export interface SourceMapData {
  readonly files: readonly SourceFile[];
  readonly directives: readonly (readonly LineDirective[])[];
  readonly expansions: Int32Array<ArrayBuffer>;
  readonly macroNames: readonly string[];
}

export class SourceMap {
  readonly #files: SourceFile[] = [];
  readonly #lineStarts: (Int32Array | null)[] = [];
  readonly #hasRawBytes: boolean[] = [];
  readonly #directives: LineDirective[][] = [];
  #next = 1;
  #expansions = new Int32Array(3 * 1024);
  #expansionCount = 0;
  readonly #macroNames: string[] = [];

  static of({ files, directives, expansions, macroNames }: SourceMapData): SourceMap {
    const map = new SourceMap();
    for (const { name, text, includedFrom } of files) map.addFile(name, text, includedFrom);
    for (const [file, list] of directives.entries()) map.#directives[file] = [...list];
    map.#expansions = expansions;
    map.#expansionCount = expansions.length / 3;
    for (const name of macroNames) map.addMacroName(name);
    return map;
  }

  get data(): SourceMapData {
    const expansions = this.#expansions.slice(0, 3 * this.#expansionCount);
    return { files: this.#files, directives: this.#directives, expansions, macroNames: this.#macroNames };
  }

  addFile(name: string, text: string, includedFrom: Loc = NOWHERE): SourceFile {
    const file: SourceFile = { index: this.#files.length, name, text, base: this.#next, includedFrom };
    this.#next += text.length + 1;
    this.#files.push(file);
    this.#lineStarts.push(null);
    this.#directives.push([]);
    return file;
  }

  get files(): readonly SourceFile[] {
    return this.#files;
  }

  locAt(file: SourceFile, offset: number): Loc {
    return (file.base + offset) as Loc;
  }

  /** Says that from the line after `offset` on, the text counts as `line` of `name`. Directives come in text order. */
  addLineDirective(file: SourceFile, offset: number, line: number, name: string, system: boolean): void {
    this.#directives[file.index]?.push({ offset, line, file: name, system });
  }

  /** Registers a macro's name; the number returned is what `addExpansion` takes. */
  addMacroName(name: string): number {
    return this.#macroNames.push(name) - 1;
  }

  /** A token spelled at `spelling` that came to stand at `expansion` through the macro. */
  addExpansion(spelling: Loc, expansion: Loc, macro: number): Loc {
    const at = 3 * this.#expansionCount++;
    if (at + 3 > this.#expansions.length) {
      const larger = new Int32Array(2 * this.#expansions.length);
      larger.set(this.#expansions);
      this.#expansions = larger;
    }
    this.#expansions[at] = this.spellingOf(spelling);
    this.#expansions[at + 1] = expansion;
    this.#expansions[at + 2] = macro;
    return -this.#expansionCount as Loc;
  }

  /** The file place where the token's characters stand. */
  spellingOf(loc: Loc): Loc {
    return loc < 0 ? (this.#expansions[3 * (-loc - 1)] as Loc) : loc;
  }

  /** The file place where the outermost macro was used: where a person looks for the code. */
  expansionOf(loc: Loc): Loc {
    let at = loc;
    while (at < 0) at = this.#expansions[3 * (-at - 1) + 1] as Loc;
    return at;
  }

  /** The macros that led to a place, innermost first: name, and where it was used. */
  macroStack(loc: Loc): { readonly name: string; readonly usedAt: Loc }[] {
    const stack: { name: string; usedAt: Loc }[] = [];
    let at = loc;
    while (at < 0) {
      const entry = 3 * (-at - 1);
      const usedAt = this.#expansions[entry + 1] as Loc;
      stack.push({ name: this.#macroNames[this.#expansions[entry + 2] ?? 0] ?? '', usedAt });
      at = usedAt;
    }
    return stack;
  }

  /** The `#include` directives that led to the file of a place, innermost first. */
  includeStack(loc: Loc): Loc[] {
    const stack: Loc[] = [];
    let file = this.fileOf(loc);
    while (file && file.includedFrom !== NOWHERE) {
      stack.push(file.includedFrom);
      file = this.fileOf(file.includedFrom);
    }
    return stack;
  }

  fileOf(loc: Loc): SourceFile | null {
    const at = this.expansionOf(loc);
    if (at === NOWHERE) return null;
    let low = 0;
    let high = this.#files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#files[middle] as SourceFile).base <= at) low = middle;
      else high = middle - 1;
    }
    return this.#files[low] ?? null;
  }

  offsetOf(loc: Loc): number {
    const file = this.fileOf(loc);
    return file ? this.expansionOf(loc) - file.base : 0;
  }

  /** The place of the outermost use, as people read it; null for NOWHERE. */
  place(loc: Loc): Place | null {
    const file = this.fileOf(loc);
    if (!file) return null;
    const offset = this.expansionOf(loc) - file.base;
    const starts = this.#starts(file);
    let line = upperBound(starts, offset) - 1;
    if (line < 0) line = 0;
    const start = starts[line] ?? 0;
    let end = (starts[line + 1] ?? file.text.length + 1) - 1;
    if (end > start && file.text.charCodeAt(end - 1) === 13) end--;
    const lineText = file.text.slice(start, end);
    const directive = this.#directiveAt(file, start);
    const presumed = directive ? directive.line + (line - upperBound(starts, directive.offset)) : line + 1;
    return {
      file: directive ? directive.file : file.name,
      line: presumed,
      column: offset - start + 1,
      lineText: this.#hasRawBytes[file.index] ? showRawBytes(lineText) : lineText,
      inSystemHeader: directive?.system ?? false,
    };
  }

  #directiveAt(file: SourceFile, lineStart: number): LineDirective | null {
    const directives = this.#directives[file.index] ?? [];
    let low = 0;
    let high = directives.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((directives[middle] as LineDirective).offset < lineStart) low = middle + 1;
      else high = middle;
    }
    return directives[low - 1] ?? null;
  }

  #starts(file: SourceFile): Int32Array {
    const known = this.#lineStarts[file.index];
    if (known) return known;
    const starts = [0];
    for (let at = file.text.indexOf('\n'); at >= 0; at = file.text.indexOf('\n', at + 1)) starts.push(at + 1);
    const packed = Int32Array.from(starts);
    this.#lineStarts[file.index] = packed;
    this.#hasRawBytes[file.index] = hasRawBytes(file.text);
    return packed;
  }
}

/** How many elements of a sorted array are at most `value`. */
function upperBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const MODEL_FOLDER = '<lazuli models>/';

/** Whether the text at a place is that of a bundled model, wherever it came to stand. */
export function isModelPlace(sources: SourceMap, loc: Loc): boolean {
  return sources.place(sources.spellingOf(loc))?.file.startsWith(MODEL_FOLDER) ?? false;
}
