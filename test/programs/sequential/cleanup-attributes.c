// GNU cleanup functions: on every way out of a scope, in reverse order, after the value of a return.
#include <stdio.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

static int depth;

static void leave(int *p) {
  printf("leave %d\n", *p);
  *p = -1;
}

static int leave_any(const void *p) {
  depth--;
  printf("any %d, depth %d\n", *(const int *)p, depth);
  return depth;
}

static void leave_pair(struct pair *p) {
  printf("pair %d %d\n", p->first, p->second);
  p->first = p->second = 0;
}

static void release(void *p) {
  void **block = p;
  printf("release %d\n", *block != 0);
  free(*block);
}

static struct pair swap(struct pair p) {
  struct pair result = p;
  leave_pair(&result);
  return (struct pair){p.second, p.first};
}

#define CLEANUP(f) __attribute__((__cleanup__(f)))

static int value_first(int n) {
  int x CLEANUP(leave) = n;
  return x;
}

static int *address_first(int *cell) {
  int *p CLEANUP(release) = malloc(sizeof(int));
  *p = 3;
  *cell = *p;
  return cell;
}

static struct pair record_first(int n) {
  struct pair p CLEANUP(leave_pair) = {n, n + 1};
  if (n > 5) return swap(p);
  return p;
}

static void reverse_order(int n) {
  CLEANUP(leave) int a = 1, b = 2;
  depth++;
  int c CLEANUP(leave_any) = 3;
  if (n == 0) return;
  int d CLEANUP(leave) = 4;
  if (n == 1) return;
  {
    int e CLEANUP(leave) = 5;
    if (n == 2) return;
    printf("inner end\n");
  }
  b = 20;
}

static void loops(void) {
  for (int i = 0; i < 5; i++) {
    int x CLEANUP(leave) = 10 + i;
    if (i == 1) continue;
    if (i == 3) break;
    printf("body %d\n", i);
    int y CLEANUP(leave) = 100 + i;
  }
  int n = 0;
  do {
    int x CLEANUP(leave) = n;
    if (n == 1) continue;
    printf("do %d\n", n);
  } while (n++ < 2);
  while (1) {
    int x CLEANUP(leave) = 30;
    switch (n) {
      case 3: {
        int y CLEANUP(leave) = 31;
        n++;
        break;
      }
      case 4: {
        int z CLEANUP(leave) = 32;
        n++;
        continue;
      }
      default:
        goto out;
    }
    printf("after the switch\n");
  }
out:
  printf("out\n");
}

// The loop that makes a lock last for one statement.
static int scoped(int n) {
  for (int lock CLEANUP(leave) = n, done = 0; !done; done = 1) {
    if (n == 2) break;
    if (n == 3) return 33;
    printf("scoped %d\n", lock);
  }
  return n;
}

static void jumps(int n) {
again:;
  int x CLEANUP(leave) = n;
  if (n++ < 2) goto again;
  {
    int y CLEANUP(leave) = 40;
    {
      int z CLEANUP(leave) = 41;
      if (n == 3) goto middle;
    }
    printf("not passed\n");
  middle:
    printf("middle\n");
  }
  {
    int w CLEANUP(leave) = 42;
  retry:;
    int v CLEANUP(leave) = n;
    if (n++ < 4) goto retry;
    if (n == 5) goto end;
  }
end:
  printf("end\n");
}

static int blocks(int n) {
  int a = ({
    int x CLEANUP(leave) = n + 1;
    x;
  });
  struct pair p = ({
    struct pair q CLEANUP(leave_pair) = {n, n};
    q;
  });
  int b = a + ({
    int x CLEANUP(leave) = n + 2;
    if (n == 7) return x;
    x * 2;
  });
  while (({
    int x CLEANUP(leave) = b;
    x > 10;
  }))
    b -= 10;
  ({
    int x CLEANUP(leave) = 50;
    printf("void block\n");
  });
  // A way out of the initializer leaves a variable that is not there yet.
  int y CLEANUP(leave) = ({
    if (n == 8) return 8;
    n;
  });
  return a + b + p.first;
}

static int counted(int n) {
  int a[n] CLEANUP(leave_any);
  depth++;
  for (int i = 0; i < n; i++) a[i] = i + 60;
  __auto_type x CLEANUP(leave) = a[n - 1];
  return a[0] + x;
}

static void no_variables(int x CLEANUP(leave)) {
  static int y CLEANUP(leave) = 70;
  printf("static %d %d\n", y, x);
}

static void ends(void) {
  int x CLEANUP(leave) = 80;
  exit(0);
}

int main(void) {
  int cell = 0;
  printf("%d\n", value_first(7));
  printf("%d\n", *address_first(&cell));
  struct pair p = record_first(1), q = record_first(6);
  printf("%d %d %d %d\n", p.first, p.second, q.first, q.second);
  for (int n = 0; n < 4; n++) reverse_order(n);
  loops();
  for (int n = 1; n < 4; n++) printf("%d\n", scoped(n));
  jumps(0);
  printf("%d\n", blocks(5));
  printf("%d\n", blocks(7));
  printf("%d\n", blocks(8));
  printf("%d\n", counted(3));
  no_variables(71);
  int last CLEANUP(leave) = 90;
  if (cell == 3) {
    int nested CLEANUP(leave) = 91;
    ends();
  }
  return 0;
}
