// lazuli: expect unsafe; unwind 3; rounds 2
//
// Inputs are stored straight into allocated memory, whose size is an input, too.

#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int *values;
int count, sum;

void *add(void *argument) {
  for (int i = 0; i < count - 1; i++) sum += values[i];
  return argument;
}

int main(void) {
  pthread_t thread;
  count = __VERIFIER_nondet_int();
  if (count < 1 || count > 2) return 0;
  values = malloc(sizeof(int) * (size_t)count);
  for (int i = 0; i < count; i++) values[i] = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  if (count == 2 && sum == 1) __VERIFIER_error();
  free(values);
  return 0;
}
