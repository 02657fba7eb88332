// How values are named: enumerators, characters, floating-point numbers, addresses by what they point to, neighbours in arrays;
// and that a loop was cut off.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

enum state { IDLE, RUNNING, DONE = 7 } state;
struct task { int id; struct { char initial; } name; } tasks[4], *current = &tasks[0], *last;
char text[8] = "it's";
float ratio = 0.5f, measured;
int counts[6], total, *place;
const char *message = "waiting", *rest;

void *run(void *unused) {
  state = RUNNING;
  current = &tasks[__VERIFIER_nondet_int() & 3];
  current->name.initial = 'x';
  place = &tasks[2].id;
  measured = __VERIFIER_nondet_float();
  if (!(measured >= -1.5f && measured <= 2.0f)) measured = 0;
  ratio = 2.5f;
  while (__VERIFIER_nondet_int()) total += 3;
  state = DONE;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  last = &tasks[3];
  message = "a very long text for a table";
  rest = message + 7;
  text[0] = 'I';
  counts[3] = text[1];
  return 0;
}
