import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import type { Loc } from '../support/source.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { checkByRuns } from './check-by-runs.ts';

const code = lowerText(`#include <assert.h>
#include <pthread.h>
int x;
void *work(void *unused) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(x == 1); }`);
const program = compileProgram(code);
const options = { checks: new Set(['assertion'] as const), seed: 1, clock: () => 0 };
const storeOfX = code.functions.find(({ name }) => name === 'work')?.instructions.find(({ kind }) => kind === 'store')
  ?.loc as Loc;

describe('concrete runs after a proof', () => {
  it('agree with a right one', () => {
    expect(() => checkByRuns(program, { ...options, excluded: { read: new Set(), write: new Set() } })).not.toThrow();
  });

  it('come to what a wrong one excludes', () => {
    const excluded = { read: new Set<Loc>(), write: new Set([storeOfX]) };
    expect(() => checkByRuns(program, { ...options, excluded })).toThrow('an invariant excludes');
  });

  it('break what a wrong one calls safe', () => {
    const broken = compileProgram(lowerText('#include <assert.h>\nint main(void) { assert(0); }'));
    const excluded = { read: new Set<Loc>(), write: new Set<Loc>() };
    expect(() => checkByRuns(broken, { ...options, excluded })).toThrow('a proof is refuted');
  });

  it('let whole crowds run', () => {
    const text = (most: string, turn: string, end: string) => `#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;
void *work(void *unused) { pthread_mutex_lock(&m); ${turn} pthread_mutex_unlock(&m); return 0; }
int main(void) {
  static pthread_t t[1000];
  for (int i = 0; i < ${most}; i++) pthread_create(&t[i], 0, work, 0);
  ${end}
}`;
    const join = (most: string) => `for (int i = 0; i < ${most}; i++) pthread_join(t[i], 0);`;
    const excluded = { read: new Set<Loc>(), write: new Set<Loc>() };
    const check = (program: string) => () =>
      checkByRuns(compileProgram(lowerText(program)), { ...options, clock: () => performance.now(), excluded });
    expect(check(text('500', 'count++;', `${join('500')} assert(count == 500);`))).not.toThrow();
    expect(check(text('500', 'count++;', `${join('500')} assert(count < 500);`))).toThrow('a proof is refuted');
    expect(check(text('500', 'if (count < 499) count++;', `${join('500')} assert(count == 500);`))).toThrow('refuted');
    expect(check(text('500', 'count++; assert(count < 400);', ''))).toThrow('a proof is refuted');
    expect(check(text('1000', 'count++; assert(count < 511);', 'pthread_exit(0);'))).toThrow('a proof is refuted');
  });
});
