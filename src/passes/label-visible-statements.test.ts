/** Which accesses get a label: only those whose moment others can notice. */

import { describe, expect, it } from 'vitest';
import { boundThreads } from '../../test/support/bound-threads.ts';
import { lastLabel } from '../program/bounded-program.ts';

/** The numbers of the last labels of main and of the threads `one` and `other`, which main creates. */
function sizes(globals: string, one: string, other: string, atomicStatements = false): readonly number[] {
  return boundThreads({ globals, one, other }, { unwind: 1, atomicStatements }).threads.map(lastLabel);
}

describe('a read', () => {
  it('of what only the thread itself writes has no label', () => {
    // `one` reads j, then i for itself, then writes i.
    expect(sizes('int i, j;', 'i += j;', 'j += i;')).toEqual([2, 2, 2]);
  });

  it('of what another thread writes has one', () => {
    expect(sizes('int i, j;', 'i += j;', 'j += i; i = 0;')).toEqual([2, 3, 3]);
  });

  it('through a pointer has one if another thread writes one of its targets', () => {
    const globals = 'int mine, ours, seen;';
    const one = (target: string) => `int *p = &${target}; ours = 1; mine = 2; *p = 1; seen = *p;`;
    const other = 'int k = mine + ours + seen; ours = k;';
    const [, ofMine] = sizes(globals, one('mine'), other);
    const [, ofOurs] = sizes(globals, one('ours'), other);
    expect((ofOurs as number) - (ofMine as number)).toBe(1);
  });
});

describe('a write', () => {
  it('has a label where another thread only writes too: it matters who comes last', () => {
    expect(sizes('int x;', 'x = 1; x = 2; x = x + 1;', 'x = 3;')[1]).toBe(4);
  });

  it('has none where nobody else looks', () => {
    expect(sizes('int x;', 'x = 1; x = 2; x = x + 1;', '')[1]).toBe(1);
  });
});

describe('an assumption about private values', () => {
  const globals = 'int nondet_int(void); void __VERIFIER_assume(int); int x;';
  const waits = 'int k = nondet_int(); x = 1; __VERIFIER_assume(k);';
  const loops = 'int k = nondet_int(); x = 1; while (k) { x = k; k = nondet_int(); }';

  it('has a label, so that what was done before it stands even if the thread never gets past it', () => {
    for (const atomicStatements of [false, true]) expect(sizes(globals, waits, 'x++;', atomicStatements)[1]).toBe(3);
  });

  it('has one at the end of an unwound loop, so that what was done before stands where executions are cut off', () => {
    for (const atomicStatements of [false, true]) expect(sizes(globals, loops, 'x++;', atomicStatements)[1]).toBe(4);
  });
});

describe('when statements are atomic', () => {
  const globals = 'int x; int plus(void) { return ++x; }';

  it.each(['plus();', 'if (x++ == 1) {}', 'switch (x++) {}'])(
    'one that reads and writes is one step: %s',
    (statement) => {
      for (const atomicStatements of [true, false]) {
        const plain = sizes(globals, 'x++;', 'x++;', atomicStatements);
        expect(sizes(globals, statement, 'x++;', atomicStatements)).toEqual(plain);
      }
    },
  );
});
