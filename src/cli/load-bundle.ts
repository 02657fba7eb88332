// The first code that runs, in the process and in its workers: loads a bundle of the tool with what V8 compiled of it
// when the tool was built. Half of a short run was compiling, each function when it is called first; with its byte code
// at hand V8 need not even read the source.
//
// A cache is made by scripts/cache-code.js for each command, because each runs other functions. V8 takes it only from
// the same version of itself with the same flags; otherwise, and without a cache, it compiles as ever. It knows the
// source by its length alone: the build replaces bundles and caches together.
//
// Built to a module of the old kind, as the bundles are, and so is `bin/lazuli.js`: only scripts can have a cache in
// Node 20, and the loader of ES modules takes ten milliseconds more to start.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { startEarlyWorker } from '../host/early-worker.ts';

type ModuleFunction = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

/**
 * How long V8 waits before it compiles a function again, for optimised code; 67,584 by itself. Most runs are over
 * before that pays off. This saved about a fifth of the CPU time of short checks; one long symbolic execution took a
 * quarter more (6.3 to 7.9 s).
 */
const BUDGET = 500_000;
/** For commands that are over even sooner: this saves another tenth of their CPU time. */
const SHORT_BUDGET = 2_000_000;
const SHORT_COMMANDS: readonly (string | undefined)[] = ['sequentialize', 'ranges'];

/**
 * The same for WebAssembly; 1,800,000 by itself. Most formulas are solved before optimised code of the solver pays off:
 * compiling it in other threads took as long as solving, and the process cannot end before it is done. Solvers that run
 * for seconds do not notice.
 */
const WASM_BUDGET = 40_000_000;

/** Commands that run in a worker. */
const WORKER_COMMANDS: readonly (string | undefined)[] = ['check', 'prove'];
/** Words of a command line after which the worker of a check would have started in vain. */
const NEEDS_OTHER_WORKER = /^(-h$|--(help|backend|memory-limit))/;

/** Runs the bundle `NAME.bundle.cjs` in a folder; the cache is that of the command, if there is one. */
export function loadBundle(folder: string, name: string, command: string | undefined): void {
  const hasWorker = name === 'lazuli' && WORKER_COMMANDS.includes(command);
  if (hasWorker && !process.argv.some((word) => NEEDS_OTHER_WORKER.test(word)))
    startEarlyWorker(path.join(folder, 'check-worker.cjs'));
  runBundle(folder, name, command);
  // Caches, Node's own among them, hold only for the flags with which they were made: so this comes when all is loaded,
  // and where a worker is still to start, it is left to that one. Flags hold for the whole process: where that is
  // somebody else's, they stay as they are.
  if (hasWorker || process.env.LAZULI_GUEST === '1') return;
  const { setFlagsFromString } = createRequire(__filename)('node:v8') as typeof import('node:v8');
  setFlagsFromString(`--interrupt-budget=${SHORT_COMMANDS.includes(command) ? SHORT_BUDGET : BUDGET}`);
  setFlagsFromString(`--wasm-tiering-budget=${WASM_BUDGET}`);
}

function runBundle(folder: string, name: string, command: string | undefined): void {
  const filename = path.join(folder, `${name}.bundle.cjs`);
  const require = createRequire(filename);
  if (process.env.LAZULI_DEBUG === '1') {
    // Only modules that Node loads itself get their source maps.
    process.setSourceMapsEnabled(true);
    require(filename);
    return;
  }
  const cachedData = readCache(folder, name, command);
  const script = new Script(readAsFunction(filename), { filename, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  (script.runInThisContext() as ModuleFunction)(module.exports, require, module, filename, folder);
}

/** The text of a module as a function: brought together as bytes, since V8 would copy a string that is put together. */
function readAsFunction(filename: string): string {
  const file = openSync(filename, 'r');
  const { size } = fstatSync(file);
  const start = Buffer.from('(function(exports,require,module,__filename,__dirname){');
  const end = Buffer.from('\n})');
  const bytes = Buffer.allocUnsafeSlow(start.length + size + end.length);
  bytes.set(start);
  readSync(file, bytes, start.length, size, 0);
  bytes.set(end, start.length + size);
  closeSync(file);
  // The build sees to it that bundles are ASCII.
  return bytes.toString('latin1');
}

function readCache(folder: string, name: string, command: string | undefined): Buffer | null {
  const isCommand = command !== undefined && /^[a-z]+$/.test(command);
  const file = isCommand ? `${name}-${command}.cache` : `${name}.cache`;
  try {
    return readFileSync(path.join(folder, file));
  } catch {
    return null;
  }
}
