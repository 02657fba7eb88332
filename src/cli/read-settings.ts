// From the words of a command to the settings of a verification: what `check`, `prove` and `swarm` are told alike is
// read here, once. What only one of them knows, it adds itself.

import type { BoundOptions } from '../program/bounds.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import { DEFAULT_SETTINGS, type VerifySettings } from '../verify/settings.ts';
import type { CheckTarget } from './check-target.ts';
import type { ProgramInput } from './program-input.ts';

interface CommonWords {
  readonly memoryModel: string;
  /** Seconds. */
  readonly timeout: number;
}

interface BoundedWords extends CommonWords {
  readonly contextSwitches: number | undefined;
  readonly closingMain: boolean;
  readonly valueAnalysis: string;
  readonly allowRace: readonly string[];
  readonly seed: number;
}

/** Macros and folders are those of each file. */
export function readSettings(
  input: ProgramInput,
  { checks }: CheckTarget,
  { memoryModel, timeout }: CommonWords,
): VerifySettings {
  const timeLimitMs = timeout * 1000;
  return { ...DEFAULT_SETTINGS, ...input.options, checks, memoryModel: memoryModel as MemoryModel, timeLimitMs };
}

/** Of commands that look for violations within bounds; how far loops and rounds go is theirs to say. */
export function readBoundedSettings(
  input: ProgramInput,
  target: CheckTarget,
  bounds: BoundOptions,
  words: BoundedWords,
): VerifySettings {
  const { whileUnwind, forUnwind, unwindset, unwindConstantLoops, atomicStatements } = bounds;
  return {
    ...readSettings(input, target, words),
    ...{ whileUnwind, forUnwind, unwindset, unwindConstantLoops, atomicStatements },
    contextSwitches: words.contextSwitches ?? null,
    closingMain: words.closingMain,
    valueAnalysis: words.valueAnalysis === 'none' ? 'none' : 'builtin',
    allowedRaces: words.allowRace,
    seed: words.seed,
  };
}

/** What `--memory-limit` says. */
export function toBytes(megabytes: number | undefined): number | null {
  return megabytes === undefined ? null : megabytes * 2 ** 20;
}
