import { describe, expect, it } from 'vitest';
import { type CounterPlace, describePlaces } from './describe-places.ts';

const at = (id: number, line: number, action: string): CounterPlace => {
  return { id, kind: 'running', file: 'a.c', line, column: 1, action };
};
const none = { file: '', line: 0, column: 0, action: '' };
const ALL: readonly CounterPlace[] = [
  { id: 0, kind: 'idle', ...none },
  { id: 1, kind: 'ended', ...none },
  at(2, 5, 'reading x'),
  at(3, 5, 'writing x'),
  at(4, 7, 'writing y'),
  at(5, 9, 'writing z'),
  // In the routines that threads are made of.
  { id: 6, kind: 'running', ...none, action: 'writing finished' },
  { id: 7, kind: 'running', ...none, action: 'ending' },
];

const textFor = (...ids: number[]) => describePlaces(ALL, new Set(ids)).text;

describe('places of a thread', () => {
  it('are lines, or what is done next in a line', () => {
    expect(textFor(2, 3)).toBe('is at line 5');
    expect(textFor(3)).toBe('is at line 5 before writing x');
    expect(textFor(4, 5)).toBe('is at lines 7–9');
  });

  it('are its end where no line of the program is left', () => {
    expect(textFor(6, 7)).toBe('is at its end');
    expect(textFor(1, 7)).toBe('has ended or is at its end before ending');
    expect(textFor(1, 5, 6)).toBe('has ended or is at line 9, its end before writing finished');
  });
});
