// One `lazuli check` as a user runs it, in a process of its own: what it answered, and what it cost.
//
// Time is what a person waits, with the start of Node. CPU time is that of all threads and processes together, and so
// does not grow when others use the machine. Memory is the most that the whole process tree held, looked at ten times a
// second, or what the process itself says if that is more.

import { existsSync, readFileSync } from 'node:fs';
import { type ProcessEnd, runProcess } from '../../src/host/run-process.ts';
import type { StageStatistics } from '../../src/report/statistics.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { formatMs } from './measure.ts';

export interface CheckRun {
  /** A verdict of the report; `failed` when there was none. */
  readonly verdict: 'unsafe' | 'safe' | 'safe-up-to-bounds' | 'unknown' | 'failed';
  /** Why there is no verdict. */
  readonly reason: string | null;
  /** Who gave the verdict. */
  readonly engine: string;
  /** The bounds within which the verdict holds; null for what has none. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Which check is violated, and how often the counterexample changes the thread. */
  readonly check: string | null;
  readonly contextSwitches: number | null;
  /** One for each formula. */
  readonly stages: readonly StageStatistics[];
  readonly timesMs: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
}

export interface CheckRunOptions {
  readonly args: readonly string[];
  readonly timeoutSeconds: number;
}

/** Only what is watched is limited: no program shall be stopped by its memory. Without /proc nothing is watched. */
export const WATCHED_BYTES = existsSync('/proc/self/stat') ? 2 ** 50 : undefined;
/** The tool ends by itself when its time is up. This much later it is ended. */
const GRACE_MS = 20_000;
/** What a clock tick of /proc is on every Linux of today. */
const TICK_MS = 10;

export async function runCheck(file: string, { args, timeoutSeconds }: CheckRunOptions): Promise<CheckRun> {
  const cpuBeforeMs = childrenCpuMs();
  const { end, stdout, stderr, elapsedMs, peakMemoryBytes } = await runProcess({
    command: process.execPath,
    args: ['bin/lazuli.js', 'check', '--json', '-', '--stats=json', '--timeout', String(timeoutSeconds), ...args, file],
    timeoutMs: timeoutSeconds * 1000 + GRACE_MS,
    memoryLimitBytes: WATCHED_BYTES,
  });
  const statistics = readStatistics(stderr);
  return {
    ...readReport(stdout, stderr, end),
    stages: statistics?.stages ?? [],
    timesMs: statistics?.timesMs ?? {},
    elapsedMs,
    cpuMs: childrenCpuMs() - cpuBeforeMs,
    peakMemoryBytes: Math.max(peakMemoryBytes, statistics?.peakMemoryBytes ?? 0),
  };
}

type Answer = Pick<CheckRun, 'verdict' | 'reason' | 'engine' | 'unwind' | 'rounds' | 'check' | 'contextSwitches'>;

function readReport(stdout: string, stderr: string, end: ProcessEnd): Answer {
  const nothing = { engine: '-', unwind: null, rounds: null, check: null, contextSwitches: null };
  if (!stdout.startsWith('{')) {
    const lastLine = stderr.trim().split('\n').at(-1) ?? '';
    const reason = end.kind === 'exited' ? lastLine : end.kind;
    return { verdict: 'failed', reason, ...nothing };
  }
  const report = JSON.parse(stdout) as {
    readonly verdict: CheckRun['verdict'];
    readonly reason: string | null;
    readonly engine: string;
    readonly bounds: { readonly unwind: number | null; readonly rounds: number | null };
    readonly counterexample: Pick<Trace, 'violation' | 'contextSwitches'> | null;
  };
  const { verdict, reason, engine, bounds, counterexample } = report;
  const { violation, contextSwitches = null } = counterexample ?? {};
  return { verdict, reason, engine, ...bounds, check: violation?.check ?? null, contextSwitches };
}

interface Statistics {
  readonly stages: readonly StageStatistics[];
  readonly timesMs: Readonly<Record<string, number>>;
  readonly peakMemoryBytes: number;
}

/** The statistics are a line of JSON among the diagnostics. */
function readStatistics(stderr: string): Statistics | null {
  const line = stderr.split('\n').find((text) => text.startsWith('{"stages":'));
  return line === undefined ? null : (JSON.parse(line) as Statistics);
}

/**
 * CPU time of all processes that this one started and that have ended, with what those had started; 0 without /proc.
 */
export function childrenCpuMs(): number {
  return sumTimes('self', 13);
}

/** CPU time of a process that runs; 0 without /proc. */
export function cpuMsOf(pid: number | undefined): number {
  return pid === undefined ? 0 : sumTimes(String(pid), 11);
}

function sumTimes(process: string, at: number): number {
  const file = `/proc/${process}/stat`;
  if (!existsSync(file)) return 0;
  const stat = readFileSync(file, 'latin1');
  // The command's name stands in parentheses; of the fields after it, the 12th and 13th are its own times, the 14th and
  // 15th those of its children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS;
}

/** The verdict with what is behind it: the check that is violated, or why there is no answer. */
export function describeVerdict({ verdict, reason, check }: Pick<CheckRun, 'verdict' | 'reason' | 'check'>): string {
  const detail = reason ?? (check === 'assertion' ? null : check);
  return detail === null ? verdict : `${verdict} (${detail})`;
}

/** The bounds of a verdict, as `u2 r3`. */
export function describeRunBounds({ unwind, rounds }: CheckRun): string {
  return unwind === null && rounds === null ? '-' : `u${unwind ?? '∞'} r${rounds ?? '∞'}`;
}

/** What most of the time was spent on, the longest first; what took no time is left out. */
export function describeTimes({ timesMs }: Pick<CheckRun, 'timesMs'>): string {
  const spent = Object.entries(timesMs).filter(([, ms]) => ms >= 50);
  return spent
    .sort(([, a], [, b]) => b - a)
    .map(([what, ms]) => `${what} ${formatMs(ms)}`)
    .join(', ');
}

export function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
