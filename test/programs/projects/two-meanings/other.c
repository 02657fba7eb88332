enum mode { OFF = 5, ON };
struct item { long wide; char tail; };
typedef struct item thing;
static int state = ON;
static int step(thing *item) { return item->tail + state; }
int other(void) {
  thing item = { 1, 2 };
  return step(&item) + (int)sizeof(item);
}
