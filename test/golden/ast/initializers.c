// Initializers, designators, compound literals.
struct point { int x, y; };
struct shape { struct point corners[4]; char name[8]; };
int scalar = 1, braced = { 2 }, empty_list[] = {}, list[] = { 1, 2, 3, };
struct point p = { .y = 2, .x = 1 }, old = { y: 2, x: 1 };
struct shape s = { .corners[1].x = 3, .corners = { [2] = { 5, 6 }, [3].y = 7 }, "name" };
int ranges[10] = { [0 ... 3] = 1, [4] = 2, [5] 3, [6 ... 8] = 4 };
const char *text = "adjacent" " literals", wide[] = "x";
struct point *literal = &(struct point){ 1, .y = 2 };
int *array = (int[]){ 1, 2, 3 }, size = sizeof (int[]){ 1, 2 }, y;
void f(void) {
  struct point q = (struct point){ 1, 2 }, r[2] = { { 1, 2 }, { .x = (1, 2) } };
  q = (struct point){ .x = q.y };
}
