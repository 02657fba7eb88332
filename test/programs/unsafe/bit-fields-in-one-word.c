// lazuli: expect unsafe; unwind 1; rounds 3
// Two bit-fields of one word are read and written together: one update is lost, unless a border lies between.
#include <pthread.h>
#include <assert.h>
/* two bit-fields of one word: a non-atomic read-modify-write loses one of them */
struct flags { unsigned a : 1; unsigned b : 1;
  unsigned c : 1; };
static struct flags f;
void *t1(void *u) { f.a = 1; return 0; }
void *t2(void *u) { f.c = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(f.a == 1 && f.c == 1);
}
