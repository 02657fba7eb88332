// lazuli: expect unknown: unsupported: 'work' is defined nowhere, and it is given what it may change
#include <pthread.h>

extern void *work(void *argument);

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
