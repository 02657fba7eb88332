/**
 * Collects lines with their indentation and remembers for each the source place it came from. With `lineDirectives`, it
 * writes `#line` wherever a compiler that counts lines would lose the place. Lines are kept in pieces, most of which
 * are a line each.
 */

import { type Loc, NOWHERE, type SourceMap } from '../../support/source.ts';
import { quoteText } from './print-literal.ts';

/** Lines as they were written, with their indentation and places. */
export interface WrittenLines {
  readonly lines: readonly string[];
  readonly locs: readonly Loc[];
}

export class LineWriter {
  readonly #pieces: string[] = [];
  readonly #places: (Loc | readonly Loc[])[];
  readonly #sources: SourceMap | null;
  #indentation = '';
  #isSeparating = false;
  #expectedFile = '';
  #expectedLine = 0;

  /** Writes `#line` directives if it is given the sources. The places of each piece are added to `places`. */
  constructor(sources: SourceMap | null, places: (Loc | readonly Loc[])[] = []) {
    this.#sources = sources;
    this.#places = places;
  }

  get indentation(): string {
    return this.#indentation;
  }

  /** How many pieces there are. */
  get count(): number {
    return this.#pieces.length;
  }

  /** Another text for a part of a piece. */
  replace(piece: number, part: string, text: string): void {
    this.#pieces[piece] = (this.#pieces[piece] as string).replace(part, text);
  }

  /** Whether lines can be taken back and written elsewhere: `#line` directives would be wrong there. */
  get canTake(): boolean {
    return this.#sources === null;
  }

  /** Takes back the pieces from this one on, each of which must be a line. */
  take(from: number): WrittenLines {
    return { lines: this.#pieces.splice(from), locs: this.#places.splice(from) as Loc[] };
  }

  /** Lines as they are, in one piece. */
  writeLines(text: string, locs: readonly Loc[]): void {
    this.#pieces.push(text);
    this.#places.push(locs);
  }

  /** One line, or several separated by line ends; all belong to the place. */
  write(text: string, loc: Loc): void {
    if (text === '') return;
    if (this.#isSeparating) this.#push('', NOWHERE);
    this.#isSeparating = false;
    if (this.#sources !== null) this.#direct(loc, this.#sources);
    if (text.includes('\n')) for (const line of text.split('\n')) this.#line(line, loc);
    else this.#line(text, loc);
  }

  /** An empty line before what comes next, if something stands before and comes next. */
  separate(): void {
    this.#isSeparating = this.#pieces.length > 0;
  }

  /** A label, one step to the left of what it labels. */
  writeLabel(text: string, loc: Loc): void {
    const inner = this.#indentation;
    this.#indentation = inner.slice(2);
    this.write(text, loc);
    this.#indentation = inner;
  }

  indented(body: () => void): void {
    const outer = this.#indentation;
    this.#indentation += '  ';
    body();
    this.#indentation = outer;
  }

  text(): string {
    if (this.#pieces.length === 0) return '';
    // The last line end by joining, too: adding it to a long text would copy the text.
    this.#pieces.push('');
    const text = this.#pieces.join('\n');
    this.#pieces.pop();
    return text;
  }

  #line(line: string, loc: Loc): void {
    this.#push(line === '' ? '' : this.#indentation + line, loc);
  }

  #push(line: string, loc: Loc): void {
    this.#pieces.push(line);
    this.#places.push(loc);
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
