/* The running example of "Bounded Model Checking of Multi-Threaded C Programs via Lazy Sequentialization", Fig. 2. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

pthread_mutex_t m;
int c = 0;

void *P(void *b) {
  int tmp = *(int *)b;
  pthread_mutex_lock(&m);
  if (c > 0)
    c++;
  else {
    c = 0;
    while (tmp > 0) {
      c++;
      tmp--;
    }
  }
  pthread_mutex_unlock(&m);
  return 0;
}

void *C(void *unused) {
  __VERIFIER_assume(c > 0);
  c--;
  assert(c >= 0);
  return 0;
}

int main(void) {
  int x = 1, y = 5;
  pthread_t p0, p1, c0, c1;
  pthread_mutex_init(&m, 0);
  pthread_create(&p0, 0, P, &x);
  pthread_create(&p1, 0, P, &y);
  pthread_create(&c0, 0, C, 0);
  pthread_create(&c1, 0, C, 0);
  return 0;
}
