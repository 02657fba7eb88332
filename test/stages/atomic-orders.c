#include <pthread.h>
int data, flag;
void *reader(void *argument) {
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) { }
  __VERIFIER_assert(data == 1);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  data = 1;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  return 0;
}
