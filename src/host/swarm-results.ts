/**
 * The results of a swarm as they come: one JSON object a line, behind a head that says what the swarm is about. The
 * same swarm reads them again and goes on where it stopped. A line that was cut off (the power went) is dropped, and
 * its instance run again. Counterexamples have a file of their own.
 *
 * docs/formats/swarm-results.md describes the lines.
 */

import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Task } from '../engines/swarm/agenda.ts';
import type { TimedResult } from '../engines/swarm/instance-result.ts';
import type { Unsafe } from '../outcome/outcome.ts';
import { clockMs } from './clock.ts';

export const RESULTS_FORMAT = 'lazuli-swarm-results';
const VERSION = 1;
/** What is written goes to the disk so often. */
const SYNC_MS = 300;

/** What the results are about: with another question, nothing of them counts. */
export interface ResultsHead {
  readonly program: string;
  /** Of everything that the results depend on. */
  readonly question: string;
  readonly count: string;
}

interface ResultLine {
  readonly index: string;
  readonly instance: string;
  readonly verdict: TimedResult['result']['kind'];
  readonly ms: number;
  readonly memoryBytes: number;
  readonly cause?: string;
  readonly reason?: string;
  readonly cuts?: unknown;
  readonly assertions?: unknown;
  readonly parts?: number;
  readonly isDischarged?: true;
}

export interface EarlierResult {
  readonly key: string;
  readonly instance: string;
  readonly timed: TimedResult;
}

/** The disk is full, or the folder is gone. */
export class ResultsUnwritable extends Error {
  override readonly name = 'ResultsUnwritable';

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? (/^[A-Z0-9]+: ([^,]+)/.exec(cause.message)?.[1] ?? cause.message) : '';
    super(`cannot write '${file}': ${reason}; what it has counts, and the same command goes on`, { cause });
  }
}

export class SwarmResults {
  readonly #file: string;
  readonly #folder: string;
  #syncedMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, 'results.jsonl');
  }

  /**
   * Makes the folder and the file. Results of an earlier run of the same swarm that did not come to its end are told,
   * one by one; all others make way: they are kept under another name.
   */
  open(head: ResultsHead, isResumed: boolean, onEarlier: (earlier: EarlierResult) => void): void {
    mkdirSync(this.#folder, { recursive: true });
    if (existsSync(this.#file)) {
      const { isSame, hasEnded } = this.#isAbout(head);
      if (isResumed && isSame && !hasEnded) {
        // What the power cut off goes.
        truncateSync(this.#file, this.#forEachEarlier(onEarlier));
        return;
      }
      renameSync(this.#file, path.join(this.#folder, 'results.previous.jsonl'));
    }
    const { program, question, count } = head;
    this.#append({ format: RESULTS_FORMAT, version: VERSION, program, question, count });
  }

  /** Tells what is there, and changes nothing; false where it is about something else. */
  read(head: ResultsHead, onEarlier: (earlier: EarlierResult) => void): boolean {
    if (!existsSync(this.#file)) return true;
    if (!this.#isAbout(head).isSame) return false;
    this.#forEachEarlier(onEarlier);
    return true;
  }

  add({ key, instance: { name: instance } }: Task, { result, elapsedMs, memoryBytes }: TimedResult): void {
    const common = { index: key, instance, ms: Math.round(elapsedMs), memoryBytes };
    switch (result.kind) {
      case 'violation':
        this.#tryTo(() => writeFileSync(this.#counterexample(instance), `${JSON.stringify(result.outcome)}\n`));
        this.#append({ ...common, verdict: 'violation' });
        break;
      case 'none':
        this.#append({
          ...common,
          verdict: 'none',
          ...(result.isDischarged && { isDischarged: true }),
          ...covered(result),
        });
        break;
      case 'unknown':
        this.#append({ ...common, verdict: 'unknown', cause: result.cause, reason: result.reason });
        break;
      case 'split':
        this.#append({ ...common, verdict: 'split', parts: result.parts });
        break;
    }
  }

  /** The swarm has come to its end: the same command starts anew. */
  end(verdict: string): void {
    this.#append({ end: verdict });
    this.#sync();
  }

  #counterexample(instance: string): string {
    return path.join(this.#folder, `counterexample-${toFileName(instance)}.json`);
  }

  #append(line: object): void {
    this.#tryTo(() => {
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
      if (clockMs() - this.#syncedMs > SYNC_MS) this.#sync();
    });
  }

  #tryTo(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new ResultsUnwritable(this.#file, error);
    }
  }

  #sync(): void {
    const file = openSync(this.#file, 'r');
    fsyncSync(file);
    closeSync(file);
    this.#syncedMs = clockMs();
  }

  #isAbout(head: ResultsHead): { readonly isSame: boolean; readonly hasEnded: boolean } {
    let first: Partial<ResultsHead> & { readonly format?: unknown; readonly version?: unknown } = {};
    let last = '';
    forEachLine(this.#file, (line, number) => {
      if (number === 0) first = (parseLine(line) ?? {}) as typeof first;
      last = line;
    });
    const isSame = first.question === head.question && first.count === head.count;
    const isKnown = first.format === RESULTS_FORMAT && first.version === VERSION;
    return { isSame: isKnown && isSame, hasEnded: /^\{"end":/.test(last) };
  }

  /** Gives the place where the last whole line ends. */
  #forEachEarlier(onEarlier: (earlier: EarlierResult) => void): number {
    return forEachLine(this.#file, (line, number) => {
      const value = number === 0 ? null : (parseLine(line) as ResultLine | null);
      const earlier = value && this.#toEarlier(value);
      if (earlier) onEarlier(earlier);
    });
  }

  #toEarlier(line: ResultLine): EarlierResult | null {
    const { index, instance, verdict, ms, memoryBytes } = line;
    const make = (result: TimedResult['result']): EarlierResult => ({
      key: index,
      instance,
      timed: { result, elapsedMs: ms, memoryBytes },
    });
    switch (verdict) {
      case 'none':
        return make({ kind: 'none', ...covered(line as never), ...(line.isDischarged && { isDischarged: true }) });
      case 'unknown':
        return make({ kind: 'unknown', cause: line.cause as never, reason: line.reason ?? '' });
      case 'split':
        return make({ kind: 'split', parts: line.parts ?? 0 });
      case 'violation': {
        const outcome = this.#readCounterexample(instance);
        return outcome && make({ kind: 'violation', outcome });
      }
    }
  }

  /** Null where there is none: its instance is run again. */
  #readCounterexample(instance: string): Unsafe | null {
    const file = this.#counterexample(instance);
    const outcome = existsSync(file) ? (parseLine(readFileSync(file, 'utf8')) as Unsafe | null) : null;
    return outcome?.kind === 'unsafe' ? outcome : null;
  }
}

/** Names in configurations may have anything; different ones stay so. */
export function toFileName(instance: string): string {
  return instance.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

type Covered = Pick<Extract<TimedResult['result'], { kind: 'none' }>, 'cuts' | 'assertions'>;

function covered({ cuts, assertions }: Covered): Covered {
  return { cuts, assertions };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const CHUNK_BYTES = 1 << 16;

/** Whole lines only, however large the file is; gives the place where the last one ends. */
function forEachLine(name: string, action: (line: string, number: number) => void): number {
  const file = openSync(name, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    let number = 0;
    let end = 0;
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return end;
      let bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10)) {
        action(bytes.toString('utf8', 0, at), number++);
        end += at + 1;
        bytes = bytes.subarray(at + 1);
      }
      rest = bytes;
    }
  } finally {
    closeSync(file);
  }
}
