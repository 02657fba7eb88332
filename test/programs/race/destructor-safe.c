// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

int x;
pthread_key_t key;

void end(void *value) {
  x++;
}

void *first(void *argument) {
  pthread_setspecific(key, &x);
  return 0;
}

void *second(void *argument) {
  int nothing = 0;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_key_create(&key, end);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return x;
}
