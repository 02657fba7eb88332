// Tiny random programs, by seed, in which only preemptions matter: no inputs, no heap, a few shared variables, a mutex,
// two threads and a main that creates them, joins them and says which values must not come out. Small enough that all
// interleavings of an instance of a swarm can be enumerated.

import { createRandom, type Random } from '../../src/support/random.ts';

const VARIABLES = ['x', 'y', 'z'] as const;

export function randomSwitches(seed: number): string {
  const random = createRandom(seed);
  const bodies = [0, 1].map(() => body(random, 2 + random.below(3)));
  const wrong = VARIABLES.map((name) => `${name} == ${random.below(4)}`).filter(() => random.chance(2, 3));
  const whenAlive = random.chance(1, 3) ? `  int seen = ${random.pick(VARIABLES)};\n  x = seen + 1;\n` : '';
  return `#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
int ${VARIABLES.join(', ')};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *a(void *unused) {
${bodies[0]}  return 0;
}
void *b(void *unused) {
${bodies[1]}  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
${whenAlive}  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!(${wrong.length > 0 ? wrong.join(' && ') : 'x == 1'}));
}
`;
}

function body(random: Random, size: number): string {
  return Array.from({ length: size }, () => statement(random)).join('');
}

function statement(random: Random): string {
  const [p, q] = [random.pick(VARIABLES), random.pick(VARIABLES)];
  const value = random.below(3);
  switch (random.below(9)) {
    case 0:
      return `  ${p} = ${value};\n`;
    case 1:
    case 2:
      return `  ${p} = ${q} + 1;\n`;
    case 3:
      return `  if (${p} == ${value}) ${q} = ${random.below(4)};\n`;
    case 4:
      return `  pthread_mutex_lock(&m);\n  ${p} = ${q} + ${value};\n  pthread_mutex_unlock(&m);\n`;
    case 5:
      return `  assert(${p} != 3);\n  ${q}++;\n`;
    case 6:
      return `  __VERIFIER_assume(${p} != ${value});\n`;
    case 7:
      return `  { int array[2] = { ${value}, 1 }; ${p} = array[${q} & 3]; }\n`;
    default:
      return `  for (int i = 0; i < 2; i++) ${p} += i;\n`;
  }
}
