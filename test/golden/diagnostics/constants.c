// One program a line: what is wrong with constants, or only doubtful.
int f(void) { return 1/0; }
int f(void) { return 1%0; }
int f(int x) { return x << 33; }
int f(int x) { return x << -1; }
int f(int x) { return 2147483647 + 1; }
char c = 300;
unsigned char c = 256;
unsigned char c = -1;
int x = 4294967296;
short x = 70000;
enum e {A = 1.5};
enum e {A = 0x7fffffff, B};
enum e x;
int (*f(void))[3]; int g(void) { return (*f())[1]; }
int f(void) { extern int x = 1; return x; }
int main(void) { int x = 08; return x; }
int main(void) { int x = 1lul; return x; }
int main(void) { int x = ''; return x; }
