// Makes the caches of compiled code with which a built tool starts (src/cli/load-bundle.ts): runs each command on
// examples and keeps what V8 has compiled until then, so that a cache has just the functions that such runs call.
//
// The tool knows nothing of this. Its processes and worker threads are started with scripts/keep-code.cjs before it,
// which sees the scripts that they load and writes their caches.

import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = exampleOf('bounded-buffer');

/**
 * What is run for each cache, and the exit codes. Caches bear the names of commands, and that of `--version` serves
 * whatever is none. A run starts with the cache that the one before it left, and adds to that: other programs need
 * other functions.
 */
const REHEARSALS = [
  [{ args: ['--version'], code: 0 }],
  [{ args: ['parse', example], code: 0 }],
  [
    { args: ['ranges', example], code: 0 },
    { args: ['ranges', '--json', exampleOf('treiber-stack')], code: 0 },
  ],
  ['bounded-buffer', 'singleton', 'treiber-stack'].map((name) => ({
    args: ['sequentialize', '-o', devNull, '--map', devNull, exampleOf(name)],
    code: 0,
  })),
  [
    { args: ['check', '--no-explore', example], code: 10 },
    { args: ['check', exampleOf('treiber-stack')], code: 10 },
    { args: ['check', exampleOf('singleton', 'safe')], code: 0 },
    { args: ['check', '-u', '1', '-r', '2', exampleOf('singleton', 'safe')], code: 0 },
  ],
];

/**
 * @param {string} name
 * @param {'safe' | 'unsafe'} [kind]
 */
function exampleOf(name, kind = 'unsafe') {
  return path.join(root, `examples/${name}-${kind}.c`);
}

/**
 * @param {string} folder of the built tool
 * @returns {Promise<void>}
 */
export async function cacheCode(folder) {
  await Promise.all(
    REHEARSALS.map(async (runs) => {
      for (const { args, code } of runs) await runOnce(folder, args, code);
    }),
  );
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {number} expected
 */
async function runOnce(folder, args, expected) {
  const keeper = path.join(root, 'scripts/keep-code.cjs');
  const command = ['--require', keeper, path.join(folder, 'lazuli.cjs'), ...args];
  // Caches are read before the tool sets flags of V8, and hold only for the flags with which they were made.
  const env = { ...process.env, LAZULI_GUEST: '1' };
  const ran = promisify(execFile)(process.execPath, command, { env, maxBuffer: 1 << 26 });
  const code = await ran.then(
    () => 0,
    (error) => error.code,
  );
  if (code !== expected) throw new Error(`lazuli ${args.join(' ')}: exit code ${code} instead of ${expected}`);
}
