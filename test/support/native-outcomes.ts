// What small random concurrent programs do when they really run: compiled by gcc, with delays between their statements,
// they tell the values of their variables at the end. Some interleaving must come to the same values, or a model of a
// library routine, or one of the engines, leaves something out that happens.
//
// Left out are programs that may misuse something, since then anything may happen, and atomic sections, which nobody
// has natively. What a run does in spite of its being sequentially consistent is not told apart: processors delay
// stores, but by far less than the delays between statements.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { CheckName } from '../../src/program/check-names.ts';
import { CHECKS, enumerateAll, prepareSteps, readCode, solveSteps } from './agreement.ts';
import { writeText } from './gcc.ts';
import { noiseHarness } from './noise-harness.ts';
import { type RandomThreadsOptions, randomThreads } from './random-threads.ts';

export interface NativeRequest {
  readonly gcc: string;
  readonly folder: string;
  readonly program: Omit<RandomThreadsOptions, 'last'>;
  readonly runs: number;
  readonly stateLimit: number;
}

export type NativeAgreement =
  | { readonly kind: 'skipped'; readonly message: string }
  /** So many different outcomes were seen, and as many of them are known to be possible. */
  | { readonly kind: 'compared'; readonly outcomes: number; readonly confirmed: number }
  | { readonly kind: 'differ'; readonly message: string };

/** The rest of the program: delays, and inputs. */
const HARNESS = `${noiseHarness({ chances: 4, longestUs: 200, limitMs: 300 })}_Bool __VERIFIER_nondet_bool(void) { return draw() % 2; }
int __VERIFIER_nondet_int(void) { return draw() % 3; }
unsigned char __VERIFIER_nondet_uchar(void) { return draw() % 3; }
void __VERIFIER_assume(int condition) { if (!condition) _exit(3); }
`;

/** What no machine has, and what keeps most runs from coming to their end. */
const FEATURES = { sections: false, assumptions: false, barriers: false } as const;
const MISUSE: ReadonlySet<CheckName> = new Set([...CHECKS].filter((check) => check !== 'assertion'));
const DEFINES = ['NDEBUG'];
/** Each read is one more place where other threads can go on. The last places are those of the extensions. */
const MOST_READS = 12;
/** A program that has told nothing after so many runs waits for ever, or ends early. */
const HOPELESS_RUNS = 3;

export async function compareWithNativeRuns(request: NativeRequest): Promise<NativeAgreement> {
  const { stateLimit } = request;
  const plain = randomThreads(withLast(request, (reads) => reads));
  const truth = enumerateAll(readCode(plain, 'LP64', { checks: MISUSE, defines: DEFINES }), stateLimit, MISUSE);
  if (truth.violations.length > 0) return { kind: 'skipped', message: 'misuse' };
  if (!truth.isComplete) return { kind: 'skipped', message: 'too many states' };
  const seen = runNatively(request);
  let confirmed = 0;
  for (const values of seen) {
    const tests = values.map((value, i) => `o${i} == ${value}`).join(' && ');
    const text = randomThreads(withLast(request, (reads) => [...reads, `if (${tests}) __VERIFIER_error();`]));
    const isPossible = await canFail(text, stateLimit);
    if (isPossible === false) return { kind: 'differ', message: `never ${tests}\n${text}` };
    if (isPossible) confirmed++;
  }
  return { kind: 'compared', outcomes: seen.length, confirmed };
}

/** The program, ending with reads of scalars into `o0`, `o1` and so on, and what is made of them. */
function withLast(
  { program }: NativeRequest,
  finish: (reads: string[], count: number) => string[],
): RandomThreadsOptions {
  const last = (places: readonly string[]) => {
    const read = places.filter((place) => !place.includes('->')).slice(-MOST_READS);
    return finish(
      read.map((place, i) => `long long o${i} = ${place};`),
      read.length,
    );
  };
  return { ...program, features: FEATURES, last };
}

/** The different outcomes of some runs. Runs that end otherwise than at the end of main tell nothing. */
function runNatively(request: NativeRequest): string[][] {
  const { gcc, folder, runs } = request;
  const text = randomThreads(
    withLast(request, (reads, count) => {
      const values = Array.from({ length: count }, (_, i) => `o${i}`);
      return [...reads, `printf("${values.map(() => '%lld').join(' ')}\\n", ${values.join(', ')});`];
    }),
  );
  const file = writeText(folder, 'native.c', `#include <stdio.h>\nvoid noise(void);\n${addNoise(text)}`);
  const harness = writeText(folder, 'harness.c', HARNESS);
  const executable = path.join(folder, 'native');
  const flags = ['-std=gnu11', '-O0', '-w', '-pthread', '-D_GNU_SOURCE', ...DEFINES.map((name) => `-D${name}`)];
  const compiled = spawnSync(gcc, [...flags, '-o', executable, file, harness], { encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(`gcc: ${compiled.stderr}\n${text}`);
  const outcomes = new Set<string>();
  for (let run = 1; run <= runs; run++) {
    const env = { ...process.env, LAZULI_NOISE: String(run) };
    const { status, stdout } = spawnSync(executable, { encoding: 'utf8', env, timeout: 5_000 });
    if (status === 0 && stdout.endsWith('\n')) outcomes.add(stdout.trim());
    if (run >= HOPELESS_RUNS && outcomes.size === 0) break;
  }
  return [...outcomes].map((line) => line.split(' '));
}

/** A delay before every statement that has a line of its own. */
function addNoise(text: string): string {
  return text.replaceAll(/^( +)(?!case|default|pthread_cleanup)([A-Za-z_*(].*;)$/gm, '$1noise(); $2');
}

/** Whether the error is reached; null when that is not known. */
async function canFail(text: string, stateLimit: number): Promise<boolean | null> {
  const checks: ReadonlySet<CheckName> = new Set(['assertion']);
  const code = readCode(`void __VERIFIER_error(void);\n${text}`, 'LP64', { checks, defines: DEFINES });
  const { violations, isComplete } = enumerateAll(code, 4 * stateLimit, checks);
  if (violations.length > 0) return true;
  if (isComplete) return false;
  const steps = prepareSteps(code, 4, checks);
  if (typeof steps === 'string') return null;
  return (await solveSteps(steps, { kind: 'rounds', slots: 5 })).kind === 'violation' ? true : null;
}
