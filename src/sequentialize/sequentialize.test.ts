/** The emitted C: that compilers accept it, that its lines have places, and what CBMC says of it. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBenchmarks, readBenchmarkManifest } from '../../test/support/benchmarks.ts';
import { expectGolden } from '../../test/support/golden.ts';
import { requireTool } from '../../test/support/tools.ts';
import { cbmc as cbmcBackend } from '../backends/cbmc.ts';
import { gcc as gccBackend } from '../backends/gcc.ts';
import { readProgram } from '../frontend/front-end.ts';
import { boundProgram } from '../passes/pipeline.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import { type BoundOptions, DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { DataModel } from '../program/data-model.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { delayStores } from './delay-stores.ts';
import { SCHEMAS } from './schemas.ts';
import { type SequentializeOptions, sequentialize } from './sequentialize.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-sequentialize-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEFAULTS: SequentializeOptions = {
  schema: 'lazy2',
  rounds: 2,
  closingMain: false,
  schedule: null,
  spelling: cbmcBackend.spelling,
  lineDirectives: false,
};

function bound(text: string, options: Partial<BoundOptions>, dataModel: DataModel = 'ILP32'): BoundedProgram {
  const { program, diagnostics } = readProgram({ fileName: 'test.c', text, dataModel, models: true });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const sink = new DiagnosticSink();
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, ...options }, sink);
  expect(sink.all.filter(({ severity }) => severity === 'error')).toEqual([]);
  return bounded as BoundedProgram;
}

function emit(text: string, bounds: Partial<BoundOptions>, options: Partial<SequentializeOptions> = {}) {
  const keepLoops = SCHEMAS.some(({ name, keepsLoops }) => name === options.schema && keepsLoops);
  return sequentialize(bound(text, { ...bounds, keepLoops }), { ...DEFAULTS, ...options });
}

const example = readFileSync(new URL('../../test/golden/passes/producer-consumer.c', import.meta.url), 'utf8');

const lostUpdate = `#include <assert.h>
#include <pthread.h>
int c;
void *inc(void *p) { c++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(c == 2);
  return 0;
}
`;

const INTRINSICS = 'void __CPROVER_assume(int);\nvoid __CPROVER_assert(int, const char *);\n';

/** What gcc has to say. */
function compile(text: string): string | null {
  const gcc = requireTool('gcc');
  if (gcc === null) return null;
  const file = path.join(folder, 'emitted.c');
  writeFileSync(file, text);
  return spawnSync(gcc, ['-Wall', '-fsyntax-only', file], { encoding: 'utf8' }).stderr;
}

function cbmc(text: string, options: readonly string[] = []): 'safe' | 'unsafe' | 'error' | null {
  const tool = requireTool('cbmc');
  if (tool === null) return null;
  const file = path.join(folder, 'checked.c');
  writeFileSync(file, text);
  const { stdout } = spawnSync(tool, ['--32', ...options, file], { encoding: 'utf8', timeout: 60_000 });
  if (stdout.includes('VERIFICATION SUCCESSFUL')) return 'safe';
  return stdout.includes('VERIFICATION FAILED') ? 'unsafe' : 'error';
}

describe('the emitted C', () => {
  it('never writes control variables inside threads, but for making threads active', () => {
    const { text } = emit(example, { unwind: 2 });
    const threads = text.slice(text.indexOf('static void main_0'), text.indexOf('int main(void)'));
    expect(threads).not.toMatch(/__lazuli_(pc|cs|ct|active)\w* =[^=]/);
  });

  for (const { name: schema } of SCHEMAS) {
    for (const spelling of [cbmcBackend.spelling, gccBackend.spelling]) {
      it(`compiles without warnings: ${schema} for ${spelling.name}`, () => {
        const { text } = emit(example, { unwind: 2 }, { schema, spelling });
        expect(compile(spelling === cbmcBackend.spelling ? INTRINSICS + text : text) ?? '').toBe('');
      });
    }
  }

  it('has a place for each line of the program, and only for those', () => {
    const bounded = bound(lostUpdate, {});
    const { text, lineMap } = sequentialize(bounded, DEFAULTS);
    const lines = text.split('\n');
    expect(lines.at(-1)).toBe('');
    const places = lineMap.flat();
    expect(places).toHaveLength(lines.length - 1);
    const at = lines.findIndex((line) => line.includes('c = __lazuli_t + 1;'));
    expect(bounded.sources.place(places[at] as (typeof places)[number])?.line).toBe(4);
  });

  it('says for which objects memory is allocated', () => {
    const { text } = emit(
      `#include <stdlib.h>
      typedef struct node { struct node *next; } node;
      node *a, *b, *c, **d;
      int main(void) {
        int n = 3;
        a = malloc(sizeof *a);
        b = calloc(1, sizeof(node));
        c = malloc(4 * sizeof *c);
        d = calloc(n, sizeof(node *));
        return 0;
      }`,
      {},
    );
    const sizes = [...text.matchAll(/= [mc]alloc\((.*)\);/g)].map(([, size]) => size);
    expect(sizes).toEqual(['sizeof(node)', '1U, sizeof(node)', '4 * sizeof(node)', '1U, 3 * sizeof(node *)']);
  });

  it('lets a compiler report places of the source on request', () => {
    const { text } = emit(lostUpdate.replace('c++', 'c = c + c'), {}, { lineDirectives: true });
    expect(text).toMatch(/#line 4 "test.c"/);
    expect(compile(INTRINSICS + text) ?? '').toBe('');
  });

  it('runs natively, with nondeterminism read from the standard input', () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    const { text } = sequentialize(bound(lostUpdate, {}, 'LP64'), {
      ...DEFAULTS,
      rounds: 3,
      spelling: gccBackend.spelling,
    });
    const program = path.join(folder, 'native');
    writeFileSync(`${program}.c`, text);
    expect(spawnSync(gcc, ['-o', program, `${program}.c`], { encoding: 'utf8' }).stderr).toBe('');
    const run = (stops: string) => spawnSync(program, [], { input: stops, encoding: 'utf8' }).status;
    // Where the rounds of main, of the first and of the second thread stop: the first is interrupted after its read.
    expect(run('2 2 5  1 3 3  3 3 3')).toBe(10);
    expect(run('2 2 5  3 3 3  3 3 3')).toBe(0);
  });

  it('takes the word from what was atomic, only where there is something', () => {
    const { text } = emit('_Atomic int x; int *_Atomic p; int main(void) { x++; p = 0; return x; }', {});
    const preprocessed = spawnSync('gcc', ['-E', '-P', '-'], { input: text, encoding: 'utf8' }).stdout;
    expect(preprocessed).toContain('int x;');
    expect(preprocessed).not.toContain('_Atomic');
    expect(emit('int x; int main(void) { return x; }', {}).text).not.toContain('_Atomic');
  });

  it('runs the threads in the order of the schedule', () => {
    const { text } = emit(lostUpdate, {}, { rounds: 1, schedule: [2, 0, 1] });
    const order = [...text.slice(text.indexOf('int main(void)')).matchAll(/(\w+_\d)\(\);/g)].map((match) => match[1]);
    expect(order).toEqual(['inc_2', 'main_0', 'inc_1']);
  });
});

describe('the normal form of schedules', () => {
  const comment = 'Steps come as early as they can.';

  it('is asked for where there are many rounds, and all switches are guessed first', () => {
    expect(emit(lostUpdate, {}, { rounds: 5 }).text).not.toContain(comment);
    expect(emit(lostUpdate, {}, { rounds: 6 }).text).toContain(comment);
    expect(emit(lostUpdate, {}, { rounds: 6, schema: 'cav14' }).text).not.toContain(comment);
  });

  it('compiles without warnings, and has its lines in the map', () => {
    const { text, lineMap } = emit(lostUpdate, {}, { rounds: 6 });
    expect(compile(INTRINSICS + text) ?? '').toBe('');
    expect(lineMap.flat()).toHaveLength(text.split('\n').length - 1);
  });

  it('loses no violation with the same number of rounds, whatever the order of threads', { timeout: 60_000 }, () => {
    const safe = lostUpdate.replace('c++', '__sync_fetch_and_add(&c, 1)');
    for (const schedule of [null, [2, 1, 0], [1, 0, 2]]) {
      const asked = { rounds: 3, closingMain: true, normalForm: true, schedule };
      expect(cbmc(emit(lostUpdate, {}, asked).text) ?? 'unsafe').toBe('unsafe');
      expect(cbmc(emit(safe, {}, asked).text) ?? 'safe').toBe('safe');
    }
  });
});

describe('copies of a loop', () => {
  const loop = `#include <pthread.h>
int a[20], n, m;
void *f(void *p) {
  for (int i = 0; i < 20; i++) {
    n = n + 1;
    if (m) { m = n; n = m; }
    if (n) { a[i] = n; m = 1; n = 2; }
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  n = a[3] + m;
  return 0;
}
`;

  it('have labels that are numbered through, and lead on to the next one', () => {
    const { text, threads } = emit(loop, {});
    const body = text.slice(text.indexOf('f_1(void) {'));
    const placed = [...body.matchAll(/^ *__lazuli_(\d+):/gm)].map(([, number]) => Number(number));
    expect(placed).toEqual(Array.from({ length: threads[1]?.size ?? 0 }, (_, i) => i + 1));
    const jumps = [...body.matchAll(/__lazuli_J\(1, (\d+), (\d+)\);/g)].map(([, from, to]) => [from, to].map(Number));
    expect(jumps).toEqual(placed.map((number) => [number - 1, number]));
    expect(threads[1]?.labels).toHaveLength(placed.length + 1);
  });

  it('have the places of the loop on all their lines', () => {
    const { text, lineMap } = emit(loop, {});
    const lines = text.split('\n');
    const places = lineMap.flat();
    const placesOf = (line: string) =>
      new Set(lines.flatMap((other, at) => (other.trim() === line ? [places[at]] : [])));
    expect(lines.filter((line) => line.trim() === 'm = 1;')).toHaveLength(20);
    expect(placesOf('m = 1;').size).toBe(1);
    expect(places).toHaveLength(lines.length - 1);
  });
});

describe('CBMC on the emitted C', () => {
  for (const { name: schema, keepsLoops } of SCHEMAS) {
    it(`finds the lost update in three rounds and not in two: ${schema}`, () => {
      const verdicts = [2, 3].map((rounds) => {
        const bounds = cbmcBackend.verifier?.unwinding?.({ unwind: 1, rounds }) ?? [];
        return cbmc(emit(lostUpdate, {}, { schema, rounds }).text, keepsLoops ? bounds : []);
      });
      expect([null, 'safe']).toContain(verdicts[0]);
      expect([null, 'unsafe']).toContain(verdicts[1]);
    });
  }

  it('is not slowed down by many branches on private values', () => {
    const branches = (count: number, limit: number) => {
      const ifs = Array.from({ length: count }, (_, i) => `if (a & ${1 << i}) x = x + 1;`).join('\n');
      return `#include <pthread.h>
#include <assert.h>
int nondet_int(void);
int x;
void *set(void *u) { x = 5; return 0; }
int main(void) { int a = nondet_int(); pthread_t p; pthread_create(&p, 0, set, 0); ${ifs} assert(x < ${limit}); }`;
    };
    const { text, threads } = emit(branches(24, 30), {}, { rounds: 2 });
    const meetings = [...text.matchAll(/__lazuli_J\(0, (\d+), (\d+)\)/g)].filter(
      ([, a, b]) => Number(b) > Number(a) + 1,
    );
    expect(meetings).toHaveLength(23);
    expect(Math.min(...meetings.map(([, , to]) => Number(to)))).toBe((threads[0]?.size ?? 0) + 1);
    expect([null, 'safe']).toContain(cbmc(text));
    expect([null, 'unsafe']).toContain(cbmc(emit(branches(4, 9), {}, { rounds: 2 }).text));
    expect([null, 'safe']).toContain(cbmc(emit(branches(4, 10), {}, { rounds: 2 }).text));
  });

  it('finds no lost update when statements are atomic', () => {
    const { text } = emit(lostUpdate, { atomicStatements: true }, { rounds: 3 });
    expect([null, 'safe']).toContain(cbmc(text));
  });

  it('finds the bug of the running example', () => {
    expect([null, 'unsafe']).toContain(cbmc(emit(example, { unwind: 2 }, { rounds: 2 }).text));
  });
});

describe('CBMC on benchmarks with the bounds of the papers', () => {
  const chosen = /(lazy01_false|stateful01_false|qrcu_false|read_write_lock_true|peterson_true|stateful01_true)/;
  const programs = readBenchmarkManifest().filter(({ file }) => chosen.test(file) && file.endsWith('.i'));

  it('knows some of them, where they are there', () => {
    expect(programs.length > 0 || findBenchmarks() === null).toBe(true);
  });

  for (const { file, expected, paper } of programs) {
    it(`gives the right verdict: ${file}`, { timeout: 90_000 }, () => {
      const text = readFileSync(path.join(findBenchmarks() as string, file), 'latin1');
      const bounds = { unwind: paper?.unwind ?? 2 };
      const emitted = emit(text, bounds, { rounds: paper?.rounds ?? 2, closingMain: true });
      expect([null, expected]).toContain(cbmc(emitted.text));
    });
  }
});

it('what is unsigned is not asked whether it is below 0, of which compilers warn', () => {
  const text = `extern unsigned any(void); unsigned x; int main(void) { unsigned none = 0;
    if (none > any()) x = 1; if (any() < none) x = 2; if (none <= any()) x = 3; if (any() >= none) x = 4; }`;
  const emitted = emit(text, { unwind: 1 }).text;
  expect(emitted).toMatch(/x = 3U;.*x = 4U;/s);
  expect(emitted).not.toMatch(/x = [12]U;/);
});

describe('checked arithmetic on 64 bits, with no wider type', () => {
  const program = (claim: string) => `#include <assert.h>
    typedef long long wide; typedef unsigned long long word; extern wide any(void);
    int main(void) { wide a = any(), b = any(), r; word u; int i;
      assert(__builtin_add_overflow(a, b, &r) == (b > 0 ? a > (wide)(~0ULL >> 1) - b : a < (wide)(1ULL << 63) - b));
      assert(__builtin_sub_overflow((word)a, (word)b, &u) == ((word)a < (word)b) && u == (word)a - (word)b);
      assert(!__builtin_sub_overflow(0ULL, 1, &r) && r == -1 && __builtin_sub_overflow(0ULL, 1, &u));
      assert(__builtin_mul_overflow((wide)(1ULL << 63), -1, &r) && !__builtin_mul_overflow((wide)(1ULL << 63), -1, &u));
      assert(!__builtin_mul_overflow(-3LL, 5ULL, &i) && i == -15 && __builtin_mul_overflow(1LL << 32, 1LL << 32, &i));
      assert(${claim}); }`;

  it.each([
    ['!__builtin_mul_overflow(-1LL, 0, &u) && u == 0', 'safe'],
    ['!__builtin_add_overflow(a, 1, &r)', 'unsafe'],
  ])('%s', (claim, expected) => {
    const { text } = emit(program(claim), { unwind: 1 });
    expect(text).not.toContain('__int128');
    expect(compile(INTRINSICS + text) ?? '').toBe('');
    expect([null, expected]).toContain(cbmc(text));
  });
});

it('a place in a string is not compared with 0, of which compilers warn', () => {
  const found = `#include <assert.h>
    #include <string.h>
    int main(void) { assert(strstr("abcd", "cd") && strchr("hello", 'l') != 0); return 0; }`;
  expect(compile(INTRINSICS + emit(found, { unwind: 7 }).text) ?? '').toBe('');
});

describe('weak memory', () => {
  const TEXT = `
#include <assert.h>
#include <pthread.h>
int data, ready;
int *place = &data;
void *producer(void *unused) {
  *place = 1;
  data = data + 1;
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  __sync_synchronize();
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, producer, 0);
  place = &ready;
  if (ready) assert(data);
}
`;

  it.each(['tso', 'pso'] as const)('is written in macros: %s', async (memoryModel) => {
    const bounded = bound(TEXT, { memoryModel });
    await expectGolden(`sequentialize/weak-memory.${memoryModel}.c`, sequentialize(bounded, DEFAULTS).text);
  });

  it.each([
    ['a store to a bit-field', 'struct { int f : 3; } s;', 's.f = 1;'],
    ['a store of several parts at once', 'struct { int f : 3, g : 4; } s;', 's.f = 1;'],
    ['a store of several parts at once', 'long long s;', 's = 1;'],
    ['a store to a member of a packed record', 'struct __attribute__((packed)) { char f; int g; } s;', 's.g = 1;'],
  ])('refuses %s', (what, declaration, store) => {
    const text = `#include <assert.h>
#include <pthread.h>
      ${declaration}
      void *one(void *unused) { ${store} return 0; }
      int main(void) { pthread_t id; pthread_create(&id, 0, one, 0); ${store} assert(s${/\.\w/.exec(store)?.[0] ?? ''}); }`;
    const { refusals } = delayStores(bound(text, { memoryModel: 'tso' }));
    expect(refusals[0]?.message).toMatch(new RegExp(`^${what} that others can see is not supported`));
  });
});
