// lazuli: expect unsafe; unwind 2; rounds 2
//
// Two transfers in opposite directions: each locks the account that it takes money from, and then the other one. When
// both have their first lock, each waits for the other: a deadlock.

#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int money;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->money -= amount;
  to->money += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused) {
  transfer(&accounts[0], &accounts[1], 3);
  return 0;
}

static void *back(void *unused) {
  transfer(&accounts[1], &accounts[0], 4);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, forth, 0);
  pthread_create(&second, 0, back, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
