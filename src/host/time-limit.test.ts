import { describe, expect, it } from 'vitest';
import { TimeIsUp, TimeLimit } from './time-limit.ts';

describe('a limit of time', () => {
  it('ends work that would never end', () => {
    const limit = new TimeLimit(200);
    let turns = 0;
    expect(() =>
      limit.run(() => {
        while (turns >= 0) turns++;
      }),
    ).toThrow(TimeIsUp);
    expect(limit.leftMs()).toBe(0);
    expect(() => limit.run(() => 1)).toThrow(TimeIsUp);
  });

  it('gives what the work gives, and what it throws', () => {
    const limit = new TimeLimit(60_000);
    expect(limit.run(() => limit.run(() => 41) + 1)).toBe(42);
    expect(() => limit.run(() => JSON.parse('{'))).toThrow(SyntaxError);
    expect(limit.run(() => undefined)).toBeUndefined();
  });
});
