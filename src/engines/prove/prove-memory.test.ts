import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveChecks, proveText } from '../../../test/support/prove-text.ts';

describe('objects that come and go', () => {
  it('sees that an object of a loop is another one each time', async () => {
    const outcome = await proveText(`${HEAD}
      int main(void) {
        int *old = 0;
        for (int i = 0; i < 2; i++) {
          int x = i;
          if (old) assert(*old == 0);
          old = &x;
        }
      }`);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported' });
  });

  it('keeps the locals of many threads apart', async () => {
    const outcome = await proveText(`${HEAD}
      int *shared;
      void *work(void *unused) {
        int x = 0;
        int *seen = shared;
        shared = &x;
        assert(seen != &x);
        return 0;
      }
      int main(void) { pthread_t t; while (1) pthread_create(&t, 0, work, 0); }`);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported' });
  });

  it('knows that a local has ended while main goes round a loop for ever', async () => {
    const text = (end: string) => `${HEAD}
      void *work(void *local) { *(int *)local = 1; return 0; }
      void start(void) { int local; pthread_t t; pthread_create(&t, 0, work, &local); }
      int main(void) { start(); ${end} }`;
    expect((await proveText(text('return 0;'))).kind).toBe('proved');
    expect((await proveText(text('while (1) ;'))).kind).toBe('unknown');
    expect((await proveText(text('pthread_exit(0);'))).kind).toBe('unknown');
  });

  it('knows what was freed', async () => {
    const text = (use: string) => `${HEAD}
      int main(void) {
        int *p = malloc(sizeof *p);
        *p = 3;
        ${use}
      }`;
    expect((await proveText(text('assert(*p == 3); free(p);'))).kind).toBe('proved');
    expect((await proveText(text('free(p); assert(*p == 3);'))).kind).toBe('unknown');
    expect((await proveText(text('free(p); free(p);'))).kind).toBe('unknown');
    expect((await proveText(text('free(p + 1);'))).kind).toBe('unknown');
  });

  /** A thread that allocates and frees for ever; main does the same, or nothing. */
  const allocating = (body: string, start = 'pthread_create(&t, 0, work, 0); pthread_exit(0);') => `${HEAD}
    struct node { int value; struct node *next; };
    struct node *last;
    void *work(void *unused) {
      struct node *old = 0;
      for (;;) { struct node *n = malloc(sizeof *n); ${body} }
    }
    int main(void) { pthread_t t; ${start} }`;
  const isProved = async (text: string) => (await proveText(text, [], 20_000)).kind === 'proved';

  it('follows allocations that run any number of times', async () => {
    const fine = 'n->value = 3; assert(n->value == 3); free(n);';
    expect(await isProved(allocating(fine))).toBe(true);
    expect(await isProved(allocating(fine, 'for (;;) pthread_create(&t, 0, work, 0);'))).toBe(true);
    // Two at a time.
    expect(await isProved(allocating('n->value = 3; if (old) { assert(old->value == 3); free(old); } old = n;'))).toBe(
      true,
    );
  }, 120_000);

  it('sees that what is allocated again is another object', async () => {
    expect(await isProved(allocating('n->value = 3; if (old) old->value = 4; free(n); old = n;'))).toBe(false);
    expect(await isProved(allocating('free(n); if (last) free(last); last = n;'))).toBe(false);
    expect(await isProved(allocating('assert(n != old); free(n); old = n; assert(old == 0);'))).toBe(false);
    // However many objects there are for it, it may have more.
    expect(await isProved(allocating('n->next = last; last = n; assert(n->next != n);'))).toBe(false);
    // The same memory, and the value that was there before.
    expect(await isProved(allocating('assert(n->value == 3); n->value = 3; free(n);'))).toBe(false);
  }, 120_000);

  it('refuses to lose sight of an address', async () => {
    const outcome = await proveText(
      allocating('unsigned char part = (unsigned char)(unsigned long)n; free(n); if (part) n = 0;'),
    );
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('kept in parts') });
  });
});

describe('locals of main that threads are given', () => {
  const text = (end: string, before = '') => `${HEAD}
    extern unsigned __VERIFIER_nondet_uint(void);
    struct job { int limit; int seen; };
    void *work(void *given) {
      struct job *job = given;
      while (__VERIFIER_nondet_uint()) assert(job->limit == 7);
      return 0;
    }
    int main(void) {
      struct job job;
      pthread_t t;
      job.limit = 7;
      ${before}
      pthread_create(&t, 0, work, &job);
      ${end}
      return 0;
    }`;

  it('are alive until the program ends', async () => {
    expect((await proveText(text(''))).kind).toBe('proved');
    await expectNoProof(text('job.limit = 8;'), [], 3_000);
  });

  it('hold what main made of them before', async () => {
    expect((await proveText(text('', 'job.limit = 8; job.limit--;'))).kind).toBe('proved');
  });

  const inScope = (end: string) =>
    text(`${end} } while (__VERIFIER_nondet_uint());`)
      .replace('struct job job;', '')
      .replace('pthread_t t;', 'pthread_t t; { struct job job;')
      .replace('} while (__VERIFIER_nondet_uint());', '} while (__VERIFIER_nondet_uint()) limit++;')
      .replace('int main', 'int limit; int main');

  it('are alive until their scope is left', async () => {
    expect((await proveText(inScope('pthread_join(t, 0);'))).kind).toBe('proved');
    await expectNoProof(inScope(''), [], 3_000);
  });

  it('end the execution where they are left, unless that is looked for', async () => {
    const loose = `void __VERIFIER_error(void);\n${inScope('')}`.replace(
      'assert(job->limit == 7)',
      'if (job->limit != 7) __VERIFIER_error()',
    );
    const ask = (source: string) =>
      proveChecks(source, new Set(['assertion']), new Set(['assertion', 'bounds']), {
        timeLimitMs: 60_000,
        confirmMs: 0,
      });
    expect((await ask(loose)).kind).toBe('proved');
    expect((await ask(loose.replace('job.limit = 7;', 'job.limit = 6;'))).kind).toBe('unknown');
  });
});

describe('arrays whose elements are not told apart', () => {
  const stack = (limit: number, pushed: string) => `${HEAD}
    extern unsigned __VERIFIER_nondet_uint(void);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int top, items[${limit}];
    void *push(void *unused) {
      for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&m);
        assert(top < 300);
        items[top++] = ${pushed};
        pthread_mutex_unlock(&m);
      }
      return 0;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, push, 0);
      for (;;) {
        pthread_mutex_lock(&m);
        if (top > 0) { int item = items[--top]; assert(item >= 0 && item < 7); }
        pthread_mutex_unlock(&m);
      }
    }`;

  it('hold what is stored in them, and counters with the same limit are compared', async () => {
    expect((await proveText(stack(300, '__VERIFIER_nondet_uint() % 7'))).kind).toBe('proved');
  });

  it('hold no less than that, and are not left', async () => {
    await expectNoProof(stack(300, '__VERIFIER_nondet_uint() % 8'), [], 3_000);
    await expectNoProof(stack(299, '__VERIFIER_nondet_uint() % 7'), [], 3_000);
  });

  it('have fields that hold what is stored in them, also by way of pointers', async () => {
    const text = (stored: string, most: number) => `${HEAD}
      extern unsigned __VERIFIER_nondet_uint(void);
      struct { int kind; char tag; int count; } table[100];
      void set(int *kind, int value) { *kind = value; }
      void *work(void *unused) {
        for (;;) {
          unsigned at = __VERIFIER_nondet_uint() % 100;
          set(&table[at].kind, __VERIFIER_nondet_uint() % 3);
          ${stored};
        }
      }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 100; i++) set(&table[i].kind, 1);
        pthread_create(&t, 0, work, 0);
        for (;;) assert(table[__VERIFIER_nondet_uint() % 100].kind <= ${most});
      }`;
    expect((await proveText(text('table[at].count = 70', 2))).kind).toBe('proved');
    await expectNoProof(text('table[at].count = 70', 1), [], 3_000);
    // Some field is written by another's way.
    await expectNoProof(text('*(int *)((char *)&table[0] + 4 * at) = 70', 2), [], 3_000);
  });

  it('hold bytes of what is stored', async () => {
    const text = (least: number) => `${HEAD}
      unsigned words[100];
      extern unsigned __VERIFIER_nondet_uint(void);
      int main(void) {
        for (;;) {
          words[__VERIFIER_nondet_uint() % 100] = 0x200;
          unsigned char part = ((unsigned char *)words)[__VERIFIER_nondet_uint() % 400];
          assert(part < ${least});
        }
      }`;
    expect((await proveText(text(2))).kind).toBe('unknown');
  });
});
