import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bruteForce, pigeonhole, randomThreeSat, satisfies } from '../../test/support/formulas.ts';
import { CONFIGURATIONS, choosePortfolio } from '../solver/configurations.ts';
import type { SatAnswer, SatSolver } from '../solver/solver.ts';
import { createRandom } from '../support/random.ts';
import { createEscalatingSolver } from './escalating-solver.ts';
import { createNativeSolver, isNativeSolverInstalled, SolverNotFoundError } from './native-solver.ts';
import { createPortfolioSolver } from './portfolio-solver.ts';
import { createWorkerSolver, type WorkerSolverOptions } from './worker-solver.ts';

let folder: string;
let workerUrl: URL;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lazuli-solvers-'));
  const outfile = join(folder, 'solver-worker.mjs');
  const entry = fileURLToPath(new URL('./solver-worker.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  const wasm = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
  await copyFile(wasm, join(folder, 'cadical.wasm'));
  workerUrl = pathToFileURL(outfile);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const worker = (options: Partial<WorkerSolverOptions> = {}) => createWorkerSolver({ workerUrl, ...options });

/** A member of a portfolio that answers what it is told, at once or when interrupted. */
function scripted(answer: SatAnswer | Error | 'waits'): SatSolver & { interruptions: number } {
  let settle: ((answer: SatAnswer) => void) | undefined;
  return {
    interruptions: 0,
    addClauses() {},
    async solve() {
      if (answer instanceof Error) throw answer;
      if (answer !== 'waits') return answer;
      return new Promise<SatAnswer>((resolve) => {
        settle = resolve;
      });
    },
    interrupt() {
      this.interruptions++;
      settle?.({ kind: 'unknown', reason: 'interrupted' });
    },
    dispose() {},
  };
}

async function interruptAfter(solver: SatSolver, delayMs: number): Promise<[SatAnswer, number]> {
  const answering = solver.solve();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  const started = performance.now();
  solver.interrupt();
  return [await answering, performance.now() - started];
}

/** The fastest of a few interruptions: other processes may keep this one waiting. */
async function reactionOf(solver: SatSolver, delayMs: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && fastest >= 200; attempt++) {
    const [answer, reactionMs] = await interruptAfter(solver, delayMs);
    expect(answer).toEqual({ kind: 'unknown', reason: 'interrupted' });
    fastest = Math.min(fastest, reactionMs);
  }
  return fastest;
}

describe('worker solver', () => {
  it('answers, keeps clauses and takes assumptions', async () => {
    const solver = worker();
    const clauses = Int32Array.of(9, 1, 2, 0, -3, -4, 0).subarray(1);
    solver.addClauses(clauses);
    expect(clauses).toHaveLength(6);
    expect(await solver.solve([3, 4])).toEqual({ kind: 'unsatisfiable', failedAssumptions: [3, 4] });
    solver.addClauses(Int32Array.of(-1, 0));
    const answer = await solver.solve();
    expect(answer.kind === 'satisfiable' && satisfies(answer.model, Int32Array.of(1, 2, 0, -1, 0))).toBe(true);
    solver.dispose();
    expect(await solver.solve()).toMatchObject({ kind: 'unknown', detail: 'disposed of' });
  });

  it('is interrupted within 200 ms on a hard formula, tells its progress, and stays usable', async () => {
    let reports = 0;
    const solver = worker({ onProgress: () => reports++ });
    solver.addClauses(pigeonhole(13));
    expect(await reactionOf(solver, 1000)).toBeLessThan(200);
    expect(reports).toBeGreaterThan(0);
    expect(await solver.solve([], { conflicts: 10 })).toEqual({ kind: 'unknown', reason: 'limit' });
    solver.dispose();
  });

  it('ends a worker that does not react', async () => {
    const deaf = join(folder, 'deaf.mjs');
    await writeFile(
      deaf,
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); });",
    );
    const solver = worker({ workerUrl: pathToFileURL(deaf), graceMs: 50 });
    const [answer, reactionMs] = await interruptAfter(solver, 100);
    expect(answer).toEqual({ kind: 'unknown', reason: 'interrupted', detail: 'the worker had to be ended' });
    expect(reactionMs).toBeGreaterThanOrEqual(45);
    expect(await solver.solve()).toBe(answer);
  });

  it('answers unknown when memory ends and when its script is missing', async () => {
    const small = worker();
    small.addClauses(Int32Array.of(2 ** 31 - 2, 0));
    expect(await small.solve()).toMatchObject({ kind: 'unknown', reason: 'memory' });
    small.dispose();
    const missing = worker({ workerUrl: new URL('./absent.mjs', workerUrl) });
    expect(await missing.solve()).toMatchObject({ kind: 'unknown', reason: 'crashed' });
  });
});

describe('portfolio', () => {
  it('agrees with brute force', async () => {
    const members = choosePortfolio(2, 5).map((choice) => worker(choice));
    const portfolio = createPortfolioSolver(members);
    let clauses = new Int32Array();
    for (let seed = 0; seed < 10; seed++) {
      const more = randomThreeSat(createRandom(seed), 10, 6);
      clauses = Int32Array.from([...clauses, ...more]);
      portfolio.addClauses(more);
      const answer = await portfolio.solve();
      expect(answer.kind).toBe(bruteForce(clauses, 10) ? 'satisfiable' : 'unsatisfiable');
    }
    portfolio.dispose();
  });

  it('takes the first definite answer, interrupts the others, and can go on', async () => {
    const slow = scripted('waits');
    const unsatisfiable: SatAnswer = { kind: 'unsatisfiable', failedAssumptions: [] };
    const portfolio = createPortfolioSolver([slow, scripted(unsatisfiable), scripted(new Error('broken'))]);
    expect(await portfolio.solve()).toBe(unsatisfiable);
    expect(slow.interruptions).toBe(1);
    expect(await portfolio.solve()).toBe(unsatisfiable);
  });

  it('gives the most telling reason when nobody knows, and the error when nobody can', async () => {
    const unknown = (reason: 'interrupted' | 'memory' | 'limit') => scripted({ kind: 'unknown', reason });
    const portfolio = createPortfolioSolver([unknown('interrupted'), unknown('memory'), scripted(new Error('broken'))]);
    expect(await portfolio.solve()).toMatchObject({ reason: 'memory' });
    await expect(createPortfolioSolver([scripted(new Error('broken'))]).solve()).rejects.toThrow('broken');
  });

  it('is interrupted as a whole', async () => {
    const portfolio = createPortfolioSolver([worker(), worker({ configuration: CONFIGURATIONS.unsat })]);
    portfolio.addClauses(pigeonhole(13));
    const [answer] = await interruptAfter(portfolio, 300);
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'interrupted' });
    portfolio.dispose();
  });
});

describe('native solver', () => {
  it('says plainly that a program is missing', async () => {
    const solver = createNativeSolver({ program: 'cadical', path: 'no-such-solver' });
    solver.addClauses(Int32Array.of(1, 0));
    await expect(solver.solve()).rejects.toThrow(SolverNotFoundError);
    await expect(solver.solve()).rejects.toThrow("cannot run the solver 'no-such-solver'");
    expect(await isNativeSolverInstalled('no-such-solver')).toBe(false);
  });

  it('reads what any program prints, and explains one that fails', async () => {
    const echo = createNativeSolver({ program: 'kissat', path: '/bin/false' });
    echo.addClauses(Int32Array.of(1, 0));
    expect(await echo.solve()).toMatchObject({ kind: 'unknown', reason: 'crashed' });
  });

  it('agrees with brute force through cadical, where that is installed', async ({ annotate }) => {
    if (!(await isNativeSolverInstalled('cadical'))) {
      await annotate('no `cadical` on the PATH: its answers were NOT checked');
      expect(await isNativeSolverInstalled('cadical')).toBe(false);
      return;
    }
    for (let seed = 0; seed < 10; seed++) {
      const clauses = randomThreeSat(createRandom(seed), 10, 43);
      const solver = createNativeSolver({ program: 'cadical', seed, configuration: CONFIGURATIONS.sat });
      solver.addClauses(clauses.slice());
      const answer = await solver.solve();
      expect(answer.kind).toBe(bruteForce(clauses, 10) ? 'satisfiable' : 'unsatisfiable');
      if (answer.kind === 'satisfiable') expect(satisfies(answer.model, clauses)).toBe(true);
    }
    const hard = createNativeSolver({ program: 'cadical' });
    hard.addClauses(pigeonhole(13));
    expect(await hard.solve([], { conflicts: 10 })).toMatchObject({ kind: 'unknown', reason: 'limit' });
    expect(await reactionOf(hard, 200)).toBeLessThan(200);
    const small = createNativeSolver({ program: 'cadical' });
    small.addClauses(Int32Array.of(1, 2, 0));
    expect(await small.solve([-1, -2])).toEqual({ kind: 'unsatisfiable', failedAssumptions: [-1, -2] });
    expect((await small.solve([7])).kind).toBe('satisfiable');
  });
});

describe('a solver that starts small', () => {
  const answerOf = (quick: SatAnswer) => {
    const createQuick = async () => scripted(quick);
    const createStrong = async () => scripted({ kind: 'unsatisfiable', failedAssumptions: [] });
    return createEscalatingSolver({ createQuick, createStrong, quickConflicts: 1 }).solve();
  };

  it('asks strong ones where the small one gives up, and nobody where it was told to stop', async () => {
    expect((await answerOf({ kind: 'unknown', reason: 'limit' })).kind).toBe('unsatisfiable');
    expect(await answerOf({ kind: 'unknown', reason: 'interrupted' })).toMatchObject({ reason: 'interrupted' });
  });
});
