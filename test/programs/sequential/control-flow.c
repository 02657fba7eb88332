// Statements: loops, switch with fall-through and Duff's device, goto into blocks, computed goto, dangling else, ranges.
#include <stdio.h>

static void duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0:
    do {
      *to++ = *from++;
  case 7: *to++ = *from++;
  case 6: *to++ = *from++;
  case 5: *to++ = *from++;
  case 4: *to++ = *from++;
  case 3: *to++ = *from++;
  case 2: *to++ = *from++;
  case 1: *to++ = *from++;
    } while (--n > 0);
  }
}

enum colour { RED, GREEN = 5, BLUE };

static const char *name(enum colour c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  default: return "?";
  }
}

static int classify(int c) {
  switch (c) {
  case 'a' ... 'z': return 1;
  case 'A' ... 'Z': return 2;
  case '0' ... '9': return 3;
  case -5 ... -1: return 4;
  case 0x7fffffff: return 5;
  case -2147483647 - 1: return 6;
  }
  return 0;
}

static int wide(unsigned long long x) {
  switch (x) {
  case 0: return 0;
  case 0xffffffffULL: return 1;
  case 0x100000000ULL: return 2;
  case 0xffffffffffffffffULL: return 3;
  case 1ULL << 63: return 4;
  default: return -1;
  }
}

static int dangling(int a, int b) {
  int r = 0;
  if (a)
    if (b) r = 1;
    else r = 2;
  if (a) {
    if (b) r += 10;
  } else
    r += 20;
  if (a) for (;;) if (b) { r += 100; break; } else { r += 200; break; }
  else r += 300;
  return r;
}

static int interpret(const int *code) {
  static void *const table[] = { &&add, &&twice, &&stop };
  int acc = 1;
  goto *table[*code++];
add:
  acc += 3;
  goto *table[*code++];
twice:
  acc *= 2;
  goto *table[*code++];
stop:
  return acc;
}

int main(void) {
  char out[32] = { 0 };
  duff(out, "the quick brown fox jumps", 21);
  printf("%s\n", out);
  printf("%s %s %s %s\n", name(RED), name(GREEN), name(BLUE), name((enum colour)9));
  printf("%d%d%d%d%d%d%d\n", classify('q'), classify('Q'), classify('5'), classify(-3), classify(2147483647),
         classify(-2147483647 - 1), classify(200));
  printf("%d %d %d %d %d\n", wide(0), wide(0xffffffff), wide(0x100000000), wide(-1), wide(1ULL << 63));
  for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) printf("%d ", dangling(a, b));
  printf("\n%d\n", interpret((int[]){ 0, 1, 1, 0, 2 }));
  int i = 0, total = 0;
  while (1) {
    if (++i > 20) break;
    if (i % 3 == 0) continue;
    total += i;
  }
  do total--; while (total > 100);
  for (int j = 0, k = 10; j < k; j++, k--) total += j * k;
  for (i = 0; i < 5; ++i) ;
  for (;;) { if (i++ > 7) goto done; }
done:
  printf("%d %d\n", i, total);
  {
    int again = 0;
  top:
    if (again++ < 3) goto top;
    printf("%d\n", again);
  }
  if (0) { inner: printf("inner\n"); goto end; }
  goto inner;
end:
  switch (3) { int unused; case 3: unused = 4; printf("%d\n", unused); }
  if (i = 0) printf("no\n"); else if ((i = 5)) printf("%d\n", i); else printf("never\n");
  while ((i -= 2) > 0) printf("%d ", i);
  switch (i) default: printf("only default\n");
  for (int i = 0; i < 2; i++) { int i = 7; printf("%d ", i); }
  printf("\n");
  int v = 3;
  { int v = 4; { extern int printf(const char *, ...); printf("%d ", v); } }
  printf("%d\n", v);
  return 0;
}
