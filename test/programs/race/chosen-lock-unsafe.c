// lazuli: expect unsafe; unwind 1; rounds 2
// Elements and their locks are chosen by different numbers.
#include <pthread.h>
#include <stdlib.h>
int data[6];
#define FREE PTHREAD_MUTEX_INITIALIZER
pthread_mutex_t m[6] = {FREE, FREE, FREE, FREE, FREE, FREE};
void *t_fun(void *arg) {
  pthread_mutex_lock(&m[4]);
  data[4]++;
  pthread_mutex_unlock(&m[4]);
  return NULL;
}
int main() {
  int i, j;
  pthread_t id;
  pthread_create(&id, NULL, t_fun, NULL);
  i = rand() % 8; j = rand() % 8;
  if (i < 0 || i >= 6 || j < 0 || j >= 6) exit(1);
  pthread_mutex_lock(&m[i]);
  data[j]++;
  pthread_mutex_unlock(&m[i]);
  return 0;
}
