// Makes the caches of compiled code with which a built tool starts (src/cli/load-bundle.ts): runs each command once on an example and keeps what V8
// has compiled until then, so that a cache has just the functions that such a run calls.
//
// The tool knows nothing of this. Its processes and worker threads are started with scripts/keep-code.cjs before it, which
// sees the scripts that they load and writes their caches.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = path.join(root, 'examples/bounded-buffer-unsafe.c');

/** What is run; the exit code of each. Caches bear the names of commands, and that of `--version` serves whatever is none. */
const RUNS = [
  { args: ['--version'], code: 0 },
  { args: ['parse', example], code: 0 },
  { args: ['ranges', example], code: 0 },
  { args: ['sequentialize', example], code: 0 },
  { args: ['check', '--no-explore', example], code: 10 },
];

/**
 * @param {string} folder of the built tool
 * @returns {Promise<void>}
 */
export async function cacheCode(folder) {
  await Promise.all(RUNS.map(({ args, code }) => runOnce(folder, args, code)));
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {number} expected
 */
async function runOnce(folder, args, expected) {
  const keeper = path.join(root, 'scripts/keep-code.cjs');
  const command = ['--require', keeper, path.join(folder, 'lazuli.cjs'), ...args];
  const ran = promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 26 });
  const code = await ran.then(
    () => 0,
    (error) => error.code,
  );
  if (code !== expected) throw new Error(`lazuli ${args.join(' ')}: exit code ${code} instead of ${expected}`);
}
