// lazuli: expect unsafe; unwind 2; rounds 1
// A call of reach_error is a violation whatever its body does; the number of threads comes from an input.
extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error() { abort(); } 
#include <pthread.h>
int a[100]; int n; pthread_mutex_t l;
void *t(void *p) { int i = *(int *)p; pthread_mutex_lock(&l); if (n < 100) { a[n] = i; n++; } pthread_mutex_unlock(&l); return 0; }
int main() { int k = __VERIFIER_nondet_int(); if (k < 0 || k > 2) return 0; pthread_t id[2]; int args[2]; for (int i = 0; i < k; i++) { args[i] = i + 1; pthread_create(&id[i], 0, t, &args[i]); } for (int i = 0; i < k; i++) pthread_join(id[i], 0); int s = 0; for (int i = 0; i < n; i++) s += a[i]; if (s == 3) { reach_error(); } return 0; }
