import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

describe('joins', () => {
  it('waits for joined threads, and only for those', async () => {
    const text = (join: string) => `${HEAD}
      int done;
      void *work(void *unused) { done = 1; return 0; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, work, 0);
        pthread_create(&b, 0, work, 0);
        ${join}
        assert(done == 1);
      }`;
    expect((await proveText(text('pthread_join(a, 0); pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text('pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text(''))).kind).toBe('unknown');
  });

  /** Threads of any number, created and joined in loops; then main looks. */
  const joined = (last: string, condition: string, work = 'flag = 1; total++;') => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int flag, total;
    void *work(void *unused) { pthread_mutex_lock(&m); ${work} pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t t[100];
      for (int i = 0; i < 100; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
      assert(${condition});
      return 0;
    }`;

  it('waits for threads that are created and joined in loops, however many they are', async () => {
    expect((await proveText(joined('100', 'flag == 1'))).kind).toBe('proved');
    // After one join at least the lock was held once; but the others may still hold it.
    await expectNoProof(joined('1', 'flag == 2', 'flag = 1; flag = 2;'), [], 4_000);
  }, 120_000);

  it('does not take a thread for joined that is not', async () => {
    await expectNoProof(joined('99', 'total == 100'), [], 3_000);
    await expectNoProof(joined('101', 'flag == 1'), [], 3_000);
  }, 60_000);

  it('waits for threads whose identifiers are in allocated memory', async () => {
    const text = (last: string, end = 'free(t);') => `${HEAD}
      int nondet(void), done;
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *work(void *unused) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
      int main(void) {
        int n = nondet();
        if (n < 1 || n > 400) return 0;
        pthread_t *t = malloc(n * sizeof *t);
        for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
        ${end}
        assert(done == 1);
        return 0;
      }`;
    expect((await proveText(text('n'))).kind).toBe('proved');
    for (const wrong of [text('0'), text('n', 'free(t); pthread_join(t[0], 0);')])
      await expectNoProof(wrong, [], 2_000);
  }, 120_000);

  it('waits for threads that are created and joined one after the other', async () => {
    const text = (join: string, most = 'n') => `${HEAD}
      int nondet(void), x;
      void *work(void *unused) { x = 1; x = 0; return 0; }
      int main(void) {
        pthread_t t;
        int n = nondet();
        if (n > 500) return 0;
        for (int i = 0; i < ${most}; i++) { pthread_create(&t, 0, work, 0); ${join} assert(x == 0); }
      }`;
    expect((await proveText(text('pthread_join(t, 0);'), [], 150_000)).kind).toBe('proved');
    await expectNoProof(text(''), [], 3_000);
    await expectNoProof(text('pthread_join(t, 0); pthread_join(t, 0);'), [], 3_000);
    // The routines number 512 threads: how more of them are joined is not known.
    await expectNoProof(text('pthread_join(t, 0);', 'n + 100'), [], 3_000);
  }, 240_000);

  it('does not take the threads that routines can number for all that there are', async () => {
    const text = (main: string) => `${HEAD}
      int total;
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      pthread_t t[1000];
      void *work(void *unused) { pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); return 0; }
      int main(void) { ${main} }`;
    const joined = (count: number) => `
      for (int i = 0; i < ${count}; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < ${count}; i++) pthread_join(t[i], 0);
      assert(0);`;
    const endless =
      'while (1) { pthread_create(t, 0, work, 0); __VERIFIER_atomic_begin(); assert(total < 17000); __VERIFIER_atomic_end(); }';
    for (const main of [joined(600), endless]) await expectNoProof(text(main), [], 8_000);
  }, 60_000);

  /** So many threads as somebody says, created and joined in loops. */
  const crowd = (last: string, condition: string, work = 'total++;') => `${HEAD}
    int nondet(void), total, other;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *work(void *unused) { pthread_mutex_lock(&m); ${work} pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      int n = nondet();
      if (n < 0 || n > 100) return 0;
      pthread_t t[100];
      for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
      assert(${condition});
      return 0;
    }`;

  it('knows what all threads together have added, once they are joined', async () => {
    expect((await proveText(crowd('n', 'total == n'))).kind).toBe('proved');
    expect((await proveText(crowd('n', 'total == n && other == n', 'total++; other++;'))).kind).toBe('proved');
    const looped = 'for (int j = 0; j < 3; j++) total++;';
    expect((await proveText(crowd('n', 'total == 3 * n', looped))).kind).toBe('proved');
  }, 240_000);

  it.each([
    ['a thread that is not joined', crowd('n - 1', 'total == n')],
    ['one too many', crowd('n', 'total == n + 1')],
    ['a turn too many', crowd('n', 'total == 3 * n', 'for (int j = 0; j <= 3; j++) total++;')],
    ['turns that somebody says', crowd('n', 'total == 3 * n', 'for (int j = nondet(); j < 3; j++) total++;')],
    [
      'no lock',
      crowd('n', 'total == n').replace('pthread_mutex_lock(&m);', '').replace('pthread_mutex_unlock(&m);', ''),
    ],
    ['two totals of which one is wrong', crowd('n', 'total == n && other == n', 'total++; if (nondet()) other++;')],
  ])(
    'does not prove a total with %s',
    async (_, text) => {
      await expectNoProof(text, [], 3_000);
    },
    60_000,
  );

  /** Two totals, neither of which is whole, because of different threads: one slot to spare cannot have both. */
  it('does not take two threads for one that explains why totals are not whole', async () => {
    const add = (name: string) => `__VERIFIER_atomic_begin(); ${name}++; __VERIFIER_atomic_end();`;
    const text = `${HEAD}
      int nondet(void), x, y;
      void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
      void *work(void *unused) {
        if (nondet()) { ${add('x')} ${add('y')} } else { ${add('y')} ${add('x')} }
        return 0;
      }
      int main(void) {
        pthread_t t[10];
        for (int i = 0; i < 10; i++) pthread_create(&t[i], 0, work, 0);
        pthread_join(t[0], 0);
        __VERIFIER_atomic_begin();
        int isMiddle = x == 9 && y == 9;
        __VERIFIER_atomic_end();
        if (isMiddle) pthread_join(t[0], 0);
        return 0;
      }`;
    await expectNoProof(text, [], 5_000);
  }, 60_000);

  it('does not lose main where it detaches a thread that it has just created', async () => {
    const text = (work: string, end: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      unsigned char count;
      void *work(void *unused) { pthread_mutex_lock(&m); ${work} pthread_mutex_unlock(&m); return 0; }
      int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, work, 0); ${end} } }`;
    const count = 'count++; assert(count != 0);';
    await expectNoProof(text(count, 'pthread_detach(t);'), [], 4_000);
    await expectNoProof(text(count, 'pthread_detach(t); pthread_detach(t);'), [], 4_000);
    await expectNoProof(text('', 'assert(0); pthread_detach(t);'), [], 4_000);
    await expectNoProof(text('', 'pthread_detach(t); assert(0);'), [], 4_000);
  }, 60_000);

  /** Two kinds of threads of any number, created and joined in loops. */
  const kinds = (joins: string, condition: string, more = '') => `${HEAD}
    #define N 100
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int a, b;
    void *set(void *unused) { pthread_mutex_lock(&m); a = 1; b = -1; pthread_mutex_unlock(&m); return (void *)1; }
    void *look(void *unused) {
      pthread_mutex_lock(&m);
      assert(a == 0 && b == 0 || a == 1 && b == -1);
      pthread_mutex_unlock(&m);
      return (void *)2;
    }
    int main(void) {
      pthread_t s[N], t[N];
      void *r = 0;
      int i;
      for (i = 0; i < N; i++) pthread_create(&s[i], 0, set, 0);
      for (i = 0; i < N; i++) pthread_create(&t[i], 0, look, 0);
      ${joins}
      pthread_mutex_lock(&m);
      assert(${condition});
      pthread_mutex_unlock(&m);
      ${more}
      return 0;
    }`;
  const join = (table: string, condition = '1') =>
    `for (i = 0; i < N; i++) { pthread_join(${table}[i], &r); assert(${condition}); }`;

  it.each([
    ['and both are joined', kinds(join('s') + join('t'), 'a == 1')],
    ['and those that matter are joined', kinds(join('s'), 'a == 1', join('t'))],
    ['and each has its result', kinds(join('s', 'r == (void *)1') + join('t', 'r == (void *)2'), '1')],
  ])(
    'waits for threads of two kinds, however many they are, %s',
    async (_, text) => {
      expect((await proveText(text)).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    ['that are not joined', kinds(join('t'), 'a == 1', join('s'))],
    ['that are joined too late', kinds('', 'a == 1', join('s') + join('t'))],
    ['with the result of the others', kinds(join('s', 'r == (void *)2') + join('t'), '1')],
    ['that are joined twice', kinds(join('s') + join('s'), '1')],
  ])(
    'does not take threads of one of two kinds for joined %s',
    async (_, text) => {
      await expectNoProof(text, [], 2_500);
    },
    60_000,
  );

  it.each([
    ['in an assertion', 'assert((unsigned long)s[i] < 102);'],
    ['by a copy', 'unsigned long k = s[i], l = k + 1; if (l > 102) assert(0);'],
    ['in an order', 'assert(s[i] < t[i]);'],
  ])(
    'does not take the numbers of two kinds of threads for those that the program sees %s',
    async (_, look) => {
      const text = kinds(`for (i = 0; i < N; i++) { ${look} pthread_join(s[i], 0); }`, '1', join('t'));
      await expectNoProof(text, [], 2_500);
    },
    60_000,
  );

  it('waits for threads of any number beside one that is created after them', async () => {
    const text = (joins: string) => `${HEAD}
      #define N 99
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int low, high;
      void *write(void *unused) { pthread_mutex_lock(&m); low = 1; high = -1; pthread_mutex_unlock(&m); return 0; }
      void *read(void *unused) {
        pthread_mutex_lock(&m);
        assert(low == -high);
        pthread_mutex_unlock(&m);
        return 0;
      }
      int main(void) {
        pthread_t t[N], u;
        for (int i = 0; i < N; i++) pthread_create(&t[i], 0, write, 0);
        pthread_create(&u, 0, read, 0);
        ${joins}
        return 0;
      }`;
    const all = 'for (int i = 0; i < N; i++) pthread_join(t[i], 0);';
    const look = 'pthread_mutex_lock(&m); assert(low == 1); pthread_mutex_unlock(&m);';
    expect((await proveText(text(`${all} ${look} pthread_join(u, 0);`))).kind).toBe('proved');
    await expectNoProof(text(`pthread_join(u, 0); ${look} ${all}`), [], 2_500);
    await expectNoProof(text(`assert((unsigned long)u < 50); ${all}`), [], 2_500);
  }, 120_000);

  it('counts what threads of two kinds add', async () => {
    const text = (sum: string) => `${HEAD}
      #define N 70
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int n;
      void *one(void *unused) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
      void *two(void *unused) { pthread_mutex_lock(&m); n += 2; pthread_mutex_unlock(&m); return 0; }
      int main(void) {
        pthread_t s[N], t[N];
        int i;
        for (i = 0; i < N; i++) { pthread_create(&s[i], 0, one, 0); pthread_create(&t[i], 0, two, 0); }
        for (i = 0; i < N; i++) { pthread_join(s[i], 0); pthread_join(t[i], 0); }
        assert(n == ${sum});
        return 0;
      }`;
    expect((await proveText(text('3 * N'), [], 120_000)).kind).toBe('proved');
    await expectNoProof(text('2 * N'), [], 4_000);
  }, 240_000);
});
