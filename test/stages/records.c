#include <pthread.h>
struct pair { int first; unsigned a : 3, b : 5; } p, q;
void *copy(void *argument) {
  q = p;
  q.b = 7;
  return argument;
}
int main(void) {
  pthread_t t;
  p.a = 2;
  pthread_create(&t, 0, copy, 0);
  p.first = q.first + q.b;
  return 0;
}
