// Pointers: arithmetic, comparison, arrays of arrays, strings, void and byte access, const, variable-length arrays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *left, *right; };

static struct node *insert(struct node *tree, int value) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->value = value;
  } else if (value < tree->value) tree->left = insert(tree->left, value);
  else tree->right = insert(tree->right, value);
  return tree;
}

static void walk(const struct node *tree, void (*visit)(int)) {
  if (tree == NULL) return;
  walk(tree->left, visit);
  visit(tree->value);
  walk(tree->right, visit);
}

static void show(int x) { printf("%d ", x); }

static int sum(int n, int m, int a[n][m]) {
  int total = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) total += a[i][j];
  return total + (int)(sizeof a[0] / sizeof a[0][0]);
}

static size_t variable(int n) {
  int a[n], b[2 * n][n + 1];
  n = 100;
  typedef short row[n];
  n = 1;
  row r, *p = &r;
  int (*q)[n + 2] = malloc(sizeof *q);
  free(q);
  return sizeof a * 1000000 + sizeof b * 1000 + sizeof r + sizeof *p + sizeof *q + sizeof(int[n]);
}

int main(void) {
  int a[10], *p = a, *end = a + 10;
  for (int i = 0; p < end; i++) *p++ = i * i;
  printf("%d %d %d %d\n", (int)(p - a), p[-1], *(end - 3), 2[a]);
  p = &a[5];
  p += 2; p -= 1;
  printf("%d %d %d %d\n", *p, *(p + 1), (int)(end - p), p >= a && p != end);
  printf("%d ", *p++);
  printf("%d ", *++p);
  printf("%d\n", --*p);
  int grid[3][4] = { { 0 } }, (*row)[4] = grid + 1, **pp = &p;
  (*row)[2] = 5; row[1][3] = 6; **pp = 77; *(*(grid + 2) + 1) = 8;
  printf("%d %d %d %d %d\n", grid[1][2], grid[2][3], *p, grid[2][1], (int)(&grid[2][0] - &grid[0][0]));
  char s[] = "pointer", *t = s;
  const char *const literal = "lit" "eral";
  while (*t) *t = *t - 'a' + 'A', t++;
  printf("%s %s %c %c %d\n", s, literal, literal[3], "abc"[1], (int)strlen("a\0b"));
  unsigned x = 0x11223344;
  unsigned char *bytes = (unsigned char *)&x;
  printf("%x %x %x\n", bytes[0], bytes[3], *(unsigned short *)(void *)&x);
  void *v = bytes;
  v = v + 1;
  printf("%x %d\n", *(unsigned char *)v, (int)((char *)v - (char *)&x));
  struct node *tree = NULL;
  int values[] = { 5, 2, 8, 1, 9, 3 };
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) tree = insert(tree, values[i]);
  walk(tree, show);
  walk(tree->left, &show);
  printf("%d %d\n", tree->left->right->value, (*(*tree).right).value);
  int rows[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  printf("%d %lu\n", sum(2, 3, rows), (unsigned long)variable(3));
  int *null = 0;
  printf("%d %d %d\n", !null, null == NULL, null || p);
  int *volatile const cv = &values[1];
  volatile int *vp = cv;
  *vp += 1;
  printf("%d\n", values[1]);
  struct { int *items; struct { char name[8]; } in[2]; } s2 = { values, { { "first" }, { "second" } } }, *ps = &s2;
  printf("%s %c %d %d\n", ps->in[1].name, *ps->in[0].name, *ps->items, ps->items[2]);
  char *words[] = { "x", "yy", 0 }, **w = words;
  while (*w) printf("%s ", *w++);
  printf("%s\n", (1 + "skip") + 0);
  printf("%d\n", &a[3] < &a[4] ? (int)(&a[4] - &a[3]) : -1);
  return 0;
}
