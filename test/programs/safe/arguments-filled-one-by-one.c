// lazuli: expect safe; unwind 1; rounds 4; LP64
// Threads that run already do not keep main from filling in the arguments of the next one: pointers and indices.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct part {
  int *values;
  int low, high;
  int sum;
};

int values[4] = {1, 2, 3, 4};

void *add(void *given) {
  struct part *part = given;
  part->sum = 0;
  for (int i = part->low; i < part->high; i++) part->sum += part->values[i];
  return 0;
}

int main(void) {
  struct part first[2];
  struct part *second = malloc(sizeof *second);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    struct part *part = i == 0 ? &first[1] : second;
    if (i == 0) part->high = 1;
    else *part = first[1], part->high++;
    part->low = i;
    part->values = values + i;
    pthread_create(&threads[i], 0, add, part);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(first[1].sum + second->sum == 4);
  free(second);
  return 0;
}
