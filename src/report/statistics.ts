/** What a check spent and how large its formulas were: for people, or as one line of JSON. */

import type { FormulaSize, Stage } from '../outcome/progress.ts';
import { groupDigits } from '../support/group-digits.ts';
import { largestOf } from '../support/push-all.ts';

export interface StageStatistics extends Stage, FormulaSize {}

export interface CheckStatistics {
  readonly stages: readonly StageStatistics[];
  /** Milliseconds by what they were spent on. */
  readonly times: ReadonlyMap<string, number>;
  readonly elapsedMs: number;
  readonly peakMemoryBytes: number;
}

export function printStatistics(statistics: CheckStatistics, asJson: boolean): string {
  const { stages, times, elapsedMs, peakMemoryBytes } = statistics;
  if (asJson) {
    const timesMs = Object.fromEntries([...times].map(([what, ms]) => [what, Math.round(ms)]));
    return `${JSON.stringify({ stages, timesMs, elapsedMs: Math.round(elapsedMs), peakMemoryBytes })}\n`;
  }
  const heading = ['unwind', 'rounds', 'threads', 'steps', 'cells (chain+selection)', 'terms', 'variables', 'clauses'];
  const rows = stages.map((s) => [
    s.unwind,
    s.rounds,
    s.threads,
    s.steps,
    `${s.cells} (${s.cellsBy.chain}+${s.cellsBy.selection})`,
    s.terms,
    s.variables,
    s.clauses,
  ]);
  const texts = [
    heading,
    ...rows.map((row) => row.map((value) => (typeof value === 'number' ? groupDigits(value) : value))),
  ];
  const widths = heading.map((_, i) => largestOf(texts.map((row) => row[i]?.length ?? 0)));
  const lines = texts.map((row) => `  ${row.map((text, i) => text.padStart(widths[i] ?? 0)).join('  ')}`);
  const spent = [...times].map(([what, ms]) => `${what} ${(ms / 1000).toFixed(2)} s`).join(', ');
  const memory = `${Math.round(peakMemoryBytes / 1024 / 1024)} MB at most`;
  return `${lines.join('\n')}\n  ${spent}; ${(elapsedMs / 1000).toFixed(2)} s in all, ${memory}\n`;
}
