// One program a line: what is wrong with records, or only doubtful.
int f(struct s *p){ return p->x; }
struct s {int a;}; int f(struct s *p){ return p->x; }
struct s {int a;}; int f(struct s p){ return p->a; }
struct s {int a;}; int f(struct s *p){ return p.a; }
struct s {int a;}; struct t {int a;}; int f(struct s p, struct t q){ p = q; return 0; }
struct s {int a;}; int f(struct s p){ return p; }
struct s {int a;}; int f(struct s p){ if (p) return 1; return 0; }
struct s; struct s x;
struct s; int f(void){ struct s x; return 0;}
struct s; int f(void){ return sizeof(struct s); }
struct s {int a:3;}; int f(struct s *p){ return &p->a != 0; }
struct s {int a:3;}; int f(struct s *p){ return sizeof(p->a); }
struct s {int a:33;};
struct s {int a:-1;};
struct s {int a:0;};
struct s {float a:3;};
struct s {int f(void);};
struct s {int a[];};
struct s {int n; int a[]; int b;};
struct s {int n; int a[];} x = {1, {2,3}};
struct s { struct { int a; }; union { int b; float c; }; }; int f(struct s *p) { return p->a + p->b; }
struct s { int a; struct { int a; }; };
