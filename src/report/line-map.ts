/**
 * The map from the lines of an emitted file to the source, as JSON (docs/formats/line-map.md). Lines of control code
 * come from nowhere and have null.
 */

import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import type { Loc, SourceMap } from '../support/source.ts';

export const LINE_MAP_VERSION = 1;

const SEPARATOR = ',\n    ';

export interface LineMapInput {
  /** The program, as the user named it. */
  readonly program: string;
  /** The emitted file; null if it was not written to one. */
  readonly emitted: string | null;
  readonly output: Sequentialized;
  readonly sources: SourceMap;
}

/**
 * A JSON document that ends with a newline. Few places occur, each on many lines: copies of loops have those of the
 * loop.
 */
export function printLineMap({ program, emitted, output, sources }: LineMapInput): string {
  const files = new Map<string, number>();
  const texts = new Map<Loc, string>();
  const printPlace = (loc: Loc): string => {
    const place = sources.place(loc);
    if (place === null) return 'null';
    const file = files.get(place.file) ?? files.size;
    files.set(place.file, file);
    return `[${file},${place.line},${place.column}]`;
  };
  const locate = (loc: Loc): string => {
    const known = texts.get(loc);
    if (known !== undefined) return known;
    const text = printPlace(loc);
    texts.set(loc, text);
    return text;
  };
  const pieces = new Map<readonly Loc[], string>();
  const locatePiece = (piece: readonly Loc[]): string => {
    const known = pieces.get(piece);
    if (known !== undefined) return known;
    const text = piece.map(locate).join(SEPARATOR);
    pieces.set(piece, text);
    return text;
  };
  const lines = output.lineMap.map((piece) => (typeof piece === 'number' ? locate(piece) : locatePiece(piece)));
  const threads = output.threads.map(({ number, functionName, startName, size, labels }) => {
    const head = JSON.stringify({ number, function: functionName, start: startName, lastLabel: size });
    return `${head.slice(0, -1)},"labels":[${labels.map(locate).join()}]}`;
  });
  const head = { format: 'lazuli-line-map', version: LINE_MAP_VERSION, program, emitted, files: [...files.keys()] };
  return [
    JSON.stringify(head, null, 2).slice(0, -2),
    `,\n  "threads": [\n    ${threads.join(',\n    ')}\n  ],\n  "lines": [\n    ${lines.join(SEPARATOR)}\n  ]\n}\n`,
  ].join('');
}
