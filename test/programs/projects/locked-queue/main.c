// lazuli: expect safe; unwind 1; rounds 3; LP64
// Two files with a header and static variables of one name.
#include <assert.h>
#include "queue.h"
static int count = 2;
static struct node nodes[2];
static void *producer(void *arg) {
  struct node *node = arg;
  node->value = 1;
  push(&shared, node);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, &nodes[0]);
  pthread_create(&b, 0, producer, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared.size == count);
  assert(pop(&shared)->value + pop(&shared)->value == 2);
  assert(is_empty(&shared) && shared.size == 0);
  return 0;
}
