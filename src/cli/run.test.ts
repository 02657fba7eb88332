import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { memoryIo } from '../../test/support/memory-io.ts';
import { commands as allCommands, type CommandRow } from './commands.ts';
import { defineCommand } from './define-command.ts';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

const echo = defineCommand({
  name: 'echo',
  summary: 'Writes its operands.',
  operands: { name: 'WORD', min: 1, max: 3 },
  options: { upper: { kind: 'flag', help: 'in capitals' } },
  run: async ({ options, operands }, io) => {
    const text = operands.join(' ');
    io.out.write(`${options.upper ? text.toUpperCase() : text}\n`);
    return exitCodes.violation;
  },
});

const commands: readonly CommandRow[] = [
  { name: 'echo', summary: 'writes its operands', load: async () => ({ run: echo }) },
  {
    name: 'throw',
    summary: 'breaks',
    load: async () => ({ run: () => Promise.reject(new RangeError('two\nlines')) }),
  },
  {
    name: 'read',
    summary: 'reads a file that is not there',
    load: async () => ({
      run: async () => {
        await readFile('no/such/file.c');
        return exitCodes.ok;
      },
    }),
  },
];

async function runWith(args: readonly string[], env = {}) {
  const io = memoryIo(env);
  const code = await run(args, io, commands);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

describe('run', () => {
  it('shows the version', async () => {
    for (const flag of ['--version', '-V']) {
      expect(await runWith([flag])).toEqual({ code: 0, stdout: `lazuli ${version}\n`, stderr: '' });
    }
  });

  it('shows help on stdout when asked, on stderr when not', async () => {
    const asked = await runWith(['--help']);
    expect(asked.code).toBe(0);
    expect(asked.stdout).toMatch(/^ {2}echo +writes its operands$/m);
    expect(await runWith([])).toEqual({ code: 2, stdout: '', stderr: asked.stdout });
    expect(await runWith(['help'])).toEqual(asked);
  });

  it("shows a command's help both ways", async () => {
    const help = await runWith(['echo', '--help']);
    expect(help.stdout).toMatch(/^ {2}--upper +in capitals$/m);
    expect(await runWith(['help', 'echo'])).toEqual(help);
  });

  it('runs a command and returns its code', async () => {
    expect(await runWith(['echo', 'a', '--upper', 'b'])).toEqual({ code: 10, stdout: 'A B\n', stderr: '' });
  });

  it('tells wrong usage in one line', async () => {
    const cases: readonly (readonly [string[], string])[] = [
      [['ehco'], "lazuli: unknown command 'ehco' (did you mean 'echo'?) (see 'lazuli --help')\n"],
      [['nothing-like-it'], "lazuli: unknown command 'nothing-like-it' (see 'lazuli --help')\n"],
      [['a.c'], "lazuli: a command is missing before 'a.c' (see 'lazuli --help')\n"],
      [['--upper'], "lazuli: unknown option --upper before the command (see 'lazuli --help')\n"],
      [['echo'], "lazuli echo: WORD is missing (see 'lazuli echo --help')\n"],
    ];
    for (const [args, stderr] of cases) expect(await runWith(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('reports what is thrown as an internal error in one line, with the stack only for debugging', async () => {
    const report = await runWith(['throw']);
    expect(report.code).toBe(5);
    expect(report.stderr).toMatch(/^lazuli: internal error: RangeError: two lines; please report .*\n$/);
    const debug = await runWith(['throw'], { LAZULI_DEBUG: '1' });
    expect(debug.stderr).toMatch(/\n {4}at /);
  });

  it('reports a file that cannot be read with the reason', async () => {
    const stderr = "lazuli: cannot use 'no/such/file.c': no such file or directory\n";
    expect(await runWith(['read'])).toEqual({ code: 4, stdout: '', stderr });
  });
});

describe('help', () => {
  it.each([
    [80, 80],
    [20, 60],
    [200, 100],
    [null, 100],
  ])('in a terminal of %s columns takes at most %i', async (columns, most) => {
    for (const args of [['--help'], ...allCommands.map(({ name }) => [name, '--help'])]) {
      const io = memoryIo({}, columns);
      expect(await run(args, io, allCommands)).toBe(exitCodes.ok);
      for (const line of io.stdout().split('\n')) expect(line.length).toBeLessThanOrEqual(most);
    }
  });
});
