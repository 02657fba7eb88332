// lazuli: expect safe; unwind 3; rounds 2; LP64
// Free blocks of a pool are linked where their users keep short members.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct point {
  short x, y;
};

union block {
  union block *next;
  struct point point;
};

static union block blocks[2];
static union block *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take(void) {
  pthread_mutex_lock(&lock);
  union block *block = first;
  if (block) first = block->next;
  pthread_mutex_unlock(&lock);
  return block;
}

static void give_back(void *taken) {
  union block *block = taken;
  pthread_mutex_lock(&lock);
  block->next = first;
  first = block;
  pthread_mutex_unlock(&lock);
}

static void *use(void *number) {
  struct point *point = take();
  point->x = (short)(long)number;
  point->y = (short)-point->x;
  assert(point->x == (long)number && point->x + point->y == 0);
  give_back(point);
  return NULL;
}

int main(void) {
  pthread_t thread;
  blocks[0].next = &blocks[1];
  first = &blocks[0];
  pthread_create(&thread, NULL, use, (void *)1L);
  use((void *)2L);
  pthread_join(thread, NULL);
  assert(first && first->next && !first->next->next);
  return 0;
}
