import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Two threads that change two counters together, under the lock of a record that main makes. */
const record = (make: string, { before = '', after = '', end = '', first = 'p->m', second = 'p->m' } = {}) => `${HEAD}
struct record { pthread_mutex_t m, n; int a, b; } shared;
void step(struct record *p, pthread_mutex_t *one, pthread_mutex_t *other) {
  pthread_mutex_lock(one);
  if (other != one) pthread_mutex_lock(other);
  if (p->a < 9) { p->a++; p->b++; }
  assert(p->a == p->b);
  if (other != one) pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}
void *once(void *given) { struct record *p = given; step(p, &${second}, &${first}); return 0; }
int main(void) {
  ${make}
  ${before}
  pthread_t t, u;
  pthread_create(&t, 0, once, p);
  ${after}
  pthread_create(&u, 0, once, p);
  pthread_join(t, 0);
  pthread_join(u, 0);
  ${end}
}`;

const NEW = 'struct record *p = malloc(sizeof *p); p->a = p->b = 0;';
const INIT = 'pthread_mutex_init(&p->m, 0); pthread_mutex_init(&p->n, 0);';
const ZEROED = 'struct record *p = calloc(1, sizeof *p);';

describe('locks in memory that main makes', () => {
  it.each([
    ['is zero', ZEROED, {}],
    ['is initialised', NEW + INIT, {}],
    ['is initialised and destroyed', NEW + INIT, { end: 'pthread_mutex_destroy(&p->m); free(p);' }],
    ['was used by main before', NEW + INIT, { before: 'step(p, &p->m, &p->m);' }],
    ['was used and initialised again', NEW + INIT, { before: `step(p, &p->m, &p->m); ${INIT}` }],
    ['is static, and used so', 'struct record *p = &shared;', { before: INIT }],
    ['is one of two, taken in one order', NEW + INIT, { first: 'p->n' }],
  ])('are locks where it %s', async (_, make, more) => {
    expect((await proveText(record(make, more), ['deadlock'])).kind).toBe('proved');
  });

  it.each([
    ['is not initialised', NEW, {}],
    ['is held by main', NEW + INIT, { before: 'pthread_mutex_lock(&p->m);' }],
    ['is held by main on some way', NEW + INIT, { before: 'if (p->a == shared.a) pthread_mutex_lock(&p->m);' }],
    ['is initialised while others use it', NEW + INIT, { after: INIT }],
    ['is initialised on some way only', NEW, { before: `if (p->a != shared.a) { ${INIT} }` }],
    ['is given free too early', NEW + INIT, { after: 'free(p);' }],
  ])('exclude nothing where it %s', async (_, make, more) => {
    await expectNoProof(record(make, more), ['deadlock'], 5_000);
  });

  it('are not taken in a circle', async () => {
    const crossed = record(NEW + INIT, { first: 'p->n' })
      .replace('pthread_create(&u, 0, once, p)', 'pthread_create(&u, 0, back, p)')
      .replace(
        'int main',
        'void *back(void *given) { struct record *p = given; step(p, &p->n, &p->m); return 0; }\nint main',
      );
    await expectNoProof(crossed, ['deadlock'], 5_000);
    expect((await proveText(crossed)).kind).toBe('proved');
  });

  it('keep the value that others wait for, where that is not just 0', async () => {
    const text = (take: string, give: string) => `${HEAD}
      void __VERIFIER_assume(int);
      void __VERIFIER_atomic_begin(void);
      void __VERIFIER_atomic_end(void);
      int w, x;
      void *work(void *unused) {
        ${take}
        x++; assert(x == 1); x--;
        ${give}
        return 0;
      }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0);
        pthread_join(t, 0); pthread_join(u, 0);
      }`;
    const wait = '__VERIFIER_atomic_begin(); __VERIFIER_assume(w >= 0); w = -1; __VERIFIER_atomic_end();';
    expect((await proveText(text(wait, 'w = 0;'))).kind).toBe('proved');
    const spin = `for (;;) {
      __VERIFIER_atomic_begin(); int o = w; if (o >= 0) w = -1; __VERIFIER_atomic_end(); if (o >= 0) break; }`;
    await expectNoProof(text(spin, ''), ['deadlock'], 4_000);
  }, 60_000);
});
