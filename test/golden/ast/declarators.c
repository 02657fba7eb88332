// Declarators read inside out.
int *a[3], (*b)[3], *(*c)[3], (*d)(void), *e(void), (*(*f)(int))[2];
void (*signal_like(int, void (*)(int)))(int);
int g(int, char *, ...), h(int (*)(int *, int), int (int), int[], int[static 3], int[const *], int[*]);
char *const *volatile *i, (((j)));
int k[2][3], (*l[4])(double), zero[0];
int (*(*(*m)(void))[2])(int x, int y[x]);
void n(int rows, int columns, int matrix[rows][columns], int[restrict static columns + 1]);
typedef int function_type(int), array_type[4];
function_type o, *p;
int with_label __asm__("real_name") __attribute__((weak)), __attribute__((unused)) q;
int (*r)(int), * __attribute__((aligned(4))) s;
int sizes[sizeof(int (*)[3]) + sizeof(int (*(*)(void))(int)) + sizeof(int *[2]) + sizeof(int (*[2])(void))];
