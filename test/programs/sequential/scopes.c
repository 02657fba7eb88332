// Scopes and name spaces: shadowing, tags against typedefs against members, local types, enum constants, extern in blocks.
#include <stdio.h>

typedef int T;
struct T { T T; };
enum E { A, B = A + 5, C };
typedef struct { T x; } Unnamed, *UnnamedPointer;
typedef enum { LOW = -2, HIGH = 2 } Level;
struct { int first; } one, *two = &one;
static enum { ON, OFF } state = OFF;
union { int i; struct { int kind : 4; } view; } mix;
int global = 1;
static int hidden;
extern int later;
static int tentative;
static int tentative = 6;
typedef int Row[4];
typedef const int Constant;
typedef int (*Callback)(struct T *, enum E);
struct forward;
static int size_of(struct forward *f);
struct forward { struct forward *self; int n; };
static int size_of(struct forward *f) { return f->self ? f->n : (int)sizeof *f; }

static int call(struct T *t, enum E e) { return t->T + e; }

static T shadow(T a) {
  T T = a + 1;
  {
    struct local { int v; } l = { T };
    struct T { char c; } t = { 'x' };
    typedef char T;
    T c = (T)(l.v + 300);
    enum { A = 50 };
    return c + A + t.c + (int)sizeof(struct T);
  }
}

static int loop(void) {
  int total = 0;
  for (int i = 0; i < 3; i++) {
    struct { int i; } s = { i * 2 };
    total += s.i;
    int i = 5;
    total += i;
  }
  return total;
}

int main(void) {
  struct T t = { 4 };
  Unnamed u = { 3 };
  UnnamedPointer p = &u;
  Level level = HIGH;
  Row row = { 1, 2, 3 }, rows[2] = { { 5 } };
  const Row fixed = { 7 };
  Constant c = 8;
  Callback f = call;
  one.first = 9;
  mix.view.kind = 5;
  printf("%d %d %d %d\n", f(&t, C), p->x, level == HIGH, LOW);
  printf("%d %d %d %d\n", shadow(2), loop(), two->first, mix.i & 15);
  printf("%d %d %d\n", row[2] + rows[0][0], fixed[0] + c, state == OFF);
  {
    extern int global;
    int hidden = 3;
    printf("%d %d\n", global, hidden);
  }
  int global = 2;
  {
    extern int later;
    printf("%d %d %d %d\n", global, later, tentative, hidden);
  }
  struct forward w = { 0, 1 };
  w.self = &w;
  printf("%d\n", size_of(&w));
  enum E e = B;
  e++;
  printf("%d %d\n", e == C, sizeof(e) == sizeof(int));
  int A = 70;
  printf("%d\n", A + B);
  goto T;
T:
  printf("end\n");
  return 0;
}

int later = 12;
