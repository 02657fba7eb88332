// Variable-length arrays: of several dimensions, behind pointers, in typedefs, parameters and sizes.
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int counted(int n) {
  calls++;
  return n;
}

static int sum(int n, int m, int a[n][m]) {
  int total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) total += a[i][j];
  return total;
}

static int corner(int n, int (*a)[n + 1], const char words[][n]) {
  int (*last)[n + 1] = a + 1;
  printf("%d %c\n", (int)sizeof *last, words[1][0]);
  return (*last)[n] + last[-1][0];
}

static void one(int n) {
  short a[n];
  for (int i = 0; i < n; i++) a[i] = (short)(i * i);
  short *p = a, *end = a + n;
  printf("%d %d %d\n", (int)sizeof a, (int)(end - p), *(end - 1));
  printf("%d %d\n", (int)(sizeof a / sizeof a[0]), *&a[1]);
}

static void two(int n, int m) {
  int a[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 10 * i + j;
  a[1][0] += 100;
  a[0][m - 1]++;
  printf("%d %d %d\n", sum(n, m, a), (int)sizeof a, (int)sizeof a[0]);
  int (*row)[m] = a;
  printf("%d\n", (*row++)[1]);
  printf("%d\n", (*row)[0]);
  ++row;
  row -= 1;
  printf("%d %d\n", (int)(row - a), (int)(&a[n] - row));
  printf("%d\n", (*--row)[0]);
  int (*whole)[n][m] = &a;
  printf("%d %d\n", (*whole)[1][1], (int)sizeof *whole);
  int (**again)[m] = &row;
  printf("%d\n", (*again)[1][2]);
}

static void mixed(int n) {
  int a[2][n][3];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3; k++) a[i][j][k] = 100 * i + 10 * j + k;
  int (*middle)[3] = a[1];
  printf("%d %d %d\n", middle[1][2], (int)sizeof a, (int)sizeof a[0][0]);
  char fixed[2][3] = {"ab", "cd"};
  int square[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  printf("%d\n", corner(3, square, (const char(*)[3])fixed));
}

static void kept_lengths(int n) {
  typedef int line[counted(n)];
  n = 1;
  line a, b;
  for (int i = 0; i < (int)(sizeof a / sizeof(int)); i++) a[i] = i, b[i] = -i;
  printf("%d %d %d %d\n", (int)sizeof(line), a[2], b[2], calls);
  int c[counted(n) + 1];
  c[1] = 5;
  __typeof__(c) d;
  d[0] = c[1];
  n = 7;
  printf("%d %d %d %d\n", (int)sizeof c, (int)sizeof d, d[0], calls);
  printf("%d\n", (int)sizeof(int[counted(n)][2]));
}

static void allocated(int n) {
  double (*matrix)[n] = malloc(2 * sizeof *matrix);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++) matrix[i][j] = i + j / 2.0;
  printf("%.1f %d\n", matrix[1][n - 1], (int)sizeof *matrix);
  free(matrix);
  int last = ({
    int a[n];
    a[n - 1] = n;
    a[n - 1];
  });
  printf("%d\n", last);
}

int main(void) {
  one(4);
  two(2, 3);
  mixed(2);
  kept_lengths(3);
  allocated(2);
  for (int n = 1; n < 3; n++) {
    int a[n];
    a[n - 1] = n;
    printf("%d %d\n", (int)sizeof a, a[n - 1]);
  }
  return 0;
}
