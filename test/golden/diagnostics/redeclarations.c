// One program a line: what is wrong with redeclarations, or only doubtful.
int f(void){ int a; int a; }
int f(void){ int a; { long a; } return a; }
int x; int x; int x = 1;
int x = 1; int x = 2;
int x; long x;
extern int a[]; int a[3]; int b = sizeof a;
static int x; int x;
int x; static int x;
extern int x; static int x;
static int x; extern int x;
void f(int); void f(long);
void f(); void f(int);
struct s {int a; int a;};
struct s {int a;}; struct s {int b;};
struct s {int a;}; union s {int b;} u;
void f(int){}
int f(int a) { extern int f(int); return f(a); }
typedef int T; typedef int T; T x;
typedef int T; typedef long T;
typedef int T; int T;
enum e {A, B, A};
enum e {A}; enum e {B};
