#include <pthread.h>
pthread_mutex_t lock;
int count;
void *add(void *argument) {
  pthread_mutex_lock(&lock);
  count = count + 1;
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_mutex_init(&lock, 0);
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  __VERIFIER_assert(count == 2);
  return 0;
}
