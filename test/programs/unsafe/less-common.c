// lazuli: expect unsafe; unwind 8; rounds 2
// Memory that grows, an array of variable length, a cleanup, a list of arguments in a record, a jump back into a block.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

struct reader { va_list list; int taken; };

int *numbers;
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void release(pthread_mutex_t **guard) { pthread_mutex_unlock(*guard); }

static int take(struct reader *reader) {
  reader->taken++;
  return va_arg(reader->list, int);
}

static int sum(int count, ...) {
  struct reader reader = { .taken = 0 };
  int result = 0;
  va_start(reader.list, count);
  while (reader.taken < count) result += take(&reader);
  va_end(reader.list);
  return result;
}

static int last(int n, int m, short a[n][m]) { return a[n - 1][m - 1]; }

void *grow(void *argument) {
  pthread_mutex_lock(&lock);
  __attribute__((cleanup(release))) pthread_mutex_t *guard = &lock;
  numbers = realloc(numbers, 2 * sizeof *numbers);
  if (total > 3) return 0;
  if (total < 0) {
  again:
    total++;
  }
  if (total < 2) goto again;
  numbers[1] = sum(2, total, 3);
  return argument;
}

int main(void) {
  int rows = 1 + (total == 0);
  short a[rows][3];
  pthread_t thread;
  numbers = malloc(sizeof *numbers);
  *numbers = 1;
  a[rows - 1][2] = 5;
  pthread_create(&thread, 0, grow, 0);
  pthread_join(thread, 0);
  assert(*numbers == 1 && numbers[1] == 6 && last(rows, 3, a) == 5 && sizeof a == 12);
  return 0;
}
