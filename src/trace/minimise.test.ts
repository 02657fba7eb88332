import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import type { CheckName } from '../program/code.ts';
import { type CountedSegment, runCounted } from './counted-run.ts';
import { compileProgram } from './interpreter/compile-instructions.ts';
import { minimise } from './minimise.ts';

const checks = new Set<CheckName>(['assertion']);
const LIMITS = { checks, instructionLimit: 100_000, workLimit: 3_000_000 };

/** The shortest run found for a program from a run in which the threads take turns of one step. */
function shorten(text: string, turns: number, limits: typeof LIMITS = LIMITS) {
  const program = compileProgram(lowerText(`#include <assert.h>\n#include <pthread.h>\n${text}`, { checks }));
  const inputs = new Map<string, bigint>();
  const alternating: CountedSegment[] = Array.from({ length: turns }, (_, i) => ({ thread: 1 + (i % 2), steps: 1 }));
  const segments = [{ thread: 0, steps: 4 }, ...alternating, { thread: 0, steps: 1000 }];
  const { machine } = runCounted(program, { segments, inputs }, LIMITS, false);
  const { violation } = machine;
  if (!violation) throw new Error(`no violation: ${machine.status}`);
  const shorter = minimise(program, { segments, inputs }, violation, limits);
  if (!shorter) throw new Error('the run does not break the property again');
  return shorter;
}

/** The first three inputs are 1, and kept; all others are 0. */
class Ones extends Map<string, bigint> {
  override get(name: string): bigint {
    const isOne = this.size < 3;
    if (isOne) this.set(name, 1n);
    return isOne ? 1n : 0n;
  }
}

describe('minimise', () => {
  it('finds the one race in many turns', () => {
    const { run, trace } = shorten(
      `int shared, noise;
       void *add(void *unused) {
         for (int i = 0; i < 20; i++) noise = i;
         shared = shared + 1;
         for (int i = 0; i < 20; i++) noise = i;
         return 0;
       }
       int main(void) {
         pthread_t a, b;
         pthread_create(&a, 0, add, 0);
         pthread_create(&b, 0, add, 0);
         pthread_join(a, 0);
         pthread_join(b, 0);
         assert(shared == 2);
       }`,
      200,
    );
    expect(trace.violation.message).toContain('shared == 2');
    expect(run.segments.map(({ thread }) => thread)).toSatisfy((order: number[]) => order.length <= 5);
  });

  it('cuts a loop that waits', () => {
    const { trace } = shorten(
      `_Atomic int ready, done;
       void *wait(void *unused) { while (!ready) done = done; assert(done); return 0; }
       void *work(void *unused) { for (volatile int i = 0; i < 30; i++); ready = 1; return 0; }
       int main(void) {
         pthread_t a, b;
         pthread_create(&a, 0, wait, 0);
         pthread_create(&b, 0, work, 0);
         pthread_join(a, 0);
       }`,
      400,
    );
    const waiting = trace.steps.filter(({ thread }) => thread === 1);
    expect(waiting.length).toBeLessThan(5);
  });

  it('goes as far as its work allows, however long that takes', () => {
    const text = `int shared;
       void *add(void *unused) { for (int i = 0; i < 20; i++) shared = shared + 1; return 0; }
       int main(void) {
         pthread_t a, b;
         pthread_create(&a, 0, add, 0);
         pthread_create(&b, 0, add, 0);
         pthread_join(a, 0);
         pthread_join(b, 0);
         assert(shared == 40);
       }`;
    const [none, little, much] = [0, 60_000, 3_000_000].map((workLimit) =>
      shorten(text, 200, { ...LIMITS, workLimit }),
    );
    expect(none?.attempts).toBe(1);
    expect(little?.attempts).toBe(shorten(text, 200, { ...LIMITS, workLimit: 60_000 }).attempts);
    expect(much?.run.segments.length).toBeLessThan(little?.run.segments.length ?? 0);
  });

  it('leaves inputs at 0 that do not matter, and what happens only by such an input', () => {
    const text = `unsigned nondet(void); _Atomic int top; int taken;
       int main(void) {
         int seen = 0;
         unsigned noise = nondet(), cause = nondet();
         while (!__atomic_compare_exchange_n(&top, &seen, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) ;
         taken = top + (noise & 0);
         assert(cause == 0);
       }`;
    const program = compileProgram(lowerText(`#include <assert.h>\n${text}`, { checks }));
    const inputs = new Ones();
    const segments = [{ thread: 0, steps: 1000 }];
    const { violation } = runCounted(program, { segments, inputs }, LIMITS, false).machine;
    if (!violation) throw new Error('no violation');
    expect(inputs.size).toBe(3);
    const shorter = minimise(program, { segments, inputs: new Map(inputs) }, violation, LIMITS);
    expect(shorter?.run.inputs.size).toBe(1);
    const values = shorter?.trace.steps.flatMap((step) => step.values);
    expect(values?.filter(({ name, kind }) => name === 'seen' && kind === 'write')).toHaveLength(1);
  });
});
