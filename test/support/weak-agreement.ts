/** What the engines answer to a litmus test, as a C program, under each memory model. */

import { prepare } from '../../src/engines/bounded/prepare.ts';
import { solve } from '../../src/engines/bounded/solve.ts';
import { askReference } from '../../src/engines/order/reference-order.ts';
import { solveFreeOrder } from '../../src/engines/order/solve-free-order.ts';
import { printSteps } from '../../src/execute/print-steps.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import { validateSteps } from '../../src/execute/validate-steps.ts';
import { uniformBounds } from '../../src/program/bounds.ts';
import type { Code } from '../../src/program/code.ts';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { replayCompiled, type Schedule } from '../../src/trace/replay.ts';
import { CHECKS } from './agreement.ts';

export function prepareWeak(code: Code, memoryModel: MemoryModel, unwind = 1, checks = CHECKS): SteppedProgram {
  const prepared = prepare(code, {
    bounds: uniformBounds(unwind),
    limits: { terms: 2_000_000, steps: 20_000, constantIterations: 1000, poll: () => {} },
    checks,
    memoryModel,
  });
  if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
  const faults = validateSteps(prepared.program);
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${printSteps(prepared.program)}`);
  return prepared.program;
}

/**
 * Whether some interleaving has a violation, by the free order with and without reductions, and by the reference. All
 * three must agree, and what they find must replay; or by the first alone. Null when something is cut.
 */
export async function findsInOrder(
  code: Code,
  memoryModel: MemoryModel,
  unwind = 1,
  checks = CHECKS,
  roads: 'all' | 'first' = 'all',
): Promise<boolean | null> {
  const program = prepareWeak(code, memoryModel, unwind, checks);
  const createSolver = () => createCadical();
  const answers: (boolean | null)[] = [];
  for (const isPlain of roads === 'all' ? [false, true] : [false]) {
    const result = await solveFreeOrder(program, { createSolver, isPlain });
    if (result.kind === 'unknown' || result.kind === 'open') throw new Error(result.reason);
    answers.push(result.kind === 'violation' ? true : result.cuts?.length === 0 ? false : null);
    if (result.kind === 'violation') requireReplay(code, result.schedule, memoryModel, checks);
  }
  const [answer = null] = answers;
  if (roads === 'first') return answer;
  const lazily = program.threads.length % 2 === 0 ? { mostTriples: 0 } : {};
  const reference = await askReference(program, createSolver, lazily);
  const expected = answer === false ? 'safe' : 'not-safe';
  if (answers[1] !== answer || (reference !== expected && reference !== 'too-large'))
    throw new Error(`free order ${answers}, reference ${reference}`);
  return answer;
}

function requireReplay(code: Code, schedule: Schedule, memoryModel: MemoryModel, checks: typeof CHECKS): void {
  const replayed = replayCompiled(compileProgram(code), schedule, { checks, memoryModel });
  if (replayed.kind === 'mismatch') throw new Error(`does not replay: ${replayed.message}`);
}

/** Whether so many rounds find a violation; what they find must replay. */
export async function findsInRounds(
  code: Code,
  memoryModel: MemoryModel,
  slots: number,
  unwind = 1,
  checks = CHECKS,
): Promise<boolean> {
  return findsWith(code, memoryModel, { kind: 'rounds', slots }, unwind, checks);
}

export async function findsWith(
  code: Code,
  memoryModel: MemoryModel,
  schedule: { readonly kind: 'rounds' | 'contexts'; readonly slots: number },
  unwind = 1,
  checks = CHECKS,
): Promise<boolean> {
  const program = prepareWeak(code, memoryModel, unwind, checks);
  const result = await solve(program, { schedule, createSolver: () => createCadical(), onFormula: () => {} });
  if (result.kind === 'none') return false;
  if (result.kind !== 'violation') throw new Error(result.reason);
  requireReplay(code, result.schedule, memoryModel, checks);
  return true;
}
