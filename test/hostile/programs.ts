/** Programs that are too long, too deep, too large or endless: what a check must survive. */

const HEAD = `#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
`;

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** Exit codes: 0 safe (up to bounds), 1 unknown, 3 refused, 10 unsafe. */
export interface HostileProgram {
  readonly name: string;
  readonly text: string;
  readonly statuses: readonly number[];
  /** What the answer says. */
  readonly says?: RegExp;
  readonly options?: readonly string[];
}

export const HOSTILE_PROGRAMS: readonly HostileProgram[] = [
  {
    name: 'a loop of a million iterations',
    text: `${HEAD}int main(void) { int s = 0; for (int i = 0; i < 1000000; i++) s += i & 1; assert(s == 500000); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'a loop of a million iterations that depends on an input',
    text: `${HEAD}int main(void) {
      int n = __VERIFIER_nondet_int(), s = 0;
      for (int i = 0; i < n && i < 1000000; i++) s += 1;
      assert(s != 777777);
      return 0;
    }`,
    statuses: [0, 1],
  },
  {
    name: 'threads with loops of a million iterations',
    text: `${HEAD}int x;
    void *work(void *a) { for (int i = 0; i < 1000000; i++) x++; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); assert(x >= 0); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'a global array of 10 MB',
    text: `${HEAD}char a[10000000]; int main(void) { a[5] = 1; a[9999999] = 2; assert(a[5] + a[9999999] == 3); return 0; }`,
    statuses: [0],
    says: /safe/,
  },
  {
    name: 'a global array of 10 MB with any index',
    text: `${HEAD}char a[10000000];
    int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 10000000) return 0; a[i] = 1; assert(a[77] == 0); return 0; }`,
    statuses: [10],
    options: ['--no-explore'],
  },
  {
    name: 'an array of 100,000 with any index, shared',
    text: `${HEAD}int a[100000];
    void *work(void *p) { unsigned i = __VERIFIER_nondet_uint(); if (i < 100000) a[i] = 1; return 0; }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, work, 0);
      unsigned i = __VERIFIER_nondet_uint();
      if (i < 100000) { int v = a[i]; assert(v == 0 || v == 1); }
      return 0;
    }`,
    statuses: [0],
    says: /safe/,
    options: ['--no-explore'],
  },
  {
    name: 'recursion without end',
    text: `${HEAD}int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }`,
    statuses: [0, 1],
  },
  {
    name: 'recursion that may never end',
    text: `${HEAD}int f(int n) { if (__VERIFIER_nondet_int()) return f(n + 1) + 1; return n; } int main(void) { assert(f(0) >= 0); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: '300 threads',
    text: `${HEAD}int x;
    void *work(void *a) { x = x + 1; return 0; }
    int main(void) {
      pthread_t t[300];
      for (int i = 0; i < 300; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < 300; i++) pthread_join(t[i], 0);
      assert(x >= 2);
      return 0;
    }`,
    statuses: [0, 1, 10],
  },
  {
    name: 'threads without end',
    text: `${HEAD}int x; void *work(void *a) { x = x + 1; return 0; }
    int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, work, 0); } return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'threads that create threads without end',
    text: `${HEAD}void *work(void *a) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_create(&t, 0, work, 0); return 0; }
    int main(void) { work(0); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'a switch with 3,000 cases',
    text: `${HEAD}int main(void) { int r = 0; switch (__VERIFIER_nondet_int()) {
${lines(3000, (i) => `case ${i}: r = ${(i * 7) % 1001}; break;`)}
default: r = -1; }
assert(r != 2000); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: '5,000 lines',
    text: `${HEAD}int g[50];
void *work(void *a) {
${lines(2500, (i) => `g[${i % 50}] = g[${(i * 7) % 50}] + ${i};`)}
return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);
${lines(2500, (i) => `g[${(i * 3) % 50}] = g[${(i * 11) % 50}] - ${i};`)}
assert(g[3] != 12345678); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'a chain of 2,000 calls',
    text: `${HEAD}int f0(int x) { return x; }
${lines(2000, (i) => `int f${i + 1}(int x) { return f${i}(x + 1); }`)}
int main(void) { assert(f2000(0) == 2000); return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'an allocation of any size',
    text: `${HEAD}#include <stdlib.h>
    int main(void) { unsigned n = __VERIFIER_nondet_uint(); char *p = malloc(n); if (n > 0) p[n - 1] = 1; return 0; }`,
    statuses: [0, 1],
  },
  {
    name: 'an allocation that is too large',
    text: `${HEAD}#include <stdlib.h>
    int main(void) { char *p = malloc(3000000000u); p[2999999999u] = 1; return 0; }`,
    statuses: [0, 1, 3],
  },
  {
    name: 'a pointer to anywhere',
    text: `${HEAD}int x, y; int main(void) { int *p = (int *)(unsigned long)__VERIFIER_nondet_ulonglong(); *p = 1; return 0; }`,
    statuses: [10],
  },
  {
    name: 'a sum of 6,000 numbers',
    text: `${HEAD}int main(void) { int s = ${'1 + '.repeat(5999)}1; assert(s == 6000); return 0; }`,
    statuses: [0],
    says: /safe/,
  },
  { name: 'an empty file', text: '', statuses: [3] },
  { name: 'only declarations', text: 'int x; int f(int); typedef int t;\n', statuses: [3] },
  { name: 'no main', text: 'int f(void) { return 1; }\n', statuses: [3] },
  { name: 'not C at all', text: '\u0001 }}}} ((( \\ # " \n', statuses: [3] },
];

/** Squares of sums: no solver proves this in a short time. */
export const HARD_FOR_SOLVERS = `${HEAD}int main(void) {
  unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
  assert((a + b) * (a + b) == a * a + 2 * a * b + b * b);
  return 0;
}`;

/** Millions of clauses. */
export const HUGE_FORMULA = `${HEAD}unsigned long long g[8];
void *work(void *a) {
  for (int i = 0; i < 40; i++) g[i & 7] = g[(i * 3) & 7] / (g[(i * 5) & 7] | 1) * __VERIFIER_nondet_ulonglong();
  return 0;
}
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 8; i++) g[i] = __VERIFIER_nondet_ulonglong();
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(g[3] != 12345678901ull);
  return 0;
}`;

/** Symbolic execution alone takes long. */
export const LONG_EXECUTION = `${HEAD}unsigned x;
void *work(void *a) { for (unsigned i = 0; i < 4000; i++) { x = x * 3 + i; if (x & 1) x = x + __VERIFIER_nondet_uint(); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); assert(x != 7); return 0; }`;
