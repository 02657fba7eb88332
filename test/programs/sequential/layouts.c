// Sizes, offsets and alignments of structs, unions and bit-fields, packed and aligned; what memory looks like.
#include <stdio.h>
#include <stddef.h>
#include <string.h>

struct plain { char a; int b; short c; double d; char e; };
struct __attribute__((packed)) tight { char a; int b; short c; double d; char e; };
struct nested { char a; struct { short x; char y; } in; struct plain p; union { int i; char bytes[7]; } u; };
struct aligned { char a; int b __attribute__((aligned(16))); char c; };
struct __attribute__((aligned(32))) wide { char a; };
struct bits { unsigned a : 3; unsigned b : 5; signed c : 6; unsigned : 0; unsigned d : 1; unsigned long long e : 33; char f : 2; };
struct __attribute__((packed)) tight_bits { unsigned a : 3; unsigned b : 30; unsigned short c : 9; };
struct flexible { int n; short data[]; };
struct zero { int n; char data[0]; };
struct anonymous { int kind; union { int i; float f; struct { short lo, hi; }; }; int last; };
union all { char c; short s; int i; long l; long long ll; float f; double d; void *p; char text[13]; };
struct pointers { void *p; char c; int (*f)(int); char *names[3]; };
_Alignas(16) static char buffer[5];
typedef struct { char tag; long long value; } Boxed;
struct holder { Boxed boxes[2]; char end; };

#define SIZE(T) printf("%-20s %d align %d\n", #T, (int)sizeof(T), (int)_Alignof(T))
#define AT(T, m) printf("%-20s %s at %d\n", #T, #m, (int)offsetof(T, m))

static void dump(const char *name, const void *p, size_t n) {
  const unsigned char *b = p;
  printf("%s:", name);
  for (size_t i = 0; i < n; i++) printf(" %02x", b[i]);
  printf("\n");
}

int main(void) {
  SIZE(struct plain); SIZE(struct tight); SIZE(struct nested); SIZE(struct aligned); SIZE(struct wide);
  SIZE(struct bits); SIZE(struct tight_bits); SIZE(struct flexible); SIZE(struct zero); SIZE(struct anonymous);
  SIZE(union all); SIZE(struct pointers); SIZE(Boxed); SIZE(struct holder); SIZE(char[7]); SIZE(int (*)[7]);
  SIZE(long); SIZE(long long); SIZE(double); SIZE(long double); SIZE(void *); SIZE(wchar_t); SIZE(size_t);
  AT(struct plain, b); AT(struct plain, c); AT(struct plain, d); AT(struct plain, e);
  AT(struct tight, b); AT(struct tight, d); AT(struct tight, e);
  AT(struct nested, in.y); AT(struct nested, p.d); AT(struct nested, u.bytes[3]);
  AT(struct aligned, b); AT(struct aligned, c); AT(struct flexible, data); AT(struct anonymous, f);
  AT(struct anonymous, hi); AT(struct anonymous, last); AT(struct holder, boxes[1].value);
  printf("%d\n", (int)((unsigned long)(void *)buffer % 16));
  struct bits b;
  memset(&b, 0, sizeof b);
  b.a = 9; b.b = 17; b.c = -5; b.d = 3; b.e = 0x1ffffffffULL; b.f = 1;
  printf("%u %u %d %u %llu %d\n", b.a, b.b, b.c, b.d, (unsigned long long)b.e, b.f);
  dump("bits", &b, sizeof b);
  printf("%d %d\n", b.a - 2 < 0, (b.a << 30) != 0);
  b.a++; b.c -= 40; b.b = b.a + b.c;
  printf("%u %d %u\n", b.a, b.c, b.b);
  struct tight_bits t;
  memset(&t, 0, sizeof t);
  t.a = 5; t.b = 0x2aaaaaaa; t.c = 0x155;
  dump("tight", &t, sizeof t);
  struct anonymous n = { .kind = 1, .lo = 2, .hi = 3, .last = 4 };
  printf("%d %d %x %d\n", n.lo, n.hi, n.i, n.last);
  union all a;
  memset(&a, 0, sizeof a);
  a.i = 0x01020304;
  printf("%d %d\n", a.c, a.s);
  dump("union", &a, 8);
  struct tight s = { 1, 2, 3, 4.5, 5 }, copy;
  copy = s;
  dump("copy", &copy, sizeof copy);
  return 0;
}
