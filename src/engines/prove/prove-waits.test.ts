import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

describe('deadlocks', () => {
  const program = (first: string, second: string) => `${HEAD}
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    void *one(void *unused) { ${first} return 0; }
    void *two(void *unused) { ${second} return 0; }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, one, 0);
      pthread_create(&u, 0, two, 0);
      pthread_join(t, 0);
      pthread_join(u, 0);
    }`;
  const locked = (...locks: string[]) =>
    [
      ...locks.map((lock) => `pthread_mutex_lock(&${lock});`),
      ...[...locks].reverse().map((lock) => `pthread_mutex_unlock(&${lock});`),
    ].join(' ');

  it('are excluded where locks are taken in one order', async () => {
    expect((await proveText(program(locked('a', 'b'), locked('a', 'b')), ['deadlock'])).kind).toBe('proved');
  });

  /** Forks in an array, which philosophers take for ever, in the order that the exchange brings about. */
  const philosophers = (exchange: string) => `${HEAD}
    pthread_mutex_t forks[3];
    int holder[3];
    void *eat(void *which) {
      int i = (int)(long)which, low = i, high = (i + 1) % 3;
      ${exchange}
      for (;;) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        holder[low] = holder[high] = i + 1;
        assert(holder[low] == i + 1);
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
      }
    }
    int main(void) {
      pthread_t t[3];
      for (int i = 0; i < 3; i++) pthread_mutex_init(&forks[i], 0);
      for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, eat, (void *)(long)i);
      for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    }`;

  it('are excluded where locks of an array are taken in one order', async () => {
    const ordered = philosophers('if (low > high) { low = high; high = i; }');
    expect((await proveText(ordered, ['deadlock'], 60_000)).kind).toBe('proved');
  }, 90_000);

  it('are not excluded where locks of an array are taken in a circle', async () => {
    await expectNoProof(philosophers(''), ['deadlock'], 10_000);
  }, 60_000);

  it.each([
    ['locks are taken in two orders', locked('a', 'b'), locked('b', 'a')],
    ['a lock is taken twice', locked('a', 'a'), ''],
    ['a thread ends with a lock', 'pthread_mutex_lock(&a);', locked('a')],
  ])('are not excluded where %s', async (_, first, second) => {
    const outcome = await proveText(program(first, second), ['deadlock']);
    expect(outcome.kind === 'unknown' && outcome.reason).toContain("but 'deadlock'");
  });
});

describe('that nobody waits for ever', () => {
  const proveWaits = (text: string) => proveText(text, ['deadlock'], 60_000);

  /** A thread that waits for main, in a loop around a condition variable. */
  const handOver = (signal: string, end = 'pthread_join(t, 0);') => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int ready;
    void *wait(void *unused) {
      pthread_mutex_lock(&m);
      while (!ready) pthread_cond_wait(&c, &m);
      pthread_mutex_unlock(&m);
      return 0;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, wait, 0);
      ${signal}
      ${end}
    }`;

  it('is proved of loops around condition variables', async () => {
    const signal = 'pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);';
    expect((await proveWaits(handOver(signal))).kind).toBe('proved');
    expect((await proveWaits(handOver(signal, 'pthread_exit(0);'))).kind).toBe('proved');
  });

  it('is not proved where a signal is missing or comes too early', async () => {
    const unsignalled = 'pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);';
    expect((await proveWaits(handOver(unsignalled))).kind).toBe('unknown');
    expect((await proveWaits(handOver('ready = 1; pthread_cond_signal(&c);'))).kind).toBe('unknown');
    // Main is gone, and the other is stuck.
    expect((await proveWaits(handOver(unsignalled, 'pthread_exit(0);'))).kind).toBe('unknown');
    // The program ends, with whoever waits.
    expect((await proveWaits(handOver(unsignalled, 'return 0;'))).kind).toBe('proved');
  });

  it('is proved where main joins threads that never end, unless they wait for one another', async () => {
    const text = (first: string, second: string) => `${HEAD}
      pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
      int inside;
      void *work(void *unused) {
        for (;;) {
          pthread_mutex_lock(&${first}); pthread_mutex_lock(&${second});
          inside++; assert(inside == 1); inside--;
          pthread_mutex_unlock(&${second}); pthread_mutex_unlock(&${first});
        }
      }
      void *other(void *unused) {
        for (;;) {
          pthread_mutex_lock(&a); pthread_mutex_lock(&b);
          inside++; assert(inside == 1); inside--;
          pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
        }
      }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0); pthread_create(&u, 0, other, 0);
        pthread_join(t, 0); pthread_join(u, 0);
      }`;
    expect((await proveWaits(text('a', 'b'))).kind).toBe('proved');
    expect((await proveWaits(text('b', 'a'))).kind).toBe('unknown');
  });

  it('is proved of semaphores that go round', async () => {
    const text = (first: number) => `${HEAD}#include <semaphore.h>
      sem_t ping, pong;
      int turn;
      void *answer(void *unused) {
        for (;;) { sem_wait(&ping); assert(turn == 1); turn = 0; sem_post(&pong); }
      }
      int main(void) {
        pthread_t t;
        sem_init(&ping, 0, 0); sem_init(&pong, 0, ${first});
        pthread_create(&t, 0, answer, 0);
        for (;;) { sem_wait(&pong); assert(turn == 0); turn = 1; sem_post(&ping); }
      }`;
    expect((await proveWaits(text(1))).kind).toBe('proved');
    expect((await proveWaits(text(0))).kind).toBe('unknown');
  });

  it('is not proved where main has ended after a signal that nobody waited for', async () => {
    const text = `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      pthread_cond_t c = PTHREAD_COND_INITIALIZER;
      void *wait(void *unused) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return 0;
      }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, wait, 0);
        pthread_cond_signal(&c);
        pthread_exit(0);
      }`;
    expect((await proveWaits(text)).kind).toBe('unknown');
  });

  it('is not proved where main ends with a lock, and others go on for ever', async () => {
    const text = (unlock: string, loop: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      unsigned turns;
      void *work(void *unused) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
      void *busy(void *unused) { ${loop} return 0; }
      int main(void) {
        pthread_t t;
        pthread_mutex_lock(&m);
        pthread_create(&t, 0, work, 0);
        pthread_create(&t, 0, busy, 0);
        ${unlock}
        pthread_exit(0);
      }`;
    expect((await proveWaits(text('pthread_mutex_unlock(&m);', ''))).kind).toBe('proved');
    expect((await proveWaits(text('', 'while (1) turns++;'))).kind).toBe('unknown');
  });

  // In the model nothing is left of such a loop.
  it('is not proved where a thread looks for ever at what nobody writes', async () => {
    const text = (loop: string, wait: string) => `${HEAD}#include <semaphore.h>
      sem_t s;
      int seen, flag;
      void *work(void *unused) { ${loop} sem_post(&s); return 0; }
      int main(void) {
        pthread_t t;
        sem_init(&s, 0, 0);
        pthread_create(&t, 0, work, 0);
        flag = 1;
        ${wait}
      }`;
    expect((await proveWaits(text('', 'sem_wait(&s);'))).kind).toBe('proved');
    expect((await proveWaits(text('while (!seen) ;', 'sem_wait(&s);'))).kind).toBe('unknown');
    expect((await proveWaits(text('while (!seen) ;', 'pthread_exit(0);'))).kind).toBe('unknown');
    expect((await proveWaits(text('if (!flag) while (!seen) ;', 'sem_wait(&s);'))).kind).toBe('unknown');
  });

  it('needs no search for loops that count and take locks', async () => {
    const text = (step: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int x;
      void *add(void *unused) {
        for (int i = 0; i < 100; ${step}) { pthread_mutex_lock(&m); x = 1 - x; pthread_mutex_unlock(&m); }
        return 0;
      }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, add, 0);
        pthread_create(&u, 0, add, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
      }`;
    for (const step of ['i++', '++i', 'i += 2']) {
      const { attempts } = await proveWaits(text(step));
      expect(
        attempts.map(({ outcome }) => outcome),
        step,
      ).toEqual(['an invariant']);
    }
  });

  it('is not proved where a thread spins in an atomic section', async () => {
    const text = `${HEAD}
      void __VERIFIER_atomic_begin(void);
      void __VERIFIER_atomic_end(void);
      int flag;
      void *work(void *unused) {
        __VERIFIER_atomic_begin();
        while (!flag) ;
        __VERIFIER_atomic_end();
        return 0;
      }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        flag = 1;
        pthread_join(t, 0);
      }`;
    expect((await proveWaits(text)).kind).toBe('unknown');
  });

  // A turn leaves everything as it was, and nobody looks at what was different meanwhile.
  it('is not proved where main joins a thread that goes round for ever', async () => {
    const text = (turn: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int inside, first, second;
      unsigned turns;
      void *work(void *unused) { for (;;) { ${turn} } }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
      }`;
    const section = 'pthread_mutex_lock(&m); inside++; assert(inside == 1); inside--; pthread_mutex_unlock(&m);';
    expect((await proveWaits(text(`${section} turns++;`))).kind).toBe('proved');
    expect((await proveWaits(text(section))).kind).toBe('unknown');
    expect((await proveWaits(text('first = 1 - first; second = 1 - second; assert(first == second);'))).kind).toBe(
      'unknown',
    );
  });

  it('is proved for two threads that hand a buffer back and forth for ever', async () => {
    const text = (posts: string) => `${HEAD}#include <assert.h>
      #include <semaphore.h>
      sem_t empty, full;
      int buffer;
      void *produce(void *unused) { for (;;) { sem_wait(&empty); buffer = 1; sem_post(&full); } }
      void *consume(void *unused) { for (;;) { sem_wait(&full); assert(buffer == 1); buffer = 0; ${posts} } }
      int main(void) {
        pthread_t t, u;
        sem_init(&empty, 0, 1);
        sem_init(&full, 0, 0);
        pthread_create(&t, 0, produce, 0);
        pthread_create(&u, 0, consume, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
      }`;
    expect((await proveWaits(text('sem_post(&empty);'))).kind).toBe('proved');
    expect((await proveWaits(text(''))).kind).toBe('unknown');
    expect((await proveWaits(text('for (;;) ; sem_post(&empty);'))).kind).toBe('unknown');
  });

  it('is proved of readers and writers who wait for conditions, where these come true', async () => {
    const text = (last: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      pthread_cond_t c = PTHREAD_COND_INITIALIZER;
      int readers, writing;
      void *reader(void *unused) {
        for (;;) {
          pthread_mutex_lock(&m);
          while (writing) pthread_cond_wait(&c, &m);
          readers++;
          pthread_mutex_unlock(&m);
          assert(!writing);
          pthread_mutex_lock(&m);
          if (--readers == 0) pthread_cond_broadcast(&c);
          pthread_mutex_unlock(&m);
        }
      }
      void *writer(void *unused) {
        for (;;) {
          pthread_mutex_lock(&m);
          while (writing || readers) pthread_cond_wait(&c, &m);
          writing = 1;
          pthread_mutex_unlock(&m);
          assert(readers == 0);
          pthread_mutex_lock(&m);
          writing = ${last};
          pthread_cond_broadcast(&c);
          pthread_mutex_unlock(&m);
        }
      }
      int main(void) {
        pthread_t t, u, v;
        pthread_create(&t, 0, reader, 0);
        pthread_create(&u, 0, reader, 0);
        pthread_create(&v, 0, writer, 0);
        pthread_join(v, 0);
      }`;
    expect((await proveWaits(text('0'))).kind).toBe('proved');
    await expectNoProof(text('1'), ['deadlock'], 12_000);
  }, 120_000);

  /** Two threads that put something into a buffer, and two that take it out, for ever. */
  const buffer = (space: string, item: string) => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t space = PTHREAD_COND_INITIALIZER, item = PTHREAD_COND_INITIALIZER;
    int count;
    void *produce(void *unused) {
      for (;;) {
        pthread_mutex_lock(&m);
        while (count == 2) pthread_cond_wait(&space, &m);
        count++;
        assert(count <= 2);
        pthread_cond_signal(&${item});
        pthread_mutex_unlock(&m);
      }
    }
    void *consume(void *unused) {
      for (;;) {
        pthread_mutex_lock(&m);
        while (count == 0) pthread_cond_wait(&item, &m);
        count--;
        assert(count >= 0);
        pthread_cond_signal(&${space});
        pthread_mutex_unlock(&m);
      }
    }
    int main(void) {
      pthread_t t[4];
      pthread_create(&t[0], 0, produce, 0);
      pthread_create(&t[1], 0, produce, 0);
      pthread_create(&t[2], 0, consume, 0);
      pthread_create(&t[3], 0, consume, 0);
      for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    }`;

  it('is proved of a buffer with several producers and consumers, and not where they signal themselves', async () => {
    expect((await proveText(buffer('space', 'item'), ['deadlock'], 60_000)).kind).toBe('proved');
    await expectNoProof(buffer('item', 'item'), ['deadlock'], 10_000);
    await expectNoProof(buffer('space', 'space'), ['deadlock'], 10_000);
  }, 120_000);

  it('is proved where two threads let one another in for ever, by turns that are long', async () => {
    const text = (last: string) => `${HEAD}
      volatile int wants[2], turn;
      int inside;
      static void *go(int me) {
        for (;;) {
          wants[me] = 1;
          turn = 1 - me;
          while (wants[1 - me] && turn == 1 - me) ;
          inside++;
          assert(inside == 1);
          inside--;
          ${last}
        }
      }
      void *first(void *unused) { return go(0); }
      void *second(void *unused) { return go(1); }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, first, 0);
        pthread_create(&u, 0, second, 0);
        pthread_join(t, 0);
      }`;
    expect((await proveWaits(text('wants[me] = 0;'))).kind).toBe('proved');
    expect((await proveWaits(text('while (turn == me) ; wants[me] = 0;'))).kind).toBe('unknown');
  }, 120_000);

  it('is not proved where threads go round for ever beside one that waits', async () => {
    const text = (turn: string) => `${HEAD}#include <semaphore.h>
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      sem_t s;
      int x, never;
      void *poll(void *unused) { int i = 0; while (1) { ${turn} } }
      void *wait(void *unused) { sem_wait(&s); return 0; }
      int main(void) {
        pthread_t t, u;
        sem_init(&s, 0, 0);
        pthread_create(&t, 0, poll, 0);
        pthread_create(&u, 0, wait, 0);
        pthread_join(u, 0);
      }`;
    const idle = [
      '',
      'i = 1 - i;',
      'if (never) sem_post(&s);',
      'x = 1; x = 0;',
      '__sync_fetch_and_add(&x, 1); __sync_fetch_and_sub(&x, 1);',
      'pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m);',
      'if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);',
      'sem_trywait(&s);',
    ];
    for (const turn of idle) expect((await proveWaits(text(turn))).kind, turn).toBe('unknown');
  });
});

describe('what routines say of their inputs', () => {
  it('is no wait', async () => {
    const timer = (condition: string) => `${HEAD}
      #include <time.h>
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      pthread_cond_t c = PTHREAD_COND_INITIALIZER;
      int cancelled;
      void *timer(void *unused) {
        pthread_mutex_lock(&m);
        while (!cancelled) {
          struct timespec until;
          clock_gettime(CLOCK_REALTIME, &until);
          until.tv_sec++;
          ${condition}
        }
        pthread_mutex_unlock(&m);
        return 0;
      }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, timer, 0);
        pthread_mutex_lock(&m);
        cancelled = 1;
        pthread_mutex_unlock(&m);
        pthread_join(t, 0);
      }`;
    expect((await proveText(timer('pthread_cond_timedwait(&c, &m, &until);'), ['deadlock'])).kind).toBe('proved');
    await expectNoProof(timer('pthread_cond_wait(&c, &m);'), ['deadlock'], 5_000);
  }, 60_000);
});

describe('that who claims something is done with it', () => {
  /** Any number of threads, which main leaves to themselves. */
  const crowd = (work: string, before = '', init = '') => `${HEAD}
    int __VERIFIER_nondet_int(void);
    #include <semaphore.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
    sem_t s, t;
    int x, count;
    ${before}
    void *work(void *unused) { ${work} return 0; }
    int main(void) {
      pthread_t id;
      ${init}
      while (__VERIFIER_nondet_int()) pthread_create(&id, 0, work, 0);
      pthread_exit(0);
    }`;
  const once = (routine: string, work: string) =>
    crowd(
      work,
      `void last(void) { x = 3; }
       void first(void) { ${routine} }`,
    );
  const lock = 'pthread_mutex_lock(&m);';
  const unlock = 'pthread_mutex_unlock(&m);';
  const call = 'pthread_once(&once, first);';

  it.each([
    ['in what is done once', once('count++;', `${call} assert(count == 1);`)],
    ['under a lock as well', once('count++;', `${lock} ${call} assert(count == 1); ${unlock}`)],
    ['with a lock in it', once(`${lock} count++; ${unlock}`, `${call} assert(count == 1);`)],
    ['where it calls another such routine', once('count++; pthread_once(&other, last);', `${call} assert(x == 3);`)],
    [
      'of a semaphore that is a lock',
      crowd('sem_wait(&s); assert(x++ == 0); x--; sem_post(&s);', '', 'sem_init(&s, 0, 1);'),
    ],
    [
      'of semaphores in one order',
      crowd(
        'sem_wait(&s); sem_wait(&t); assert(x++ == 0); x--; sem_post(&s); sem_post(&t);',
        '',
        'sem_init(&s, 0, 1); sem_init(&t, 0, 1);',
      ),
    ],
  ])('is seen %s', async (_, text) => {
    expect((await proveText(text, ['deadlock'])).kind).toBe('proved');
  });

  it.each([
    ['a routine waits for itself', once(call, call)],
    [
      'two routines wait for one another',
      once('pthread_once(&other, last);', call)
        .replace('x = 3;', call)
        .replace('void last', 'void first(void);\nvoid last'),
    ],
    [
      'it waits for a lock under which it is waited for',
      once(`${lock} ${unlock}`, `if (x) { ${call} } else { ${lock} ${call} ${unlock} }`),
    ],
    ['its thread ends in it', once('pthread_exit(0);', call)],
    ['its thread goes round for ever', once('while (x == 0);', call)],
    [
      'a semaphore is not given back on some way',
      crowd('sem_wait(&s); if (x++ == 0) sem_post(&s);', '', 'sem_init(&s, 0, 1);'),
    ],
    ['a semaphore begins with none', crowd('sem_wait(&s); x = 1; sem_post(&s);', '', 'sem_init(&s, 0, 0);')],
    ['main keeps the semaphore', crowd('sem_wait(&s); x = 1; sem_post(&s);', '', 'sem_init(&s, 0, 1); sem_wait(&s);')],
    [
      'semaphores are taken in two orders',
      crowd(
        'if (x) { sem_wait(&s); sem_wait(&t); } else { sem_wait(&t); sem_wait(&s); } x = !x; sem_post(&s); sem_post(&t);',
        '',
        'sem_init(&s, 0, 1); sem_init(&t, 0, 1);',
      ),
    ],
  ])('is not taken for granted where %s', async (_, text) => {
    await expectNoProof(text, ['deadlock'], 5_000);
  });
});
