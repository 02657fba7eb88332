import { describe, expect, test } from 'vitest';
import { readCode } from '../verify/read-code.ts';
import { DEFAULT_SETTINGS } from '../verify/settings.ts';
import type { CheckJob } from './check-messages.ts';
import { readAhead } from './read-ahead.ts';

function jobOf(text: string, more: Partial<CheckJob> = {}): CheckJob {
  return {
    ...DEFAULT_SETTINGS,
    name: 'program.c',
    files: [{ fileName: 'program.c', text }],
    solver: 'wasm',
    jobs: 1,
    memoryLimitBytes: null,
    dumps: [],
    showLoops: false,
    validate: false,
    colours: false,
    ...more,
  };
}

const GOOD = '#include <assert.h>\nint x;\nint main(void) { x++; assert(x == 1); return 0; }\n';

describe('what the worker need not read', () => {
  test('is the program, as the worker would read it', () => {
    const job = jobOf(GOOD);
    const read = readCode(job, job, {});
    const ahead = readAhead(job);
    expect(ahead?.code.functions).toEqual(read.kind === 'code' && read.code.functions);
    expect(ahead?.checks).toEqual(read.kind === 'code' && read.checks);
    expect(ahead?.told.flat()).toEqual([]);
  });

  test('has warnings with it', () => {
    const ahead = readAhead(jobOf('#define A 1\n#define A 2\nint main(void) { return 0; }'));
    expect(ahead?.told.flat().map(({ message }) => message)).toEqual(["'A' redefined"]);
  });
});

describe('the worker reads', () => {
  test.each([
    ['errors', jobOf('int main(void) { return x; }')],
    ['what is refused', jobOf('int x;')],
    ['options that do not fit', jobOf(GOOD, { allowedRaces: ['nothing'] })],
    ['long programs', jobOf(`${GOOD}/*${' '.repeat(300_000)}*/`)],
  ])('%s', (_, job) => {
    expect(readAhead(job)).toBeNull();
  });

  test('what takes long', () => {
    const text = Array.from({ length: 2_000 }, (_, i) => `int f${i}(int x) { return x + ${i}; }\n`).join('') + GOOD;
    expect(readAhead(jobOf(text, { timeLimitMs: 4 }))).toBeNull();
  });
});
