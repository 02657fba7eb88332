// The options of every command that bounds a program: how far loops are unwound, how many rounds. A command spreads
// `boundOptions` into its own table, and `sequentialBoundOptions` if it can emit C, and hands the parsed values to
// `readBounds`, which checks what a table of options cannot state.

import type { BoundOptions, OwnBounds } from '../program/bounds.ts';
import { DEFAULT_BOUND_OPTIONS, describeOwnBounds, uniformBounds } from '../program/bounds.ts';
import { type MemoryModel, memoryModels } from '../program/memory-model.ts';
import type { Schema } from '../sequentialize/schema.ts';
import { keepsLoops } from './backend-options.ts';
import type { OptionTable, OptionValues } from './options.ts';

const group = 'Bounds';
const most = 1_000_000;

export const boundOptions = {
  unwind: {
    kind: 'number',
    short: 'u',
    value: 'N',
    min: 1,
    max: most,
    default: 2,
    help: 'unwind loops and recursion N times',
    group,
  },
  whileUnwind: {
    kind: 'number',
    short: 'w',
    value: 'N',
    min: 1,
    max: most,
    help: 'unwind while and do loops N times',
    group,
  },
  forUnwind: { kind: 'number', short: 'f', value: 'N', min: 1, max: most, help: 'unwind for loops N times', group },
  unwindset: {
    kind: 'text',
    value: 'LOOP:N,…',
    repeated: true,
    help: "unwind this loop, or calls of this recursive function, N times; 'lazuli check --show-loops' names the loops",
    group,
  },
  unwindConstantLoops: {
    kind: 'flag',
    default: true,
    help: 'do not unwind loops with a constant number of iterations fully',
    group,
  },
  rounds: { kind: 'number', short: 'r', value: 'K', min: 1, max: 1000, default: 2, help: 'run K rounds', group },
  closingMain: {
    kind: 'flag',
    default: true,
    help: 'do not run main once more after the last round; an assertion after joins then needs one round more',
    group,
  },
  atomicStatements: { kind: 'flag', help: 'one C statement is one step, whatever it accesses', group },
} as const satisfies OptionTable;

export const memoryModelOption = {
  kind: 'choice',
  choices: memoryModels,
  default: 'sc',
  help: 'when stores reach memory: at once, in the order of the thread (x86), or in order for each place only',
} as const satisfies OptionTable[string];

/** What only the sequentialized program knows. */
export const sequentialBoundOptions = {
  unwindingAssertions: {
    kind: 'flag',
    help: 'a loop that needs more iterations is a violation, instead of being cut off',
    group,
  },
  threadUnwind: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: most,
    default: 2,
    help: 'with --schema ul, unwind loops that create threads N times; the other loops are kept',
    group,
  },
  schedule: {
    kind: 'text',
    value: 'T,T,…',
    help: 'the order of the threads in a round; those left out follow in the order of creation',
    group,
  },
} as const satisfies OptionTable;

export type BoundOptionValues = Omit<OptionValues<typeof boundOptions>, 'rounds' | 'closingMain'> &
  Partial<OptionValues<typeof sequentialBoundOptions>> & {
    readonly schema?: Schema['name'];
    readonly memoryModel?: string;
  };

export type ReadBounds =
  | { readonly kind: 'bounds'; readonly options: BoundOptions; readonly schedule: readonly number[] }
  | { readonly kind: 'problem'; readonly message: string };

export function readBounds(values: BoundOptionValues): ReadBounds {
  const unwindset = readUnwindset(values.unwindset);
  if (typeof unwindset === 'string') return { kind: 'problem', message: unwindset };
  const schedule = readSchedule(values.schedule);
  if (typeof schedule === 'string') return { kind: 'problem', message: schedule };
  const options: BoundOptions = {
    ...DEFAULT_BOUND_OPTIONS,
    unwind: values.unwind,
    whileUnwind: values.whileUnwind ?? null,
    forUnwind: values.forUnwind ?? null,
    unwindset,
    unwindConstantLoops: values.unwindConstantLoops,
    unwindingAssertions: values.unwindingAssertions ?? false,
    atomicStatements: values.atomicStatements,
    memoryModel: (values.memoryModel ?? 'sc') as MemoryModel,
  };
  if (values.schema === undefined || !keepsLoops(values.schema)) return { kind: 'bounds', options, schedule };
  const own = uniformBounds(values.threadUnwind ?? DEFAULT_BOUND_OPTIONS.unwind, values.unwindConstantLoops);
  return { kind: 'bounds', options: { ...options, ...own, keepLoops: true }, schedule };
}

/** How far loops and recursion are followed, as `2 times, while loops 3`. */
export function describeUnwinding(bounds: OwnBounds & { readonly unwind: number }): string {
  const { unwind } = bounds;
  return [`${unwind} ${unwind === 1 ? 'time' : 'times'}`, ...describeOwnBounds(bounds)].join(', ');
}

/** The bounds by name, or what is wrong. */
function readUnwindset(texts: readonly string[]): ReadonlyMap<string, number> | string {
  const bounds = new Map<string, number>();
  for (const text of texts.flatMap((each) => each.split(','))) {
    const match = /^([A-Za-z_$][\w$]*(?:\.\d+)?):(-?\d+)$/.exec(text);
    const bound = Number(match?.[2]);
    if (match === null || bound < 1 || bound > most) {
      return `--unwindset wants LOOP:N with N from 1 to ${most}, as main.0:3, not '${text}'`;
    }
    bounds.set(match[1] ?? '', bound);
  }
  return bounds;
}

function readSchedule(text: string | undefined): readonly number[] | string {
  if (text === undefined) return [];
  const words = text.split(',');
  const threads = words.map(Number);
  if (!words.every((word) => /^\d+$/.test(word)) || new Set(threads).size !== threads.length) {
    return `--schedule wants different numbers of threads, as 2,1,0, not '${text}'`;
  }
  return threads;
}
