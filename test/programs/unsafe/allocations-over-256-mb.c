// lazuli: expect unsafe; unwind 5; rounds 2; LP64
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *p) { x++; return 0; }
int main(void) { pthread_t t,s; for (int i=0;i<5;i++) {char *q = malloc(60000000); q[0]=1;} pthread_create(&t,0,f,0); pthread_create(&s,0,f,0); pthread_join(t,0);pthread_join(s,0); assert(x==2); return 0; }
