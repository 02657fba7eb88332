// Builds `dist/`: the command line tool as a few ES modules for Node 20, its workers, and the solver's WebAssembly file.
//
// Code splitting keeps the start fast: the entry holds option parsing only, each command is a chunk that is loaded when
// it runs. All files lie flat in `dist/`, because the solver's glue looks for `cadical.wasm` beside its own chunk and
// the swarm looks for its workers beside its own.

import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generate } from './generate.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Promise<string[]>} the worker entries, every `*-worker.ts` below src */
async function findWorkers() {
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  return files.filter((file) => file.endsWith('-worker.ts')).map((file) => path.join(root, 'src', file));
}

/**
 * @param {string} outdir
 * @returns {Promise<void>}
 */
export async function buildInto(outdir) {
  await generate();
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const workers = await findWorkers();
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: path.join(root, 'src/cli/main.ts'), out: 'lazuli' },
      ...workers.map((file) => ({ in: file, out: path.basename(file, '.ts') })),
    ],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const solver = fileURLToPath(import.meta.resolve('cadical-wasm/cadical.wasm'));
  await copyFile(solver, path.join(outdir, 'cadical.wasm'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildInto(path.join(root, 'dist'));
