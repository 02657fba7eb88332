// Function definitions of old C.
typedef int T;
int f(a, b, c) int a; char *b, c[]; { return a; }
main() { return 0; }
static g(x) { return x; }
double h(T_like, p) double T_like; T *p; { T T = 1; return T * T_like; }
int (*returns_pointer(n))[3] int n; { return 0; }
int no_parameters();
