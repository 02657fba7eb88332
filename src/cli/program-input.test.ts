import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { memoryIo } from '../../test/support/memory-io.ts';
import { run as ranges } from './commands/ranges.ts';
import { run as sequentialize } from './commands/sequentialize.ts';
import { exitCodes } from './exit-codes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-project-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

write('include/limit.h', 'extern int limit; int twice(int);\n');
write('conf.h', '#define START 3\n');
const main = write(
  'src/main.c',
  '#include "limit.h"\nint result; int main(void) { result = twice(START) + limit; return 0; }\n',
);
const lib = write('src/lib.c', '#include "limit.h"\nint limit = LIMIT; int twice(int n) { return 2 * n; }\n');
write('src/tool.c', 'int other; int main(void) { other = 1; return 0; }\n');
const entry = (file: string, options: string) => ({
  directory: 'build',
  file,
  command: `cc ${options} -c ${file} -O2`,
});
write(
  'compile_commands.json',
  JSON.stringify([
    { ...entry('../src/main.c', '-I../include -include ../conf.h'), directory: 'build' },
    {
      directory: 'build',
      file: '../src/lib.c',
      arguments: ['cc', '-I', '../include', '-DLIMIT=10', '-Wall', '../src/lib.c'],
    },
    entry('../src/tool.c', '-m32'),
  ]),
);

async function run(command: typeof ranges, ...args: string[]) {
  const io = memoryIo();
  const code = await command(args, io);
  return { code, out: io.stdout(), err: io.stderr() };
}

describe('programs of several files', () => {
  it('are linked, with the options of the command line', async () => {
    const plain = ['-Wall', `-I${folder}/include`, '-DLIMIT=1', '-DSTART=2', '-O2', '-pthread'];
    const { code, out } = await run(ranges, ...plain, main, lib);
    expect([code, out]).toEqual([exitCodes.ok, expect.stringMatching(/result +int +\{0, 5\}/)]);
    const emitted = await run(sequentialize, ...plain, main, lib);
    expect([emitted.code, emitted.err]).toEqual([exitCodes.ok, '']);
  });

  it('may come from a compilation database', async () => {
    const database = ['--compile-commands', folder, '--64'];
    expect((await run(ranges, ...database, '--main', 'src/main.c')).out).toMatch(/result +int +\{0, 16\}/);
    expect((await run(ranges, ...database, '--main', 'tool.c')).out).toMatch(/other +int +\{0, 1\}/);
    expect((await run(ranges, ...database, main, lib)).out).toMatch(/result +int +\{0, 16\}/);
    expect((await run(ranges, ...database, '-DLIMIT=7', main, lib)).out).toMatch(/result +int +\{0, 13\}/);
    expect((await run(ranges, ...database, '--function', 'twice')).out).toMatch(/twice\(\)\n +n +int/);
  });

  it('are refused when it is not clear what is meant', async () => {
    expect(await run(ranges, '--compile-commands', folder, '--main', 'main.c')).toEqual({
      code: exitCodes.file,
      out: '',
      err: expect.stringMatching(
        /main.c' is compiled for 64 bits and '.*tool.c' for 32: --32 or --64 says which counts\n$/,
      ),
    });
    const several = await run(ranges, '--compile-commands', folder, '--64');
    expect([several.code, several.err]).toEqual([
      exitCodes.program,
      expect.stringMatching(/several files define 'main', of which --main FILE chooses one: .*main.c, .*tool.c/),
    ]);
    const none = await run(ranges, '--compile-commands', path.join(folder, 'src'));
    expect([none.code, none.err]).toEqual([
      exitCodes.file,
      expect.stringMatching(/compile_commands.json': no such file/),
    ]);
    expect((await run(ranges)).code).toBe(exitCodes.usage);
  });
});
