// One program a line: what is wrong with functions, or only doubtful.
void f(void){ return 1; }
int f(void){ return; }
void g(void); int f(void){ return g(); }
void g(void); void f(void){ int x = g(); }
void f(int); void g(void){ f(); }
void f(int); void g(void){ f(1,2); }
void f(int); void g(void){ f("a"); }
void f(char*); void g(void){ f(1); }
struct s{int a;}; void f(struct s); void g(void){ f(1); }
void g(void){ int x; x(); }
int f(struct s x);
void f(int a, int a){}
int f(int a) { int a; return 0; }
