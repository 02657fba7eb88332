import { describe, expect, it } from 'vitest';
import { readCheck } from './read-check.ts';

describe('readCheck', () => {
  it('finds the name of the check before the message', () => {
    expect(readCheck('thread: joined twice')).toEqual({ check: 'thread', message: 'joined twice' });
    expect(readCheck('unwinding: loop main.0')).toEqual({ check: 'unwinding', message: 'loop main.0' });
    expect(readCheck('note: this is no check')).toEqual({ check: 'assertion', message: 'note: this is no check' });
    expect(readCheck('x == 1')).toEqual({ check: 'assertion', message: 'x == 1' });
  });
});
