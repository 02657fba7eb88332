// Declarations of all shapes: types defined in odd places, qualifiers at every level, aliases, records mentioned before they exist.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef int Vector[3];
typedef Vector Matrix[2];
typedef int Function(int);
typedef Function *Table[2];
typedef struct node Node;
struct node { Node *next; enum { LEAF, INNER } kind; union { int leaf; Node *children[2]; }; };
struct outer { struct inner { int x; } in; struct inner *more; struct { short s; } unnamed[2]; };
struct inner global_inner = { 5 };
static const volatile int *const volatile qualified = &global_inner.x;
static _Atomic int atomic = 3;
static _Atomic(long) other_atomic;
static int *restrict restricted;
extern int incomplete[];
int incomplete[3] = { 1, 2, 3 };
static Function first, second;
static Table table = { first, &second };
static int first(int x) { return x + 1; }
static int second(int x) { return x * 2; }
static const Vector constant = { 7, 8, 9 };
static Matrix matrix = { { 1, 2, 3 }, { 4, 5, 6 } };
static int (*row(Matrix m, int i))[3] { return &m[i]; }
static struct pair { int a, b; } make(int a, int b) { return (struct pair){ a, b }; }
static int use(struct pair p, const struct pair *q, struct unknown *u) { return p.a + q->b + (u != NULL); }
static enum answer { NO, YES, MAYBE = 10 } ask(int x) { return x > 5 ? YES : x < 0 ? MAYBE : NO; }
static float sum_floats();
static float sum_floats(a, b) float a, b; { return a + b; }
static int total(const Vector v) { return v[0] + v[1] + v[2]; }
static int callback(int (*f)(int (*)(int), int), int (*g)(int)) { return f(g, 3); }
static int apply(int (*g)(int), int x) { return g(x); }
struct flags { _Bool on : 1; enum { LOW, MEDIUM, HIGH } level : 3; signed char small : 4; long long wide : 40; };
union __attribute__((transparent_union)) either { int *i; const char *c; };
static int either(union either e) { return *e.c; }
enum __attribute__((packed)) tiny { ONE = 1, TWO };
#pragma pack(push, 2)
struct two { char c; int i; struct { char d; double e; } in; };
#pragma pack(pop)
#pragma pack(1)
typedef struct { char c; long l; } One;
#pragma pack()
struct member_packed { char c; int i __attribute__((packed)); short s; };
typedef int Aligned __attribute__((aligned(32)));
struct has_aligned { char c; Aligned a; };
typedef struct { int x, y; } Point, *PointPointer, Points[2];
static Points points = { { 1, 2 }, { 3, 4 } };
static PointPointer point = points + 1;

static int variable(int n, int m, double grid[n][m], char (*text)[m + 1]) {
  typedef int Row[m];
  Row rows[n];
  int (*pointer)[m] = rows, total = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) pointer[i][j] = (int)grid[i][j] * (i + 1);
  for (int i = 0; i < n; i++) total += rows[i][m - 1];
  int old = m;
  m = 50;
  return total + (int)sizeof(Row) + (int)sizeof rows + (int)sizeof *pointer + (int)sizeof(*text) + old;
}

int main(void) {
  struct { int a; struct { int b; } c; } local = { 1, { 2 } }, *pl = &local;
  Node leaf = { NULL, LEAF, { 5 } }, tree = { &leaf, INNER, .children = { &leaf, NULL } };
  printf("%d %d %d %d\n", pl->c.b, tree.next->leaf, tree.children[0]->kind, tree.kind);
  struct outer o = { { 1 }, &global_inner, { { 2 }, { 3 } } };
  printf("%d %d %d %d\n", o.in.x, o.more->x, o.unnamed[1].s, *qualified);
  atomic += 2;
  other_atomic = atomic++;
  printf("%d %ld %d\n", atomic, (long)other_atomic, incomplete[2]);
  printf("%d %d %d\n", table[0](4), (*table[1])(4), (**table[1])(5));
  printf("%d %d %d\n", constant[1], (*row(matrix, 1))[2], total(matrix[0]));
  struct pair p = make(3, 4);
  printf("%d %d %d %d\n", use(p, &p, NULL), make(1, 2).b, ask(9), ask(-1));
  printf("%g %d\n", sum_floats(1.5f, 2.0), callback(apply, first));
  struct flags f = { 1, HIGH, -3, 1LL << 38 };
  f.on = 2; f.level--; f.small += 2; f.wide >>= 30;
  printf("%d %d %d %lld\n", f.on, f.level, f.small, (long long)f.wide);
  int number = 65;
  printf("%d %d\n", either(&number), either("B"));
  printf("%d %d %d %d\n", (int)sizeof(enum tiny), (int)sizeof(struct two), (int)offsetof(struct two, in.e), (int)sizeof(One));
  printf("%d %d\n", (int)sizeof(struct member_packed), (int)offsetof(struct member_packed, i));
  printf("%d %d\n", (int)sizeof(struct has_aligned), (int)_Alignof(Aligned));
  printf("%d %d\n", point->y, points[0].x);
  double grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  char text[2][4];
  printf("%d\n", variable(2, 3, grid, text));
  for (struct { int i, j; } s = { 0, 9 }; s.i < s.j; s.i += 2, s.j--) printf("%d ", s.j - s.i);
  for (int i = 0, *q = &i, r[2] = { 3, 4 }; *q < 2; ++*q) printf("%d ", r[i]);
  int cond = 1;
  void *v = &number;
  const int *ci = &number;
  printf("%d %d %d\n", *(cond ? &number : NULL), *(int *)(cond ? v : &p), (cond ? ci : &number)[0]);
  int (*compare)(const void *, const void *) = 0;
  printf("%d %d\n", compare == NULL, !compare);
  printf("%d\n", ((struct { int x[2]; }){ { 4, 5 } }).x[1]);
  printf("%d\n", (int)sizeof(struct { char c; union { double d; char e[9]; } u; }));
  typedef Point Point_, *Point;
  Point pp = &(Point_){ 6, 7 };
  printf("%d\n", pp->y);
  extern int printf(const char *restrict, ...);
  int function(void);
  printf("%d\n", function());
  unsigned long long big = 18446744073709551615ULL;
  long long smallest = -9223372036854775807LL - 1;
  printf("%llu %lld %d %u\n", big, smallest, 0777, 0xFFFFFFFFu);
  char *restrict volatile s = "qualified";
  printf("%s %d\n", s, restricted == NULL);
label:;
  int after = 1;
  if (after > 1) goto label;
  switch (number) { case 65:; int inside = 2; printf("%d\n", inside); }
  return 0;
}

int function(void) { return 42; }
