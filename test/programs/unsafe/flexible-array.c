// lazuli: expect unsafe; unwind 1; rounds 2
// The last member takes what the allocation leaves it.
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <pthread.h>
struct buf { int n; int data[]; };
static struct buf *b;
void *t(void *a) {
  b->data[4] = 1;
  return 0; }
int main(void) {
  b = malloc(sizeof *b + 4 * sizeof(int));
  b->n = 4;
  for (int i = 0; i < b->n; i++) b->data[i] = 0;
  pthread_t x; pthread_create(&x, 0, t, 0);
  pthread_join(x, 0);
  assert(b->data[3] == 1);
}
