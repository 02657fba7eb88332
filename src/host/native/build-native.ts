/**
 * Builds a program so that it runs in the order of a counterexample: the user's own files, compiled by gcc with a call
 * before every access to memory (those of -fsanitize=thread), linked with our runtime in place of ThreadSanitizer's,
 * and with the library of AddressSanitizer; for a data race with our runtime before ThreadSanitizer's, which exists for
 * 64 bits only. Functions that nobody defines give the inputs of the counterexample. The lines that calls come from are
 * read from the debug information.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CheckName } from '../../program/code.ts';
import type { Trace } from '../../trace/trace.ts';
import { makePlan, type Plan, ROUTINES } from './plan.ts';
import { numberFile, numberText, printPlan, printStubs } from './print-plan.ts';
import { RUNTIME } from './runtime-text.ts';

export interface NativeRequest {
  readonly trace: Trace;
  readonly files: readonly string[];
  /** As for gcc: `-I…`, `-D…`. */
  readonly compilerOptions: readonly string[];
  /** An existing folder for all that is made. */
  readonly folder: string;
  /** After so long without an event, the run counts as stuck. */
  readonly patienceSeconds: number;
  /** Locals that nobody initialises hold a pattern that means nothing, and not what happens to lie there. */
  readonly fillsLocals: boolean;
}

export interface NativeProgram {
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
}

export type NativeBuild =
  | { readonly kind: 'built'; readonly program: NativeProgram }
  /** It does not compile or link. */
  | { readonly kind: 'failed'; readonly reason: string };

/** What gcc's own checks stop at. */
const SANITIZED: Readonly<Partial<Record<CheckName, string>>> = {
  bounds: 'bounds',
  overflow: 'signed-integer-overflow',
  shift: 'shift',
  division: 'integer-divide-by-zero',
};

/** Routines that the runtime wraps beside those of the plan. */
const WATCHED = ['sleep', 'usleep', 'nanosleep', 'sem_init', 'pthread_mutex_destroy'];
const ALLOCATORS = ['malloc', 'calloc', 'realloc'];

export async function buildNative(request: NativeRequest): Promise<NativeBuild> {
  const { folder, files, trace } = request;
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  const { check } = trace.violation;
  const isRace = check === 'race';
  const sanitized = SANITIZED[check];
  const common = [trace.dataModel === 'ILP32' && !isRace ? '-m32' : '-m64', '-g', '-O0', '-w', '-no-pie', '-fno-pie'];
  const hooked = [
    ...common,
    `-fsanitize=thread${sanitized ? `,${sanitized}` : ''}`,
    '-finstrument-functions',
    ...(sanitized ? ['-fno-sanitize-recover=all'] : []),
    ...(request.fillsLocals ? ['-ftrivial-auto-var-init=pattern'] : []),
    ...request.compilerOptions,
  ];
  const objects = files.map((_, i) => at(`${i}.o`));
  const compile = async (...more: string[]) => {
    for (const [i, file] of files.entries()) {
      const language = file.endsWith('.i') ? ['-x', 'cpp-output'] : ['-x', 'c'];
      const fault = await tryGcc([...hooked, ...more, ...language, '-c', file, '-o', objects[i] as string]);
      if (fault !== null) return fault;
    }
    return null;
  };
  const compiled = await compile();
  if (compiled !== null) return { kind: 'failed', reason: `gcc does not compile it: ${firstError(compiled)}` };
  for (const [name, text] of RUNTIME) writeFileSync(at(name), text);
  writeFileSync(at('stubs.c'), '');
  const plan = makePlan(trace);
  writeFileSync(at('plan.c'), printPlan(plan, trace, request.patienceSeconds));
  const executable = at('program');
  const wrapped = [...ROUTINES.keys(), ...WATCHED, ...(plan.failingAllocations.length > 0 ? ALLOCATORS : [])];
  const sources = [...RUNTIME.keys()].filter((name) => name.endsWith('.c'));
  const link = [
    ...common,
    ...(isRace ? ['-DLAZULI_TSAN'] : []),
    ...[...sources, 'plan.c', 'stubs.c'].map(at),
    ...objects,
    ...wrapped.map((name) => `-Wl,--wrap=${name}`),
    ...['-o', executable, '-Wl,--no-as-needed', isRace ? '-ltsan' : '-lasan', ...(sanitized ? ['-lubsan'] : [])],
    ...['-Wl,--as-needed', '-lpthread', '-lm', '-ldl'],
  ];
  let fault = await tryGcc(link);
  // Inline functions that are defined nowhere else, as old programs have them.
  if (fault?.includes('undefined reference') && (await compile('-fgnu89-inline')) === null) fault = await tryGcc(link);
  if (fault !== null) {
    const missing = new Set([...fault.matchAll(/undefined reference to [`']([^'`]+)'/g)].map(([, name]) => name ?? ''));
    writeFileSync(at('stubs.c'), printStubs(missing));
    fault = await tryGcc(link);
  }
  if (fault !== null) return { kind: 'failed', reason: `gcc does not link it: ${firstError(fault)}` };
  const sites = await findSites(executable);
  const rename = renameFiles(sites, plan, files);
  const lines = sites.map(({ address, file, line }) => `${address} ${numberFile(rename(file))} ${line}\n`);
  writeFileSync(at('sites.txt'), `${lines.join('')}0 0 0\n${await listSymbols(executable)}`);
  const leaks = check === 'leak' || check === 'lost' ? 1 : 0;
  const environment = {
    LAZULI_SITES: at('sites.txt'),
    LAZULI_LOG: at('log.txt'),
    ASAN_OPTIONS: `detect_leaks=${leaks}:abort_on_error=1:detect_stack_use_after_return=0:handle_abort=0`,
    TSAN_OPTIONS: 'halt_on_error=1:report_thread_leaks=0:report_mutex_bugs=0:report_signal_unsafe=0',
  };
  return { kind: 'built', program: { executable, environment, log: at('log.txt') } };
}

/** Null when all went well; else what it said. */
async function tryGcc(args: readonly string[]): Promise<string | null> {
  try {
    await promisify(execFile)('gcc', [...args], { maxBuffer: 64 * 1024 * 1024 });
    return null;
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return stderr || message;
  }
}

function firstError(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return (lines.find((line) => /error|undefined|cannot/.test(line)) ?? lines[0] ?? '').trim();
}

interface Site {
  readonly address: string;
  readonly file: string;
  readonly line: number;
}

const CALL = /\bcall[lq]?\s+[0-9a-f]+ <(?:__tsan_|__wrap_)\w+>/;
const ADDRESS = /^\s*([0-9a-f]+):\s/;

/** The calls of hooks and of wrapped routines, by the address that they return to. */
async function findSites(executable: string): Promise<Site[]> {
  const options = { maxBuffer: 1024 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('objdump', ['-d', '--no-show-raw-insn', executable], options);
  const found: string[] = [];
  let isAfterCall = false;
  for (const line of stdout.split('\n')) {
    const here = ADDRESS.exec(line)?.[1];
    if (here === undefined) continue;
    if (isAfterCall) found.push(here);
    isAfterCall = CALL.test(line);
  }
  if (found.length === 0) return [];
  // The line is that of the call, which is before the address that it returns to.
  const addresses = found.map((address) => (BigInt(`0x${address}`) - 1n).toString(16));
  writeFileSync(`${executable}.addresses`, addresses.map((address) => `0x${address}\n`).join(''));
  const lines = await promisify(execFile)('addr2line', ['-e', executable, `@${executable}.addresses`], options);
  const told = lines.stdout.split('\n');
  return found.flatMap((address, i) => {
    const match = /^(.*):(\d+)/.exec(told[i] ?? '');
    return match ? [{ address, file: match[1] ?? '', line: Number(match[2]) }] : [];
  });
}

/**
 * Of preprocessed text that begins with something else than the name of its file, gcc keeps the lines and forgets the
 * name: what is told as of that text, and the plan does not know, is of the file that the plan knows most places of.
 */
function renameFiles(sites: readonly Site[], { events }: Plan, files: readonly string[]): (file: string) => string {
  const counts = new Map<string, number>();
  for (const { file } of events) counts.set(path.basename(file), (counts.get(path.basename(file)) ?? 0) + 1);
  for (const { file } of sites) counts.delete(path.basename(file));
  const [other] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const known = new Set(events.map(({ file }) => path.basename(file)));
  const texts = new Set(
    files.map((file) => path.basename(file)).filter((name) => name.endsWith('.i') && !known.has(name)),
  );
  return (file) => (other !== undefined && texts.has(path.basename(file)) ? other : file);
}

/**
 * Where the static variables lie: address, size, number of the name; and with no size the functions that mean an error
 * (0) or are one step (1).
 */
async function listSymbols(executable: string): Promise<string> {
  const { stdout } = await promisify(execFile)('nm', ['-S', executable], { maxBuffer: 256 * 1024 * 1024 });
  const errors = [...stdout.matchAll(/^([0-9a-f]+) [0-9a-f]+ [tT] (?:reach_error|__VERIFIER_error)$/gm)];
  const steps = [...stdout.matchAll(/^([0-9a-f]+) [0-9a-f]+ [tT] __VERIFIER_atomic_(?!(?:begin|end)$)\w+$/gm)];
  const variables = [...stdout.matchAll(/^([0-9a-f]+) ([0-9a-f]+) [bBdDrR] ([A-Za-z_]\w*)(?:\.\d+)?$/gm)];
  return [
    ...variables.map(([, address = '', size = '', name = '']) => `${address} ${size} ${numberText(name)}\n`),
    ...errors.map(([, address = '']) => `${address} 0 0\n`),
    ...steps.map(([, address = '']) => `${address} 0 1\n`),
  ].join('');
}
