// lazuli: expect unsafe; unwind 1; rounds 1
#include <pthread.h>
int main(void) { int *p = (int *)65536; int k = *p; if (k) { pthread_t t; pthread_join(t, 0);} return 0; }
