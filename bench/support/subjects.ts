// What costs are measured on: the examples, and the benchmark programs of others where they are there.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findBenchmarks, readBenchmarkManifest } from '../../test/support/benchmarks.ts';
import { median } from './measure.ts';
import { modelOption } from './programs.ts';

export interface Subject {
  readonly file: string;
  /** The folder that it comes from, by which results are put together. */
  readonly category: string;
  readonly args: readonly string[];
}

/** The C files of these folders, and all of the manifest, as far as the filter lets them. */
export function findSubjects(folders: readonly string[], filter: RegExp): Subject[] {
  const examples = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.c'))
      .map((file) => ({ file: path.join(folder, file), category: folder, args: [] })),
  );
  const benchmarks = findBenchmarks();
  const others =
    benchmarks === null
      ? []
      : readBenchmarkManifest().map((program) => ({
          file: path.join(benchmarks, program.file),
          category: path.basename(path.dirname(program.file)),
          args: [modelOption(program)],
        }));
  return [...examples, ...others].filter(({ file }) => filter.test(file));
}

/** What a program cost: one way, and others to compare with it. */
export interface Cost {
  readonly category: string;
  readonly base: number;
  /** One for each of the other ways. */
  readonly others: readonly number[];
}

/**
 * A row for each category and one for all: how many programs, and of each other way the median and the largest ratio,
 * and that of all programs together, in which long runs count for more.
 */
export function summarise(costs: readonly Cost[]): string[][] {
  const categories = [...new Set(costs.map(({ category }) => category))];
  const rows = categories.map((each) => [each, ...describe(costs.filter(({ category }) => category === each))]);
  return categories.length > 1 ? [...rows, ['all', ...describe(costs)]] : rows;
}

function describe(costs: readonly Cost[]): string[] {
  const ways = costs[0]?.others.map((_, way) => way) ?? [];
  const total = sum(costs.map(({ base }) => base));
  const cells = ways.flatMap((way) => {
    const ratios = costs.map(({ base, others }) => others[way]! / base);
    const together = sum(costs.map(({ others }) => others[way]!)) / total;
    return [median(ratios), Math.max(...ratios), together].map((ratio) => ratio.toFixed(2));
  });
  return [String(costs.length), ...cells];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
