/**
 * Ranges of variables on the lines of the source: every name of a variable shows its values when the pointer is over
 * it, or when it is reached by keys (web/report/ranges.ts). Names say which variable is meant only together with the
 * function, which lines do not know; of several variables with one name all are told. A name in the page is a number of
 * the table, so that long sources stay small.
 */

import { maskCText } from '../support/mask-c-text.ts';
import { RANGES_SCRIPT } from './html-script.ts';
import { escapeXml } from './junit.ts';

export interface HoverRanges {
  /** Of which executions they speak. */
  readonly scope: readonly string[];
  /** By the name of the variable; a line for each variable, and for each part of one. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

const HOW =
  'The names of variables show their values when the pointer is over them; Tab comes to a name, and ← → go to the next.';

/** More parts of an array would cover the page. */
const MOST_LINES = 8;

/** Marks names in the lines of a source, which come out escaped. */
export class RangeMarks {
  readonly #ranges: HoverRanges | null;
  readonly #numbers = new Map<string, number>();

  constructor(ranges: HoverRanges | null) {
    this.#ranges = ranges;
  }

  markLines(text: string): string[] {
    const lines = text.split('\n');
    const ranges = this.#ranges;
    if (ranges === null) return lines.map(escapeXml);
    const code = maskCText(text).split('\n');
    return lines.map((line, at) => this.#markLine(line, code[at] ?? '', ranges));
  }

  #markLine(line: string, code: string, { texts }: HoverRanges): string {
    let marked = '';
    let done = 0;
    for (const match of code.matchAll(/(?<![\w.]|->)[A-Za-z_]\w*/g)) {
      const [name] = match;
      if (!texts.has(name)) continue;
      if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size);
      marked += `${escapeXml(line.slice(done, match.index))}<i data-r="${this.#numbers.get(name)}">${escapeXml(name)}</i>`;
      done = match.index + name.length;
    }
    return marked + escapeXml(line.slice(done));
  }

  /** What stands below the source: of what the ranges speak, and the table with the script that shows it. */
  printTable(): string {
    const ranges = this.#ranges;
    if (ranges === null || this.#numbers.size === 0) return '';
    const table = [...this.#numbers.keys()].map((name) => shorten(ranges.texts.get(name) ?? []).join('\n'));
    const json = JSON.stringify(table).replace(/</g, '\\u003c');
    const scope = [HOW, ...ranges.scope].map(escapeXml).join(' ');
    return `<p class="scope">${scope}</p><script type="application/json" id="ranges">${json}</script><script>${RANGES_SCRIPT}</script>`;
  }
}

function shorten(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more`];
}
