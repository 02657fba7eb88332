// What each technique of the proof engine brings: the same correct programs, with all techniques and without one of
// them, each at the same limit of CPU time. In this process, the proof engine alone, without the second road.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { prove } from '../../src/engines/prove/prove.ts';
import type { Techniques } from '../../src/engines/prove/search-proof.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { readCode } from '../../test/support/agreement.ts';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';
import { formatMs, median } from './measure.ts';
import { shortName } from './programs.ts';
import type { Report } from './report.ts';

const VARIANTS: readonly { readonly name: string; readonly techniques: Partial<Techniques> }[] = [
  { name: 'all techniques', techniques: {} },
  { name: 'without inferred locks', techniques: { locks: false } },
  { name: 'bits only, no predicates', techniques: { predicates: false } },
  { name: 'without search at small width', techniques: { smallWidth: false } },
  { name: 'without slicing and substitution', techniques: { reduce: false } },
  { name: 'without counting of threads', techniques: { counting: false } },
  { name: 'without enumeration of states', techniques: { enumeration: false } },
];

/** Programs that are tried before anything is measured. */
const WARM_UP = 4;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export async function measureAblation(
  report: Report,
  folder: string,
  programs: readonly BenchmarkProgram[],
  seconds: number,
): Promise<void> {
  const rows: string[][] = [];
  // To warm up: a process that has just started has compiled nothing yet, and the first row would pay for all.
  for (const program of programs.slice(0, WARM_UP)) {
    await tryProof(readFileSync(path.join(folder, program.file), 'utf8'), program, {}, seconds);
  }
  for (const { name, techniques } of VARIANTS) {
    const times: number[] = [];
    for (const program of programs) {
      const start = cpuMs();
      const isProved = await tryProof(
        readFileSync(path.join(folder, program.file), 'utf8'),
        program,
        techniques,
        seconds,
      );
      if (isProved) times.push(cpuMs() - start);
      report.progress(`${name}: ${shortName(program)}: ${isProved ? 'proved' : 'open'}`);
    }
    rows.push([name, `${times.length} of ${programs.length}`, times.length === 0 ? '-' : formatMs(median(times))]);
  }
  report.note(
    `The proof engine alone, assertions only, at most ${seconds} s of CPU time a program. The time is the median over ` +
      'what is proved, without the second road.',
  );
  report.table(['techniques', 'proved', 'CPU'], rows);
}

async function tryProof(
  text: string,
  { dataModel }: BenchmarkProgram,
  techniques: Partial<Techniques>,
  seconds: number,
): Promise<boolean> {
  const checks = new Set(['assertion'] as const);
  const code = readCode(text, dataModel, { checks });
  const options = { checks, timeLimitMs: 1000 * seconds, confirmMs: 0, techniques };
  const outcome = await prove(code, options, { clock: cpuMs, createSolvers: createIncrementalSolvers });
  return outcome.kind === 'proved';
}
