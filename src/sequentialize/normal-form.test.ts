/** Which steps conflict, and what is demanded of the stops of rounds. */

import { describe, expect, it } from 'vitest';
import { boundThreads } from '../../test/support/bound-threads.ts';
import type { BoundOptions } from '../program/bounds.ts';
import { type Conflicts, findConflicts } from './find-conflicts.ts';
import { type NormalFormInput, normalForm } from './normal-form.ts';

/** Threads 1 and 2, which main creates at its labels 0 and 1. */
function conflicts(globals: string, one: string, other: string, options: Partial<BoundOptions> = {}): Conflicts | null {
  return findConflicts(boundThreads({ globals, one, other }, options));
}

const created = (label: number) => ({ thread: 0, labels: [label] });

describe('the conflicts of a step', () => {
  it('are steps of others that touch the same variable, one of them to write', () => {
    // Both: a read, then a write.
    const [main, one, other] = conflicts('int i, j;', 'i += j;', 'j += i;') ?? [];
    expect(main).toEqual([[], [], []]);
    expect(one).toEqual([[created(0), { thread: 2, labels: [1] }], [{ thread: 2, labels: [0] }], []]);
    expect(other).toEqual([[created(1), { thread: 1, labels: [1] }], [{ thread: 1, labels: [0] }], []]);
  });

  it('are told by what pointers lead to', () => {
    const [, one] = conflicts('int i, j, l;', 'int *p = j ? &i : &l; *p = 1;', 'int k = i; j = k;') ?? [];
    expect(one?.[0]).toEqual([created(0), { thread: 2, labels: [1] }]);
    expect(one?.[1]).toEqual([{ thread: 2, labels: [0] }]);
  });

  it('are those of a whole atomic section, also where it can be left in the middle', () => {
    const globals = 'int i, j, k; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);';
    const section = `__VERIFIER_atomic_begin();
      if (i) { __VERIFIER_atomic_end(); k = 1; return 0; }
      j = 1; __VERIFIER_atomic_end();`;
    const [, one] = conflicts(globals, section, 'j = 2; k = 2; i = j + k;') ?? [];
    // The other thread writes j, writes k, reads j, reads k, writes i. The section reads i and writes j.
    expect(one?.[0]).toEqual([created(0), { thread: 2, labels: [0, 2, 4] }]);
    expect(one?.[1]).toEqual([{ thread: 2, labels: [1, 3] }]);
  });

  it('are not known where a pointer may lead anywhere', () => {
    expect(conflicts('int i; unsigned long n;', '*(int *)n = 1;', 'i = 2; n = i;')).toBeNull();
  });

  it('are not known where a function without a body is called', () => {
    expect(conflicts('int i; void f(void);', 'f(); i = 1;', 'i = 2;', { keepUnknownCalls: true })).toBeNull();
  });
});

describe('the normal form', () => {
  const stop = (thread: number, round: number) => `s${thread}${round}`;
  const written = (input: NormalFormInput) => normalForm(input).map((parts) => parts.join(' || '));
  // Main has nothing that conflicts; label 0 of 1 conflicts with labels 1, 2 and 4 of 2, and they with it.
  const known: Conflicts = [
    [[], []],
    [[{ thread: 2, labels: [1, 2, 4] }], []],
    [[], [{ thread: 1, labels: [0] }], [{ thread: 1, labels: [0] }], [], [{ thread: 1, labels: [0] }], []],
  ];

  it('lets a thread go on only after a conflict, since its part of the round before', () => {
    const conditions = written({ conflicts: known, schedule: [0, 1, 2], rounds: 3, closingMain: false, stop });
    expect(conditions).toEqual([
      's01 == s00',
      's02 == s01',
      's11 == s10 || (s10 == 0 && s20 > 1)',
      's12 == s11 || (s11 == 0 && ((s20 <= 2 && s21 > 1) || (s20 <= 4 && s21 > 4)))',
      's21 == s20 || (((s20 >= 1 && s20 <= 2) || s20 == 4) && (s10 <= 0 && s11 > 0))',
      's22 == s21 || (((s21 >= 1 && s21 <= 2) || s21 == 4) && (s11 <= 0 && s12 > 0))',
    ]);
  });

  it('goes by the order of the threads in a round', () => {
    const conditions = written({ conflicts: known, schedule: [2, 1, 0], rounds: 2, closingMain: false, stop });
    expect(conditions).toEqual([
      's21 == s20 || (((s20 >= 1 && s20 <= 2) || s20 == 4) && s10 > 0)',
      's11 == s10 || (s10 == 0 && ((s20 <= 2 && s21 > 1) || (s20 <= 4 && s21 > 4)))',
      's01 == s00',
    ]);
  });

  it('knows that only main runs after the last round', () => {
    const main: Conflicts = [[[{ thread: 1, labels: [0] }]], [[{ thread: 0, labels: [0] }]]];
    const asked = { conflicts: main, rounds: 1, closingMain: true, stop };
    expect(written({ ...asked, schedule: [0, 1] })).toEqual(['s01 == s00 || (s00 == 0 && s10 > 0)']);
    expect(written({ ...asked, schedule: [1, 0] })).toEqual(['s01 == s00']);
  });
});
