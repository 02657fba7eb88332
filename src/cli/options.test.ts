import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../test/support/golden.ts';
import { printCommandHelp } from './help.ts';
import { type OptionTable, parseArguments } from './options.ts';

const table = {
  unwind: { kind: 'number', short: 'u', value: 'N', min: 1, max: Number.POSITIVE_INFINITY, default: 1, help: 'loops' },
  rounds: { kind: 'number', short: 'r', value: 'N', min: 1, max: 100, help: 'rounds' },
  timeout: { kind: 'number', value: 'SECONDS', min: 0, max: 1e6, fraction: true, help: 'how long' },
  define: { kind: 'text', short: 'D', value: 'NAME[=VALUE]', repeated: true, help: 'define a macro' },
  output: { kind: 'text', short: 'o', value: 'FILE', help: 'where to' },
  stats: { kind: 'choice', choices: ['text', 'json'], implied: 'text', help: 'statistics' },
  dataModel: { kind: 'choice', choices: ['32', '64'], asFlags: true, default: '64', help: 'data model' },
  dump: { kind: 'list', choices: ['tokens', 'ast', 'types'], help: 'stages to print' },
  verbose: { kind: 'flag', short: 'v', help: 'say more' },
  quiet: { kind: 'flag', short: 'q', help: 'say less' },
  simplify: { kind: 'flag', default: true, help: 'do not simplify', group: 'Passes' },
  atomicStatements: { kind: 'flag', help: 'coarse steps' },
} as const satisfies OptionTable;

const operands = { name: 'FILE', min: 1, max: 2 };

function parse(...args: string[]) {
  const parsed = parseArguments(table, operands, args);
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed;
}

function problem(...args: string[]): string {
  const parsed = parseArguments(table, operands, args);
  return parsed.kind === 'problem' ? parsed.message : `no problem: ${parsed.kind}`;
}

describe('parseArguments', () => {
  it('fills in the defaults', () => {
    expect(parse('a.c').options).toEqual({
      unwind: 1,
      rounds: undefined,
      timeout: undefined,
      define: [],
      output: undefined,
      stats: undefined,
      dataModel: '64',
      dump: [],
      verbose: false,
      quiet: false,
      simplify: true,
      atomicStatements: false,
    });
    expect(parse('a.c').given.size).toBe(0);
  });

  it('reads values in all spellings', () => {
    for (const args of [['-u', '3'], ['-u3'], ['-u=3'], ['--unwind', '3'], ['--unwind=3']]) {
      const { options, given } = parse('a.c', ...args);
      expect(options.unwind).toBe(3);
      expect([...given]).toEqual(['unwind']);
    }
  });

  it('reads flags, their negation and clusters', () => {
    const { options } = parse('-vq', '--no-simplify', '--atomic-statements', 'a.c');
    expect(options).toMatchObject({ verbose: true, quiet: true, simplify: false, atomicStatements: true });
    expect(parse('--verbose', '--no-verbose', 'a.c').options.verbose).toBe(false);
    expect(parse('-vu3', 'a.c').options).toMatchObject({ verbose: true, unwind: 3 });
  });

  it('collects repeated options and lists, and lets the last value win elsewhere', () => {
    expect(parse('-DA', '-D', 'B=1', '--define=C', 'a.c').options.define).toEqual(['A', 'B=1', 'C']);
    expect(parse('--dump=tokens,ast', '--dump', 'types', 'a.c').options.dump).toEqual(['tokens', 'ast', 'types']);
    expect(parse('-o', 'x', '-o', 'y', 'a.c').options.output).toBe('y');
  });

  it('reads choices, alone, with a value and as flags', () => {
    expect(parse('--stats', 'a.c')).toMatchObject({ options: { stats: 'text' }, operands: ['a.c'] });
    expect(parse('--stats=json', 'a.c').options.stats).toBe('json');
    expect(parse('--32', 'a.c').options.dataModel).toBe('32');
  });

  it('keeps operands in order, also after options, and takes all after --', () => {
    expect(parse('a.c', '-v', '-').operands).toEqual(['a.c', '-']);
    expect(parse('--', '-v', '--help').operands).toEqual(['-v', '--help']);
  });

  it('reads fractions where they are allowed', () => {
    expect(parse('--timeout', '0.5', 'a.c').options.timeout).toBe(0.5);
    expect(problem('-u', '0.5', 'a.c')).toBe("-u wants an integer of at least 1, not '0.5'");
  });

  it('says in one line what is wrong', () => {
    expect(problem('-u', '0', 'a.c')).toBe("-u wants an integer of at least 1, not '0'");
    expect(problem('-r', '-3', 'a.c')).toBe("-r wants an integer from 1 to 100, not '-3'");
    expect(problem('--rounds=1e1', 'a.c')).toBe("--rounds wants an integer from 1 to 100, not '1e1'");
    expect(problem('--rounds=', 'a.c')).toBe("--rounds wants an integer from 1 to 100, not ''");
    expect(problem('a.c', '-o')).toBe('-o wants a value (FILE)');
    expect(problem('-o', '--verbose', 'a.c')).toBe('-o wants a value (FILE)');
    expect(problem('--verbose=yes', 'a.c')).toBe('--verbose takes no value');
    expect(problem('--stats=xml', 'a.c')).toBe("--stats wants one of text, json, not 'xml'");
    expect(problem('--dump=ast,x', 'a.c')).toBe("--dump wants a list out of tokens,ast,types, not 'ast,x'");
    expect(problem('--roudns', '3', 'a.c')).toBe('unknown option --roudns (did you mean --rounds?)');
    expect(problem('-x', 'a.c')).toBe('unknown option -x');
    expect(problem('-R', '3', 'a.c')).toBe('unknown option -R (did you mean -r?)');
    expect(problem('-timeout', '3', 'a.c')).toBe('unknown option -timeout (did you mean --timeout?)');
    expect(problem('--toString', 'a.c')).toBe('unknown option --toString');
    expect(problem()).toBe('FILE is missing');
    expect(problem('a', 'b', 'c')).toBe("unexpected operand 'c'");
  });

  it('lets help win over what is wrong after it', () => {
    expect(parseArguments(table, operands, ['--help', '--nonsense'])).toEqual({ kind: 'help' });
  });
});

describe('printCommandHelp', () => {
  const help = printCommandHelp({ name: 'try', summary: 'Tries.', operands, options: table, notes: 'A note.' }, null);

  it('shows every option with its spelling, its default and its group', async () => {
    await expectGolden('cli/command-help.txt', help);
  });

  it('keeps within 100 columns', () => {
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
