// Builds `dist/`: the command line tool, its workers and the library, each as one bundle for Node 20, what V8 compiles
// of them, and the solver's WebAssembly file; with `--declarations` also the types of the library.
//
// Each bundle `NAME.bundle.cjs` has an entry `NAME.cjs` that loads it with its cache (src/cli/load-bundle.ts). All
// files lie flat in one folder, because the solver's glue looks for `cadical.wasm` beside its own bundle and the tool
// looks for its workers beside its own.

import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { cacheCode } from './cache-code.js';
import { writeDeclarations } from './declarations.js';
import { generate } from './generate.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @satisfies {import('esbuild').BuildOptions} */
const commonOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  // For Node the package gives a CommonJS build, which cannot be bundled into modules; its other build is the same
  // code.
  alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') },
  target: 'node20',
  // Names stay, for the sake of stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  legalComments: 'none',
  logLevel: 'warning',
};

/** Modules that most runs do without and that bring large packages: bundles of their own, loaded when imported. */
const APART = ['src/host/queue/bull-queue.ts'];

/** @type {import('esbuild').Plugin} */
const keptApart = {
  name: 'kept-apart',
  setup: (setup) => {
    setup.onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir, kind }) => {
      const file = path.relative(root, path.join(resolveDir, imported));
      const isApart = kind === 'dynamic-import' && APART.includes(file);
      return isApart ? { path: `./${path.basename(file, '.ts')}.cjs`, external: true } : null;
    });
  },
};

/**
 * For a check that needs nothing special (src/cli/load-bundle.ts): of what is loaded when it is asked for, its own
 * command only.
 * @type {import('esbuild').Plugin}
 */
const onlyPlainChecks = {
  name: 'only-plain-checks',
  setup: (setup) => {
    setup.onResolve({ filter: /^(\.|yaml$)/ }, ({ path: imported, kind }) => {
      const isLeftOut = kind === 'dynamic-import' && imported !== './commands/check.ts';
      return isLeftOut ? { path: './not-in-this-bundle.cjs', external: true } : null;
    });
  },
};

/** The library is loaded once, however it is imported: a UsageError is the same class for all. */
const LIBRARY_AS_MODULE = "import library from './index.cjs';\nexport const { UsageError, verify } = library;\n";

/**
 * Builds the tool into a folder, which is replaced as a whole when all went well.
 * @param {string} folder
 * @param {{ withCaches?: boolean, withDeclarations?: boolean }} [options] without caches the tool is built in half the
 *   time, and starts slower
 * @returns {Promise<void>}
 */
export async function buildInto(folder, { withCaches = true, withDeclarations = false } = {}) {
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    await bundleTool(draft);
    if (withCaches) await cacheCode(draft);
    if (withDeclarations) await writeDeclarations(draft);
    await chmod(draft, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * The bundles of the tool and its workers, and their entries.
 * @param {string} folder
 */
async function bundleTool(folder) {
  await generate();
  const bundles = new Map([['lazuli', 'src/cli/main.ts'], ...(await findWorkers())]);
  const entriesOf = (/** @type {Iterable<[string, string]>} */ all) =>
    [...all].map(([name, file]) => ({ in: path.join(root, file), out: `${name}.bundle` }));
  const plain = new Map([['plain', 'src/cli/main.ts']]);
  /** @satisfies {import('esbuild').BuildOptions} */
  const bundleOptions = {
    ...commonOptions,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    define: { 'import.meta.url': 'bundleUrl' },
    // Scripts with a cache cannot import; what is left to import are Node's own modules.
    supported: { 'dynamic-import': false },
  };
  await build({ ...bundleOptions, entryPoints: entriesOf(plain), plugins: [onlyPlainChecks] });
  await build({
    ...bundleOptions,
    entryPoints: [
      ...entriesOf(bundles),
      { in: path.join(root, 'src/cli/load-bundle.ts'), out: 'load-bundle' },
      { in: path.join(root, 'src/host/verify.ts'), out: 'index' },
      ...APART.map((file) => ({ in: path.join(root, file), out: path.basename(file, '.ts') })),
    ],
    plugins: [keptApart],
  });
  for (const name of [...bundles.keys(), ...plain.keys()]) await requireAscii(path.join(folder, `${name}.bundle.cjs`));
  for (const name of bundles.keys()) {
    const command = name === 'lazuli' ? 'process.argv[2]' : 'undefined';
    const text = `require('./load-bundle.cjs').loadBundle(__dirname, '${name}', ${command});\n`;
    await writeFile(path.join(folder, `${name}.cjs`), text);
  }
  await writeFile(path.join(folder, 'index.mjs'), LIBRARY_AS_MODULE);
  await copySolver(folder);
}

/**
 * Bundles are read byte by byte (src/cli/load-bundle.ts). The bundler escapes other characters in strings, but not in
 * regular expressions.
 * @param {string} file
 */
async function requireAscii(file) {
  const text = await readFile(file, 'utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  const at = text.search(/[^\x00-\x7f]/);
  if (at !== -1) throw new Error(`${path.basename(file)} is not ASCII: ${text.slice(Math.max(0, at - 60), at + 20)}`);
}

/**
 * Bundles modules that are not part of the tool, with everything they import, into an existing folder.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} entries name in the folder, without extension → path from the root
 * @returns {Promise<void>}
 */
export async function bundle(folder, entries) {
  await generate();
  await build({
    ...commonOptions,
    entryPoints: [...entries].map(([name, file]) => ({ in: path.join(root, file), out: name })),
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
  });
  await copySolver(folder);
}

/** @param {string} folder */
async function copySolver(folder) {
  const solver = fileURLToPath(import.meta.resolve('cadical-wasm/cadical.wasm'));
  await copyFile(solver, path.join(folder, 'cadical.wasm'));
}

/**
 * Every `*-worker.ts` below `src/` is a worker thread.
 * @returns {Promise<[string, string][]>}
 */
async function findWorkers() {
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  return files
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [path.basename(file, '.ts'), path.join('src', file)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(path.join(root, 'dist'), { withDeclarations: process.argv.includes('--declarations') });
}
