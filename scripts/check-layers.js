// Checks that the imports in `src/` obey the layers (see layers.js): prints file, line and reason of each violation,
// and fails if there is one. `check-layers.js FOLDER` checks another tree than this repository.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findViolations } from './layers.js';

/**
 * @param {string} root a folder that holds `src/`
 * @returns {Promise<Map<string, string>>} all TypeScript files below `src/`, as findViolations wants them
 */
async function readSources(root) {
  const names = await readdir(path.join(root, 'src'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).sort();
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const name of files) {
    texts.set(`src/${name.split(path.sep).join('/')}`, await readFile(path.join(root, 'src', name), 'utf8'));
  }
  return texts;
}

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const sources = await readSources(root);
const violations = findViolations(sources);
for (const { file, line, message } of violations) console.log(`${file}:${line}: ${message}`);
console.log(`layers: ${sources.size} files, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
