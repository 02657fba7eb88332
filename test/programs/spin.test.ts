// Programs whose threads spin for one another. No execution of them is cut, whatever the bound, so that all
// interleavings are covered; and where nobody spins, they break.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { solveFreeOrder } from '../../src/engines/order/solve-free-order.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { replayCompiled } from '../../src/trace/replay.ts';
import { prepareSteps, readCode } from '../support/agreement.ts';

const FOLDER = new URL('spin/', import.meta.url);
const CHECKS = new Set(['assertion'] as const);
const ENOUGH = 3;

async function verdictOf(text: string): Promise<string> {
  const code = readCode(text, 'LP64', { checks: CHECKS });
  const program = prepareSteps(code, ENOUGH, CHECKS);
  if (typeof program === 'string') throw new Error(program);
  const result = await solveFreeOrder(program, { createSolver: () => createCadical({ seed: 1 }) });
  if (result.kind === 'violation') {
    const replayed = replayCompiled(compileProgram(code), result.schedule, { checks: CHECKS });
    return replayed.kind === 'violated' ? 'unsafe' : replayed.kind;
  }
  if (result.kind !== 'none') return result.reason;
  return result.cuts?.length === 0 ? 'safe' : `cut at ${result.cuts?.[0]?.where}`;
}

describe('programs that spin', () => {
  for (const name of readdirSync(FOLDER)) {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    it(`${name} is safe for all interleavings`, async () => {
      expect(await verdictOf(text)).toBe('safe');
    });

    it(`${name} is unsafe if nobody waits`, async () => {
      // Each loop is left after its first turn.
      const hasty = text
        .replace(/while \(([^;{}]*)\) ;/g, 'if ($1) ;')
        .replace('while (flag[other])', 'if (flag[other])')
        .replace('for (;;)', 'for (int once = 0; once < 1; once++)')
        .replace(/count >= 2 && count <= 8/, 'count == 8')
        .replace(/while \(\(s & 1\)/, 'while (0 && (s & 1)');
      expect(hasty).not.toBe(text);
      expect(await verdictOf(hasty)).toBe('unsafe');
    });
  }
});

const HEAD = '#include <assert.h>\n#include <pthread.h>\nint x, y, z, *shown;\n';
const run = (body: string, other: string) => `${HEAD}
void *p(void *u) { ${body} return 0; }
void *q(void *u) { ${other} return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, p, 0); pthread_create(&t, 0, q, 0);
  pthread_join(s, 0); pthread_join(t, 0); assert(z == 0); }`;

/** It may fail without reason, and then writes what it expected. */
const WEAK = 'while (!__atomic_compare_exchange_n(&x, &y, 7, 1, 5, 5)) ;';

const OWN = '__atomic_compare_exchange_n(&x, &n, 7, 0, 5, 5)';

describe('a turn is left out only if it changes nothing', () => {
  const cases: readonly (readonly [name: string, body: string, other: string, verdict: string])[] = [
    ['a violation within the turn', 'while (x == 0) assert(y == 0);', 'y = 1; x = 1;', 'unsafe'],
    ['a violation in a turn that is never left', 'while (1) assert(y == 0);', 'y = 1;', 'unsafe'],
    ['a local that counts turns', 'int n = 0; while (x == 0) n++; z = n == 2;', 'x = 1;', 'unsafe'],
    ['a local that is kept', 'int n = 0; while (x == 0) n = y; z = n;', 'y = 1; x = 1;', 'unsafe'],
    ['a local that is overwritten', 'int n = y; while (n == 0) n = y; z = n != 1;', 'y = 1;', 'safe'],
    ['a write now and then', 'while (x == 0) if (y == 1) { y = 2; z = 1; }', 'y = 1; x = 1;', 'unsafe'],
    ['a write that others see in between', 'while (x == 0) { y = 1; y = 0; }', 'x = 1; z = y;', 'unsafe'],
    ['the same write again', 'while (x == 0) y = 5;', 'z = y == 3; x = 1;', 'safe'],
    ['the same write again, to what others write', 'while (x == 0) y = 5;', 'y = 3; z = y == 5; x = 1;', 'unsafe'],
    ['what a failed exchange expected', `${WEAK} z = y == 9;`, 'z = y == 9;', 'safe'],
    ['what a failed exchange finds', `${WEAK}`, 'x = 3; z = y == 3;', 'unsafe'],
    ['a lock taken and given', 'while (x == 0) { __sync_lock_test_and_set(&y, 1); y = 0; }', 'z = y; x = 1;', 'unsafe'],
    ['an array that is local', 'int a[2] = {0}; while (x == 0) a[y]++; z = a[1] == 2;', 'y = 1; x = 1;', 'unsafe'],
    ['a local that is given first, where an exchange fails', `int n; do n = 0; while (!${OWN}); z = n != 0;`, 'x = 3; x = 0;', 'safe'],
    ['… and is read before', `int n = 0; do { z |= n == 3; n = 0; } while (!${OWN});`, 'x = 3; x = 0;', 'unsafe'],
    ['… and is not always given', `int n = 0; do { if (y) n = 0; } while (!${OWN}); z = n;`, 'x = 3;', 'unsafe'],
    [
      '… and others see it',
      'int n = 5, a; shown = &n; do { a = y; n = 0; } while (a == 0); z = 1; while (y == 1) ;',
      'while (shown == 0) ; while (*shown != 0) ; y = 1; y = 2;',
      'unsafe',
    ],
    ['a static local', 'static int n; while (x == 0) n++; z = n == 2;', 'x = 1;', 'unsafe'],
  ];
  for (const [name, body, other, verdict] of cases) {
    it(name, async () => {
      expect(await verdictOf(run(body, other))).toBe(verdict);
    });
  }
});
