// Initializers: positional, designated, nested, with ranges, overriding, of strings, unions, bit-fields, compound literals.
#include <stddef.h>
#include <stdio.h>

struct point { int x, y; };
struct shape { const char *name; struct point at[3]; union { int i; float f; } v; unsigned flags : 4, more : 2; };

static int numbers[] = { 1, 2, 3, [6] = 7, 8, [1] = 20 };
static int ranged[10] = { [2 ... 4] = 5, [8] = 9 };
static int matrix[3][4] = { { 1, 2 }, [2] = { [1] = 5, 6 } };
static int elided[2][3] = { 1, 2, 3, 4 };
static char text[] = "hello";
static char cut[3] = "xyz";
static char padded[8] = { "ab" };
static char letters[] = { 'a', 'b', 0 };
static const char *names[] = { "zero", [2] = "two", "three" };
static struct point points[] = { { 1, 2 }, { .y = 4 }, { .y = 6, .x = 5 }, 7, 8 };
static struct shape shape = { "box", { { 1, 2 }, [2].y = 9 }, .v.f = 1.5f, .flags = 9, .more = 3 };
static struct shape other = { .at[1] = { 3, 4 }, .name = "other", .v = { .i = 42 } };
static struct { int a; struct { int b, c; } d[2]; } unnamed = { 1, { { 2, 3 }, { .c = 5 } } };
static int *pointer = &numbers[3];
static char *inside = text + 2;
static int (*function)(const char *, ...) = printf;
static struct point *literal = &(struct point){ 11, 12 };
static int *array_literal = (int[]){ 1, 2, 3 };
static long difference = &numbers[5] - &numbers[1];
static unsigned sizes[] = { sizeof(int), sizeof numbers / sizeof *numbers, sizeof text };
static const struct { unsigned : 3; unsigned a : 5; unsigned : 0; unsigned b : 2; } gaps = { 17, 2 };
static double doubles[] = { 1, 2.5, .5e-3, 0x1.8p1, 1e300 * 10, -0.0 };
struct list { int value; struct list *next; };
static struct list cells[3] = { { 1, cells + 1 }, { 2, &cells[2] }, { 3 } };
union number { char bytes[4]; int i; };
static union number first = { { 1, 2, 3, 4 } }, second = { .i = 0x10203 };
static int empty_braces[4] = {};
static struct { struct { int x; union { char c; int i; }; }; int tail; } deep = { { 1, { 'q' } }, 2 };
static struct { struct { int x; int y; }; int tail; } gap = { .y = 3, .tail = 4 };
static wchar_t wide[] = L"w\u00e9\x1234" L"5";

int main(void) {
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) printf("%d ", numbers[i]);
  for (int i = 0; i < 10; i++) printf("%d ", ranged[i]);
  for (int i = 0; i < 12; i++) printf("%d ", matrix[i / 4][i % 4]);
  for (int i = 0; i < 6; i++) printf("%d ", elided[i / 3][i % 3]);
  printf("\n%s %.3s %s %s %d\n", text, cut, padded, letters, (int)sizeof text);
  for (int i = 0; i < 4; i++) printf("%s ", names[i] ? names[i] : "(none)");
  for (unsigned i = 0; i < sizeof points / sizeof *points; i++) printf("(%d,%d) ", points[i].x, points[i].y);
  printf("\n%s %d %d %g %u %u\n", shape.name, shape.at[0].y, shape.at[2].y, shape.v.f, shape.flags, shape.more);
  printf("%s %d %d\n", other.name, other.at[1].y, other.v.i);
  printf("%d %d %d %d\n", unnamed.a, unnamed.d[0].c, unnamed.d[1].b, unnamed.d[1].c);
  function("%d %s %d %d\n", *pointer, inside, literal->y, array_literal[2]);
  printf("%ld %u %u %u\n", difference, sizes[0], sizes[1], sizes[2]);
  printf("%u %u\n", gaps.a, gaps.b);
  for (int i = 0; i < 6; i++) printf("%g ", doubles[i]);
  for (struct list *p = cells; p; p = p->next) printf("%d ", p->value);
  printf("\n%d %d %d %d\n", first.bytes[2], second.bytes[1], empty_braces[3], deep.c + deep.x + deep.tail);
  printf("%d %d %d\n", gap.x, gap.y, gap.tail);
  for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++) printf("%lx ", (long)wide[i]);
  int n = 3, local[5] = { n, n * 2, [4] = n + 1 };
  struct point p = { .y = n, .x = n + 1 }, q = p, r[2] = { p, { 9 } };
  printf("\n%d %d %d %d %d\n", local[1], local[2], local[4], q.y, r[0].y + r[1].x);
  struct point made = (struct point){ 5, .y = 6 };
  made = (struct point){ made.y, made.x };
  printf("%d %d %d\n", made.x, made.y, ((struct point){ 1, 2 }).y);
  char block[2][4] = { "abc", { 'x', "yz"[1] } };
  printf("%s %s\n", block[0], block[1]);
  int scalar = { 7 };
  static int counted[] = { [0 ... 2] = 1, [5] = 2 };
  printf("%d %d\n", scalar, (int)(sizeof counted / sizeof(int)));
  return 0;
}
