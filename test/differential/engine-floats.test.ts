/**
 * Floating point in the engine. Random expressions: gcc's program prints the bits of each result; the engine is given
 * the same operands as inputs that assumptions fix, so that its circuits compute, and must agree on every bit; so must
 * the interpreter. Then a few programs with threads, whose counterexamples must replay.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/support/random.ts';
import { checkText } from '../support/check-text.ts';
import { makeFolder, modelFlags, runTool, writeText } from '../support/gcc.ts';
import { lowerText } from '../support/lower-text.ts';
import { runCode } from '../support/run-text.ts';
import { requireTool } from '../support/tools.ts';

const { folder, remove } = makeFolder();
afterAll(remove);

const OPERANDS = 4;
const EXPRESSIONS = 6;
const PROGRAMS = 2;

const DECLARATIONS = `
#include <assert.h>
#include <stdio.h>
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
static unsigned long long bits_of(double x) { union { double value; unsigned long long bits; } u; u.value = x; return u.bits; }
`;

interface FloatProgram {
  /** `float f0`, … with the values that they have. */
  readonly operands: readonly { readonly type: 'float' | 'double' | 'int'; readonly value: string }[];
  readonly expressions: readonly string[];
}

function randomProgram(seed: number): FloatProgram {
  const random = createRandom(seed);
  const operands = Array.from({ length: OPERANDS }, (_, i) => {
    const type = (['float', 'double', 'int', 'double'] as const)[i] as 'float' | 'double' | 'int';
    return { type, value: type === 'int' ? String(1 + random.below(2000)) : randomValue(random) };
  });
  return { operands, expressions: Array.from({ length: EXPRESSIONS }, () => randomExpression(random, 2)) };
}

function randomValue(random: Random): string {
  const sign = random.pick(['', '-']);
  const exponent = random.pick([0, 0, 1, 3, 20, -20, -38]);
  return `${sign}${1 + random.below(9)}.${random.below(100_000)}e${exponent}f`;
}

function randomExpression(random: Random, depth: number): string {
  if (depth === 0) return `x${random.below(OPERANDS)}`;
  const [a, b] = [randomExpression(random, depth - 1), randomExpression(random, depth - 1)];
  switch (random.below(8)) {
    case 0:
      return `(float)(${a})`;
    case 1:
      return `-(${a})`;
    case 2:
      return `(${a} < ${b} ? ${a} : ${b})`;
    case 3:
      return `(int)((${a}) * 0 + x2 / 3.7f)`;
    default:
      return `(${a} ${random.pick(['+', '-', '*', '/'])} (double)(${b}))`;
  }
}

/** Prints the bits of all results. */
function printingText({ operands, expressions }: FloatProgram): string {
  const declared = operands.map(({ type, value }, i) => `  ${type} x${i} = ${value};`);
  const prints = expressions.map((text) => `  { double r = ${text}; printf("%llu\\n", r != r ? 1ull : bits_of(r)); }`);
  return `${DECLARATIONS}int main(void) {\n${[...declared, ...prints].join('\n')}\n  return 0;\n}\n`;
}

/** Asserts that the results have these bits. */
function assertingText({ operands, expressions }: FloatProgram, results: readonly string[]): string {
  const declared = operands.map(
    ({ type, value }, i) =>
      `  ${type} x${i} = __VERIFIER_nondet_${type}(); __VERIFIER_assume(x${i} == (${type})${value});`,
  );
  const asserts = expressions.map(
    (text, i) => `  { double r = ${text}; assert((r != r ? 1ull : bits_of(r)) == ${results[i]}ull); }`,
  );
  return `${DECLARATIONS}int main(void) {\n${[...declared, ...asserts].join('\n')}\n  return 0;\n}\n`;
}

describe('floating point in the engine', () => {
  const gcc = requireTool('gcc');

  it('agrees with gcc and the interpreter on random expressions', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const program = randomProgram(seed);
      const text = printingText(program);
      const interpreted = runCode(lowerText(text)).output;
      if (gcc !== null) {
        const source = writeText(folder, 'floats.c', text);
        await runTool(gcc, ['-w', '-O0', ...modelFlags('LP64'), '-o', `${folder}/floats`, source]);
        expect({ seed, output: interpreted }).toEqual({ seed, output: (await runTool(`${folder}/floats`, [])).stdout });
      }
      const results = interpreted.trim().split('\n');
      const outcome = await checkText(assertingText(program, results));
      expect({ seed, kind: outcome.kind }).toEqual({ seed, kind: 'safe' });
      const wrong = results.map((bits, i) => (i === seed % EXPRESSIONS ? String(BigInt(bits) ^ 1n) : bits));
      expect({ seed, kind: (await checkText(assertingText(program, wrong))).kind }).toEqual({ seed, kind: 'unsafe' });
    }
  });

  it('finds a lost update of a double', async () => {
    const outcome = await checkText(`
      #include <pthread.h>
      #include <assert.h>
      double balance = 100.0;
      float rate = 1.5f;
      void *grow(void *a) { double b = balance; balance = b * rate; return 0; }
      void *take(void *a) { double b = balance; balance = b - 10.25; return 0; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, grow, 0);
        pthread_create(&b, 0, take, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(balance == 139.75 || balance == 134.625);
        return 0;
      }`);
    expect(outcome.kind).toBe('unsafe');
  });

  it('gets the outcomes right when there is no race', async () => {
    const outcome = await checkText(
      `
      #include <pthread.h>
      #include <assert.h>
      float sum = 0.5f;
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *add(void *a) { pthread_mutex_lock(&m); sum = sum + 0.25f; pthread_mutex_unlock(&m); return 0; }
      int main(void) {
        pthread_t a;
        pthread_create(&a, 0, add, 0);
        pthread_mutex_lock(&m);
        sum = sum * 2;
        pthread_mutex_unlock(&m);
        pthread_join(a, 0);
        assert(sum == 1.5f || sum == 1.25f);
        return 0;
      }`,
      { unwind: 2, rounds: 3 },
    );
    expect(outcome.kind).toBe('bounded');
  });

  it('finds that a NaN given to another thread is unequal to itself', async () => {
    const outcome = await checkText(`
      #include <pthread.h>
      #include <assert.h>
      float __VERIFIER_nondet_float(void);
      float shared;
      void *give(void *a) { shared = __VERIFIER_nondet_float(); return 0; }
      int main(void) {
        pthread_t a;
        pthread_create(&a, 0, give, 0);
        pthread_join(a, 0);
        assert(shared == shared);
        return 0;
      }`);
    expect(outcome.kind).toBe('unsafe');
  });

  it('sees the same pattern of a NaN as the interpreter, whatever was in memory', async () => {
    const outcome = await checkText(`
      #include <assert.h>
      unsigned __VERIFIER_nondet_uint(void);
      int main(void) {
        union { float value; unsigned bits; } u;
        u.bits = __VERIFIER_nondet_uint();
        float copy = -u.value;
        u.value = copy;
        assert(u.value == copy || u.bits != 0x7fc00000u);
        return 0;
      }`);
    expect(outcome.kind).toBe('unsafe');
  });

  it('cuts what does not fit an integer like the interpreter', async () => {
    const outcome = await checkText(`
      #include <assert.h>
      double __VERIFIER_nondet_double(void);
      int main(void) {
        double x = __VERIFIER_nondet_double();
        assert((int)x != -2147483647 - 1 || (unsigned char)x == 0 || x > 1e9);
        assert(!(x > 1e30) || (unsigned)x != 0 || (long long)x != -9223372036854775807ll - 1);
        return 0;
      }`);
    expect(outcome.kind).toBe('unsafe');
  });
});
