/**
 * Inputs for concrete runs: all zero, boundary values (the constants that occur in the program, and their neighbours),
 * or random. Whatever a run was given is kept, so that it can be run again.
 */

import type { Code, ScalarType, Value } from '../../program/code.ts';
import { operandsOf } from '../../program/operands.ts';
import type { Random } from '../../support/random.ts';
import type { InputSource, Scalar } from '../../trace/interpreter/state.ts';

export type InputMode = 'zero' | 'boundary' | 'random';

/** At most so many different constants are collected. */
const CONSTANT_LIMIT = 64;

/** The constants of the user's code, their neighbours, and the usual suspects. */
export function boundaryValues(code: Code): readonly bigint[] {
  const found = new Set<bigint>([0n, 1n, -1n, 2n]);
  for (const each of code.functions) {
    if (each.isModel) continue;
    for (const instruction of each.instructions) {
      for (const operand of operandsOf(instruction)) collectConstants(operand, found);
    }
  }
  return [...found].slice(0, 3 * CONSTANT_LIMIT);
}

function collectConstants(value: Value, found: Set<bigint>): void {
  if (value.kind === 'constant' && found.size < 3 * CONSTANT_LIMIT) {
    for (const near of [value.value, value.value + 1n, value.value - 1n]) found.add(near);
  } else if (value.kind === 'unary' || value.kind === 'convert') collectConstants(value.operand, found);
  else if (value.kind === 'binary' || value.kind === 'overflows') {
    collectConstants(value.left, found);
    collectConstants(value.right, found);
  } else if (value.kind === 'select') {
    for (const part of [value.condition, value.then, value.otherwise]) collectConstants(part, found);
  }
}

export interface RecordedInputs {
  /** In the order in which they were asked for, over all threads. */
  readonly values: Scalar[];
  readonly bytes: number[];
}

export function recordingInputs(
  mode: InputMode,
  random: Random,
  boundaries: readonly bigint[],
  first: readonly bigint[] = [],
): { readonly source: InputSource; readonly recorded: RecordedInputs } {
  const recorded: RecordedInputs = { values: [], bytes: [] };
  let given = 0;
  const source: InputSource = {
    nondet: (request) => {
      const { instruction } = request;
      const isOwn = instruction.type.kind === 'integer' && !request.thread.frame.function.source.isModel;
      const known = isOwn && mode === 'zero' ? first[given] : undefined;
      if (isOwn) given++;
      const value = known ?? chooseValue(mode, instruction.type, random, [...first, ...boundaries]);
      recorded.values.push(value);
      return value;
    },
    byte: () => {
      const byte = mode === 'random' ? random.below(256) : 0;
      recorded.bytes.push(byte);
      return byte;
    },
  };
  return { source, recorded };
}

function chooseValue(mode: InputMode, type: ScalarType, random: Random, boundaries: readonly bigint[]): Scalar {
  if (mode === 'zero') return 0;
  if (mode === 'boundary' || random.chance(1, 2)) {
    const value = random.pick(boundaries);
    return type.kind === 'float' ? Number(value) : value;
  }
  if (type.kind === 'float') return (random.below(2001) - 1000) / (1 + random.below(4));
  if (random.chance(1, 2)) return BigInt(random.below(16));
  return (BigInt(random.word()) << 32n) | BigInt(random.word());
}

/** Gives out again what was recorded, in the same order. */
export function replayingInputs(recorded: RecordedInputs): InputSource {
  let values = 0;
  let bytes = 0;
  return {
    nondet: () => recorded.values[values++] ?? 0,
    byte: () => recorded.bytes[bytes++] ?? 0,
  };
}
