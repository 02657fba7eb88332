// Correct programs whose threads each add 1 to a counter so often, under a lock, and whose main joins them and asserts
// the total: for proofs, which have to count what all threads have added.

import type { ProgramFamily } from './endless-programs.ts';

export const ADDING_FAMILIES: readonly ProgramFamily[] = [
  {
    name: 'a counter under a lock, 1000 turns',
    measure: 'threads',
    sizes: [2, 4, 8, 16, 32, 100],
    generate: (threads) => addUp(threads, 1000),
  },
  {
    name: 'a counter under a lock, eight threads',
    measure: 'turns',
    sizes: [10, 100, 1_000, 10_000],
    generate: (turns) => addUp(8, turns),
  },
];

function addUp(threads: number, turns: number): string {
  return `#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  for (int i = 0; i < ${turns}; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[${threads}];
  for (int i = 0; i < ${threads}; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < ${threads}; i++) pthread_join(threads[i], 0);
  assert(counter == ${threads * turns});
  return 0;
}
`;
}
