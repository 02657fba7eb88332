// `lazuli check` used wrongly: one line says why, and the exit code is that of wrong usage or of the program.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';

let lazuli: Built;
let loop: string;
let wrong: string;
beforeAll(async () => {
  lazuli = await build();
  loop = lazuli.file('loop.c', 'int main(void) { int i = 0; while (i < 2) i++; return 0; }\n');
  wrong = lazuli.file('wrong.c', 'int main(void) { return x; }\n');
});
afterAll(() => lazuli.remove());

describe.concurrent('wrong use of lazuli check is told', () => {
  it.each([
    [
      'an unknown loop',
      ['--unwindset', 'main.9:2'],
      '--unwindset names the loop main.9, which the program does not have',
    ],
    [
      'an unknown function',
      ['--unwindset', 'f:2'],
      '--unwindset names the function f, which the program does not have',
    ],
    ['an order without a backend', ['--schedule', '0'], '--schedule needs --backend'],
    ['a schema without a backend', ['--schema', 'cav14'], '--schema needs --backend'],
    ['threads of no backend', ['--thread-unwind', '3'], '--thread-unwind needs --backend'],
    [
      'loops for who is not asked about them',
      ['--backend', 'cpachecker', '--schema', 'ul'],
      "CPAchecker is not asked about programs with loops; give it what 'lazuli sequentialize --schema ul --backend cpachecker' writes",
    ],
    [
      'a bound for some loops of a schema that keeps them',
      ['--backend', 'cbmc', '--schema', 'ul', '--for-unwind', '3'],
      '--for-unwind does not go with --schema ul, which keeps loops; --thread-unwind is for those that create threads',
    ],
    ['a folder for no dumps', ['--dump-dir', 'dumps'], '--dump-dir needs --dump'],
    ['a dump of a backend', ['--backend', 'cbmc', '--dump', 'code'], '--dump does not go with --backend'],
    ['loops of a backend', ['--backend', 'cbmc', '--show-loops'], '--show-loops does not go with --backend'],
    ['the path of no backend', ['--backend-path', 'cbmc'], '--backend-path needs --backend'],
    ['options of no backend', ['--backend-options', '--trace'], '--backend-options needs --backend'],
    [
      'an open quote',
      ['--backend', 'cbmc', '--backend-options', '--depth "9'],
      '--backend-options has a quote that is not closed',
    ],
    ['input of no backend', ['--native-input', 'values'], '--native-input needs --backend'],
    ['a seed for a backend', ['--backend', 'cbmc', '--seed', '3'], '--seed does not go with --backend'],
    ['no runs before a backend', ['--backend', 'cbmc', '--no-explore'], '--no-explore does not go with --backend'],
    [
      'an analysis for nothing',
      ['--backend', 'cbmc', '--value-analysis', 'builtin'],
      '--value-analysis needs --bitvectors where there is a backend',
    ],
    ['two lists of checks', ['--check', 'free', '--property', 'x.prp'], '--check and --property exclude each other'],
  ])('%s', { timeout: 20_000 }, async (_, options, message) => {
    const { status, stdout, stderr } = await lazuli.run(['check', ...options, loop]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(`lazuli check: ${message} (see 'lazuli check --help')\n`);
  });

  it.each([[[]], [['--backend', 'cbmc']]])(
    'errors of the program, as JSON too, with %j',
    { timeout: 20_000 },
    async (more) => {
      const { status, stdout, stderr } = await lazuli.run(['check', ...more, '--json', '-', wrong]);
      expect(status).toBe(3);
      expect(stderr).toContain("error: 'x' undeclared");
      expect(JSON.parse(stdout)).toMatchObject({
        program: wrong,
        verdict: 'unknown',
        reason: expect.stringContaining('the program has errors'),
      });
    },
  );

  it.each([
    ['check', '--json'],
    ['check', '--backend=cbmc', '--native-input'],
    ['sequentialize', '--map'],
    ['parse', '-o'],
  ])('a file that would be written over: %s %s', { timeout: 20_000 }, async (command, ...options) => {
    const { status, stderr } = await lazuli.run([command, loop, ...options, loop]);
    expect(status).toBe(2);
    expect(stderr).toContain('is the program itself, which would be overwritten');
  });

  it('a task whose property the backend does not look at', { timeout: 20_000 }, async () => {
    lazuli.file('valid-memsafety.prp', 'CHECK( init(main()), LTL(G valid-free) )\n');
    const task = lazuli.file('task.yml', 'input_files: loop.c\nproperties:\n- property_file: valid-memsafety.prp\n');
    const { status, stdout, stderr } = await lazuli.run(['check', '--backend', 'cbmc', task]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('with --backend there is no check of free');
    const named = await lazuli.run(['check', '--backend', 'cbmc', '--check', 'default,leak', loop]);
    expect(named.stderr).toContain('with --backend there is no check of leak;');
  });

  it('checks of prove beside properties, but not alone', { timeout: 20_000 }, async () => {
    const { status, stdout } = await lazuli.run(['prove', '--check', 'assertion', '--timeout', '10', loop]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('loop.c: safe') });
    const both = await lazuli.run(['prove', '--check', 'free', '--property', 'x.prp', loop]);
    expect(both.stderr).toContain('--check and --property exclude each other');
  });

  it('a property file that is not there', { timeout: 20_000 }, async () => {
    const { status, stderr } = await lazuli.run(['check', '--property', 'missing.prp', loop]);
    expect(status).toBe(4);
    expect(stderr).toBe("lazuli: cannot use 'missing.prp': no such file or directory\n");
  });

  it('a program without main', { timeout: 20_000 }, async () => {
    const done = await lazuli.run(['check', lazuli.file('library.c', 'int f(void) { return 0; }\n')]);
    expect(done.status).toBe(3);
    expect(done.stderr).toBe("lazuli: error: the program has no function 'main' [no-main]\n");
    expect(done.stdout).toContain('unknown: the program has no main');
  });
});
