// One program a line: what is wrong with lvalues, or only doubtful.
int f(void){ void x; return 0;}
int f(void){ 3 = 4; return 0; }
int f(void){ const int x = 1; x = 2; return 0; }
int f(void){ const int x = 1; x++; return 0; }
int f(void){ int a[3]; a = 0; return 0; }
int f(void){ return &3 != 0; }
int f(void){ register int x; int *p = &x; return 0; }
void f(int x) { x == 1; 3; "a"; }
struct s {int x;}; const struct s c; void f(void) { c.x = 1; }
