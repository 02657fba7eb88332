/**
 * The map from the lines of an emitted file to the source, as JSON (docs/formats/line-map.md). Lines of control code come from
 * nowhere and have null.
 */

import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import type { Loc, SourceMap } from '../support/source.ts';

export const LINE_MAP_VERSION = 1;

export interface LineMapInput {
  /** The program, as the user named it. */
  readonly program: string;
  /** The emitted file; null if it was not written to one. */
  readonly emitted: string | null;
  readonly output: Sequentialized;
  readonly sources: SourceMap;
}

/** A JSON document that ends with a newline. */
export function printLineMap({ program, emitted, output, sources }: LineMapInput): string {
  const files = new Map<string, number>();
  const locate = (loc: Loc): readonly [number, number, number] | null => {
    const place = sources.place(loc);
    if (place === null) return null;
    if (!files.has(place.file)) files.set(place.file, files.size);
    return [files.get(place.file) ?? 0, place.line, place.column];
  };
  const lines = output.lineMap.map(locate);
  const threads = output.threads.map(({ number, functionName, startName, size, labels }) => ({
    number,
    function: functionName,
    start: startName,
    lastLabel: size,
    labels: Array.from({ length: size + 1 }, (_, label) => {
      const loc = labels[label];
      return loc === undefined ? null : locate(loc);
    }),
  }));
  const head = {
    format: 'lazuli-line-map',
    version: LINE_MAP_VERSION,
    program,
    emitted,
    files: [...files.keys()],
    threads,
  };
  const body = lines.map((line) => JSON.stringify(line)).join(',\n    ');
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "lines": [\n    ${body}\n  ]\n}\n`;
}
