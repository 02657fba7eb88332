// lazuli: expect unsafe; unwind 1; rounds 2; LP64
#include <assert.h>
#include <pthread.h>
int a[2147483647]; int x;
void *f(void *p) { x++; return 0; }
int main(void) { pthread_t t,s; a[0]=1; pthread_create(&t,0,f,0); pthread_create(&s,0,f,0); pthread_join(t,0);pthread_join(s,0); assert(x==2); return a[2]; }
