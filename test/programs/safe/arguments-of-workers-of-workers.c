// lazuli: expect safe; unwind 1; rounds 3; LP64
// A thread fills in arguments on its own stack, one after the other, for threads that it creates.
#include <assert.h>
#include <pthread.h>

struct place {
  int *array;
  int at;
};

int array[3];

void *leaf(void *given) {
  struct place *place = given;
  place->array[place->at] = 1;
  return 0;
}

void *node(void *unused) {
  struct place places[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    places[i].array = array;
    places[i].at = i + 1;
    pthread_create(&threads[i], 0, leaf, &places[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, node, 0);
  pthread_join(thread, 0);
  assert(array[0] == 0 && array[1] == 1 && array[2] == 1);
  return 0;
}
