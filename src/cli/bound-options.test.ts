import { describe, expect, it } from 'vitest';
import { boundOptions, readBounds, sequentialBoundOptions } from './bound-options.ts';
import { parseArguments } from './options.ts';

const none = { name: 'FILE', min: 0, max: 0 };

function read(...args: string[]) {
  const parsed = parseArguments({ ...boundOptions, ...sequentialBoundOptions }, none, args);
  if (parsed.kind !== 'parsed') return parsed;
  return readBounds(parsed.options);
}

describe('the options for bounds', () => {
  it('have defaults', () => {
    const read1 = read();
    expect(read1).toMatchObject({ kind: 'bounds', schedule: [] });
    expect(read1).toMatchObject({ options: { unwind: 2, whileUnwind: null, unwindConstantLoops: true } });
  });

  it('give bounds by kind of loop and by loop', () => {
    const bounds = read('-u', '3', '-w4', '-f', '5', '--unwindset', 'main.0:7,fib:2', '--unwindset=main.1:8');
    expect(bounds).toMatchObject({ options: { unwind: 3, whileUnwind: 4, forUnwind: 5 } });
    const unwindset = new Map([
      ['main.0', 7],
      ['fib', 2],
      ['main.1', 8],
    ]);
    expect(bounds).toMatchObject({ options: { unwindset } });
  });

  it('give the order of the threads', () => {
    expect(read('--schedule', '2,0,1')).toMatchObject({ schedule: [2, 0, 1] });
  });

  it('are refused in one line where they make no sense', () => {
    const cases: readonly (readonly [string[], RegExp])[] = [
      [['-u', '0'], /^-u wants an integer from 1 to 1000000, not '0'$/],
      [['-r', '-3'], /^-r wants an integer from 1 to 1000, not '-3'$/],
      [['--rounds=many'], /^--rounds wants an integer/],
      [['--unwindset', 'main.0'], /^--unwindset wants LOOP:N .* not 'main.0'$/],
      [['--unwindset', 'main.0:0'], /^--unwindset wants LOOP:N/],
      [['--unwindset', 'main.0:-3'], /^--unwindset wants LOOP:N/],
      [
        ['--unwindset', 'main.0:99999999999999'],
        /^--unwindset wants LOOP:N with N from 1 to 1000000, .*:99999999999999'$/,
      ],
      [['--schedule', '1,1'], /^--schedule wants different numbers/],
      [['--schedule', '1,x'], /^--schedule wants different numbers/],
    ];
    for (const [args, message] of cases)
      expect(read(...args)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });
});
