// One program a line: what is wrong with undeclared, or only doubtful.
int f(void){ return x; }
int f(void){ g(); } void g(void){}
int f(void){ return g(1); }
int f(void){ char *p = malloc(3); return 0; }
f(){ return 1; }
x;
int f(void) { undeclared = 3; undeclared++; return undeclared; }
