/* Variables in all kinds of places: what is read before it is written, pieces of objects, addresses, allocations. */

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct point {
  int x;
  short y[2];
};
struct flags {
  unsigned small : 3;
  int sign : 2;
};
union both {
  unsigned word;
  unsigned char bytes[4];
};
struct node {
  struct node *next;
  int value;
};

struct point start = {7, {-3, 3}}, copy;
struct flags flags;
union both both = {0x01020304};
char text[100] = "abc";
int unused;
double half = 0.5;
int (*operation)(int);

static int twice(int value) { return 2 * value; }
static int negated(int value) { return -value; }

static int at_most(int value, int limit) {
  if (value < 0) return 0;
  return value > limit ? limit : value;
}

int main(void) {
  int read_first, assigned_first, sometimes;
  _Bool choice = __VERIFIER_nondet_bool();
  int input = __VERIFIER_nondet_int();
  assigned_first = at_most(input, 9);
  if (choice) sometimes = 4;
  int sum = sometimes + read_first;
  flags.small = assigned_first;
  flags.sign = -1;
  copy = start;
  memcpy(&copy.x, &assigned_first, sizeof copy.x);
  text[assigned_first] = 'z';
  both.bytes[3] = choice;
  operation = choice ? twice : negated;
  struct node *first = malloc(sizeof *first);
  first->next = choice ? first : 0;
  first->value = operation(assigned_first);
  int *inside = &start.x;
  if (choice) inside = (int *)&start.y[0];
  return sum + *inside;
}
