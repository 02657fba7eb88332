// The documents keep up with the code: links between them lead somewhere, the files that they name are there,
// docs/commands.md names every option of every command, and every check, and ranges that they show are those that the
// command prints.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { checkNames } from '../../src/program/check-names.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { memoryIo } from '../support/memory-io.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function listDocuments(): string[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...top, ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
}

function listSources(): string[] {
  return ['src', 'test', 'bench', 'scripts', 'web'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

describe('documents', () => {
  it.each(listDocuments())('%s links to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(file), link)))).toEqual([]);
  });

  const sources = listSources();
  it.each(listDocuments())('%s names source files that exist', (file) => {
    const named = [...read(file).matchAll(/`([a-z][\w./-]*\.ts)`/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !sources.some((source) => `/${source}`.endsWith(`/${name}`)))).toEqual([]);
  });

  it.each([
    ['docs/execute.md', 'src/execute'],
    ['docs/prove.md', 'src/engines/prove'],
  ])('%s names every file of %s', (document, folder) => {
    const text = read(document);
    const files = readdirSync(path.join(root, folder)).filter((name) => !name.endsWith('.test.ts'));
    expect(files.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the ranges that documents show', () => {
  it.each([
    ['docs/commands.md', 'examples/bank-account-unsafe.c'],
    ['docs/value-analysis.md', 'test/golden/ranges/producer-consumer.c'],
  ])('are printed: %s', async (document, program) => {
    const io = memoryIo();
    expect(await run(['ranges', path.join(root, program)], io, commands)).toBe(0);
    expect(read(document)).toContain(`\n${io.stdout()}\`\`\`\n`);
  });
});

/** The names of all fields in a JSON value. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
}

describe('docs/formats', () => {
  it.each([
    ['diagnostics.md', ['parse', '--json'], 'test/golden/diagnostics/redeclarations.c'],
    ['ranges.md', ['ranges', '--json', '--all'], 'test/golden/ranges/names.c'],
  ])('%s names every field', async (document, args, program) => {
    const io = memoryIo();
    await run([...args, path.join(root, program)], io, commands);
    const fields = new Set(fieldsOf(JSON.parse(io.stdout())));
    expect(fields.size).toBeGreaterThan(8);
    const text = read(`docs/formats/${document}`);
    expect([...fields].filter((field) => !new RegExp(`[\`"]${field}[\`"]`).test(text))).toEqual([]);
  });
});

it('docs/sequentialization.md names every schema', () => {
  const text = read('docs/sequentialization.md');
  expect(SCHEMAS.filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('docs/commands.md', () => {
  const text = read('docs/commands.md');

  it.each(commands.map(({ name }) => name))('names every option of %s', async (name) => {
    const io = memoryIo();
    expect(await run([name, '--help'], io, commands)).toBe(0);
    const rows = [...io.stdout().matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map((match) => match[1] ?? '');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((option) => !new RegExp(`${option}(?![\\w-])`).test(text))).toEqual([]);
  });

  it('names every check', () => {
    expect(checkNames.filter(({ name }) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
