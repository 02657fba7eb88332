// How long `lazuli sequentialize` takes for each program, with the options that a user gets: loops with a constant
// number of iterations are copied in full. Bounds are those of the papers where there are any. A first translation is a
// run of the executable, from its start to its end, with the C and the line map written. What any run takes is measured
// by `lazuli --version` and subtracted; to load the code of the translation counts, and so does what V8 compiles as it
// goes. A warm one is the second in the same process.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countLines } from '../../src/support/line-places.ts';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';
import { formatMs, measure } from './measure.ts';
import { type Bounds, describeBounds, modelOption, shortName, translate } from './programs.ts';
import type { Report } from './report.ts';

const GOAL_MS = 300;
const SHOWN_ROWS = 15;
const USUAL_BOUNDS: Bounds = { unwind: 2, rounds: 2 };

interface Translation {
  readonly program: BenchmarkProgram;
  readonly bounds: Bounds;
  /** The whole run of the executable. */
  readonly runMs: number;
  /** The same less the start-up. */
  readonly coldMs: number;
  readonly warmMs: number;
  readonly lines: number;
  readonly bytes: number;
}

/** The slowest programs, and whether all are under the goal. */
export async function measureTranslation(
  report: Report,
  folder: string,
  programs: readonly BenchmarkProgram[],
): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const startUpMs = (await measure(5, () => void lazuli('--version'))).medianMs;
  const measured: Translation[] = [];
  const refused: string[] = [];
  for (const program of programs) {
    const found = await measureProgram(program, folder, path.join(scratch, 'out.c'), startUpMs);
    if (found === null) refused.push(shortName(program));
    else measured.push(found);
    if (found) report.progress(`${shortName(program)}  ${formatMs(found.coldMs)}`);
  }
  rmSync(scratch, { recursive: true });
  measured.sort((a, b) => b.coldMs - a.coldMs);
  report.note(
    `The first translation, less the ${formatMs(startUpMs)} of start-up; the slowest ${SHOWN_ROWS} programs:`,
  );
  report.table(
    ['program', 'bounds', 'whole run', 'first, after start-up', 'warm', 'lines', 'size'],
    measured.slice(0, SHOWN_ROWS).map(describe),
  );
  report.note(summarize(measured, refused));
}

async function measureProgram(
  program: BenchmarkProgram,
  folder: string,
  output: string,
  startUpMs: number,
): Promise<Translation | null> {
  const { unwind, rounds } = { ...USUAL_BOUNDS, ...program.paper };
  const bounds = { unwind, rounds };
  const file = path.join(folder, program.file);
  const args = ['-u', String(unwind), '-r', String(rounds), modelOption(program), '-o', output, file];
  if (!lazuli('sequentialize', ...args)) return null;
  const cold = await measure(3, () => void lazuli('sequentialize', ...args));
  const warm = await measure(2, () => void translate(file, program.dataModel, bounds, 'lazy2'));
  const { text, lineMap } = translate(file, program.dataModel, bounds, 'lazy2');
  const runMs = cold.medianMs;
  const coldMs = Math.max(0, runMs - startUpMs);
  return { program, bounds, runMs, coldMs, warmMs: warm.medianMs, lines: countLines(lineMap), bytes: text.length };
}

function describe({ program, bounds, runMs, coldMs, warmMs, lines, bytes }: Translation): string[] {
  const size = `${(bytes / 1024).toFixed(0)} kB`;
  const times = [runMs, coldMs, warmMs].map(formatMs);
  return [shortName(program), describeBounds(bounds), ...times, String(lines), size];
}

function summarize(measured: readonly Translation[], refused: readonly string[]): string {
  const times = (of: (one: Translation) => number) => {
    const under = measured.filter((one) => of(one) < GOAL_MS).length;
    const slowest = formatMs(Math.max(...measured.map(of)));
    return `${under} of ${measured.length + refused.length} programs under ${GOAL_MS} ms, the slowest with ${slowest}`;
  };
  const isMet = refused.length === 0 && measured.every(({ coldMs }) => coldMs < GOAL_MS);
  return [
    `The first translation of a process: ${times(({ coldMs }) => coldMs)}.`,
    `Once the code is compiled: ${times(({ warmMs }) => warmMs)}.`,
    `The goal, all of them under ${GOAL_MS} ms after start-up, is ${isMet ? 'met' : 'not met'} for the first translation.`,
    ...(refused.length > 0 ? [`Not translated: ${refused.join(', ')}.`] : []),
  ].join(' ');
}

/** Whether the tool translated something, or said what it was asked. */
function lazuli(...args: string[]): boolean {
  return spawnSync(process.execPath, ['bin/lazuli.js', ...args], { stdio: 'ignore' }).status === 0;
}
