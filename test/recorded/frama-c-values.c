/* What Eva prints about values of every sort. frama-c-values.txt is its answer:
   frama-c -eva -eva-no-show-progress -machdep gcc_x86_32 frama-c-values.c (Frama-C 25.0-beta, Manganese) */
/*@ assigns \result \from \nothing; */ int nondet_int(void);
/*@ assigns \result \from \nothing; */ unsigned char nondet_uchar(void);
/*@ assigns \nothing; ensures \false; */ void stop(void);
/*@ requires c != 0; assigns \nothing; */ void check(int c);
#define assume(c) do { if (!(c)) stop(); } while (0)

int g;
unsigned char u;
static unsigned int w;
int arr[10];
struct { int a; char b[3]; struct { int x; int y; } in; } s[2];
int *p;
float f;
double d;
long long big;
int matrix[2][3];
unsigned long long ull;
int *garbled;
int (*fp)(void);
union { int i; char c[4]; } un;
_Bool flag;
int cycle;

static int target_function(void) { return 3; }

static void t0(void) {
  static int x;
  int local, uninit;
  x = nondet_int();
  assume(x > 3 && x < 100);
  Frama_C_show_each_x(x);
  g = x;
  x = 2;
  Frama_C_show_each_x(x);
  check(g > 5);
  if (nondet_int()) { local = 3; p = &uninit; } else p = &local;
}

static void t1(void) {
  w = nondet_int();
  big = (long long) w * 4;
  arr[3] = 4;
  arr[nondet_uchar() & 7] = 9;
  matrix[1][nondet_uchar() & 1] = 6;
  s[1].b[2] = 7;
  s[0].in.y = -8;
  s[0].in.x = g;
  f = 1.5f;
  if (nondet_int()) f = -3e10f;
  d = nondet_int() / 7.0;
  ull = 18446744073709551615ULL - nondet_uchar();
  fp = nondet_int() ? target_function : 0;
  un.i = nondet_int();
  flag = nondet_int() > 4;
  garbled = (int *) (((unsigned long) &g) * 3);
  cycle = 3 + 4 * (nondet_uchar() & 3);
  switch (nondet_int()) {
    case 0: u = 1; break;
    case 1: u = 100; break;
    case 3: u = 200; break;
    case 4: u = 7; break;
    case 5: u = 30; break;
    case 6: u = 60; break;
  }
}

static void dead(void) { g = 1000; }
static void forever(void) { for (;;); }

int main(void) {
  t0();
  t1();
  if (g > 1000) dead();
  Frama_C_show_each_two(g, w, p, f);
  if (nondet_int()) forever();
  return 0;
}
