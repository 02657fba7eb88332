import { describe, expect, it } from 'vitest';
import { DiagnosticSink, ERROR_LIMIT, TooManyErrors } from './diagnostics.ts';
import type { Loc } from './source.ts';

describe('the sink', () => {
  it('collects in order and counts errors', () => {
    const sink = new DiagnosticSink();
    sink.warning(3 as Loc, 'w', 'careful');
    expect(sink.hasErrors).toBe(false);
    sink.error(1 as Loc, 'e', 'wrong', [{ loc: 2 as Loc, message: 'see here' }]);
    expect([sink.errorCount, sink.hasErrors]).toEqual([1, true]);
    expect(sink.all).toEqual([
      { severity: 'warning', loc: 3, code: 'w', message: 'careful', notes: [] },
      { severity: 'error', loc: 1, code: 'e', message: 'wrong', notes: [{ loc: 2, message: 'see here' }] },
    ]);
  });

  it('drops what it was told before', () => {
    const sink = new DiagnosticSink();
    for (const loc of [1, 1, 2] as Loc[]) sink.error(loc, 'e', 'wrong');
    expect(sink.errorCount).toBe(2);
  });

  it('stops after the limit', () => {
    const sink = new DiagnosticSink();
    const all = () => {
      for (let loc = 1; loc <= ERROR_LIMIT; loc++) sink.error(loc as Loc, 'e', 'wrong');
    };
    expect(all).toThrow(TooManyErrors);
    expect(sink.errorCount).toBe(ERROR_LIMIT);
  });
});
