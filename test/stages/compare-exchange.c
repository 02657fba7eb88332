#include <pthread.h>
#include <stdatomic.h>
atomic_int owner;
int inside;
void *enter(void *argument) {
  int nobody = 0;
  if (atomic_compare_exchange_strong(&owner, &nobody, 1)) {
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    owner = 0;
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(0);
  return 0;
}
