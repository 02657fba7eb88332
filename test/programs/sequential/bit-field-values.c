/* A bit-field narrower than int is an int in arithmetic, and so is what an assignment to it gives. */
#include <stdio.h>

struct fields {
  unsigned long narrow : 29;
  unsigned small : 5;
  unsigned long long wide : 40;
  _Bool flag : 1;
};

int main(void) {
  struct fields s = {3, 4, 5, 1};
  signed char low = -128;
  printf("%d %d\n", s.narrow > low, s.narrow++ > low);
  printf("%d %d %d\n", ++s.narrow > low, (s.narrow = 7) > low, (s.narrow += 7) > low);
  printf("%d %d %d\n", s.small > low, s.small++ > low, (s.small = 3) > low);
  printf("%d %d %d\n", (s.small ^= 3) > low, (1 ? s.small : s.small) > low, (0, s.small) > low);
  printf("%d %d %d\n", s.wide > low, s.wide++ > low, (s.wide = 3) > low);
  printf("%d %d %d\n", -s.narrow < 0, -(s.narrow = 2) < 0, ~(s.small++) < 0);
  printf("%d %d\n", -(s.flag = 1), s.flag << 3);
  return 0;
}
