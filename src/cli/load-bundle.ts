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

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
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

/**
 * Words of a check that does with what most checks do: C files, bounds, the time, the form of the report. It has a
 * bundle of its own, `plain`, without the other commands and without what check loads for other options
 * (scripts/build.js): half the text, and new memory for text is dear.
 */
const PLAIN_WORD = /^(-[ur]|--(unwind|rounds|timeout)(=\d+)?|--json|\d+|[^-].*\.[ci])$/;

function isPlainCheck([command, ...words]: readonly string[]): boolean {
  return command === 'check' && words.every((word) => PLAIN_WORD.test(word));
}

/** Runs the bundle `NAME.bundle.cjs` in a folder; the cache is that of the command, if there is one. */
export function loadBundle(folder: string, name: string, command: string | undefined): void {
  const hasWorker = name === 'lazuli' && WORKER_COMMANDS.includes(command);
  if (hasWorker && !process.argv.some((word) => NEEDS_OTHER_WORKER.test(word)))
    startEarlyWorker(path.join(folder, 'check-worker.cjs'));
  runBundle(folder, name === 'lazuli' && isPlainCheck(process.argv.slice(2)) ? 'plain' : name, command);
  // Caches, Node's own among them, hold only for the flags with which they were made: so this comes when all is loaded,
  // and where a worker is still to start, it is left to that one. Flags hold for the whole process: where that is
  // somebody else's, they stay as they are.
  if (hasWorker || process.env.LAZULI_GUEST === '1') return;
  const { setFlagsFromString } = createRequire(__filename)('node:v8') as typeof import('node:v8');
  setFlagsFromString(`--interrupt-budget=${SHORT_COMMANDS.includes(command) ? SHORT_BUDGET : BUDGET}`);
  setFlagsFromString(`--wasm-tiering-budget=${WASM_BUDGET}`);
  // Of the solver's functions a small formula needs few: the others need not be looked at.
  setFlagsFromString('--wasm-lazy-validation');
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
  const { text, cachedData } = readTextAndCache(filename, path.join(folder, cacheName(name, command)));
  const script = new Script(text, { filename, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  (script.runInThisContext() as ModuleFunction)(module.exports, require, module, filename, folder);
}

const START = Buffer.from('(function(exports,require,module,__filename,__dirname){');
const END = Buffer.from('\n})');

/**
 * The text of a module as a function, and what V8 compiled of it. The text is brought together as bytes, since V8 would
 * copy a string that is put together; the cache then takes the place of these bytes, since new memory costs more than
 * what is read into it.
 */
function readTextAndCache(
  module: string,
  cache: string,
): { readonly text: string; readonly cachedData: Buffer | null } {
  const files = [openSync(module, 'r'), openIfThere(cache)] as const;
  const [size, cacheSize] = files.map((file) => (file === null ? 0 : fstatSync(file).size)) as [number, number];
  const length = START.length + size + END.length;
  const bytes = Buffer.allocUnsafeSlow(Math.max(length, cacheSize));
  bytes.set(START);
  readSync(files[0], bytes, START.length, size, 0);
  bytes.set(END, START.length + size);
  // The build sees to it that bundles are ASCII.
  const text = bytes.toString('latin1', 0, length);
  if (files[1] !== null) readSync(files[1], bytes, 0, cacheSize, 0);
  for (const file of files) if (file !== null) closeSync(file);
  return { text, cachedData: files[1] === null ? null : bytes.subarray(0, cacheSize) };
}

function cacheName(name: string, command: string | undefined): string {
  const isCommand = command !== undefined && /^[a-z]+$/.test(command);
  return isCommand ? `${name}-${command}.cache` : `${name}.cache`;
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}
