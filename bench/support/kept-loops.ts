// The schema ul beside lazy2: how long the translation takes once the code is compiled, and how large the C is. With
// its loops, a program has the same size whatever the bounds; lazy2 has those of the papers where there are any.

import path from 'node:path';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';
import { formatMs, measure, median } from './measure.ts';
import { type Bounds, describeBounds, type SchemaName, shortName, translate } from './programs.ts';
import type { Report } from './report.ts';

const SHOWN_ROWS = 10;
/** Loops that create threads are unwound as often, as in the thesis. */
const USUAL_BOUNDS: Bounds = { unwind: 2, rounds: 2 };

interface Translated {
  readonly ms: number;
  readonly bytes: number;
}

export async function measureKeptLoops(
  report: Report,
  folder: string,
  programs: readonly BenchmarkProgram[],
): Promise<void> {
  const refused: string[] = [];
  const rows: {
    readonly name: string;
    readonly bounds: Bounds;
    readonly ul: Translated;
    readonly lazy2: Translated;
  }[] = [];
  for (const program of programs) {
    const { unwind, rounds } = { ...USUAL_BOUNDS, ...program.paper };
    const bounds = { unwind, rounds };
    const ul = await translateOrRefuse(program, folder, USUAL_BOUNDS, 'ul');
    const lazy2 = await translateOrRefuse(program, folder, bounds, 'lazy2');
    if (ul === null || lazy2 === null) refused.push(shortName(program));
    else rows.push({ name: shortName(program), bounds, ul, lazy2 });
    report.progress(`${shortName(program)}  ${ul ? formatMs(ul.ms) : 'refused'}`);
  }
  if (rows.length === 0) return;
  rows.sort((a, b) => b.ul.ms - a.ul.ms);
  const ofAll = (of: (one: (typeof rows)[number]) => number) => median(rows.map(of));
  report.note(`\nWith loops (ul) and without (lazy2), once the code is compiled; the slowest ${SHOWN_ROWS} programs:`);
  report.table(
    ['program', 'ul', 'size', 'lazy2', 'bounds', 'size'],
    rows
      .slice(0, SHOWN_ROWS)
      .map(({ name, bounds, ul, lazy2 }) => [
        name,
        ...describe(ul),
        formatMs(lazy2.ms),
        describeBounds(bounds),
        kB(lazy2.bytes),
      ]),
  );
  report.note(
    `Medians of ${rows.length} programs: ${formatMs(ofAll(({ ul }) => ul.ms))} and ${kB(ofAll(({ ul }) => ul.bytes))} with ul, ` +
      `${formatMs(ofAll(({ lazy2 }) => lazy2.ms))} and ${kB(ofAll(({ lazy2 }) => lazy2.bytes))} with lazy2.` +
      (refused.length > 0 ? ` Refused: ${refused.join(', ')}.` : ''),
  );
}

/** null for what the passes refuse: recursion, where loops are kept. */
async function translateOrRefuse(
  { file, dataModel }: BenchmarkProgram,
  folder: string,
  bounds: Bounds,
  schema: SchemaName,
): Promise<Translated | null> {
  const run = () => translate(path.join(folder, file), dataModel, bounds, schema);
  try {
    const bytes = run().text.length;
    const { medianMs: ms } = await measure(2, () => void run());
    return { ms, bytes };
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('cannot be bounded')) return null;
    throw error;
  }
}

function describe({ ms, bytes }: Translated): string[] {
  return [formatMs(ms), kB(bytes)];
}

function kB(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} kB`;
}
