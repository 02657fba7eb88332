/**
 * Runs an external program under limits of time, memory and output, and says in one value how that went. Nothing is
 * thrown for what a program does: a missing executable, a crash and a broken limit are outcomes, each with the output
 * so far.
 *
 * The program gets a process group of its own, so that ending it ends its children too (verifiers start solvers and
 * virtual machines); children that left the group are found by their parents. Memory is what all of them really hold,
 * read from /proc ten times a second: a limit on address space would hit programs that reserve much and use little.
 * Because the group is not that of the terminal, an interrupt is passed on by hand.
 *
 * Left out: processes that left the group and whose parent has ended (they are not waited for, either), limits on CPU
 * time (a program that sleeps is as useless as one that computes), and memory limits where there is no /proc.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { residentBytes } from './resident-bytes.ts';

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  readonly memoryLimitBytes?: number;
  /** For each of the two streams. */
  readonly outputLimitBytes?: number;
  /** Sees the standard output while it comes, in pieces of any size. */
  readonly onOutput?: (text: string) => void;
  /** Ends the program early. */
  readonly signal?: AbortSignal;
  /** What is still to do, at once, when an interrupt ends everything. */
  readonly onInterrupt?: () => void;
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** It was ended by a signal that did not come from here. */
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'output' }
  | { readonly kind: 'cancelled' };

export interface ProcessOutcome {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
  /** The most that was seen; 0 where it was not watched. */
  readonly peakMemoryBytes: number;
}

const DEFAULT_OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;
const MEMORY_POLL_MS = 100;
/** After the end of the program, for its last words. */
const PIPE_GRACE_MS = 300;
/** A timer of Node cannot run for longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  if (request.memoryLimitBytes !== undefined && !existsSync('/proc/self/stat')) {
    return notStarted('a memory limit needs /proc, which this system does not have');
  }
  if (request.signal?.aborted) {
    return { end: { kind: 'cancelled' }, stdout: '', stderr: '', elapsedMs: 0, peakMemoryBytes: 0 };
  }
  return new ProcessRun(request).finish();
}

function notStarted(reason: string): ProcessOutcome {
  return { end: { kind: 'not-started', reason }, stdout: '', stderr: '', elapsedMs: 0, peakMemoryBytes: 0 };
}

/** One run: it owns the child, its timers and its listeners, and lets go of all of them at the end. */
class ProcessRun {
  readonly #request: ProcessRequest;
  readonly #child: ChildProcess;
  readonly #startMs = performance.now();
  readonly #stdout: Capture;
  readonly #stderr: Capture;
  /** Why it was ended from here, the first reason only. */
  #reason: ProcessEnd | null = null;
  #peakMemoryBytes = 0;

  constructor(request: ProcessRequest) {
    this.#request = request;
    const limit = request.outputLimitBytes ?? DEFAULT_OUTPUT_LIMIT_BYTES;
    const onFull = () => this.#end({ kind: 'output' });
    this.#stdout = new Capture(limit, onFull, request.onOutput);
    this.#stderr = new Capture(limit, onFull);
    this.#child = spawn(request.command, request.args, {
      cwd: request.directory,
      env: request.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }

  async finish(): Promise<ProcessOutcome> {
    const { timeoutMs, memoryLimitBytes, signal } = this.#request;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#end({ kind: 'timeout' }), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const poll = memoryLimitBytes === undefined ? undefined : setInterval(() => this.#watchMemory(), MEMORY_POLL_MS);
    const cancel = () => this.#end({ kind: 'cancelled' });
    signal?.addEventListener('abort', cancel);
    const onEnd = () => {
      this.#kill();
      this.#request.onInterrupt?.();
    };
    // Whoever can cancel hears of signals, too.
    const release = passOnSignals(onEnd, signal === undefined ? PASSED_ON : []);
    try {
      const end = await this.#ended();
      return {
        end: this.#reason ?? end,
        stdout: this.#stdout.text(),
        stderr: this.#stderr.text(),
        elapsedMs: performance.now() - this.#startMs,
        peakMemoryBytes: this.#peakMemoryBytes,
      };
    } finally {
      clearTimeout(timer);
      clearInterval(poll);
      signal?.removeEventListener('abort', cancel);
      release();
    }
  }

  #ended(): Promise<ProcessEnd> {
    const child = this.#child;
    child.stdout?.on('data', (chunk: Buffer) => this.#stdout.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    return new Promise((resolve) => {
      child.on('error', (error) => resolve({ kind: 'not-started', reason: describeStartFailure(error) }));
      // What the program left running would keep the pipes open, and so this run alive.
      child.on('exit', () => {
        this.#kill();
        this.#closePipesLater();
      });
      child.on('close', (code, signal) => {
        resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal });
      });
    });
  }

  /** Someone who was not found may hold them still. As long as output comes it is read. */
  #closePipesLater(): void {
    const bytes = this.#stdout.bytes + this.#stderr.bytes;
    const closeIfQuiet = () => {
      if (this.#stdout.bytes + this.#stderr.bytes > bytes) return this.#closePipesLater();
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    };
    // What has come meanwhile is read between the timer and the immediate.
    setTimeout(() => setImmediate(closeIfQuiet), PIPE_GRACE_MS).unref();
  }

  #end(reason: ProcessEnd): void {
    this.#reason ??= reason;
    this.#kill();
  }

  #kill(): void {
    if (this.#child.pid !== undefined) killFamily(this.#child.pid);
  }

  #watchMemory(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const bytes = findFamily(pid).reduce((sum, each) => sum + residentBytes(each), 0);
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, bytes);
    if (bytes > (this.#request.memoryLimitBytes ?? Number.POSITIVE_INFINITY)) this.#end({ kind: 'memory' });
  }
}

/** Keeps the output up to a limit. */
class Capture {
  readonly #chunks: Buffer[] = [];
  readonly #limitBytes: number;
  readonly #onFull: () => void;
  readonly #onText: ((text: string) => void) | undefined;
  readonly #decoder = new TextDecoder();
  #bytes = 0;

  constructor(limitBytes: number, onFull: () => void, onText?: (text: string) => void) {
    this.#limitBytes = limitBytes;
    this.#onFull = onFull;
    this.#onText = onText;
  }

  add(chunk: Buffer): void {
    if (this.#bytes + chunk.length > this.#limitBytes) {
      this.#onFull();
      return;
    }
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    this.#onText?.(this.#decoder.decode(chunk, { stream: true }));
  }

  get bytes(): number {
    return this.#bytes;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/**
 * Those that are gone already are no fault. The leader is in its group; once it has ended, its number may be another's.
 */
function killFamily(leader: number): void {
  const others = findFamily(leader).filter((pid) => pid !== leader);
  for (const pid of [-leader, ...others]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM');
      if (!isGone) throw error;
    }
  }
}

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until the function returned is called, a signal that ends this process ends the program first. */
function passOnSignals(kill: () => void, signals: typeof PASSED_ON | readonly []): () => void {
  const listeners = signals.map((signal) => {
    const listener = () => {
      kill();
      release();
      process.kill(process.pid, signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  process.on('exit', kill);
  const release = () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
    process.off('exit', kill);
  };
  return release;
}

/**
 * The processes of a group and those that descend from its leader. Only the group can be ended where there is no /proc.
 */
function findFamily(leader: number): number[] {
  const processes = existsSync('/proc/self/stat') ? readdirSync('/proc').flatMap(readKinship) : [];
  const family = new Set([leader]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent, group } of processes) {
      if (group === leader || family.has(parent)) family.add(pid);
    }
  }
  return [...family];
}

interface Kinship {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** None for what is no process, or has just ended. */
function readKinship(entry: string): Kinship[] {
  if (!/^\d+$/.test(entry)) return [];
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
    // The command's name stands in parentheses and may hold anything; state, parent and group follow it.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(entry), parent: Number(parent), group: Number(group) }];
  } catch {
    return [];
  }
}

function describeStartFailure(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'it is not installed, or not on the PATH';
    case 'EACCES':
      return 'it may not be executed';
    default:
      return error.message;
  }
}
