import { describe, expect, it } from 'vitest';
import type { Loc } from '../support/source.ts';
import type { LockEdge } from './interpreter/run-notes.ts';
import { findLockCircles } from './lock-circles.ts';

const loc = 0 as Loc;

function edge(thread: number, from: string, to: string, more: Partial<LockEdge> = {}): LockEdge {
  const time: number[] = [];
  time[thread] = 1;
  return { thread, from, to, gates: [], places: [loc, loc], run: 1, time, ...more };
}

describe('circles of locks', () => {
  it('are found between two threads and among more', () => {
    expect(findLockCircles([edge(1, 'a', 'b'), edge(2, 'b', 'a')])).toHaveLength(1);
    expect(findLockCircles([edge(1, 'a', 'b'), edge(2, 'b', 'c'), edge(3, 'c', 'a')])).toHaveLength(1);
    expect(findLockCircles([edge(1, 'a', 'b'), edge(2, 'b', 'c'), edge(3, 'a', 'c')])).toHaveLength(0);
  });

  it('need different threads', () => {
    expect(findLockCircles([edge(1, 'a', 'b'), edge(1, 'b', 'a')])).toHaveLength(0);
  });

  it('are none under a gate', () => {
    const gates = ['g'];
    expect(findLockCircles([edge(1, 'a', 'b', { gates }), edge(2, 'b', 'a', { gates })])).toHaveLength(0);
    expect(findLockCircles([edge(1, 'a', 'b', { gates }), edge(2, 'b', 'a')])).toHaveLength(1);
  });

  it('are none where one thread was joined before the other began', () => {
    expect(findLockCircles([edge(1, 'a', 'b'), edge(2, 'b', 'a', { time: [2, 1, 1] })])).toHaveLength(0);
  });
});
