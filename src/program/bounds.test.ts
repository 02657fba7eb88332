import { describe, expect, it } from 'vitest';
import { type Bounds, followsConstants, iterationBound, jumpsBack, loopBound, uniformBounds } from './bounds.ts';
import type { LoopForm } from './find-loops.ts';

const loop = (form: LoopForm) => ({ name: 'main.0', form });
const own: Bounds = { ...uniformBounds(2), whileUnwind: 3, forUnwind: 4, unwindset: new Map([['f.1', 5]]) };

describe('the bound of a loop', () => {
  it('is that of its name, then that of its form, then that of all', () => {
    expect(loopBound({ name: 'f.1', form: 'for' }, own)).toBe(5);
    expect((['while', 'do', 'for', 'goto'] as const).map((form) => loopBound(loop(form), own))).toEqual([3, 3, 4, 2]);
  });

  it('gives way to a constant number of iterations unless it is its own', () => {
    const counted = { ...loop('while'), tripCount: 9 };
    expect(iterationBound(counted, uniformBounds(2))).toBe(9);
    expect(iterationBound(counted, uniformBounds(2, false))).toBe(2);
    expect(iterationBound(counted, own)).toBe(3);
    expect(followsConstants(loop('goto'), own)).toBe(true);
  });

  it('is the number of jumps back, but for a body that runs before it is tested', () => {
    expect((['while', 'do', 'for', 'goto'] as const).map((form) => jumpsBack(loop(form), 2))).toEqual([2, 1, 2, 2]);
  });
});
