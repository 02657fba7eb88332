// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
};

struct node *_Atomic head;

void *first(void *argument) {
  struct node *made = malloc(sizeof *made);
  if (!made) return 0;
  made->value = 1;
  atomic_store(&head, made);
  return 0;
}

void *second(void *argument) {
  struct node *seen = atomic_load(&head);
  if (seen) seen->value++;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
