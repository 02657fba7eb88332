// Correct programs that never end, for proofs without bounds: threads that turn pairs of variables around, for ever,
// and never leave the two of a pair different while somebody can see it. They grow with the threads, with the variables
// that the invariant has to speak of, and with the steps of the loop.

interface EndlessOptions {
  readonly threads: number;
  readonly pairs: number;
  /** Critical sections in an iteration. */
  readonly sections: number;
}

export interface ProgramFamily {
  readonly name: string;
  /** What grows. */
  readonly measure: string;
  readonly sizes: readonly number[];
  readonly generate: (size: number) => string;
}

const SMALL: EndlessOptions = { threads: 2, pairs: 1, sections: 1 };

export const ENDLESS_FAMILIES: readonly ProgramFamily[] = [
  {
    name: 'endless loops, one pair of variables',
    measure: 'threads',
    sizes: [2, 4, 8, 16, 32],
    generate: (threads) => turnAround({ ...SMALL, threads }),
  },
  {
    name: 'endless loops, two threads',
    measure: 'pairs of variables',
    sizes: [1, 2, 4, 8, 16],
    generate: (pairs) => turnAround({ ...SMALL, pairs }),
  },
  {
    name: 'endless loops, two threads',
    measure: 'critical sections in the loop',
    sizes: [1, 2, 4, 8, 16],
    generate: (sections) => turnAround({ ...SMALL, sections }),
  },
];

function turnAround({ threads, pairs, sections }: EndlessOptions): string {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const turn = (i: number) => `    a${i} = !a${i};\n    b${i} = !b${i};\n    assert(a${i} == b${i});\n`;
  const section = `    pthread_mutex_lock(&lock);\n${numbers(pairs).map(turn).join('')}    pthread_mutex_unlock(&lock);\n`;
  const variables = numbers(pairs).map((i) => `a${i}, b${i}`);
  return `#include <assert.h>
#include <pthread.h>

static int ${variables.join(', ')};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  while (1) {
${section.repeat(sections)}  }
  return unused;
}

int main(void) {
  pthread_t ${numbers(threads)
    .map((i) => `t${i}`)
    .join(', ')};
${numbers(threads)
  .map((i) => `  pthread_create(&t${i}, 0, work, 0);\n`)
  .join('')}  return 0;
}
`;
}
