// Programs of several files: each folder in projects/ is one, all of its .c files linked in the order of their names.
// The first line of its main.c says what is to be expected, as for programs of one file.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readFiles, type SourceText } from '../../src/frontend/front-end.ts';
import { printProgram } from '../../src/frontend/print/print-program.ts';
import { checkFiles } from '../support/check-text.ts';
import { readProgramHeader } from '../support/program-header.ts';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('./projects/', import.meta.url));

function read(name: string): { readonly files: SourceText[]; readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map(
    readdirSync(`${folder}${name}`).map((file) => [file, readFileSync(`${folder}${name}/${file}`, 'utf8')] as const),
  );
  const files = [...texts].flatMap(([fileName, text]) => (fileName.endsWith('.c') ? [{ fileName, text }] : []));
  return { files, texts };
}

function gccWarnings(name: string, files: readonly SourceText[]): string {
  const paths = files.map(({ fileName }) => `${folder}${name}/${fileName}`);
  return spawnSync('gcc', ['-std=gnu11', '-pthread', '-o', '/dev/null', ...paths], { encoding: 'utf8' }).stderr;
}

describe('programs of several files', () => {
  it.each(readdirSync(folder))('%s is accepted by a linker, too', (name) => {
    if (requireTool('gcc') === null) return;
    expect(gccWarnings(name, read(name).files)).toBe('');
  });

  it.each(readdirSync(folder))('%s is C again once it is linked', (name) => {
    if (requireTool('gcc') === null) return;
    const { files, texts } = read(name);
    const { program } = readFiles(files, { dataModel: 'LP64', reader: { read: (file) => texts.get(file) ?? null } });
    const input = program === null ? '#error no program' : printProgram(program);
    const options = ['-std=gnu11', '-Wall', '-Wno-unused', '-fsyntax-only', '-x', 'c', '-'];
    expect(spawnSync('gcc', options, { input, encoding: 'utf8' }).stderr).toBe('');
  });

  it.each(readdirSync(folder))('%s', async (name) => {
    const { files, texts } = read(name);
    const { verdict, unwind, rounds, dataModel, defines } = readProgramHeader(texts.get('main.c') ?? '');
    const reader = { read: (path: string) => texts.get(path) ?? null };
    for (const order of [files, files.toReversed()]) {
      const outcome = await checkFiles(order, { unwind, rounds, dataModel, defines, reader });
      expect(outcome.kind === 'bounded' ? 'safe' : outcome.kind).toBe(verdict);
    }
  });
});
