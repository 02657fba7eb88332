/* The deque of Chase and Lev, small: the owner takes at the bottom, a thief steals at the top. The owner's new bottom
   has to be seen before it reads the top, or both take the last element. */
#include <assert.h>
#include <pthread.h>

#define EMPTY (-1)

int top, bottom;
int elements[4];
int taken[2];

void push(int element) {
  int at = bottom;
  elements[at] = element;
  bottom = at + 1;
}

int take(void) {
  int last = bottom - 1;
  bottom = last;
  int first = top;
  if (last < first) {
    bottom = first;
    return EMPTY;
  }
  int element = elements[last];
  if (last > first) return element;
  if (!__sync_bool_compare_and_swap(&top, first, first + 1)) element = EMPTY;
  bottom = first + 1;
  return element;
}

int steal(void) {
  int first = top;
  int last = bottom;
  if (first >= last) return EMPTY;
  int element = elements[first];
  return __sync_bool_compare_and_swap(&top, first, first + 1) ? element : EMPTY;
}

void note(int element) {
  if (element != EMPTY) assert(__sync_fetch_and_add(&taken[element], 1) == 0);
}

void *thief(void *unused) {
  note(steal());
  note(steal());
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thief, 0);
  push(0);
  push(1);
  note(take());
  note(take());
  pthread_join(other, 0);
  return 0;
}
