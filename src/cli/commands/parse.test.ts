import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { memoryIo } from '../../../test/support/memory-io.ts';
import { requireTool } from '../../../test/support/tools.ts';
import { exitCodes } from '../exit-codes.ts';
import { splitCommand } from '../split-command.ts';
import { run } from './parse.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-parse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string | Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function parse(...args: string[]) {
  const io = memoryIo();
  const code = await run(args, io);
  return { code, out: io.stdout(), err: io.stderr() };
}

const good = write('good.c', '#ifndef N\n#define N 3\n#endif\nlong x = N + sizeof(long);\n');
const bad = write('bad.c', 'int f(void) { return undeclared; }\n');

describe('lazuli parse', () => {
  it('prints what it read', async () => {
    expect(await parse(good)).toEqual({ code: exitCodes.ok, out: 'long x = 3 + sizeof(long);\n', err: '' });
  });

  it('takes macros and the data model from the command line', async () => {
    expect((await parse('-DN=5', good)).out).toBe('long x = 5 + sizeof(long);\n');
    expect((await parse('-DN=5', '-UN', good)).out).toBe('long x = 3 + sizeof(long);\n');
    expect((await parse('--32', '--dump=types', good)).out).toBe('long x: size 4, alignment 4 static external\n');
  });

  it('finds headers through -I', async () => {
    write('own.h', 'int from_header;\n');
    const file = write('includes.c', '#include <own.h>\n');
    expect((await parse(`-I${folder}`, file)).out).toBe('int from_header;\n');
    expect((await parse(file)).code).toBe(exitCodes.program);
  });

  it('reports errors with their place and prints no program', async () => {
    const { code, out, err } = await parse(bad);
    expect(code).toBe(exitCodes.program);
    expect(out).toBe('');
    expect(err).toMatch(/bad\.c:1:22: error: .*undeclared/);
  });

  it('goes on with the next file after an error', async () => {
    const { code, out } = await parse(bad, good);
    expect(code).toBe(exitCodes.program);
    expect(out).toContain('long x');
  });

  it('gives diagnostics as JSON', async () => {
    const { code, out, err } = await parse('--json', bad, good);
    expect(code).toBe(exitCodes.program);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject([{ severity: 'error', place: { line: 1, column: 22 } }]);
  });

  it('is silent when asked to be', async () => {
    expect(await parse('--quiet', bad)).toEqual({ code: exitCodes.program, out: '', err: '' });
    expect(await parse('--check-only', good)).toEqual({ code: exitCodes.ok, out: '', err: '' });
  });

  it('dumps every stage', async () => {
    expect((await parse('--dump=tokens', good)).out).toContain('good.c:4:1 identifier long\n');
    expect((await parse('--dump=preprocessed', good)).out).toContain('long x = 3 + sizeof(long);');
    expect((await parse('--dump=ast', good)).out).not.toBe('');
    const dumps = path.join(folder, 'dumps');
    expect((await parse('--dump=tokens,ast,types', '--dump-dir', dumps, good)).out).toBe('');
    expect(readdirSync(dumps).sort()).toEqual(['good.c.01-tokens.txt', 'good.c.03-ast.txt', 'good.c.04-types.txt']);
  });

  it('dumps all stages into a folder, and prints the program', async () => {
    const dumps = path.join(folder, 'all-dumps');
    expect((await parse('--dump-dir', dumps, good)).out).toBe('long x = 3 + sizeof(long);\n');
    expect(readdirSync(dumps)).toHaveLength(4);
  });

  it('writes to a file', async () => {
    const output = path.join(folder, 'output.c');
    expect((await parse('-o', output, '-q', good)).out).toBe('');
    expect(readFileSync(output, 'utf8')).toBe('long x = 3 + sizeof(long);\n');
    expect((await parse('-o', output, bad)).code).toBe(exitCodes.program);
    expect(readFileSync(output, 'utf8')).toBe('long x = 3 + sizeof(long);\n');
  });

  it.each([
    ['a missing file', () => path.join(folder, 'missing.c'), 'no such file or directory'],
    ['a directory', () => folder, 'it is a directory'],
    ['a device', () => '/dev/zero', 'it is no regular file; - stands for the standard input'],
    ['a binary file', () => write('binary.c', new Uint8Array([127, 69, 76, 70, 0, 0])), 'it is a binary file, not C'],
  ])('says that it cannot use %s', async (_, file, reason) => {
    const { code, out, err } = await parse(file());
    expect({ code, out }).toEqual({ code: exitCodes.file, out: '' });
    expect(err).toMatch(new RegExp(`^lazuli: cannot use '.*': ${reason}\n$`));
  });

  it('reads texts that are not UTF-8', async () => {
    const file = write('latin1.c', new Uint8Array([...Buffer.from('// '), 0xe9, ...Buffer.from('\nint x;\n')]));
    expect((await parse(file)).out).toBe('int x;\n');
  });

  it('keeps the bytes of literals that are not UTF-8', async () => {
    const text = "#if 'é' != -23\n#error bytes\n#endif\nchar c = 'é', s[] = \"\u00e9x\";\nint wide = L'é';\n";
    const file = write('latin1-literals.c', Buffer.from(text, 'latin1'));
    const { err, out } = await parse(file);
    expect(err).toBe('');
    expect(out).toMatch(/c = -23;\nchar s\[3\] = "\\351x";\nint wide = 233;/);
  });

  it('lets another preprocessor do its part', async () => {
    if (requireTool('gcc') === null) return;
    expect((await parse('--cpp', 'gcc -E', '-DN=7', good)).out).toBe('long x = 7 + sizeof(long);\n');
    const failing = await parse('--cpp', 'gcc -E', write('error.c', '#error no\n'));
    expect(failing.code).toBe(exitCodes.program);
    expect(failing.err).toContain("lazuli: 'gcc -E' failed on");
  });

  it('says that the preprocessor cannot be run', async () => {
    const { code, err } = await parse('--cpp', 'no-such-preprocessor -E', good);
    expect(code).toBe(exitCodes.file);
    expect(err).toBe("lazuli: cannot run 'no-such-preprocessor': no such file or directory\n");
  });
});

describe('splitCommand', () => {
  it('splits at spaces outside of quotes', () => {
    expect(splitCommand(' gcc  -E -D"A B" \'x y\'z ')).toEqual(['gcc', '-E', '-DA B', 'x yz']);
    expect(splitCommand('')).toEqual([]);
  });
});
