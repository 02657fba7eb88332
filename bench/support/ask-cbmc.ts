// One question to CBMC about a benchmark program: translate it, run CBMC on the result, and tell the verdict and the
// sizes.

import path from 'node:path';
import { cbmc } from '../../src/backends/cbmc.ts';
import { readCbmcStatistics } from '../../src/backends/read-cbmc-output.ts';
import { runBackend } from '../../src/host/run-backend.ts';
import { InvariantError } from '../../src/support/invariant.ts';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';
import { type Bounds, type SchemaName, translate } from './programs.ts';

export interface CbmcRun {
  /** `safe`, `violation`, or why there is no answer. */
  readonly verdict: string;
  readonly elapsedMs: number;
  readonly emittedBytes: number;
  readonly variables: number | null;
  readonly clauses: number | null;
}

/** How a program is translated. In all of them the bound holds for all loops, as in the papers. */
export interface Form {
  readonly schema: SchemaName;
  readonly atomicStatements: boolean;
}

export const describeForm = ({ schema, atomicStatements }: Form): string =>
  atomicStatements ? `${schema}, atomic statements` : schema;

/** Programs are in `folder`. */
export async function askCbmc(
  folder: string,
  program: Pick<BenchmarkProgram, 'file' | 'dataModel'>,
  bounds: Bounds,
  form: Form,
  seconds: number,
): Promise<CbmcRun> {
  const { verifier } = cbmc;
  if (verifier === null) throw new Error('CBMC is a verifier');
  const text = tryTranslate(folder, program, bounds, form);
  if (text === null) {
    return { verdict: 'not translated', elapsedMs: 0, emittedBytes: 0, variables: null, clauses: null };
  }
  const { dataModel } = program;
  const run = await runBackend({ backend: cbmc, verifier, text, dataModel, timeoutMs: seconds * 1000 });
  const verdict = run.answer.kind === 'unknown' ? run.answer.reason : run.answer.kind;
  return { verdict, elapsedMs: run.elapsedMs, emittedBytes: text.length, ...readCbmcStatistics(run.stdout) };
}

/** null for programs with C that the passes refuse. */
export function tryTranslate(
  folder: string,
  { file, dataModel }: Pick<BenchmarkProgram, 'file' | 'dataModel'>,
  bounds: Bounds,
  { schema, atomicStatements }: Form,
): string | null {
  try {
    const options = { unwindConstantLoops: false, atomicStatements };
    return translate(path.join(folder, file), dataModel, bounds, schema, options).text;
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    return null;
  }
}
