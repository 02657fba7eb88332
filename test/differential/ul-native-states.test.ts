/**
 * What is emitted for the schema ul, compiled by gcc and run with scripted choices of where threads stop: the values
 * that it ends with are those that the interleavings of the program end with, no more and, with enough scripts, no
 * less. The programs have what makes resuming a thread delicate: loops in branches, `break` and `continue`, jumps back,
 * conditions on shared variables, atomic sections, locks and conditions.
 */

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gcc as native } from '../../src/backends/gcc.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { enumerateAll, readCode } from '../support/agreement.ts';
import { makeFolder, writeText } from '../support/gcc.ts';
import { boundSample, readSample } from '../support/schema-agreement.ts';
import { requireTool } from '../support/tools.ts';

const { folder, remove } = makeFolder();
afterAll(remove);

const SCRIPTS = 600;
const MOST_CHOICES = 60;
/** x and y end with values from 0 on below this. */
const VALUES = 5;

interface Sample {
  readonly name: string;
  readonly threads: readonly [string, string];
}

const SAMPLES: readonly Sample[] = [
  { name: 'a loop', threads: ['for (int i = 0; i < 2; i++) x++;', 'x = x + 1; y = x;'] },
  {
    name: 'a loop on a shared variable, in a branch',
    threads: ['if (y == 0) { while (x < 2) { x++; if (y == 1) break; } } else { y = 3; }', 'y = 1; x = x + 2;'],
  },
  {
    name: 'jumps back, and continue',
    threads: [
      'int k = 0; again: x = x + 1; if (++k < 2) goto again; y = x;',
      'for (int i = 0; i < 3; i++) { if (i == 1) continue; y = y + 1; }',
    ],
  },
  {
    name: 'nested loops and an atomic section',
    threads: [
      `for (int i = 0; i < 2; i++) { for (int j = 0; j < i; j++) { __VERIFIER_atomic_begin(); y = x; x = y + 1;
       __VERIFIER_atomic_end(); } }`,
      'do { y = y + 2; } while (x == 0 && y < 3);',
    ],
  },
  {
    name: 'a lock in a loop',
    threads: [
      'for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); y = x; }',
      'pthread_mutex_lock(&m); if (x == 1) x = 3; pthread_mutex_unlock(&m);',
    ],
  },
];

function print({ threads }: Sample, last: string): string {
  const [first, second] = threads.map((body, i) => `void *t${i}(void *p) { ${body} return 0; }`);
  return `#include <pthread.h>
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
${first}
${second}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t0, 0);
  pthread_create(&b, 0, t1, 0);
  ${last}
  return 0;
}
`;
}

/** By enumeration of all interleavings. */
function possibleStates(sample: Sample): string[] {
  const states: string[] = [];
  for (let x = 0; x < VALUES; x++) {
    for (let y = 0; y < VALUES; y++) {
      const last = `pthread_join(a, 0); pthread_join(b, 0); if (x == ${x} && y == ${y}) __VERIFIER_error();`;
      const code = readCode(print(sample, last), 'ILP32');
      const { violations, isComplete } = enumerateAll(code, 30_000, new Set(['assertion']));
      expect(isComplete || violations.length > 0).toBe(true);
      if (violations.length > 0) states.push(`${x} ${y}`);
    }
  }
  return states;
}

/** Runs the program once for each script, in a process of its own, and tells what it ends with. */
const HARNESS = `
extern int printf(const char *format, ...), pipe(int *ends), fork(void), waitpid(int child, int *status, int options);
extern int close(int file);
extern unsigned alarm(unsigned seconds);
extern long write(int file, const void *memory, __SIZE_TYPE__ size);
extern void _exit(int status);
static _Bool isScript;
__attribute__((constructor)) static void scripts(void) {
  for (unsigned script = 0; script < ${SCRIPTS}; script++) {
    char text[2 * ${MOST_CHOICES}];
    unsigned state = script * 2654435761u + 1, often = 2 + script % 4;
    int ends[2], status;
    for (int i = 0; i < ${MOST_CHOICES}; i++) {
      state = state * 1664525u + 1013904223u;
      text[2 * i] = (state >> 16) % often == 0 ? '1' : '0';
      text[2 * i + 1] = ' ';
    }
    pipe(ends);
    write(ends[1], text, sizeof text);
    close(ends[1]);
    int child = fork();
    if (child == 0) {
      alarm(5);
      __lazuli_input = ends[0];
      isScript = 1;
      return;
    }
    close(ends[0]);
    waitpid(child, &status, 0);
    if (status != 0 && status != 1 << 8) _exit(3);
  }
  _exit(0);
}
__attribute__((destructor)) static void show(void) { if (isScript) printf("%d %d\\n", x, y); }
`;

/**
 * Of runs that come to their end, when all threads have: where a thread that waits is not left, an assumption ends the
 * run, and so main does not wait here.
 */
function seenStates(gcc: string, sample: Sample): Set<string> {
  const bounded = boundSample(readSample(print(sample, '')), 'ul', { atomicStatements: false });
  const settings = { rounds: 1, closingMain: false, schedule: null, lineDirectives: false };
  const { text } = sequentialize(bounded, { schema: 'ul', spelling: native.spelling, ...settings });
  const executable = path.join(folder, 'scripted');
  const file = writeText(folder, 'scripted.c', text + HARNESS);
  const { stderr, status } = spawnSync(gcc, ['-m32', '-w', '-o', executable, file], { encoding: 'utf8' });
  expect(`${stderr}${status}`).toBe('0');
  const run = spawnSync(executable, { encoding: 'utf8', timeout: 30_000 });
  expect(run.status).toBe(0);
  return new Set(run.stdout.trim().split('\n'));
}

describe('the schema ul, run natively with scripted choices', () => {
  it.each(SAMPLES)('ends as the program does: $name', { timeout: 60_000 }, (sample) => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    const possible = possibleStates(sample);
    expect(possible.length).toBeGreaterThan(1);
    expect([...seenStates(gcc, sample)].sort()).toEqual(possible);
  });
});
