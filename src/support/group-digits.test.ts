import { describe, expect, it } from 'vitest';
import { groupDigits } from './group-digits.ts';

describe('numbers for people', () => {
  it('have a comma before every three digits', () => {
    expect([0, 12, 999, 1000, 45678, 1234567, -1234].map(groupDigits)).toEqual([
      '0',
      '12',
      '999',
      '1,000',
      '45,678',
      '1,234,567',
      '-1,234',
    ]);
  });
});
