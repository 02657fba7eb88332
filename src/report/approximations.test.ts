import { describe, expect, it } from 'vitest';
import type { Approximation } from '../program/code.ts';
import { conditionOf, describeApproximations, exceptionOf } from './approximations.ts';

function own(name: string, meaning: Approximation['meaning']): Approximation {
  return { name, meaning, isOwn: true, isVoid: false };
}

describe('describeApproximations', () => {
  it('says what was taken for what, and what is missing', () => {
    const library: Approximation = { name: 'fstat', meaning: 'outputs', isOwn: false, isVoid: false };
    expect(describeApproximations([own('input', 'input'), library, own('total', 'contents')])).toEqual([
      "'input' is taken to return any value and to change nothing.",
      "What 'fstat' fills through pointers is taken to be anything.",
      "'total' is taken to start with any contents.",
      "Defined nowhere: 'input' and 'total'. If other files define them, name these as well.",
    ]);
  });

  it('names no more than a few', () => {
    const many = Array.from({ length: 11 }, (_, i) => own(`f${i}`, 'refused'));
    expect(describeApproximations(many)).toEqual([
      "Defined nowhere: 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7' and 3 more. If other files define them, name these as well.",
    ]);
  });
});

describe('conditionOf', () => {
  it('is part of a verdict that depends on what inputs change', () => {
    expect(conditionOf([])).toBe('');
    expect(conditionOf([own('tick', 'input')])).toBe(", if 'tick' changes nothing");
    expect(conditionOf([own('a', 'input'), own('b', 'input'), own('c', 'refused')])).toBe(
      ", if 'a' and 'b' change nothing",
    );
  });
});

describe('exceptionOf', () => {
  it('names what was invented, but for functions that are asked for values', () => {
    expect(exceptionOf([own('nondet', 'input')])).toBe('');
    expect(exceptionOf([own('nondet', 'input'), own('depth', 'contents')])).toBe(
      ", unless the definition of 'depth' excludes it",
    );
    expect(exceptionOf([own('depth', 'contents'), { ...own('push', 'input'), isVoid: true }])).toBe(
      ", unless the definitions of 'depth' and 'push' exclude it",
    );
  });
});
