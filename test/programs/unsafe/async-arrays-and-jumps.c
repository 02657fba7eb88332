// lazuli: expect unsafe; unwind 2; rounds 3
// CBMC's labels for threads: a thread has its own copies of local arrays and records; it jumps inside, and may return.
struct pair {
  int first;
  char names[2][3];
};
int seen, ended;

int main(void) {
  int values[3] = {1, 2, 3};
  struct pair pair = {4, {{5, 6, 7}, {8, 9, 10}}};
  __CPROVER_ASYNC_1: {
    int i = 0;
  again:
    values[1] += values[i];
    if (++i < 2) goto again;
    for (;;) {
      if (pair.names[1][2] == 10) break;
    }
    __CPROVER_assert(values[1] == 6 && values[2] == 3, "its own copy");
    seen = values[1] + pair.first;
    ended = 1;
    if (seen) return 0;
    ended = 2;
  }
  values[1] = 7;
  values[2] = 7;
  pair.first = 7;
  __CPROVER_assume(ended);
  __CPROVER_assert(ended == 1, "returned");
  __CPROVER_assert(values[1] == 7, "not the thread's");
  __CPROVER_assert(seen != 10, "the values at its start");
}
