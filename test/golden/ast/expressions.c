// Every operator, with its precedence and its direction.
typedef int T;
int f(int, ...);
struct s { int m; struct s *n; int a[3]; };
int g(int a, int b, int c, struct s s, int *p) {
  a = b = c;
  a += b -= c *= a /= b %= c <<= a >>= b &= c ^= a |= b;
  a || b && c | a ^ b & c == a != b < c > a <= b >= c << a >> b + c - a * b / c % a;
  a * b + c;
  a + b * c;
  a - b - c;
  a ? b : c ? a : b;
  a ? b, c : (a, b);
  a ?: b;
  a = b ? c : a;
  -a + +b - ~c * !a;
  *p++ + ++*p - --a - a--;
  &*p, &s.m, *&s.n->n->a[1], p[1], 1[p];
  f(a, (b, c), f(1));
  sizeof a + sizeof(p)[0] + sizeof(T) + sizeof(T *) * 2 + _Alignof(int) + __alignof__ a;
  (T)a + (T) - b, (int)(T)c, (const char *)p;
  !a == b, -s.m, (p)[1], (*f)(a), (*f)(1);
  'x', L'x', 0x1fULL, 1.5e-3f, 0x1p3, "a" "b";
  return a, b;
}
