// No program with a known bug is ever called safe by the free order; and the litmus-like correct ones are. What the
// bounds cut, or what takes long, is not judged.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { solveFreeOrder } from '../../src/engines/order/solve-free-order.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { prepareSteps, readCode } from '../support/agreement.ts';
import { findBenchmarks, readBenchmarkManifest } from '../support/benchmarks.ts';

const CHECKS = new Set(['assertion'] as const);
const SOLVER_MS = 4_000;

async function verdictOf(file: string, dataModel: 'ILP32' | 'LP64'): Promise<string> {
  const text = readFileSync(path.join(findBenchmarks() as string, file), 'utf8');
  const program = prepareSteps(readCode(text, dataModel, { checks: CHECKS }), 1, CHECKS);
  if (typeof program === 'string') return program;
  const end = performance.now() + SOLVER_MS;
  const createSolver = () => createCadical({ seed: 1, shouldStop: () => performance.now() > end });
  const result = await solveFreeOrder(program, { createSolver, mustStop: () => performance.now() > end });
  return result.kind === 'none' ? (result.cuts?.length === 0 ? 'safe' : 'cut') : result.kind;
}

const programs = readBenchmarkManifest().filter(({ file }) => file.includes('pthread-wmm'));

describe('the free order on programs of others', () => {
  it('calls no program with a bug safe', async () => {
    for (const { file, dataModel } of programs.filter(({ expected }) => expected === 'unsafe')) {
      expect(`${file}: ${await verdictOf(file, dataModel)}`).not.toBe(`${file}: safe`);
    }
  }, 600_000);

  it('proves the correct ones', async () => {
    for (const { file, dataModel } of programs.filter(({ expected }) => expected === 'safe')) {
      expect(['safe', 'unknown'], file).toContain(await verdictOf(file, dataModel));
    }
  }, 600_000);
});
