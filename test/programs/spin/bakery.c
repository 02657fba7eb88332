// Lamport's bakery for three threads.
#include <assert.h>
#include <pthread.h>
#define N 3
int choosing[N], number[N], inside;
void *run(void *arg) {
  int me = (int)(long)arg, most = 0;
  choosing[me] = 1;
  for (int i = 0; i < N; i++) { int seen = number[i]; if (seen > most) most = seen; }
  number[me] = most + 1;
  choosing[me] = 0;
  for (int i = 0; i < N; i++) {
    while (choosing[i]) ;
    for (;;) {
      int theirs = number[i];
      if (theirs == 0 || theirs > most + 1 || (theirs == most + 1 && i >= me)) break;
    }
  }
  inside++; assert(inside == 1); inside--;
  number[me] = 0; return 0;
}
int main(void) { pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); }
