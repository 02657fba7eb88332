// An identifier is a typedef name or not depending on the scope.
typedef int T;
typedef T U, *P;
struct members { T T; unsigned U; P P; };
T a_variable;
unsigned T_like, *pointer_to_T(T, U);
int takes_parenthesized(int (T));
int takes_named(int T);
void parameter_shadows(int T) { T = T * 2; }
void local_shadows(void) {
  T T = 1;
  T * T;
  { U U, V = sizeof(U); }
  U *declared = (U *)0;
  for (P P = 0; P; P++) (void)P;
  P after_the_loop = 0;
T:
  goto T;
}
void unsigned_declares(void) {
  unsigned T;
  T = 1;
}
void enumerator_shadows(void) {
  enum { U = 3 };
  int a = (U) + 1, b = (U)*2;
}
void cast_or_call(void) {
  T x = (T)(1) + (T)-1;
  T(y);
  T(*z), w[2];
  y = (x)-1, sizeof(T), sizeof (x);
}
typedef T T;
T T_again(T T(void), int U) { return T() + U; }
