// The model library, judged by gcc: every model has the type that the headers declare (ours and glibc's, on both data
// models), library functions compute what the C library computes, and the thread routines keep their promises when
// they run on real threads.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledHeaders, bundledModels } from '../../src/frontend/headers/bundled.ts';
import { linkModels, openLibrary } from '../../src/frontend/headers/model-library.ts';
import { requireTool } from '../support/tools.ts';

const includeFolder = fileURLToPath(new URL('../../src/frontend/headers/include', import.meta.url));
const library = openLibrary(bundledModels);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lazuli-models-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Headers whose macros rename ordinary words. */
const renaming = new Set(['iso646.h', 'complex.h', 'stdnoreturn.h', 'stdbool.h']);

/** Models of functions that only glibc's headers declare. */
const glibcOnly = [
  '__pthread_register_cancel',
  '__pthread_unregister_cancel',
  '__pthread_unwind_next',
  '__sigsetjmp_cancel',
];

/** Headers that no model needs, and that are not the C library's: those of intrinsics are long in gcc. */
const others = /^lazuli\/|intrin\.h$/;

function includeAll(): string {
  const names = [...bundledHeaders.keys()].filter((name) => !renaming.has(name) && !others.test(name));
  return names.map((name) => `#include <${name}>\n`).join('');
}

function preprocess(text: string, options: readonly string[]): string {
  return execFileSync('gcc', ['-E', '-std=gnu17', ...options, '-'], { input: text, encoding: 'utf8' });
}

/** gcc's messages about headers and then models, each preprocessed on its own. */
function compileMessages(
  model: '-m32' | '-m64',
  headerOptions: readonly string[],
  excluded: readonly string[],
): string {
  const needless = new Set([...excluded, ...(excluded.length > 0 ? ['__lazuli_run_cancel_handlers'] : [])]);
  const linked = linkModels(library, library.items.keys(), needless);
  const text = preprocess(includeAll(), [model, ...headerOptions]) + preprocess(linked.text, [model]);
  const options = [
    model,
    '-std=gnu17',
    '-fpreprocessed',
    '-fno-builtin',
    '-Wall',
    '-Wno-unused-function',
    '-fsyntax-only',
  ];
  return spawnSync('gcc', [...options, '-x', 'c', '-'], { input: text, encoding: 'utf8' }).stderr;
}

describe('the types of the models', () => {
  it.each(['-m32', '-m64'] as const)('are those of our headers with %s', (model) => {
    if (requireTool(model === '-m32' ? 'gcc -m32' : 'gcc') === null) return;
    expect(compileMessages(model, ['-nostdinc', '-I', includeFolder], glibcOnly)).toBe('');
  });

  it.each(['-m32', '-m64'] as const)("are those of glibc's headers with %s", (model) => {
    if (requireTool(model === '-m32' ? 'gcc -m32' : 'gcc') === null) return;
    // glibc gives these functions a calling convention of their own on 32 bits, which gcc compares.
    const excluded = model === '-m32' ? glibcOnly : [];
    expect(compileMessages(model, ['-D_GNU_SOURCE'], excluded)).toBe('');
  });
});

/** Builds primitives, the models that a harness uses (as model_NAME) and the harness; gives the executable's path. */
function buildHarness(harness: string, options: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const text = read(harness);
  const used = [...text.matchAll(/\bmodel_(\w+)/g)].map((match) => match[1] ?? '');
  const linked = linkModels(library, used, new Set());
  const publicNames = new Set(linked.names.filter((name) => !name.startsWith('__lazuli_')));
  // Lines of the library that define the atomic section as functions would meet the harness's macros.
  const models = linked.text
    .replace(/^void __lazuli_atomic_(begin|end)\(void\);$/gm, '')
    .replace(/\b\w+\b/g, (word) => (publicNames.has(word) ? `model_${word}` : word));
  const name = path.join(folder, harness.replace('.c', ''));
  writeFileSync(
    `${name}.c`,
    `#define _GNU_SOURCE\n${read('native-primitives.h')}\n${typesOfModels}\n${models}\n${text}`,
  );
  execFileSync('gcc', ['-O0', '-g', '-fno-builtin', '-w', '-pthread', ...options, '-o', name, `${name}.c`, '-lm']);
  return name;
}

const typesOfModels = '#include <semaphore.h>\n#include <sys/types.h>\n#include <time.h>\n';

describe('library functions', () => {
  it.each(['-m32', '-m64'] as const)("compute what the C library's do with %s", (model) => {
    if (requireTool(model === '-m32' ? 'gcc -m32' : 'gcc') === null) return;
    // Without SSE, gcc keeps more digits than a double has.
    const harness = buildHarness('library-functions.c', [model, '-msse2', '-mfpmath=sse']);
    expect(spawnSync(harness, { encoding: 'utf8' }).stdout).toBe('the same\n');
  });
});

describe('thread routines', () => {
  let builtHarness: string | undefined;

  // The threads wait for one another by trying again: on a busy machine that takes its time.
  const patience = { timeout: 100_000 };

  it.each(['-m32', '-m64'] as const)('keep their promises on real threads with %s', patience, (model) => {
    if (requireTool(model === '-m32' ? 'gcc -m32' : 'gcc') === null) return;
    const harness = buildHarness('thread-routines.c', [model, '-D__LAZULI_SPURIOUS_WAKEUPS=0']);
    expect(spawnSync(harness, { encoding: 'utf8', timeout: 90_000 }).stdout).toBe('as expected\n');
  });

  it.each([
    ['unlock-free', 'mutex: unlock of a mutex by a thread that does not own it\n'],
    ['destroyed-lock', 'mutex: lock of a destroyed mutex\n'],
    ['destroy-locked', 'mutex: destruction of a locked mutex\n'],
    ['join-twice', 'thread: join of a thread that was joined before\n'],
    ['join-detached', 'thread: join of a detached thread\n'],
    ['join-nothing', 'thread: join of something that is no thread\n'],
    ['unlock-free-rwlock', 'mutex: unlock of a read-write lock that is not locked\n'],
    ['unlock-free-spin', 'mutex: unlock of a spin lock by a thread that does not own it\n'],
    ['barrier-uninitialized', 'mutex: wait at a barrier that is not initialized\n'],
    ['destroyed-unlock', 'mutex: unlock of a destroyed mutex\n'],
    ['destroy-twice', 'mutex: destruction of a destroyed mutex\n'],
    ['destroyed-rwlock', 'mutex: lock of a destroyed read-write lock\n'],
    ['destroyed-semaphore', 'mutex: use of a destroyed semaphore\n'],
    ['destroyed-condition', 'mutex: use of a destroyed condition variable\n'],
    ['destroyed-spin', 'mutex: lock of a destroyed spin lock\n'],
    ['detach-twice', 'thread: detach of a thread that is not joinable\n'],
  ])('report the misuse %s', (misuse, message) => {
    if (requireTool('gcc') === null) return;
    builtHarness ??= buildHarness('thread-routines.c', []);
    const harness = builtHarness;
    expect(spawnSync(harness, [misuse], { encoding: 'utf8', timeout: 15_000 }).stdout).toBe(message);
  });
});
