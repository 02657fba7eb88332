import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import { NOWHERE } from '../support/source.ts';
import { findAssertions } from './find-assertions.ts';

/** The lines of the assertions, and how many points lead to each. */
function assertionsOf(text: string): string[] {
  const code = lowerText(text);
  return findAssertions(code).map(({ loc, points }) => `${code.sources.place(loc)?.line}: ${points.length}`);
}

describe('the assertions of a program', () => {
  it('are what it asserts, each by itself', () => {
    expect(assertionsOf('#include <assert.h>\nint x;\nint main(void) {\nassert(x == 0);\nassert(x < 2);\n}')).toEqual([
      '4: 1',
      '5: 1',
    ]);
  });

  it('are decided before they fail', () => {
    const text = `void reach_error(void);
int x;
int main(void) {
  if (x > 1) reach_error();
  while (x) { if (x == 7) goto ERROR; x--; if (x == 9) goto ERROR; }
  return 0;
  ERROR: return 1;
}`;
    expect(assertionsOf(text)).toEqual(['4: 1', '7: 2']);
  });

  it('are not decided by the loop before them', () => {
    const text = '#include <assert.h>\nint main(void) {\nint s = 0;\nfor (int i = 0; i < 9; i++) s++;\nassert(0);\n}';
    expect(assertionsOf(text)).toEqual(['5: 1']);
  });

  it('are decided in a loop that nothing else ends', () => {
    const text = '#include <assert.h>\nint x;\nint main(void) {\nfor (;;) {\nx++;\nassert(x > 0);\n}\n}';
    expect(assertionsOf(text)).toEqual(['6: 1']);
  });

  it('are the calls of a function that only looks at its arguments', () => {
    const text = `extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }
int x, y;
int main(void) {
  __VERIFIER_assert(x == 0);
  __VERIFIER_assert(y == 0);
}`;
    expect(assertionsOf(text)).toEqual(['6: 1', '7: 1']);
  });

  it('are come to at the last assumption before them', () => {
    const text = (between: string) => `extern void abort(void);
void reach_error(void);
void __VERIFIER_assume(int);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
int x, y;
void *unused(void) { return 0; }
int main(void) {
  __VERIFIER_assume(x == 0);
  assume_abort_if_not(x != y);
  ${between}
  reach_error();
}`;
    const places = (program: string) => {
      const code = lowerText(program);
      const lineOf = (id: number, pc: number) =>
        code.sources.place(code.functions[id]?.instructions[pc]?.loc ?? NOWHERE)?.line;
      return findAssertions(code).flatMap(({ points }) => points.map(({ function: id, pc }) => lineOf(id, pc)));
    };
    expect(places(text(''))).toEqual([9]);
    // An execution may be cut off on its way.
    expect(places(text('unused();'))).toEqual([11]);
    expect(places(text('for (int i = 0; i < 9; i++) y++;'))).toEqual([11]);
  });

  it('are none where nothing calls them', () => {
    const text = '#include <assert.h>\nint x;\nstatic void f(void) { assert(x); }\nint main(void) { return 0; }';
    expect(assertionsOf(text)).toEqual([]);
  });
});
