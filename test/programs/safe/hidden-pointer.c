// lazuli: expect safe; unwind 1; rounds 3
//
// A pointer that is stored in disguise still leads the other thread to what it points to.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t secret;

void *hide(void *argument) {
  int *number = malloc(sizeof *number);
  *number = 5;
  secret = (uintptr_t)number ^ 0x55555555u;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, hide, 0);
  uintptr_t found = secret;
  if (found) {
    int number = *(int *)(found ^ 0x55555555u);
    assert(number == 5);
  }
  return 0;
}
