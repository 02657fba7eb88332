// One program a line: what is wrong with operators, or only doubtful.
int f(int x) { return x ? 1 : "a"; }
int f(int x) { return (x ? (int*)0 : (char*)x) != 0; }
int f(int *x) { return x[1.0]; }
int f(int *x) { return 1[x]; }
int f(double d) { return d % 2; }
int f(double d) { return ~d; }
int f(double d) { return d << 1; }
int f(int *p) { return -p; }
int f(int *p) { return !p; }
int f(int *p, int *q) { return p + q; }
int f(int *p, int *q) { return p - q; }
int f(void *p, void *q) { return p - q; }
int f(void *p) { p++; return *p; }
long f(void *d) { return (int)d; }
void *f(int d) { return (void*)d; }
int f(void) { return sizeof(void) + sizeof(f); }
