// The examples under random schedules with the rounds that their first lines name: the unsafe ones are caught, the safe
// ones never. It needs neither the engine nor a verifier, only gcc and the model library (see random-rounds.c).

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledModels } from '../../src/frontend/headers/bundled.ts';
import { linkModels, openLibrary } from '../../src/frontend/headers/model-library.ts';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const scheduler = fileURLToPath(new URL('random-rounds.c', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.c'));
const library = openLibrary(bundledModels);
let work = '';

beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), 'lazuli-examples-'));
  if (requireTool('gcc') === null) return;
  execFileSync('gcc', ['-c', '-O1', '-w', '-fno-builtin', '-pthread', '-o', path.join(work, 'scheduler.o'), scheduler]);
});
afterAll(() => rmSync(work, { recursive: true }));

const sections = `#include <setjmp.h>
extern _Thread_local jmp_buf native_section;
void native_enter(void);
void native_leave(void);
#define __lazuli_atomic_begin() (setjmp(native_section), native_enter())
#define __lazuli_atomic_end() native_leave()
`;

/** The executable that runs an example, on the models instead of the C library's thread routines. */
function build(file: string): string {
  const program = readFileSync(folder + file, 'utf8');
  const used = (program.match(/\bpthread_\w+/g) ?? []).filter((name) => library.items.has(name));
  const linked = linkModels(library, used, new Set());
  const names = new Set(linked.names.filter((name) => !name.startsWith('__lazuli_')));
  const rename = (text: string) => text.replace(/\b\w+\b/g, (word) => (names.has(word) ? `model_${word}` : word));
  const models = linked.text.replace(/^void __lazuli_atomic_(begin|end)\(void\);$/gm, '');
  const text = `#define main program_main\n${rename(program)}\n${sections}\n${rename(models)}`;
  const base = path.join(work, file.replace('.c', ''));
  writeFileSync(`${base}.c`, text);
  execFileSync('gcc', ['-c', '-O0', '-w', '-fno-builtin', '-fsanitize=thread', '-o', `${base}.o`, `${base}.c`]);
  execFileSync('gcc', ['-pthread', '-o', base, `${base}.o`, path.join(work, 'scheduler.o')]);
  return base;
}

describe('examples under random schedules', () => {
  it.each(files)('%s', (file) => {
    if (requireTool('gcc') === null) return;
    const [, expected, rounds] = /expect (\w+); unwind \d; rounds (\d)/.exec(readFileSync(folder + file, 'utf8')) ?? [];
    const schedules = expected === 'unsafe' ? '20000' : '100';
    const { status, stdout } = spawnSync(build(file), [rounds ?? '', schedules], { encoding: 'utf8', timeout: 15_000 });
    expect([stdout, status]).toEqual(['', expected === 'unsafe' ? 1 : 0]);
  });
});
