// Programs that grow with a number: after the classics of concurrency testing (CS.reorder_n_bad, CS.twostage_n_bad),
// whose bugs get rarer with every thread that takes part in a random schedule, and stay as shallow as they are for a
// bounded search. Each comes with its bug and, with a lock around what must happen together, without it. And a program
// that only gets longer.

export interface GeneratorOptions {
  readonly size: number;
  readonly isCorrect: boolean;
}

export interface Generator {
  readonly name: string;
  readonly generate: (options: GeneratorOptions) => string;
}

/**
 * The writers set two variables, one after the other; the reader must not see one without the other. One round shows
 * the bug.
 */
function reorder({ size, isCorrect }: GeneratorOptions): string {
  const lock = isCorrect ? '  pthread_mutex_lock(&both);\n' : '';
  const unlock = isCorrect ? '  pthread_mutex_unlock(&both);\n' : '';
  return `#include <assert.h>
#include <pthread.h>

#define WRITERS ${size - 1}

static int low, high;
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;

static void *write_both(void *unused) {
${lock}  low = 1;
  high = -1;
${unlock}  return unused;
}

static void *read_both(void *unused) {
${lock}  int seen_low = low;
  int seen_high = high;
${unlock}  assert((seen_low == 0 && seen_high == 0) || (seen_low == 1 && seen_high == -1));
  return unused;
}

${mainOf('write_both', 'read_both')}`;
}

/**
 * The writers pass a value on from one stage to the next, each stage under its lock; between them the reader sees half
 * of it.
 */
function twostage({ size, isCorrect }: GeneratorOptions): string {
  const between = isCorrect
    ? '  pthread_mutex_lock(&second_lock);\n'
    : '  pthread_mutex_unlock(&first_lock);\n  pthread_mutex_lock(&second_lock);\n';
  const after = isCorrect
    ? '  pthread_mutex_unlock(&second_lock);\n  pthread_mutex_unlock(&first_lock);\n'
    : '  pthread_mutex_unlock(&second_lock);\n';
  return `#include <assert.h>
#include <pthread.h>

#define WRITERS ${size - 1}

static int first_value, second_value;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;

static void *pass_on(void *unused) {
  pthread_mutex_lock(&first_lock);
  first_value = 1;
${between}  second_value = first_value + 1;
${after}  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&first_lock);
  int first = first_value;
${between}  int second = second_value;
${after}  assert(first == 0 || second == first + 1);
  return unused;
}

${mainOf('pass_on', 'look')}`;
}

function mainOf(writer: string, reader: string): string {
  return `int main(void) {
  pthread_t writers[WRITERS], reader;
  for (int i = 0; i < WRITERS; i++) pthread_create(&writers[i], 0, ${writer}, 0);
  pthread_create(&reader, 0, ${reader}, 0);
  for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], 0);
  pthread_join(reader, 0);
  return 0;
}
`;
}

/** Two threads, each a straight line of so many increments, by turns of four counters: two rounds lose one of them. */
function straightLine({ size, isCorrect }: GeneratorOptions): string {
  const names = ['north', 'east', 'south', 'west'] as const;
  const counted = Array.from({ length: size }, (_, i) => names[i % names.length]);
  const lines = counted.map((name) => `  ${name} = ${name} + 1;`).join('\n');
  const asserts = names.map((name) => {
    const total = 2 * counted.filter((other) => other === name).length;
    return `  assert(${name} ${isCorrect ? '<=' : '=='} ${total});`;
  });
  return `#include <assert.h>
#include <pthread.h>

static int ${names.join(', ')};

static void *count(void *unused) {
${lines}
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
${asserts.join('\n')}
  return 0;
}
`;
}

/** The size is the number of threads besides main. */
/** Every thread adds one under a lock that it spins for; without the lock additions are lost. */
function spin({ size, isCorrect }: GeneratorOptions): string {
  const lock = isCorrect ? '  while (__sync_lock_test_and_set(&lock, 1)) ;\n' : '';
  const unlock = isCorrect ? '  __sync_lock_release(&lock);\n' : '';
  return `#include <assert.h>
#include <pthread.h>

#define THREADS ${size}

static int lock, count;

static void *add(void *unused) {
${lock}  int seen = count;
  count = seen + 1;
${unlock}  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(count == THREADS);
  return 0;
}
`;
}

export const spinProgram: Generator = { name: 'spin', generate: spin };
export const reorderProgram: Generator = { name: 'reorder', generate: reorder };
export const twostageProgram: Generator = { name: 'twostage', generate: twostage };
/** The size is the number of statements in each of its two threads. */
export const straightLineProgram: Generator = { name: 'straight-line', generate: straightLine };
