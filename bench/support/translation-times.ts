// How long `lazuli sequentialize` takes for each program, with the options that a user gets: loops with a constant
// number of iterations are copied in full. Bounds are those of the papers where there are any. A first translation is a
// run of the executable, from its start to its end, with the C and the line map written; what V8 compiles as it goes
// counts. The start-up is what `lazuli sequentialize --help` takes, which loads the command and translates nothing.
//
// The fastest of several runs is judged, since other processes can only make one slower, and the median is told beside
// it. The machine has slow phases of minutes: the slowest programs are measured once more at the end. A warm
// translation is the second in the same process.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countLines } from '../../src/support/line-places.ts';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';
import { formatMs, measure, type Times } from './measure.ts';
import { type Bounds, describeBounds, modelOption, shortName, translate } from './programs.ts';
import type { Report } from './report.ts';

const GOAL_MS = 300;
const SHOWN_ROWS = 15;
const USUAL_BOUNDS: Bounds = { unwind: 2, rounds: 2 };

interface Translation {
  readonly program: BenchmarkProgram;
  readonly bounds: Bounds;
  /** The whole run of the executable: the fastest. */
  readonly runMs: number;
  /** The same less the fastest start-up, and of the median run less the median start-up. */
  readonly coldMs: number;
  readonly usualMs: number;
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
  const startUp = await measure(9, () => void lazuli('sequentialize', '--help'));
  const bySlowness = (a: Translation, b: Translation) => b.coldMs - a.coldMs;
  const refused: string[] = [];
  let measured: Translation[] = [];
  const measureOne = async (program: BenchmarkProgram) => {
    const found = await measureProgram(program, folder, path.join(scratch, 'out.c'), startUp);
    if (found) report.progress(`${shortName(program)}  ${formatMs(found.coldMs)}`);
    return found;
  };
  for (const program of programs) {
    const found = await measureOne(program);
    if (found === null) refused.push(shortName(program));
    else measured.push(found);
  }
  measured.sort(bySlowness);
  for (const [at, first] of measured.slice(0, SHOWN_ROWS).entries()) {
    const second = await measureOne(first.program);
    if (second && second.coldMs < first.coldMs) measured = measured.with(at, second);
  }
  rmSync(scratch, { recursive: true });
  measured.sort(bySlowness);
  report.note(
    `The first translation, less the ${formatMs(startUp.minMs)} of start-up; the slowest ${SHOWN_ROWS} programs:`,
  );
  report.table(
    ['program', 'bounds', 'whole run', 'first, after start-up', 'median', 'warm', 'lines', 'size'],
    measured.slice(0, SHOWN_ROWS).map(describe),
  );
  report.note(summarize(measured, refused));
}

async function measureProgram(
  program: BenchmarkProgram,
  folder: string,
  output: string,
  startUp: Times,
): Promise<Translation | null> {
  const { unwind, rounds } = { ...USUAL_BOUNDS, ...program.paper };
  const bounds = { unwind, rounds };
  const file = path.join(folder, program.file);
  const args = ['-u', String(unwind), '-r', String(rounds), modelOption(program), '-o', output, file];
  if (!lazuli('sequentialize', ...args)) return null;
  const cold = await measure(5, () => void lazuli('sequentialize', ...args));
  const warm = await measure(2, () => void translate(file, program.dataModel, bounds, 'lazy2'));
  const { text, lineMap } = translate(file, program.dataModel, bounds, 'lazy2');
  const runMs = cold.minMs;
  const coldMs = Math.max(0, runMs - startUp.minMs);
  const usualMs = Math.max(0, cold.medianMs - startUp.medianMs);
  const [lines, bytes] = [countLines(lineMap), text.length];
  return { program, bounds, runMs, coldMs, usualMs, warmMs: warm.medianMs, lines, bytes };
}

function describe({ program, bounds, runMs, coldMs, usualMs, warmMs, lines, bytes }: Translation): string[] {
  const size = `${(bytes / 1024).toFixed(0)} kB`;
  const times = [runMs, coldMs, usualMs, warmMs].map(formatMs);
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
    `The first translation of a process: ${times(({ coldMs }) => coldMs)}; by medians ${times(({ usualMs }) => usualMs)}.`,
    `Once the code is compiled: ${times(({ warmMs }) => warmMs)}.`,
    `The goal, all of them under ${GOAL_MS} ms after start-up, is ${isMet ? 'met' : 'not met'} for the first translation.`,
    ...(refused.length > 0 ? [`Not translated: ${refused.join(', ')}.`] : []),
  ].join(' ');
}

/** Whether the tool translated something, or said what it was asked. */
function lazuli(...args: string[]): boolean {
  return spawnSync(process.execPath, ['bin/lazuli.js', ...args], { stdio: 'ignore' }).status === 0;
}
