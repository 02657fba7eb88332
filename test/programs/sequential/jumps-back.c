// Jumps back into inner blocks, into loops, from one branch to another, and out of several levels.
#include <stdio.h>

static int branches(int k) {
  int n = 0;
  if (k > 0) {
  one:
    k += 10;
    n++;
  } else {
    k++;
    if (k < 25) goto one;
  }
  printf("branches %d %d\n", k, n);
  return k;
}

static void loops(int k) {
  while (k < 6) {
    k++;
  again:
    k += 2;
    printf("loop %d\n", k);
  }
  if (k < 10) goto again;
  printf("after %d\n", k);
}

static void levels(int k) {
  int turns = 0;
  {
    if (k == 0) {
      {
      deep:
        k += 2;
        printf("deep %d\n", k);
      }
    middle:
      turns++;
    }
    if (turns < 2) goto deep;
  }
  if (turns == 2) {
    k++;
    goto middle;
  }
  printf("levels %d %d\n", k, turns);
}

static void cases(int k) {
  int turns = 0;
  switch (k) {
    case 1: {
    first:
      printf("first\n");
      break;
    }
    case 2:
      printf("second\n");
      if (turns++ < 1) goto first;
  }
  if (turns++ == 1) goto first;
  printf("cases %d\n", turns);
}

int main(void) {
  branches(-3);
  branches(5);
  loops(0);
  loops(7);
  levels(0);
  levels(1);
  cases(1);
  cases(2);
  return 0;
}
