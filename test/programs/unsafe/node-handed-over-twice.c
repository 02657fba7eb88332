// lazuli: expect unsafe; unwind 2; rounds 2
// The taker leaves the pointer behind, so that a node is freed twice.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *slot;
void *take(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (slot) free(slot);
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  for (;;) {
    int *n = malloc(sizeof *n);
    pthread_mutex_lock(&m);
    slot = n;
    pthread_mutex_unlock(&m);
  }
}
