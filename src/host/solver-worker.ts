/**
 * The entry of a worker thread that runs one embedded solver for its owner (worker-solver.ts). Requests are served in
 * the order in which they came. While it solves, the thread hears nothing but the shared stop flag, which the solver
 * polls.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { createCadical } from '../solver/cadical-wasm.ts';
import type { SatSolver } from '../solver/solver.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import type { SolverReply, SolverRequest, SolverWorkerData } from './solver-messages.ts';

const port = parentPort;
invariant(port !== null, 'this file runs in a worker thread only');

function reply(message: SolverReply, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

async function serve(solver: SatSolver, request: SolverRequest): Promise<void> {
  switch (request.kind) {
    case 'clauses':
      solver.addClauses(request.clauses);
      return;
    case 'solve': {
      const answer = await solver.solve(request.assumptions, request.limits);
      reply({ kind: 'answer', answer }, answer.kind === 'satisfiable' ? [answer.model.buffer as ArrayBuffer] : []);
      return;
    }
    default:
      assertNever(request);
  }
}

const data = workerData as SolverWorkerData;
const creating = createCadical({
  configuration: data.configuration,
  seed: data.seed,
  shouldStop: () => Atomics.load(data.stopFlag, 0) !== 0,
  ...(data.memoryLimitBytes !== undefined && { memoryLimitBytes: data.memoryLimitBytes }),
  ...(data.wasmUrl !== undefined && { code: data.wasmUrl }),
  ...(data.wantsProgress && { onProgress: (progress) => reply({ kind: 'progress', progress }) }),
});

let served: Promise<unknown> = creating;
port.on('message', (request: SolverRequest) => {
  served = served
    .then(async () => serve(await creating, request))
    .catch((error: unknown) =>
      reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
});
