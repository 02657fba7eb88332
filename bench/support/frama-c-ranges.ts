// The same variables by our value analysis and by Eva's on the sequentialized program, side by side.
//
// Only integers are compared, and only variables whose name in the sequentialized program is certain: globals by their
// path, locals of start routines and of main as `routine_thread_name`. Of Eva's values those count that it prints: at
// the start and at the ends of functions. Values in between that are overwritten before are not seen, which favours
// Eva.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { framaC } from '../../src/backends/frama-c.ts';
import { type FramaCRange, readFramaCRanges } from '../../src/backends/read-frama-c-ranges.ts';
import { LARGEST_EXECUTION } from '../../src/execute/execution.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { uniformBounds } from '../../src/program/bounds.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { findVariableRanges } from '../../src/ranges/variable-ranges.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { bitLength } from '../../src/values/bit-shape.ts';
import type { Bounds } from './programs.ts';
import { childrenCpuMs } from './run-check.ts';

/** A variable as `lazuli ranges --json` gives it. */
export interface OwnRange {
  readonly kind: string;
  readonly function: string | null;
  readonly name: string;
  readonly signed: boolean;
  readonly range: string;
  readonly least: { readonly value: string } | null;
  readonly most: { readonly value: string } | null;
  readonly declaredBits: number;
  readonly neededBits: number;
}

export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

export interface ComparedVariable {
  readonly name: string;
  readonly declaredBits: number;
  readonly own: Interval;
  readonly eva: Interval;
}

export interface Timed<T> {
  readonly value: T;
  /** Of the whole process. */
  readonly cpuMs: number;
}

/** Also what Eva says of itself; null when it does not. */
export interface TimedEva extends Timed<EvaRanges> {
  readonly analysisMs: number | null;
}

/** Our ranges, by the command as a user runs it; a text says what went wrong. */
export function runOwnRanges(
  file: string,
  modelOption: string,
  { unwind }: Bounds,
): Timed<readonly OwnRange[]> | string {
  const cpuBeforeMs = childrenCpuMs();
  const args = ['bin/lazuli.js', 'ranges', '--json', modelOption, '-u', String(unwind), file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) return stderr.trim().split('\n').at(-1) ?? 'failed';
  const { variables } = JSON.parse(stdout) as { readonly variables: readonly OwnRange[] };
  return { value: variables, cpuMs: childrenCpuMs() - cpuBeforeMs };
}

/** Milliseconds of our analysis alone, on code that is read already, by a process that has done it before. */
export function timeAnalysis(file: string, dataModel: DataModel, { unwind }: Bounds): number {
  const { program } = readProgram({ fileName: file, text: readFileSync(file, 'utf8'), dataModel, models: true });
  const code = program && lowerProgram(program, DEFAULT_LOWER_OPTIONS, new DiagnosticSink());
  if (!code) throw new Error(`${file} cannot be read`);
  const times = Array.from({ length: 10 }).map(() => {
    const start = process.cpuUsage();
    findVariableRanges(code, {
      bounds: uniformBounds(unwind),
      limits: { ...LARGEST_EXECUTION, poll: () => {} },
      checks: DEFAULT_LOWER_OPTIONS.checks,
    });
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Eva's ranges on the sequentialized program; the time is that of Frama-C alone. */
export function runEva(
  file: string,
  modelOption: string,
  { unwind, rounds }: Bounds,
  scratch: string,
  timeoutMs: number,
): TimedEva | string {
  const args = ['bin/lazuli.js', 'sequentialize', '--backend', 'frama-c', modelOption];
  const made = spawnSync(process.execPath, [...args, '-u', String(unwind), '-r', String(rounds), file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (made.status !== 0) return `not sequentialized: ${made.stderr.trim().split('\n').at(-1)}`;
  writeFileSync(scratch, made.stdout);
  const { verifier } = framaC;
  if (verifier === null) return 'Frama-C cannot be run';
  const machine = verifier.dataModels[modelOption === '--32' ? 'ILP32' : 'LP64'] ?? [];
  const cpuBeforeMs = childrenCpuMs();
  const ran = spawnSync(
    verifier.run.command,
    ['-eva', '-eva-no-show-progress', '-eva-show-perf', ...machine, scratch],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: timeoutMs,
    },
  );
  if (ran.status !== 0) return ran.signal === null ? 'Frama-C failed' : 'Frama-C: time is up';
  const seconds = /^ {2}\+ main: executed: 1x total: ([\d.]+)s/m.exec(ran.stdout)?.[1];
  return {
    value: joinRanges(ran.stdout),
    cpuMs: childrenCpuMs() - cpuBeforeMs,
    analysisMs: seconds === undefined ? null : 1000 * Number(seconds),
  };
}

/** By path; null where Eva knows no bounds but those of the type. */
export type EvaRanges = ReadonlyMap<string, Interval | null>;

/** All printed values of a variable together; what is no integer is left out. */
function joinRanges(output: string): EvaRanges {
  const { initial, final } = readFramaCRanges(output);
  const joined = new Map<string, Interval | null>();
  const others = new Set<string>();
  const add = ({ path, value }: FramaCRange) => {
    if (value.kind !== 'integers') others.add(path);
    else if (value.low === null || value.high === null) joined.set(path, null);
    else if (joined.get(path) !== null) {
      const interval = { low: value.low, high: value.high };
      const known = joined.get(path);
      joined.set(path, known ? hull(known, interval) : interval);
    }
  };
  for (const range of initial) add(range);
  for (const ranges of final.values()) for (const range of ranges ?? []) add(range);
  for (const path of others) joined.delete(path);
  return joined;
}

/** The variables that both speak of. */
export function compareRanges(own: readonly OwnRange[], eva: EvaRanges): readonly ComparedVariable[] {
  const compared: ComparedVariable[] = [];
  for (const range of own) {
    const { least, most, kind, declaredBits } = range;
    if (!least || !most || kind === 'allocation' || range.range.includes('&')) continue;
    const found = [...eva].filter(([path]) => isSame(range, path));
    if (found.length === 0) continue;
    const name = range.function === null ? range.name : `${range.function}: ${range.name}`;
    const interval = { low: BigInt(least.value), high: BigInt(most.value) };
    const whole = found.map(([, one]) => one ?? typeInterval(range)).reduce(hull);
    compared.push({ name, declaredBits, own: interval, eva: whole });
  }
  return compared;
}

function typeInterval({ signed, declaredBits }: OwnRange): Interval {
  const size = 1n << BigInt(declaredBits);
  return signed ? { low: -size / 2n, high: size / 2n - 1n } : { low: 0n, high: size - 1n };
}

function hull(a: Interval, b: Interval): Interval {
  return { low: a.low < b.low ? a.low : b.low, high: a.high > b.high ? a.high : b.high };
}

/**
 * Eva writes elements with the same values as `a[0..2]`, an object of which it knows nothing without its parts, and the
 * local x of the second thread's copy of f as `f_2_x`.
 */
function isSame({ name, function: owner }: OwnRange, path: string): boolean {
  const prefix = owner === null ? '' : new RegExp(`^${owner}_\\d+_`).exec(path)?.[0];
  if (prefix === undefined) return false;
  const wanted = splitPath(name);
  const given = splitPath(path.slice(prefix.length));
  return given.length <= wanted.length && given.every((part, i) => isSamePart(part, wanted[i] as string));
}

/** `a.b[1].c` in its steps: `a`, `.b`, `[1]`, `.c`. */
function splitPath(path: string): string[] {
  return path.match(/\[[^\]]*\]|\.?[^.[]+/g) ?? [];
}

function isSamePart(given: string, wanted: string): boolean {
  const range = /^\[(\d+)\.\.(\d+)\]$/.exec(given);
  if (range === null) return given === wanted;
  const index = Number(/^\[(\d+)/.exec(wanted)?.[1] ?? -1);
  return index >= Number(range[1]) && index <= Number(range[2]);
}

/** Bits of a two's complement number that holds the interval; no sign where there are no negative values. */
export function intervalBits({ low, high }: Interval): number {
  if (low >= 0n) return bitLength(high);
  return 1 + Math.max(bitLength(-low - 1n), bitLength(high < 0n ? 0n : high));
}
