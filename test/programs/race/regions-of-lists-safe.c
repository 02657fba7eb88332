// lazuli: expect safe; unwind 1; rounds 2
// Two lists, each with its own lock.
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
struct s { int datum; struct s *next; } *A, *B;
pthread_mutex_t A_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t B_mutex = PTHREAD_MUTEX_INITIALIZER;
struct s *new(int x) { struct s *p = malloc(sizeof(struct s)); p->datum = x; p->next = NULL; return p; }
void list_add(struct s *node, struct s *list) { struct s *temp = list->next; list->next = node; node->next = temp; }
void *t_fun(void *arg) {
  pthread_mutex_lock(&A_mutex);
  A->next->datum++;
  pthread_mutex_unlock(&A_mutex);
  pthread_mutex_lock(&B_mutex);
  B->next->datum++;
  pthread_mutex_unlock(&B_mutex);
  return NULL;
}
int main () {
  pthread_t t1;
  A = new(3);
  list_add(new(5), A);
  B = new(5);
  list_add(new(7), B);
  pthread_create(&t1, NULL, t_fun, NULL);
  pthread_mutex_lock(&A_mutex);
  printf("%d\n", A->next->datum);
  pthread_mutex_unlock(&A_mutex);
  pthread_mutex_lock(&B_mutex);
  printf("%d\n", B->next->datum);
  pthread_mutex_unlock(&B_mutex);
  pthread_join(t1, NULL);
  return 0;
}
