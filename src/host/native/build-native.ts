/**
 * Builds a program so that it runs in the order of a counterexample: the user's own files, compiled by gcc with a call
 * before every access to memory (those of -fsanitize=thread), linked with our runtime in place of ThreadSanitizer's,
 * and with the library of AddressSanitizer. Functions that nobody defines give the inputs of the counterexample. The
 * lines that calls come from are read from the debug information.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CheckName } from '../../program/code.ts';
import type { Trace } from '../../trace/trace.ts';
import { makePlan, type Plan, ROUTINES } from './plan.ts';
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

const SLEEPS = ['sleep', 'usleep', 'nanosleep'];

export async function buildNative(request: NativeRequest): Promise<NativeBuild> {
  const { folder, files, trace } = request;
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  const width = trace.dataModel === 'ILP32' ? '-m32' : '-m64';
  const sanitized = SANITIZED[trace.violation.check];
  const common = [width, '-g', '-O0', '-w', '-no-pie', '-fno-pie'];
  const checks = `-fsanitize=thread${sanitized ? `,${sanitized}` : ''}`;
  const hooked = [
    ...common,
    checks,
    '-finstrument-functions',
    ...(sanitized ? ['-fno-sanitize-recover=all'] : []),
    ...request.compilerOptions,
  ];
  const objects = files.map((_, i) => at(`${i}.o`));
  for (const [i, file] of files.entries()) {
    const language = file.endsWith('.i') ? ['-x', 'cpp-output'] : ['-x', 'c'];
    const fault = await tryGcc([...hooked, ...language, '-c', file, '-o', objects[i] as string]);
    if (fault !== null) return { kind: 'failed', reason: `gcc does not compile it: ${firstError(fault)}` };
  }
  writeFileSync(at('runtime.c'), RUNTIME);
  writeFileSync(at('stubs.c'), '');
  const executable = at('program');
  const wrapped = [...ROUTINES.keys(), ...SLEEPS].map((name) => `-Wl,--wrap=${name}`);
  const link = [...common, at('runtime.c'), at('plan.c'), at('stubs.c'), ...objects, ...wrapped, '-o', executable];
  const libraries = ['-Wl,--no-as-needed', '-lasan', ...(sanitized ? ['-lubsan'] : []), '-lpthread', '-lm'];
  writeFileSync(at('plan.c'), printPlan(makePlan(trace), request));
  let fault = await tryGcc([...link, ...libraries]);
  if (fault !== null) {
    const missing = new Set([...fault.matchAll(/undefined reference to [`']([^'`]+)'/g)].map(([, name]) => name ?? ''));
    writeFileSync(at('stubs.c'), printStubs(missing));
    fault = await tryGcc([...link, ...libraries]);
  }
  if (fault !== null) return { kind: 'failed', reason: `gcc does not link it: ${firstError(fault)}` };
  const sites = await findSites(executable);
  writeFileSync(at('sites.txt'), `${sites.map(printSite).join('')}0 0 0\n${await listSymbols(executable)}`);
  const leaks = trace.violation.check === 'leak' || trace.violation.check === 'lost' ? 1 : 0;
  const environment = {
    LAZULI_SITES: at('sites.txt'),
    LAZULI_LOG: at('log.txt'),
    ASAN_OPTIONS: `detect_leaks=${leaks}:abort_on_error=1:detect_stack_use_after_return=0:handle_abort=0`,
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

function printSite({ address, file, line }: Site): string {
  return `${address} ${numberFile(file)} ${line}\n`;
}

/** Where the static variables lie: address, size, number of the name; and the error functions, with no size. */
async function listSymbols(executable: string): Promise<string> {
  const { stdout } = await promisify(execFile)('nm', ['-S', executable], { maxBuffer: 256 * 1024 * 1024 });
  const errors = [...stdout.matchAll(/^([0-9a-f]+) [0-9a-f]+ [tT] (?:reach_error|__VERIFIER_error)$/gm)];
  const variables = [...stdout.matchAll(/^([0-9a-f]+) ([0-9a-f]+) [bBdDrR] ([A-Za-z_]\w*)(?:\.\d+)?$/gm)];
  return [
    ...variables.map(([, address = '', size = '', name = '']) => `${address} ${size} ${numberText(name)}\n`),
    ...errors.map(([, address = '']) => `${address} 0 0\n`),
  ].join('');
}

/** Files are told apart by their last names: the debug information has them with folders. */
function numberFile(file: string): number {
  return numberText(path.basename(file));
}

function numberText(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return hash >>> 0;
}

const KINDS = { read: 'r', write: 'w', own: 'o', call: 'c', wake: 'k' } as const;

function printPlan({ events, inputs }: Plan, { trace, patienceSeconds }: NativeRequest): string {
  const rows = events.map(
    ({ thread, file, line, kind, object }) =>
      `  {${thread}, ${numberFile(file)}u, ${line}, '${KINDS[kind]}', ${object === '' ? 0 : numberText(object)}u},\n`,
  );
  const drawn = [...inputs].flatMap(([thread, values]) =>
    values.map(({ value, isFloat }) =>
      isFloat
        ? `  {${thread}, (long long)(${value}), ${value}},\n`
        : `  {${thread}, ${printInteger(value)}, ${value}.0},\n`,
    ),
  );
  const { check, thread } = trace.violation;
  return `struct lazuli_event { int thread; unsigned file; int line; char kind; unsigned object; };
struct lazuli_input { int thread; long long number; double real; };
const struct lazuli_event lazuli_events[] = {
${rows.join('')}  {-1, 0, 0, 0, 0}};
const int lazuli_event_count = ${events.length};
const struct lazuli_input lazuli_inputs[] = {
${drawn.join('')}  {-1, 0, 0}};
const int lazuli_input_count = ${drawn.length};
const int lazuli_violator = ${check === 'deadlock' ? -1 : thread}, lazuli_is_deadlock = ${check === 'deadlock' ? 1 : 0};
const int lazuli_patience_seconds = ${patienceSeconds};
`;
}

/** Of numbers beyond those that C writes with a sign, the bits. */
function printInteger(value: string): string {
  return `(long long)${BigInt.asUintN(64, BigInt(value))}ull`;
}

/** Functions that the program calls and nobody defines. */
function printStubs(names: ReadonlySet<string>): string {
  return [...names]
    .map((name) => {
      if (/^__VERIFIER_error$|^reach_error$/.test(name))
        return `void lazuli_error_function(const char *);\nvoid ${name}(void) { lazuli_error_function("${name}"); }\n`;
      if (/^(?:__VERIFIER|__CPROVER|__ESBMC)_assume$|^assume$/.test(name))
        return `void lazuli_assume(int);\nvoid ${name}(int holds) { lazuli_assume(holds); }\n`;
      if (/^(?:__VERIFIER_|__CPROVER_|__ESBMC_)?assert$/.test(name))
        return `void lazuli_error_function(const char *);\nvoid ${name}(int holds) { if (!holds) lazuli_error_function("${name}"); }\n`;
      if (/_atomic_(?:begin|end)$/.test(name)) return `void ${name}(void) {}\n`;
      if (/_(?:float|double)$/.test(name)) {
        const type = name.endsWith('_float') ? 'float' : 'double';
        return `double lazuli_input_real(void);\n${type} ${name}(void) { return lazuli_input_real(); }\n`;
      }
      return `long long lazuli_input_number(void);\nlong long ${name}(void) { return lazuli_input_number(); }\n`;
    })
    .join('');
}
