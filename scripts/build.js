// Builds `dist/`: the command line tool as a few ES modules for Node 20, its workers, and the solver's WebAssembly file.
//
// Code splitting keeps the start fast: the entry holds option parsing only, each command is a chunk that is loaded when
// it runs. All files lie flat in one folder, because the solver's glue looks for `cadical.wasm` beside its own chunk and
// the swarm looks for its workers beside its own.

import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generate } from './generate.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the tool into a folder, which is replaced as a whole when all went well.
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function buildInto(folder) {
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    const workers = await findWorkers();
    await bundle(draft, new Map([['lazuli', 'src/cli/main.ts'], ...workers]));
    await chmod(draft, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Bundles modules, with everything they import, into an existing folder.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} entries name in the folder, without extension → path from the root
 * @returns {Promise<void>}
 */
export async function bundle(folder, entries) {
  await generate();
  await build({
    absWorkingDir: root,
    entryPoints: [...entries].map(([name, file]) => ({ in: path.join(root, file), out: name })),
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    // For Node the package gives a CommonJS build, which cannot be bundled into modules; its other build is the same code.
    alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') },
    target: 'node20',
    // Half of the start-up is reading this code. Names stay, for the sake of stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const solver = fileURLToPath(import.meta.resolve('cadical-wasm/cadical.wasm'));
  await copyFile(solver, path.join(folder, 'cadical.wasm'));
}

/**
 * Every `*-worker.ts` below `src/` is the entry of a worker thread.
 * @returns {Promise<[string, string][]>}
 */
async function findWorkers() {
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  return files
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [path.basename(file, '.ts'), path.join('src', file)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildInto(path.join(root, 'dist'));
