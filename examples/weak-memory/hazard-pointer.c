/* A hazard pointer: the reader announces the node before it uses it, and looks whether it is still there; the writer
   takes the node away and reuses it only if nobody has announced it. Under TSO both may look before their stores have
   arrived. */
#include <assert.h>
#include <pthread.h>

struct node {
  int is_reused;
};

struct node old, new;
struct node *current = &old;
struct node *hazard;

void *reader(void *unused) {
  struct node *node = current;
  hazard = node;
  if (current == node) assert(!node->is_reused);
  hazard = 0;
  return 0;
}

void *writer(void *unused) {
  current = &new;
  if (hazard != &old) old.is_reused = 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, reader, 0);
  pthread_create(&second, 0, writer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
