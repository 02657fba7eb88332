/**
 * Collects lines with their indentation and remembers for each the source place it came from. With `lineDirectives`, it
 * writes `#line` wherever a compiler that counts lines would lose the place.
 */

import type { Loc, SourceMap } from '../../support/source.ts';
import { quoteText } from './print-literal.ts';

export class LineWriter {
  readonly #lines: string[] = [];
  readonly #locs: Loc[] = [];
  readonly #sources: SourceMap | null;
  #indentation = '';
  #expectedFile = '';
  #expectedLine = 0;

  /** Writes `#line` directives if it is given the sources. */
  constructor(sources: SourceMap | null) {
    this.#sources = sources;
  }

  get locs(): readonly Loc[] {
    return this.#locs;
  }

  /** One line, or several separated by line ends; all belong to the place. */
  write(text: string, loc: Loc): void {
    if (text === '') return;
    if (this.#sources !== null) this.#direct(loc, this.#sources);
    for (const line of text.split('\n')) this.#push(line === '' ? '' : this.#indentation + line, loc);
  }

  /** An empty line, unless nothing stands before it. */
  separate(loc: Loc): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#push('', loc);
  }

  indented(body: () => void): void {
    const outer = this.#indentation;
    this.#indentation += '  ';
    body();
    this.#indentation = outer;
  }

  text(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  #push(line: string, loc: Loc): void {
    this.#lines.push(line);
    this.#locs.push(loc);
    this.#expectedLine++;
  }

  #direct(loc: Loc, sources: SourceMap): void {
    const place = sources.place(loc);
    if (place === null || (place.file === this.#expectedFile && place.line === this.#expectedLine)) return;
    this.#push(`#line ${place.line} ${quoteText(place.file)}`, loc);
    this.#expectedFile = place.file;
    this.#expectedLine = place.line;
  }
}
