import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Any number of threads that keep two variables equal in a section. */
const section = (declared: string, lock: string, unlock: string, more = '') => `${HEAD}
  #include <stdatomic.h>
  ${declared}
  int x, y;
  void *work(void *unused) {
    for (;;) {
      ${lock}
      x++;
      ${more}
      y++;
      assert(x == y);
      ${unlock}
    }
    return 0;
  }
  int main(void) {
    pthread_t t;
    for (;;) pthread_create(&t, 0, work, 0);
  }`;
const FLAG = 'atomic_flag l = ATOMIC_FLAG_INIT;';
const WORD = 'atomic_int l;';
const MUTEX = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;';
const CLEAR = 'atomic_store(&l, 0);';

describe('locks that are spun for', () => {
  it.each([
    ['a flag', section(FLAG, 'while (atomic_flag_test_and_set(&l)) ;', 'atomic_flag_clear(&l);')],
    ['an exchange', section(WORD, 'while (atomic_exchange(&l, 1)) ;', CLEAR)],
    ['an exchange after a look', section(WORD, 'do while (l) ; while (atomic_exchange(&l, 1));', CLEAR)],
    ['a weak swap', section(WORD, 'int e = 0; while (!atomic_compare_exchange_weak(&l, &e, 1)) e = 0;', CLEAR)],
    [
      'an exchange, who backs off longer and longer',
      section(
        WORD,
        'for (int n = 1; atomic_exchange(&l, 1); ) { for (int i = 0; i < n; i++) ; if (n < 64) n *= 2; }',
        CLEAR,
      ),
    ],
    [
      'a swap, who counts down before he looks, and how often he has tried',
      section(
        WORD,
        `for (int e = 0, tries = 0; !atomic_compare_exchange_strong(&l, &e, 1); e = 0) {
           for (unsigned k = ++tries < 5 ? 10 : 1000; k-- > 0; ) ;
           while (l) ;
         }`,
        CLEAR,
      ),
    ],
    ['a mutex that is tried', section(MUTEX, 'while (pthread_mutex_trylock(&m)) ;', 'pthread_mutex_unlock(&m);')],
  ])(
    'are those of %s',
    async (_, text) => {
      expect((await proveText(text)).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    ['tried once', section(WORD, 'atomic_exchange(&l, 1);', CLEAR)],
    ['given back too early', section(WORD, 'while (atomic_exchange(&l, 1)) ;', CLEAR, CLEAR)],
    ['given back by others', section(WORD, `if (l == 1) l = 0; while (atomic_exchange(&l, 1)) ;`, CLEAR)],
    ['taken whatever it holds', section(WORD, 'int e = 0; while (!atomic_compare_exchange_weak(&l, &e, 1)) ;', CLEAR)],
    ['taken where it is not free', section(WORD, 'while (!atomic_exchange(&l, 1)) ;', CLEAR)],
    ['changed by turns that fail', section(WORD, 'while (atomic_fetch_sub(&l, 1)) ;', CLEAR)],
    ['that leave something behind', section(WORD, 'while (atomic_exchange(&l, 1)) x++;', CLEAR)],
    [
      'given up after some turns',
      section(WORD, 'for (int n = 1; atomic_exchange(&l, 1); ) { if (n < 4) n *= 2; else break; }', CLEAR),
    ],
    [
      'that change something while they wait',
      section(WORD, 'for (int n = 1; atomic_exchange(&l, 1); n = 2) for (int i = 0; i < n; i++) y = x;', CLEAR),
    ],
  ])(
    'are none that are %s',
    async (_, text) => {
      await expectNoProof(text, [], 3_000);
    },
    60_000,
  );

  it('are waited for by whoever is stuck', async () => {
    const text = (unlock: string) => `${HEAD}
      #include <stdatomic.h>
      atomic_int l;
      int x;
      void *work(void *unused) { while (atomic_exchange(&l, 1)) ; x = 1; ${unlock} return 0; }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0);
        pthread_create(&u, 0, work, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        assert(x == 1);
      }`;
    expect((await proveText(text('atomic_store(&l, 0);'), ['deadlock'])).kind).toBe('proved');
    await expectNoProof(text(''), ['deadlock'], 5_000);
  }, 120_000);

  /** Two threads of these bodies, and main, which joins them. */
  const spinning = (one: string, two = one, main = '', declared = 'atomic_int l, k;', last = '') => `${HEAD}
    #include <stdatomic.h>
    ${declared}
    int x, go;
    static void take(atomic_int *lock) { while (atomic_exchange(lock, 1)) ; }
    void *first(void *unused) { ${one} return 0; }
    void *second(void *unused) { ${two} return 0; }
    int main(void) {
      pthread_t t, u;
      ${main}
      pthread_create(&t, 0, first, 0);
      pthread_create(&u, 0, second, 0);
      pthread_join(t, 0);
      pthread_join(u, 0);
      ${last}
    }`;
  const ADD = 'for (int i = 0; i < 50; i++) { take(&l); x++; l = 0; }';
  const inTurn = (first: string, second: string) =>
    `take(&${first}); take(&${second}); x++; ${second} = 0; ${first} = 0;`;

  it.each([
    ['in loops that count', spinning(ADD, ADD, '', 'atomic_int l;', 'assert(x == 100);')],
    ['in one order', spinning(inTurn('l', 'k'))],
    ['after main has set them to 0', spinning(inTurn('l', 'k'), ADD, 'l = 0; k = 0;')],
  ])(
    'are given back, %s',
    async (_, text) => {
      expect((await proveText(text, ['deadlock'])).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    ['that are taken in two orders', spinning(inTurn('l', 'k'), inTurn('k', 'l'))],
    ['that are taken at first', spinning(ADD, ADD, '', 'atomic_int l = 1, k;')],
    ['that main has set', spinning(ADD, ADD, 'l = 1;')],
    ['that main holds while it joins', spinning(ADD, ADD, 'take(&l);')],
    ['that one has taken twice', spinning('take(&l); take(&l); l = 0;')],
    ['whose owner ends', spinning('take(&l); if (x) return 0; x = 1; l = 0;')],
    ['whose owner goes round for ever', spinning(`${ADD} take(&l); for (;;) ;`, ADD)],
    ['whose owner waits for somebody', spinning('take(&l); while (!go) ; l = 0;', `${ADD} go = 1;`)],
    [
      'whose owner polls under another',
      spinning('take(&l); for (;;) { take(&k); int g = go; k = 0; if (g) break; } l = 0;', ADD),
    ],
  ])(
    'are not known to be given back, %s',
    async (_, text) => {
      await expectNoProof(text, ['deadlock'], 4_000);
    },
    60_000,
  );

  it('keep what a turn that fails counts', async () => {
    const text = (most: number) => `${HEAD}
      #include <stdatomic.h>
      atomic_int l;
      int failed;
      void *work(void *unused) {
        int own = 0;
        while (atomic_exchange(&l, 1)) own = 1;
        failed = own;
        assert(failed <= ${most});
        atomic_store(&l, 0);
        return 0;
      }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0);
        pthread_create(&u, 0, work, 0);
      }`;
    expect((await proveText(text(1))).kind).toBe('proved');
    await expectNoProof(text(0), [], 3_000);
  }, 120_000);
});
