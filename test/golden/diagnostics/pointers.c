// One program a line: what is wrong with pointers, or only doubtful.
int f(int *p){ return *p + p; }
int f(int *p, long *q){ return p == q; }
int f(int *p){ return p == 3; }
int f(int *p){ return p == 0; }
int f(int *p){ p = 3; return 0; }
int f(int *p){ int i = p; return i; }
int f(long *p){ int *q = p; return *q; }
int f(const int *p){ int *q = p; return *q; }
int f(int *p){ const int *q = p; return *q; }
int f(void *p){ int *q = p; return *q; }
int f(unsigned *p){ int *q = p; return *q; }
_Atomic(int) *p; int f(int *q) { p = q; return *p; }
void f(void) { int x; int *restrict p = &x; volatile int *q = &x; p = q; }
int f(const char *s); int g(char **s) { const char **t = s; return f(*s); }
