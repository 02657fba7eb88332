// lazuli: expect safe; unwind 1; rounds 3
//
// Two threads deposit into one account, each under the account's mutex: no deposit is lost.

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *deposit(void *amount) {
  pthread_mutex_lock(&account);
  balance += *(int *)amount;
  pthread_mutex_unlock(&account);
  return 0;
}

int main(void) {
  static int small = 10, large = 50;
  pthread_t first, second;
  pthread_create(&first, 0, deposit, &small);
  pthread_create(&second, 0, deposit, &large);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 160);
  return 0;
}
