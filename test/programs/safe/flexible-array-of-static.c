// lazuli: expect safe; unwind 1; rounds 2
// An initializer makes a static object as large as its flexible member needs it.
#include <assert.h>
#include <pthread.h>
struct numbers { int count; short all[]; };
static struct numbers some = { 3, { 7, 8, 9 } };
static struct numbers sparse = { .count = 5, .all = { [4] = 1 } };
static struct { int length; char text[]; } word = { 2, "ab" };
void *last(void *unused) { return &some.all[2]; }
int main(void) {
  pthread_t t;
  void *found;
  pthread_create(&t, 0, last, 0);
  sparse.all[1]++;
  pthread_join(t, &found);
  assert(*(short *)found == 9 && sparse.all[1] == sparse.all[4] && word.text[1] == 'b' && word.text[2] == 0);
}
