/* A seqlock: a reader takes what it has read only if the writer's counter is even and the same before and after. Under
   TSO the stores arrive in order; under PSO the data may arrive outside of the two increments. */
#include <assert.h>
#include <pthread.h>

int sequence;
int first, second;

void *writer(void *unused) {
  sequence = 1;
  first = 1;
  second = 1;
  sequence = 2;
  return 0;
}

void *reader(void *unused) {
  int before = sequence;
  int a = first;
  int b = second;
  int after = sequence;
  if (before == after && before % 2 == 0) assert(a == b);
  return 0;
}

int main(void) {
  pthread_t writing, reading;
  pthread_create(&writing, 0, writer, 0);
  pthread_create(&reading, 0, reader, 0);
  pthread_join(writing, 0);
  pthread_join(reading, 0);
  return 0;
}
