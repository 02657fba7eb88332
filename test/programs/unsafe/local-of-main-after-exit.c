// lazuli: expect unsafe; unwind 1; rounds 2
// pthread_exit in main ends its locals, while the thread that was given the address of one goes on.
#include <pthread.h>

void *work(void *of_main) {
  *(int *)of_main = 7;
  return 0;
}

int main(void) {
  pthread_t worker;
  int local = 0;
  pthread_create(&worker, 0, work, &local);
  pthread_exit(0);
}
