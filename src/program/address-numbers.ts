/**
 * Numbers of a program that could be taken for addresses. A real program may be laid out anywhere: that `(int *)65536`
 * is an object of it would be an accident, and one that only some of the executors have. So whoever lays out objects
 * keeps clear of these numbers. Numbers that are computed are left out.
 */

import type { Code, Value } from './code.ts';
import { operandsOf } from './operands.ts';

/** Everything below is no address of an object anywhere. */
const FIRST_ADDRESS = 0x1_0000n;
const LAST_ADDRESS = 1n << 47n;

/** The constants of the user's code, sorted. */
export function findAddressNumbers(code: Code): readonly number[] {
  const found = new Set<number>();
  const collect = (value: Value): void => {
    if (value.kind === 'constant') {
      if (value.value >= FIRST_ADDRESS && value.value < LAST_ADDRESS) found.add(Number(value.value));
    } else if (value.kind === 'unary' || value.kind === 'convert') collect(value.operand);
    else if (value.kind === 'binary' || value.kind === 'overflows') {
      collect(value.left);
      collect(value.right);
    } else if (value.kind === 'select')
      for (const part of [value.condition, value.then, value.otherwise]) collect(part);
  };
  for (const { isModel, instructions } of code.functions) {
    if (!isModel)
      for (const instruction of instructions) for (const operand of operandsOf(instruction)) collect(operand);
  }
  for (const { isModel, initial } of code.objects) if (!isModel) for (const { value } of initial) collect(value);
  return [...found].sort((a, b) => a - b);
}

/** The first of the sorted numbers that is at least `low`; infinity if there is none. */
export function firstNumberFrom(numbers: readonly number[], low: number): number {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) < low) from = middle + 1;
    else to = middle;
  }
  return numbers[from] ?? Number.POSITIVE_INFINITY;
}
