// The attribute cleanup: a function that takes a pointer to the variable; what is no local variable ignores it.
void f(int *p); void g(void) { int x __attribute__((cleanup(f))) = 1; }
void f(void *p); void g(void) { __attribute__((__cleanup__(f))) char *x = 0, y[3]; }
int f(const void *p); void g(void) { const int x __attribute__((cleanup(f))) = 1; }
void g(void) { int x __attribute__((cleanup(f))) = 1; }
int f; void g(void) { int x __attribute__((cleanup(f))) = 1; }
void g(void (*f)(int *)) { int x __attribute__((cleanup(f))) = 1; }
void f(int *p); void g(void) { int x __attribute__((cleanup)) = 1; }
void f(int *p); void g(void) { int x __attribute__((cleanup(f, f))) = 1; }
void f(int *p); void g(void) { int x __attribute__((cleanup(1))) = 1; }
void f(int *p); void g(void) { int x __attribute__((cleanup("f"))) = 1; }
void f(int *p); void g(void) { int x __attribute__((cleanup(&f))) = 1; }
void f(int *p, int n); void g(void) { int x __attribute__((cleanup(f))) = 1; }
void f(void); void g(void) { int x __attribute__((cleanup(f))) = 1; }
void f(int *p); void g(void) { long x __attribute__((cleanup(f))) = 1; }
void f(int *p); void g(void) { const int x __attribute__((cleanup(f))) = 1; }
void f(int p); void g(void) { int x __attribute__((cleanup(f))) = 1; }
void f(int *p); int x __attribute__((cleanup(f)));
void f(int *p); void g(void) { static int x __attribute__((cleanup(f))); }
void f(int *p); void g(int x __attribute__((cleanup(f)))) { }
void f(int *p); void g(__attribute__((cleanup(f))) int x) { }
void f(int *p); typedef int t __attribute__((cleanup(f)));
void f(int *p); struct s { int x __attribute__((cleanup(f))); };
void f(int *p); struct s { int x; } __attribute__((cleanup(f)));
void f(int *p); __attribute__((cleanup(f))) void g(void) { }
void f(int *p); __attribute__((cleanup(f))) void g(void);
void f(int *p); void g(int n) { again:; int x __attribute__((cleanup(f))) = 1; if (n) goto again; }
void f(int *p); void g(int n) { { int x __attribute__((cleanup(f))) = 1; if (n) goto out; } out:; }
void f(int *p); void g(int n) { switch (n) { case 1: { int x __attribute__((cleanup(f))) = 1; break; } case 2:; } }
void f(int *p); void g(int n) { register int x __attribute__((cleanup(f))) = 1; }
