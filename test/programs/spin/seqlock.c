// A reader repeats until it saw a whole record.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint seq; int a, b;
void *writer(void *u) { for (int i = 1; i <= 2; i++) { seq++; a = i; b = i; seq++; } return 0; }
void *reader(void *u) {
  unsigned s; int x, y;
  do { s = seq; x = a; y = b; } while ((s & 1) || s != seq);
  assert(x == y); return 0;
}
int main(void) { pthread_t p, q; pthread_create(&p, 0, writer, 0); pthread_create(&q, 0, reader, 0); pthread_join(p, 0); pthread_join(q, 0); }
