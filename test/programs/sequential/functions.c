// Functions: recursion, pointers to them in nested declarators, variadic ones, structs by value, static locals, old style.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int operation(int, int);
typedef operation *operation_pointer;
typedef struct pair { int a; double b; char c[3]; } Pair;

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static operation multiply;
static int multiply(int a, int b) { return a * b; }
static operation_pointer choose(char c) { return c == '+' ? add : c == '-' ? &subtract : multiply; }
static int (*choose_plainly(char c))(int, int) { return choose(c); }
static int (*(*chooser)(char))(int, int) = choose_plainly;
static int (*table[])(int, int) = { add, subtract, multiply };
static int (*(*pointer_to_table)[3])(int, int) = &table;

static unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int even(int n);
static int odd(int n) { return n != 0 && even(n - 1); }
static int even(int n) { return n == 0 || odd(n - 1); }

static int sum(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  int total = 0;
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  total += va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}

static void mixed(const char *types, ...) {
  va_list list;
  va_start(list, types);
  for (; *types; types++) switch (*types) {
    case 'i': printf("%d ", va_arg(list, int)); break;
    case 'd': printf("%g ", va_arg(list, double)); break;
    case 'l': printf("%lld ", va_arg(list, long long)); break;
    case 's': printf("%s ", va_arg(list, char *)); break;
    case 'p': { Pair p = va_arg(list, Pair); printf("%d/%g/%s ", p.a, p.b, p.c); break; }
  }
  va_end(list);
  printf("\n");
}

static void forward(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}

static Pair swap(Pair p) { Pair q = { (int)p.b, p.a, { p.c[1], p.c[0] } }; return q; }
static int old_style(a, b, c) int a; char b; float c; { return a + b + (int)c; }
static int counter(void) { static int n = 10; return n++; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline int inlined(int x) { return x * 2; }
static void nothing(void) {}
static void fill(int n, int rows[][3], const char *restrict names[static 2]) {
  for (int i = 0; i < n; i++) rows[i][i % 3] = (int)strlen(names[i % 2]);
}
static _Noreturn void leave(int code) { exit(code); }
int unspecified();
int unspecified(int x) { return x + 1; }
static void apply(void f(int *), int *x) { f(x); }
static void bump(int *x) { ++*x; }
static int (*identity(int (*f)(int)))(int) { return f; }
static int negate(int x) { return -x; }

int main(int argc, char **argv) {
  printf("%d %d %d\n", choose('+')(5, 3), (*choose('-'))(5, 3), (**choose)('*')(5, 3));
  printf("%d %d %d\n", chooser('+')(1, 2), (*table[1])(1, 2), (*pointer_to_table)[2](3, 4));
  printf("%u %d %d\n", factorial(10), even(10), odd(10));
  printf("%d\n", sum(4, 1, 2, 3, 4));
  short s = 5;
  float f = 2.5f;
  unsigned char c = 'x';
  mixed("idlsp", s + c, f, 1LL << 40, "text", (Pair){ 1, 2.5, "ab" });
  mixed("iid", s, c, f);
  forward("%s %d %c\n", "forwarded", 42, 'z');
  Pair p = swap(swap((Pair){ 7, 8, "xy" }));
  printf("%d %g %s %d\n", p.a, p.b, p.c, swap(p).a);
  printf("%d\n", old_style(1, 'a', 2.9));
  int first = counter();
  int second = counter();
  printf("%d %d\n", first, second);
  int values[] = { 5, 3, 9, 1 };
  qsort(values, 4, sizeof *values, compare);
  printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  nothing();
  int rows[4][3] = { 0 };
  const char *names[] = { "one", "three" };
  fill(4, rows, names);
  printf("%d %d %d %d\n", inlined(4), rows[1][1], rows[3][0], unspecified(2));
  int x = 1;
  apply(bump, &x);
  apply(&bump, &x);
  printf("%d %d %s\n", x, identity(negate)(4), __func__);
  printf("%d %d\n", argc, argv[argc] == NULL);
  if (x == 3) leave(0);
  return 1;
}
