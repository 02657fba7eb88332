/* A small program in the shape that sequentialization gives; cbmc-violation.json is what CBMC 5.12 answers:
   cbmc --json-ui --stop-on-fail cbmc-violation.c */
unsigned int nondet_uint(void);

int counter;
struct { int a; int b[3]; } s;
int *pointer;
int *null = &counter;
float ratio;
unsigned long long big;

static void thread_0(void) {
  static int x;
  static _Bool flag;
  x = counter;
  x = x + 1;
  counter = x;
  s.a = -5;
  s.b[1] = x;
  pointer = &counter;
  *pointer = 7;
  null = 0;
  ratio = 1.5f;
  big = 18446744073709551615ULL;
  flag = 1;
}

static void thread_1(void) {
  static int x;
  x = counter;
  __CPROVER_assert(x != 7, "assertion x != 7");
}

int main(void) {
  unsigned __CPROVER_bitvector[3] rounds = nondet_uint();
  int copy[3] = {1, 2, 3};
  __CPROVER_assume(rounds < 2);
  thread_0();
  if (rounds) thread_1();
  return 0;
}
