// lazuli: expect unsafe; unwind 1; rounds 1
#include <pthread.h>
void *f(void *p) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, (void *)65536, f, 0); pthread_join(t, 0); return 0; }
