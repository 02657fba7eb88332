// The embedded engine against the interpreter on sequential programs: what the interpreter computes, the formula must
// allow, and its counterexample must replay. The programs compute with an input that can only be zero but does not look
// so, so that nothing folds away before it reaches the solver. More programs with LAZULI_RANDOM_COUNT, others with
// LAZULI_RANDOM_SEED.

import { describe, expect, it } from 'vitest';
import type { Code } from '../../src/program/code.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { Machine } from '../../src/trace/interpreter/machine.ts';
import { replayCompiled } from '../../src/trace/replay.ts';
import { CHECKS, prepareSteps, readCode, solveSteps } from '../support/agreement.ts';
import { randomC } from '../support/random-c.ts';

const COUNT = Number(process.env.LAZULI_RANDOM_COUNT ?? 12);
const SEED = Number(process.env.LAZULI_RANDOM_SEED ?? 1);

const PREFIX = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
unsigned long long sum;
`;
const ZERO = `  int zero = __VERIFIER_nondet_int();
  __VERIFIER_assume((unsigned)zero * (unsigned)zero == (unsigned)zero && zero != 1);
`;

/** A random program that sums up what it computes, with a statement before the end. */
function makeProgram(seed: number, last: string): string {
  const show = (_: string, value: string) => `sum = sum * 31 + (${value});`;
  const text = randomC({ seed, size: 12, features: { floats: false }, show });
  const scalars = [...text.matchAll(/^static (?:[a-z_B ]+) (v\d+)(?: =[^;{]*)?;$/gm)].map(
    (match) => `  ${match[1]} ^= zero;\n`,
  );
  const withZero = text.replace('int main(void) {\n', `int main(void) {\n${ZERO}${scalars.join('')}`);
  const end = withZero.lastIndexOf('return 0;');
  return `${PREFIX}${withZero.slice(0, end)}${last} ${withZero.slice(end)}`;
}

/** What the interpreter computes. */
function interpret(code: Code): bigint {
  const program = compileProgram(code);
  const machine = new Machine(program, { checks: CHECKS, inputs: { nondet: () => 0, byte: () => 0 } });
  while (machine.status === 'running') machine.step(machine.thread(0), 100_000);
  expect(machine.status).toBe('ended');
  const sum = code.objects.find(({ name }) => name === 'sum');
  const address = program.statics[sum?.id ?? -1] as number;
  return BigInt(machine.memory.read(address, { kind: 'integer', bits: 64, signed: false, pointer: false }));
}

describe('the engine computes what the interpreter computes', () => {
  it(
    `in ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const dataModel: DataModel = seed % 2 === 0 ? 'ILP32' : 'LP64';
        const sum = interpret(readCode(makeProgram(seed, ''), dataModel));
        const code = readCode(makeProgram(seed, `assert(sum != ${sum}ULL);`), dataModel);
        const program = prepareSteps(code, 20);
        if (typeof program === 'string') expect.fail(`seed ${seed}: ${program}`);
        const result = await solveSteps(program, { kind: 'rounds', slots: 1 });
        if (result.kind !== 'violation') expect.fail(`seed ${seed}: ${result.kind}, though the sum is ${sum}`);
        expect(replayCompiled(compileProgram(code), result.schedule, { checks: CHECKS }).kind, `seed ${seed}`).toBe(
          'violated',
        );
      }
    },
    60_000 + 5_000 * COUNT,
  );
});
