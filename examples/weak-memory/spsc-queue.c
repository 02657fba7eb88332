/* A ring buffer for one producer and one consumer. Under TSO what is put in arrives before the counter that tells of
   it; under PSO it may arrive later. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2

int ring[SIZE];
int taken, put;

void *producer(void *unused) {
  for (int i = 1; i <= 3; i++) {
    while (put - taken == SIZE) {
    }
    ring[put % SIZE] = i;
    put = put + 1;
  }
  return 0;
}

void *consumer(void *unused) {
  for (int i = 1; i <= 3; i++) {
    while (taken == put) {
    }
    assert(ring[taken % SIZE] == i);
    taken = taken + 1;
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, producer, 0);
  pthread_create(&second, 0, consumer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
