// Jumps to labels whose addresses were stored: a small interpreter of a small language.
#include <stdio.h>

enum { PUSH, ADD, TWICE, END };

static int run(const int *code) {
  static void *const table[] = {&&push, &&add, &&twice, &&end};
  int stack[8], top = 0;
next:
  goto *table[*code++];
push:
  stack[top++] = *code++;
  goto next;
add:
  top--;
  stack[top - 1] += stack[top];
  goto next;
twice:
  stack[top - 1] *= 2;
  goto next;
end:
  return stack[0];
}

static int choose(int n) {
  void *where = n > 2 ? &&large : &&small;
  goto *where;
small:
  return 1;
large:
  return 2;
}

int main(void) {
  const int code[] = {PUSH, 3, PUSH, 4, ADD, TWICE, END};
  printf("%d %d %d\n", run(code), choose(1), choose(7));
  return 0;
}
