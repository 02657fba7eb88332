// Many independent errors: each is reported once, and what stands between them is still read.
foo x;
int f(void) {
  int a = 5
  int b = 3;
  a = b +;
  bar *c;
  if (a == ) { a = 1; b = = 2; } else { b = 3; }
  for (int i = 0; i < 3 i++) { a; }
  while (a { b; }
  f(a, b;
  return a
}
struct S { int x; foo y; int ; z int w; int v };
int g(int a,, int b) { return a; }
enum E { A, B C, D = , F };
int arr[3] = { 1, 2;
int h(foo a, bar *b, size_t n) { return n; }
unsgined int u;
int k(void) { return (baz *)p; }
} }
int last(void) {
  a b c;
  x y;
  switch (a) { case 1 b; case 2: break; default c; }
  do { a; } while (1)
  goto ;
  else b;
  int x[3;
  int y = (1 + 2;
