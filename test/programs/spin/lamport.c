// Lamport's fast mutual exclusion for two threads.
#include <assert.h>
#include <pthread.h>
int x, y, b1, b2, X;
void *thr1(void *u) {
  while (1) {
    b1 = 1; x = 1;
    if (y != 0) { b1 = 0; while (y != 0) ; continue; }
    y = 1;
    if (x != 1) { b1 = 0; while (b2 >= 1) ; if (y != 1) { while (y != 0) ; continue; } }
    break;
  }
  X = 0; assert(X <= 0);
  y = 0; b1 = 0; return 0;
}
void *thr2(void *u) {
  while (1) {
    b2 = 1; x = 2;
    if (y != 0) { b2 = 0; while (y != 0) ; continue; }
    y = 2;
    if (x != 2) { b2 = 0; while (b1 >= 1) ; if (y != 2) { while (y != 0) ; continue; } }
    break;
  }
  X = 1; assert(X >= 1);
  y = 0; b2 = 0; return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, thr1, 0); pthread_create(&b, 0, thr2, 0); pthread_join(a, 0); pthread_join(b, 0); }
