// lazuli: expect unsafe; unwind 1; rounds 2; LP64
// On the other path nobody has written the index, nor where one of two places was written.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct part {
  unsigned char at;
};

_Bool other;

void *nothing(void *unused) { return unused; }

void *look(void *given) {
  struct part *part = given;
  if (other) assert(part[0].at == 3 || part[1].at == 3);
  else assert(part[0].at == 2);
  return 0;
}

int main(void) {
  struct part parts[2];
  pthread_t early, late;
  pthread_create(&early, 0, nothing, 0);
  other = __VERIFIER_nondet_bool();
  if (other) parts[__VERIFIER_nondet_bool()].at = 3;
  else if (__VERIFIER_nondet_bool()) parts[0].at = 2;
  pthread_create(&late, 0, look, parts);
  return 0;
}
