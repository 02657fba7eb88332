import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { locked, lostUpdate, secretInput } from '../../test/support/concurrent-programs.ts';
import { lazuli } from '../../test/support/lazuli.ts';
import { memoryIo } from '../../test/support/memory-io.ts';
import { requireTool } from '../../test/support/tools.ts';
import { findBackend } from '../backends/backends.ts';
import { TimeLimit } from '../host/time-limit.ts';
import { printTextReport } from '../report/text.ts';
import { boundOptions, readBounds, sequentialBoundOptions } from './bound-options.ts';
import { type BackendCheck, checkWithBackend } from './check-backend.ts';
import { frontEndOptions } from './front-end-options.ts';
import { parseArguments } from './options.ts';
import { readProgramInput } from './program-input.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unlimited = { backendPath: undefined, backendOptions: [], nativeInput: undefined };

/** Checks a program with a backend, with the options of a command line. */
async function check(
  program: string,
  backendName: string,
  args: readonly string[] = [],
  more: Partial<BackendCheck> = {},
) {
  const file = path.join(folder, 'program.c');
  writeFileSync(file, program);
  const parsed = parseArguments(
    { ...frontEndOptions, ...boundOptions, ...sequentialBoundOptions },
    { name: 'FILE', min: 0, max: 0 },
    args,
  );
  if (parsed.kind !== 'parsed') throw new Error('wrong options');
  const bounds = readBounds(parsed.options);
  const backend = findBackend(backendName);
  if (bounds.kind !== 'bounds' || backend === null) throw new Error('wrong options');
  const io = memoryIo();
  const { rounds, closingMain } = parsed.options;
  const request = {
    readInput: () => readProgramInput([file], parsed.options, false, io),
    bounds: bounds.options,
    rounds,
    closingMain,
    schedule: bounds.schedule,
    schema: 'lazy2' as const,
    backend,
    checks: null,
    lineDirectives: false,
    limit: new TimeLimit(60_000),
  };
  const result = await checkWithBackend({ request, options: unlimited, ...more }, { name: file, files: [file] }, io);
  return { result, stderr: io.stderr() };
}

async function verdictOf(...args: Parameters<typeof check>) {
  const { result } = await check(...args);
  if (result.kind !== 'checked') throw new Error(`the result is ${result.kind}`);
  return result.report.outcome;
}

/** CBMC 5.12 crashes when it is to write this counterexample as JSON. */
const arena = `
  #include <assert.h>
  struct node { struct node *next; int value; };
  extern int __VERIFIER_nondet_int(void);
  static unsigned char bytes[16];
  int main(void) {
    struct node *n = (struct node *)bytes;
    n->next = n;
    n->next->value = __VERIFIER_nondet_int();
    assert(n->value != 77);
    return 0;
  }`;

describe('checkWithBackend', () => {
  if (requireTool('cbmc') === null) {
    it('is not tried without cbmc', () => expect(requireTool('cbmc')).toBeNull());
    return;
  }

  it('finds a lost update with CBMC and tells it on the source', async () => {
    const { result } = await check(lostUpdate, 'cbmc');
    if (result.kind !== 'checked' || result.report.outcome.kind !== 'unsafe') throw new Error('no violation');
    const { trace } = result.report.outcome;
    expect(trace?.violation).toMatchObject({ check: 'assertion', thread: 0, place: { line: 18, column: 3 } });
    expect(trace?.threads).toEqual([
      { id: 0, parent: -1, start: 'main' },
      { id: 1, parent: 0, start: 'add' },
      { id: 2, parent: 0, start: 'add' },
    ]);
    const seen = trace?.steps.flatMap(({ thread, values }) =>
      values.filter(({ name }) => name === 'seen').map(({ value }) => [thread, value]),
    );
    expect(new Set(seen?.map(([thread]) => thread))).toEqual(new Set([1, 2]));
    expect(seen?.map(([, value]) => value)).toEqual(['0', '0']);
    expect(trace?.contextSwitches).toBeGreaterThanOrEqual(4);
    const text = printTextReport(result.report, { colours: false });
    expect(text).toMatch(/^ {2}T2 +8 +counter = seen \+ 1; +counter = 1$/m);
    expect(text).toMatch(/assert\(counter == 2\); +.*✗ violated\n$/);
  });

  it('shows the input that triggers a bug', async () => {
    const verdict = await verdictOf(secretInput, 'cbmc');
    if (verdict.kind !== 'unsafe') throw new Error('no violation');
    const written = verdict.trace?.steps.flatMap(({ values }) => values.map(({ name, value }) => `${name} = ${value}`));
    expect(written).toContain('box = -12345');
    expect(written).toContain('offset = 200');
  });

  it('tells a counterexample with pointers among bytes', async () => {
    const verdict = await verdictOf(arena, 'cbmc');
    if (verdict.kind !== 'unsafe') throw new Error(JSON.stringify(verdict));
    const written = verdict.trace?.steps.flatMap(({ values }) => values.map(({ name, value }) => `${name} = ${value}`));
    expect(written).toContain('bytes+8 = 77');
  });

  it('knows that the lock helps, and that one round is not enough for the race', async () => {
    expect(await verdictOf(locked, 'cbmc')).toMatchObject({ kind: 'bounded' });
    expect(await verdictOf(lostUpdate, 'cbmc', ['-r', '1'])).toMatchObject({ kind: 'bounded' });
  });

  it('finds a loop that is cut off, on request', async () => {
    const long = 'int main(void) { unsigned char i; while (i) i--; return 0; }\n';
    expect(await verdictOf(long, 'cbmc')).toMatchObject({ kind: 'bounded' });
    const verdict = await verdictOf(long, 'cbmc', ['--unwinding-assertions']);
    expect(verdict).toMatchObject({ kind: 'unsafe', trace: { violation: { check: 'unwinding' } } });
  });

  it('finds that there are too many threads, on request', async () => {
    const crowd = `#include <pthread.h>
int nondet_int(void);
void *work(void *argument) { return argument; }
int main(void) {
  pthread_t t;
  int wanted = nondet_int();
  if (wanted > 99) pthread_create(&t, 0, work, 0);
  for (int i = 0; i < 64; i++) if (i < wanted) pthread_create(&t, 0, work, 0);
  return 0;
}
`;
    const verdict = await verdictOf(crowd, 'cbmc', ['-r', '1', '--unwinding-assertions']);
    const violation = { check: 'unwinding', message: 'unwinding assertion: limit of 64 threads', thread: 0 };
    expect(verdict).toMatchObject({ kind: 'unsafe', trace: { violation: { ...violation, place: { line: 8 } } } });
    const few = crowd.replace('nondet_int();\n  if', '3;\n  if');
    expect(await verdictOf(few, 'cbmc', ['-r', '1', '--unwinding-assertions'])).toMatchObject({ kind: 'bounded' });
  });

  it.each([
    ['an inner loop', 'for (int i = 0; i < n; i++) { int j = 0; while (j < 5) j++; }', 'run.1'],
    ['an outer loop', 'for (int i = 0; i < n; i++) { int j = 0; while (j < 1) j++; }', 'run.0'],
    ['a jump back', 'int i = 0; again: i++; if (i < 4) goto again;', 'run.0'],
    ['several jumps back', 'int i = 0; again: if (i++ < 2) goto again; if (i == 3) goto again;', 'run.0'],
    ['a loop that is tested at its end', 'int i = 0; do i++; while (i < 3);', 'run.0'],
  ])('confirms that %s is cut off', async (_, loop, name) => {
    const program = `int run(int n) { ${loop} return 0; }
int __VERIFIER_nondet_int(void);
int main(void) { return run(__VERIFIER_nondet_int()); }
`;
    const bounds = ['-u', '2', '--no-unwind-constant-loops', '--unwinding-assertions'];
    expect(await verdictOf(program, 'cbmc', bounds)).toMatchObject({
      kind: 'unsafe',
      trace: { violation: { check: 'unwinding', message: `unwinding assertion: loop ${name}` } },
    });
  });

  it('gives unknown and the reason when the backend does not answer', async () => {
    const reason = async (...args: Parameters<typeof check>) => {
      const verdict = await verdictOf(...args);
      return verdict.kind === 'unknown' ? verdict.reason : verdict.kind;
    };
    const missing = { options: { ...unlimited, backendPath: '/no/such/cbmc' } };
    expect(await reason(locked, 'cbmc', [], missing)).toBe(
      'cannot run /no/such/cbmc: it is not installed, or not on the PATH',
    );
    const broken = { options: { ...unlimited, backendPath: 'false' } };
    expect(await reason(locked, 'cbmc', [], broken)).toBe('CBMC gave no output (exit code 1)');
    expect(await reason(locked, 'cbmc', ['-r', '9'], { timeoutSeconds: 0.01 })).toBe(
      'CBMC did not finish within 0.01 s',
    );
    const misused = { options: { ...unlimited, backendOptions: ['--no-such-option x'] } };
    expect(await reason(locked, 'cbmc', [], misused)).toBe('CBMC does not know the option --no-such-option');
    expect(await reason(locked, 'gcc')).toBe('gcc is no verifier');
  });

  it('tells apart what a model leaves out from a bug', async () => {
    const jump = '#include <setjmp.h>\njmp_buf b;\nint main(void) { longjmp(b, 1); return 0; }\n';
    expect(await verdictOf(jump, 'cbmc')).toMatchObject({ kind: 'unknown', reason: 'longjmp is not modelled' });
  });

  it('has the words of the data model that a compilation database says', async () => {
    const database = path.join(folder, 'compile_commands.json');
    const file = path.join(folder, 'program.c');
    writeFileSync(database, JSON.stringify([{ directory: folder, file, arguments: ['cc', '-m32', '-c', file] }]));
    const wraps = '#include <assert.h>\nunsigned long x = 0xffffffff;\nint main(void) { x++; assert(x != 0); }\n';
    expect(await verdictOf(wraps, 'cbmc')).toMatchObject({ kind: 'bounded' });
    expect(await verdictOf(wraps, 'cbmc', ['--compile-commands', database])).toMatchObject({ kind: 'unsafe' });
  });

  it('gives main arguments as the embedded engine does', async () => {
    const program = (claim: string) =>
      `#include <assert.h>\nint main(int argc, char **argv) { assert(${claim}); return 0; }\n`;
    const unsafe = { kind: 'unsafe', trace: { violation: { check: 'assertion' } } };
    expect(await verdictOf(program("argc < 3 || argv[2][1] != 'x'"), 'cbmc')).toMatchObject(unsafe);
    const safe = 'argc >= 1 && argv[argc] == 0 && argv[argc - 1][7] == 0';
    expect(await verdictOf(program(safe), 'cbmc')).toMatchObject({ kind: 'bounded' });
    expect(await verdictOf(program('argc != 3'), 'cbmc')).toMatchObject(unsafe);
    expect(await verdictOf(program('argc <= 3 || argv[argc] == 0'), 'cbmc')).toMatchObject({ kind: 'bounded' });
    expect(await verdictOf(program('argc <= 3'), 'cbmc')).toMatchObject(unsafe);
    expect(await verdictOf(program('argc >= 1 && argc <= 1 << 20'), 'cbmc')).toMatchObject({ kind: 'bounded' });
  });

  it('says what is left out besides iterations', async () => {
    const notesOn = async (program: string, ...more: string[]) => {
      const { result, stderr } = await check(program, 'cbmc', ['-r', '1', ...more]);
      if (result.kind !== 'checked') throw new Error(`the result is ${result.kind}`);
      return { notes: result.report.notes, stderr };
    };
    const crowd = await notesOn(`#include <pthread.h>
void *work(void *argument) { return argument; }
int main(void) { pthread_t t; for (int i = 0; i < 65; i++) pthread_create(&t, 0, work, 0); return 0; }
`);
    expect(crowd.notes).toEqual([
      'No execution within these bounds ends.',
      expect.stringMatching(
        /^Executions are cut off by the unwinding bounds: limit of 64 threads \(.*program\.c:3\)\.$/,
      ),
    ]);
    expect(crowd.stderr).toMatch(/^[^\n]*program\.c:3:60: warning: more than 64 threads/);
    expect(crowd.stderr).not.toContain('lazuli models');
    const withArguments = 'int main(int argc, char **argv) { return argv[argc - 1][0]; }\n';
    expect((await notesOn(withArguments, '--unwinding-assertions')).notes).toEqual([
      'No execution is cut off by the unwinding bound.',
      'Left out: main is given at most 3 arguments of at most 7 characters.',
    ]);
  });

  describe('says what its verdict speaks of', () => {
    const nondet = 'int nondet_int(void);\n#include <assert.h>\n#include <pthread.h>\n';
    const cover = async (program: string, ...more: string[]) => {
      const outcome = await verdictOf(`${nondet}${program}`, 'cbmc', ['-u', '2', '-r', '2', ...more]);
      if (outcome.kind !== 'bounded') return outcome.kind === 'unknown' ? outcome.cause : outcome.kind;
      const { cuts, assertions, bounds } = outcome;
      return {
        cuts: cuts?.map(({ where, place }) => `${where}:${place?.line}`),
        assertions: assertions && `${assertions.reached} of ${assertions.total}`,
        bounds,
      };
    };

    it('whole loops and all interleavings of one thread', async () => {
      const program = `int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += i; if (s != 10) assert(0); assert(s); }`;
      const bounds = { unwind: null, rounds: null };
      expect(await cover(program)).toEqual({ cuts: [], assertions: '2 of 2', bounds });
    });

    it('nothing, where no assertion is reached within the bounds', async () => {
      const sum = 'static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }';
      const program = `${sum}\nint main(void) { int n = nondet_int(); if (n < 9) n = 9; assert(sum(n) == 3); }`;
      expect(await cover(program)).toBe('unreached');
    });

    it('assertions that are reached, and loops, recursion and threads that are cut', async () => {
      const program = `int x;
void *t(void *p) { while (nondet_int()) x = 1; return 0; }
static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  int n = nondet_int();
  assert(f(n) >= 0);
  if (n > 100) assert(f(n) > 3);
  assert(x <= 1);
}`;
      expect(await cover(program)).toEqual({
        cuts: expect.arrayContaining(['t.0:5', 'f:6']),
        assertions: '2 of 3',
        bounds: { unwind: 2, rounds: 2 },
      });
    });

    it('whether any execution ends', async () => {
      const endingOf = async (main: string) => {
        const outcome = await verdictOf(`${nondet}#include <stdlib.h>\nint x; int main(void) { ${main} }`, 'cbmc', [
          '-u',
          '2',
        ]);
        return outcome.kind === 'bounded' ? outcome.ending : outcome.kind;
      };
      for (const main of ['return 0;', 'x = 1;', 'if (x) for (;;) ; exit(0);', 'for (;;) if (x++) abort();'])
        expect([main, await endingOf(main)]).toEqual([main, undefined]);
      for (const main of ['for (;;) x ^= 1;', 'while (x >= 0) ; return 0;'])
        expect([main, await endingOf(main)]).toEqual([main, 'not-within-bounds']);
    });

    it('what reaches an assertion that always fails, wherever it is decided', async () => {
      const program = `extern void reach_error(void);
static void check(int ok) { if (!ok) { ERROR: reach_error(); } }
int main(void) {
  int n = nondet_int();
  if (n > 5 && n < 9) { check(n > 5); while (n > 0) n--; check(n == 0); }
}`;
      expect(await cover(program)).toMatchObject({ cuts: ['main.0:8'], assertions: '1 of 2' });
    });
  });

  it('looks for what was asked for only', async () => {
    const misuse = `#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *argument) { pthread_mutex_unlock(&lock); x = 1; return argument; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); assert(x != 2); return 0; }
`;
    expect(await verdictOf(misuse, 'cbmc')).toMatchObject({ kind: 'unsafe', trace: { violation: { check: 'mutex' } } });
    const competition = `extern void reach_error(void);\n${misuse.replace('assert(x != 2)', 'if (x == 2) reach_error()')}`;
    expect(await verdictOf(competition, 'cbmc')).toMatchObject({ kind: 'bounded' });
  });

  it('runs Frama-C too', async () => {
    if (requireTool('frama-c') === null) return;
    const simple = '#include <assert.h>\nint main(void) { int x = 3; assert(x < 4); return 0; }\n';
    expect(await verdictOf(simple, 'frama-c')).toMatchObject({ kind: 'bounded' });
    expect(await verdictOf(lostUpdate, 'frama-c')).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^Frama-C cannot prove/),
    });
  });

  it('reports what is wrong with the program', async () => {
    const { result, stderr } = await check('int main(void) { return x; }\n', 'cbmc');
    expect(result).toEqual({ kind: 'failed', code: 3 });
    expect(stderr).toContain("error: 'x' undeclared");
  });
});

describe('the schema ul', () => {
  const ofKeptLoops = ['--backend', 'cbmc', '--schema', 'ul', '-r', '2', '-u', '2'];
  const withLoop = (claim: string, more = '') => `#include <assert.h>
    #include <pthread.h>
    int x;
    void *up(void *p) { while (x < 2) x++; return p; }
    int main(void) { pthread_t t; ${more} pthread_create(&t, 0, up, 0); assert(${claim}); return 0; }`;
  const checked = (text: string) => {
    const file = path.join(folder, 'loop.c');
    writeFileSync(file, text);
    return lazuli('check', ...ofKeptLoops, file);
  };

  it('is followed as far as the backend is told to unwind, and says so', async () => {
    if (requireTool('cbmc') === null) return;
    const { code, stdout } = await checked(withLoop('x <= 2'));
    expect(code).toBe(0);
    expect(stdout).toContain('safe up to bounds: loops up to 2 iterations, 2 rounds');
    expect(stdout).toContain('Bounds of their own: loops that create threads 2.');
    expect(stdout).toContain('Whether the unwinding bound cuts executions off is not known.');
  });

  it('has its counterexamples confirmed', async () => {
    if (requireTool('cbmc') === null) return;
    const { code, stdout } = await checked(withLoop('x < 2'));
    expect(code).toBe(10);
    expect(stdout).toMatch(/T1 .*while \(x < 2\) x\+\+;.*assert\(x < 2\);.*violated/s);
  });

  it('does not go with arrays that are filled by loops', async () => {
    const { code, stderr } = await checked(withLoop('x <= 2', 'int large[1000]; x = large[0] & 1;'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/--schema ul does not go with this program: a local array/);
  });
});
