// lazuli: expect unsafe; unwind 3; rounds 1
// What is allocated again is another object: a pointer to the one before it points to nothing.
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *old = 0;
  for (;;) {
    struct node *n = malloc(sizeof *n);
    n->value = 3;
    if (old) old->value = 4;
    free(n);
    old = n;
  }
}
