// The benchmark programs as the measurements name, bound and translate them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cbmc } from '../../src/backends/cbmc.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import {
  type Sequentialized,
  type SequentializeOptions,
  sequentialize,
} from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import type { BenchmarkProgram } from '../../test/support/benchmarks.ts';

export interface Bounds {
  readonly unwind: number;
  readonly rounds: number;
}

export type SchemaName = SequentializeOptions['schema'];

/** The name without what the file name says about the expected answer. */
export function shortName({ file }: Pick<BenchmarkProgram, 'file'>): string {
  return path.basename(file).replace(/(_(true|false)-unreach-call.*)?\.[ci]$/, '');
}

/** The smallest bounds that expose the bug, after the papers. */
export function paperBounds({ paper }: BenchmarkProgram): Bounds {
  return { unwind: paper?.unwind ?? 1, rounds: paper?.rounds ?? 1 };
}

export function describeBounds({ unwind, rounds }: Bounds): string {
  return `u${unwind} r${rounds}`;
}

export function modelOption({ dataModel }: Pick<BenchmarkProgram, 'dataModel'>): '--32' | '--64' {
  return dataModel === 'ILP32' ? '--32' : '--64';
}

/** More than any program has: what is measured shall not be cut off. */
const THREAD_LIMIT = 500;

/**
 * Sequential C in the words of CBMC. With `unwindConstantLoops: false` the bound holds for all loops, as in the papers,
 * those with a constant number of iterations included.
 */
export function translate(
  file: string,
  dataModel: DataModel,
  { unwind, rounds }: Bounds,
  schema: SchemaName,
  { unwindConstantLoops = true, atomicStatements = false } = {},
): Sequentialized {
  const text = readFileSync(file, 'utf8');
  const { program } = readProgram({ fileName: file, text, dataModel, models: true });
  if (program === null) throw new Error(`${file} cannot be read`);
  const limits = { unwind, unwindConstantLoops, threadLimit: THREAD_LIMIT };
  const keepLoops = SCHEMAS.some(({ name, keepsLoops }) => name === schema && keepsLoops);
  const options = { ...DEFAULT_BOUND_OPTIONS, ...limits, atomicStatements, keepLoops };
  const bounded = boundProgram(program, options, new DiagnosticSink());
  if (bounded === null) throw new Error(`${file} cannot be bounded`);
  return sequentialize(bounded, {
    schema,
    rounds,
    closingMain: true,
    schedule: null,
    spelling: cbmc.spelling,
    lineDirectives: false,
    cutsOffUnsupported: true,
  });
}
