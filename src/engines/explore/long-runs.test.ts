import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../lower/context.ts';
import { compileProgram } from '../../trace/interpreter/compile-instructions.ts';
import { replayLong } from '../../trace/replay-long.ts';
import { LongRuns } from './long-runs.ts';

const { checks } = DEFAULT_LOWER_OPTIONS;

/** The first run, of so many, that breaks the program, and its trace. */
function firstRun(text: string, most: number) {
  const program = compileProgram(lowerText(text));
  const runs = new LongRuns(program, { checks, seed: 1, clock: () => 0 });
  for (let i = 0; i < most; i++) {
    const run = runs.next(1);
    if (run) return { run, trace: replayLong(program, run, checks) };
  }
  return null;
}

describe('long runs', () => {
  it('get through a deterministic stretch, and tell of its ends', () => {
    const text = `#include <assert.h>
int main(void) { long s = 0; for (int i = 0; i < 100000; i++) s += i; assert(s != 4999950000); return 0; }`;
    const trace = firstRun(text, 1)?.trace;
    expect(trace?.violation.check).toBe('assertion');
    expect(trace?.hiddenInstructions).toBeGreaterThan(100_000);
    expect(trace?.steps.length).toBeLessThan(2_000);
  });

  it('preempt threads at few places of the whole run', () => {
    const text = `#include <assert.h>
#include <pthread.h>
long counter;
void *inc(void *p) { for (int i = 0; i < 40000; i++) counter++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(counter == 80000);
  return 0;
}`;
    const { run, trace } = firstRun(text, 20) ?? {};
    expect(trace?.violation.check).toBe('assertion');
    // Each switch is told, and how much is not.
    const threads = (trace?.steps ?? []).map(({ thread }) => thread).filter((id, i, all) => id !== all[i - 1]);
    expect(threads).toEqual(run?.segments.map(({ thread }) => thread).filter((id, i, all) => id !== all[i - 1]));
    const gaps = (trace?.steps ?? []).map(({ hiddenBefore = 0 }) => hiddenBefore);
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(trace?.hiddenInstructions);
    expect(trace?.steps.length).toBeLessThan(2_000);
  });
});
