// lazuli: expect safe; unwind 1; rounds 4
// CBMC's own way to start threads: by labels. Each gets the values that local variables have at its start.
__CPROVER_thread_local int own;
int count, started[2], ended;

void add(int index) {
  own = own + 1;
  __CPROVER_assert(own == 1, "a variable of each thread");
  started[index] = index + 1;
  __CPROVER_atomic_begin();
  count = count + 1;
  __CPROVER_atomic_end();
  __CPROVER_fence("WWfence", "RRfence");
  __CPROVER_atomic_begin();
  ended = ended + 1;
  __CPROVER_atomic_end();
}

int main(void) {
  int i = 0;
  __CPROVER_ASYNC_1: add(i);
  i = 1;
  __CPROVER_ASYNC_2: {
    int twice = i + i;
    add(twice - i);
  }
  i = 7;
  __CPROVER_assume(ended == 2);
  __CPROVER_assert(count == 2, "nothing is lost");
  __CPROVER_assert(started[0] == 1 && started[1] == 2, "arguments");
  return 0;
}
