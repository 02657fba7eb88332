/**
 * Collects lines with their indentation and remembers for each the source place it came from. With `lineDirectives`, it
 * writes `#line` wherever a compiler that counts lines would lose the place.
 */

import { type Loc, NOWHERE, type SourceMap } from '../../support/source.ts';
import { quoteText } from './print-literal.ts';

const SPACE = 32;

export class LineWriter {
  readonly #lines: string[] = [];
  readonly #locs: Loc[];
  readonly #sources: SourceMap | null;
  #indentation = '';
  #isSeparating = false;
  #expectedFile = '';
  #expectedLine = 0;

  /** Writes `#line` directives if it is given the sources. The places of the lines are added to `locs`. */
  constructor(sources: SourceMap | null, locs: Loc[] = []) {
    this.#sources = sources;
    this.#locs = locs;
  }

  get indentation(): string {
    return this.#indentation;
  }

  /** How many lines there are. */
  get count(): number {
    return this.#lines.length;
  }

  /** Another text for a line, with the same indentation. */
  replace(line: number, text: string): void {
    const before = this.#lines[line] as string;
    let depth = 0;
    while (before.charCodeAt(depth) === SPACE) depth++;
    this.#lines[line] = before.slice(0, depth) + text;
  }

  /** Whether lines can be written again elsewhere: `#line` directives would be wrong there. */
  get canRepeat(): boolean {
    return this.#sources === null;
  }

  /** Writes lines once more; gives the number of the first. Their places stay the same. */
  repeat(from: number, to: number): number {
    const start = this.#lines.length;
    for (let line = from; line < to; line++) {
      this.#lines.push(this.#lines[line] as string);
      this.#locs.push(this.#locs[line] as Loc);
    }
    return start;
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
    this.#isSeparating = this.#lines.length > 0;
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
    if (this.#lines.length === 0) return '';
    // The last line end by joining, too: adding it to a long text would copy the text.
    this.#lines.push('');
    const text = this.#lines.join('\n');
    this.#lines.pop();
    return text;
  }

  #line(line: string, loc: Loc): void {
    this.#push(line === '' ? '' : this.#indentation + line, loc);
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
