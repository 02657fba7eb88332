// One program a line: what is wrong with arrays, or only doubtful.
int a[-1];
int a[2147483648u][4294967296ul];
int n; int a[n];
int f(int n){ int a[n] = {1}; return 0; }
int f(int n){ goto L; int a[n]; L: return 0; }
int f(int n){ switch(n){ int a[n]; case 1: return 0; } return 1; }
int f(int n){ static int a[n]; return 0; }
int f(void *p, void *q) { return p - q; }
double f(void *d) { return (double)d; }
int f(void) { return sizeof(int[]); }
int x[] ;
int x[][3];
int x[3][];
