// Dekker's algorithm.
#include <assert.h>
#include <pthread.h>
int flag[2], turn, inside;
static void section(void) { inside++; assert(inside == 1); inside--; }
static void enter(int me) {
  int other = 1 - me;
  flag[me] = 1;
  while (flag[other]) {
    if (turn == other) {
      flag[me] = 0;
      while (turn == other) ;
      flag[me] = 1;
    }
  }
}
void *run(void *arg) { int me = (int)(long)arg; enter(me); section(); turn = 1 - me; flag[me] = 0; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)0);
  pthread_create(&b, 0, run, (void *)1);
  pthread_join(a, 0); pthread_join(b, 0);
}
