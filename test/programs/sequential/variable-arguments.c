// Lists of variable arguments: in records, arrays, global variables, behind pointers, handed on and copied.
#include <stdarg.h>
#include <stdio.h>

struct reader {
  int taken;
  va_list list;
  const char *name;
};

static struct reader kept;
static va_list global;

static int take(struct reader *reader) {
  reader->taken++;
  return va_arg(reader->list, int);
}

static int sum_in_record(int count, ...) {
  struct reader reader = {.name = "sum"};
  va_start(reader.list, count);
  int total = 0;
  for (int i = 0; i < count; i++) total += take(&reader);
  va_end(reader.list);
  printf("%s %d\n", reader.name, reader.taken);
  return total;
}

static int next(va_list *list) { return va_arg(*list, int); }

static int behind_pointer(int first, ...) {
  va_list list;
  va_start(list, first);
  int a = next(&list), b = next(&list);
  double c = va_arg(list, double);
  const char *d = va_arg(list, const char *);
  va_end(list);
  printf("%d %d %.1f %s\n", a, b, c, d);
  return a - b;
}

static long difference(int count, va_list list) {
  long result = va_arg(list, long);
  for (int i = 1; i < count; i++) result -= va_arg(list, long);
  return result;
}

static long twice(int count, ...) {
  va_list lists[2];
  va_start(lists[0], count);
  va_copy(lists[1], lists[0]);
  long (*chosen)(int, va_list) = difference;
  long result = chosen(count, lists[0]) + 100 * difference(count, lists[1]);
  va_end(lists[0]);
  va_end(lists[1]);
  return result;
}

static int in_globals(int count, ...) {
  va_start(kept.list, count);
  va_copy(global, kept.list);
  int a = take(&kept);
  struct reader *reader = &kept;
  a = 10 * a + va_arg(reader->list, int);
  a = 10 * a + va_arg(global, int);
  va_end(global);
  va_end(kept.list);
  return a;
}

struct pair {
  short first;
  long second;
};

static int records(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0) {
    struct pair pair = va_arg(list, struct pair);
    total += pair.first * (int)pair.second;
  }
  va_end(list);
  return total;
}

int main(void) {
  printf("%d\n", sum_in_record(3, 4, 5, 6));
  printf("%d\n", behind_pointer(0, 9, 2, 1.5, "text"));
  printf("%ld\n", twice(3, 9L, 4L, 2L));
  printf("%d\n", in_globals(2, 3, 4));
  printf("%d\n", records(2, (struct pair){2, 3}, (struct pair){4, 5}));
  return 0;
}
