#include <assert.h>
#include <pthread.h>
pthread_mutex_t m1, m2;
int c;

void *P(void *b) {
  int l = *(int *)b;
  pthread_mutex_lock(&m1);
  if (c > 0) c = c + 1;
  else {
    c = 0;
    while (l > 0) {
      c = c + 1;
      l = l - 1;
    }
  }
  pthread_mutex_unlock(&m1);
  return 0;
}

void *C(void *unused) {
L:
  pthread_mutex_lock(&m2);
  if (c < 1) {
    pthread_mutex_unlock(&m2);
    goto L;
  }
  c = c - 1;
  assert(c >= 0);
  pthread_mutex_unlock(&m2);
  return 0;
}

int main(void) {
  pthread_t p0, p1, c0, c1;
  int five = 5, one = 1;
  c = 0;
  pthread_mutex_init(&m1, 0);
  pthread_mutex_init(&m2, 0);
  pthread_create(&p0, 0, P, &five);
  pthread_create(&p1, 0, P, &one);
  pthread_create(&c0, 0, C, 0);
  pthread_create(&c1, 0, C, 0);
  return 0;
}
