// The declarations of the library for TypeScript: `dist/types/`, with those files only that the entry refers to.
//
// The compiler writes a declaration beside each source file; the names of imports become those of the built files.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = 'host/verify.d.ts';

/**
 * @param {string} folder of the built tool
 * @returns {Promise<void>}
 */
export async function writeDeclarations(folder) {
  const draft = await mkdtemp(path.join(tmpdir(), 'lazuli-types-'));
  try {
    await emitInto(draft);
    const files = new Map();
    await collect(path.join(draft, 'src'), ENTRY, files);
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(folder, 'types', file)), { recursive: true });
      await writeFile(path.join(folder, 'types', file), text);
    }
    // The same types seen from ES modules and from CommonJS; what is CommonJS can be used by both.
    await writeFile(path.join(folder, 'types/package.json'), '{ "type": "commonjs" }\n');
    for (const name of ['index.d.mts', 'index.d.cts']) {
      await writeFile(path.join(folder, name), "export * from './types/host/verify.js';\n");
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Only what the entry imports is compiled: other files may export what no declaration can say.
 * @param {string} folder
 */
async function emitInto(folder) {
  const project = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: folder,
      rootDir: root,
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: [],
    files: [path.join(root, 'src', ENTRY.replace('.d.ts', '.ts'))],
  };
  const file = path.join(folder, 'tsconfig.json');
  await writeFile(file, JSON.stringify(project));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', file], { cwd: root });
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {Map<string, string>} files the declarations that `file` refers to, and itself, are added
 */
async function collect(folder, file, files) {
  if (files.has(file)) return;
  const text = await readFile(path.join(folder, file), 'utf8');
  files.set(file, text.replace(/(from |import\()'(\.[^']*)\.ts'/g, "$1'$2.js'"));
  for (const [, specifier] of text.matchAll(/(?:from |import\()'(\.[^']*)\.ts'/g)) {
    await collect(folder, path.posix.join(path.posix.dirname(file), `${specifier}.d.ts`), files);
  }
}
