// One program a line: what is wrong with initializers, or only doubtful.
int a[2] = {1,2,3};
int a = {1,2};
int a = {{1}};
int a = {};
char s[3] = "abcd";
int a[3] = {[3] = 1};
int a[3] = {[-1] = 1};
struct s {int a;} x = {.b = 1};
struct s {int a;} x = {1,2};
int x = f();  int f(void);
int y; int x = y;
int y; int x = (int)(long)&y;
int f(int a){ static int *p = &a; return *p;}
