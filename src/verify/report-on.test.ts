import { describe, expect, it } from 'vitest';
import { endedEarly } from './report-on.ts';

describe('what was ended from outside', () => {
  it('names the engine that was asked', () => {
    expect(endedEarly('time', 'time is up', null)).toMatchObject({ kind: 'unknown', engine: 'bounded' });
    expect(endedEarly('time', 'time is up', null, 'proof')).toMatchObject({ kind: 'unknown', engine: 'prove' });
  });
});
