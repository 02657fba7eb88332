// A program with its bounds, executed symbolically and cut into tiles, for measurements of the swarm.

import { readFileSync } from 'node:fs';
import { prepare } from '../../src/engines/bounded/prepare.ts';
import { configureTiling } from '../../src/engines/swarm/configure-tiling.ts';
import { findPlaces } from '../../src/engines/swarm/find-places.ts';
import { createInstances, type Instances } from '../../src/engines/swarm/instances.ts';
import type { ThreadPlaces } from '../../src/engines/swarm/places.ts';
import { LARGEST_EXECUTION } from '../../src/execute/execution.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import type { Code } from '../../src/program/code.ts';
import { readCode } from '../../src/verify/read-code.ts';
import { DEFAULT_SETTINGS, type VerifySettings } from '../../src/verify/settings.ts';

export interface Case {
  readonly file: string;
  readonly unwind: number;
  readonly rounds: number;
  readonly length: number;
}

export interface Tiled {
  readonly code: Code;
  readonly checks: ReadonlySet<CheckName>;
  readonly program: SteppedProgram;
  readonly threads: readonly ThreadPlaces[];
  readonly instances: Instances;
}

export function tile(file: string, { unwind, rounds, length }: Case, limit: bigint): Tiled {
  const settings: VerifySettings = { ...DEFAULT_SETTINGS, dataModel: 'ILP32', checks: ['assertion'], unwind, rounds };
  const read = readCode({ name: file, files: [{ fileName: file, text: readFileSync(file, 'utf8') }] }, settings, {});
  if (read.kind !== 'code') throw new Error(`${file}: ${read.reason}`);
  const { code, checks } = read;
  const limits = { ...LARGEST_EXECUTION, poll: () => {} };
  const prepared = prepare(code, { bounds: { ...settings, unwind }, limits, checks });
  if (prepared.kind !== 'prepared') throw new Error(`${file}: ${prepared.reason}`);
  const threads = findPlaces(prepared.program, code);
  return { code, checks, program: prepared.program, threads, instances: select(threads, length, rounds, limit) };
}

/** As many random selections as are wanted. */
export function select(threads: readonly ThreadPlaces[], length: number, picks: number, limit: bigint): Instances {
  const wish = { size: { kind: 'length', length }, shift: null, picks, seed: 1, isRandom: true, limit } as const;
  return createInstances(configureTiling(threads, wish), threads);
}
