// lazuli: expect unsafe; unwind 1; rounds 3
//
// A call through a pointer to a function with more parameters than the call gives: found only when the other thread
// has chosen that function.

#include <pthread.h>

int choice = 2;

int one(int a) { return a; }
int two(int a, int b) { return a + b; }

int (*table[2])(int) = {one, (int (*)(int))two};

void *choose(void *argument) {
  choice = 1;
  choice = 0;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, choose, 0);
  int chosen = choice;
  return chosen < 2 ? table[chosen](1) : 0;
}
