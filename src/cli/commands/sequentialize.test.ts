import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { locked, lostUpdate } from '../../../test/support/concurrent-programs.ts';
import { lazuli } from '../../../test/support/lazuli.ts';
import { PASSES } from '../../passes/pipeline.ts';
import { SCHEMAS } from '../../sequentialize/schemas.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-sequentialize-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const sequentialize = (...args: string[]) => lazuli('sequentialize', ...args);
const race = write('race.c', lostUpdate);
const safe = write('safe.c', locked);
const loops = write(
  'loops.c',
  `#include <pthread.h>
int n;
void *run(void *p) { while (n < 5) n++; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  for (int i = 0; i < 3; i++) n += i;
  return 0;
}
`,
);

describe('lazuli sequentialize', () => {
  it('writes sequential C to the standard output, for CBMC by default', async () => {
    const { code, stdout, stderr } = await sequentialize(race);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/static void add_1\(void\)/);
    expect(stdout).toMatch(/static void add_2\(void\)/);
    expect(stdout).toContain('__CPROVER_assume(');
    expect(stdout).not.toContain('pthread_create(');
  });

  it('has a spelling for each backend, and two schemas', async () => {
    expect((await sequentialize('--backend', 'llbmc', race)).stdout).toContain('__llbmc_assume(');
    expect((await sequentialize('--backend', 'svcomp', race)).stdout).toContain('__VERIFIER_nondet_uint()');
    const cav14 = await sequentialize('--schema', 'cav14', '-r', '3', race);
    expect(cav14.stdout).toMatch(/for \(\w+ = 1; \w+ <= 3; /);
  });

  it('tells in its help what each pass and schema does', async () => {
    const { stdout } = await sequentialize('--help');
    for (const { name, summary } of [...PASSES, ...SCHEMAS])
      expect(stdout.replace(/\s+/g, ' ')).toContain(` ${name} ${summary} `);
  });

  it('writes a file and its line map', async () => {
    const target = path.join(folder, 'out.c');
    expect(await sequentialize(race, '-o', target)).toEqual({ code: 0, stdout: '', stderr: '' });
    const lines = readFileSync(target, 'utf8').split('\n');
    const map = JSON.parse(readFileSync(`${target}.map.json`, 'utf8'));
    expect(map).toMatchObject({ format: 'lazuli-line-map', version: 1, program: race, emitted: target });
    expect(map.lines.length).toBe(lines.length - 1);
    const store = lines.findIndex((line) => /^ +counter = seen/.test(line));
    const [file, line] = map.lines[store];
    expect([map.files[file], line]).toEqual([race, 8]);
    expect(map.threads.map(({ start }: { start: string }) => start)).toEqual(['main', 'add', 'add']);
    const other = path.join(folder, 'other.json');
    expect((await sequentialize(race, '--map', other)).code).toBe(0);
    expect(JSON.parse(readFileSync(other, 'utf8')).lines).toEqual(map.lines);
  });

  it('writes #line on request', async () => {
    expect((await sequentialize(race, '--line-directives')).stdout).toContain(`#line 8 "${race}"`);
    expect((await sequentialize(race)).stdout).not.toContain('#line');
  });

  it('names the loops, which --unwindset then takes', async () => {
    const { stdout } = await sequentialize('--show-loops', loops);
    expect(stdout).toContain(`run.0: while at ${loops}:3:`);
    expect(stdout).toMatch(/main\.0: for at .*, 3 iterations by its text/);
    const count = (text: string) => text.split('__lazuli_t + 1').length - 1;
    const twice = await sequentialize('-u', '2', loops);
    const five = await sequentialize('-u', '2', '--unwindset', 'run.0:5', loops);
    expect(count(five.stdout)).toBeGreaterThan(count(twice.stdout));
  });

  it('lets the program be looked at after every pass', async () => {
    const one = await sequentialize('--dump=inline-calls', race);
    expect(one.stdout).toMatch(/^\/\* after inline-calls \*\/\n/);
    const dumps = path.join(folder, 'dumps');
    expect(await sequentialize('--dump=inline-calls,unwind-loops', '--dump-dir', dumps, race)).toMatchObject({
      stdout: '',
    });
    expect(readdirSync(dumps).every((name) => /^race\.c\.\d\d-[a-z-]+\.c$/.test(name))).toBe(true);
    expect(readdirSync(dumps).length).toBe(2);
    const all = path.join(folder, 'all-dumps');
    expect((await sequentialize('--dump-dir', all, race)).stdout).toContain('int main(void)');
    expect(readdirSync(all).length).toBeGreaterThan(5);
  });

  it('writes no map beside a device', async () => {
    expect((await sequentialize('-o', '/dev/null', race)).code).toBe(0);
    expect(existsSync('/dev/null.map.json')).toBe(false);
  });

  it('tells sizes and times', async () => {
    const { stderr } = await sequentialize('--stats=json', safe);
    const statistics = JSON.parse(stderr);
    expect(statistics.lines).toBeGreaterThan(20);
    expect(statistics.threads.length).toBe(3);
    expect((await sequentialize('--stats', safe)).stderr).toMatch(/^ {2}add_1: last label \d+$/m);
  });

  it('permutes the threads', async () => {
    const order = async (...args: string[]) =>
      [
        ...(await sequentialize('-r', '1', '--no-closing-main', ...args, race)).stdout.matchAll(/^ +(\w+_\d)\(\);/gm),
      ].map(([, f]) => f);
    expect(await order()).toEqual(['main_0', 'add_1', 'add_2']);
    expect(await order('--schedule', '2,0')).toEqual(['add_2', 'main_0', 'add_1']);
  });
});

it('keeps loops with the schema ul, but for those that create threads', async () => {
  const crowd = write(
    'crowd.c',
    `#include <pthread.h>
int n;
void *run(void *p) { while (n < 5) n++; return p; }
int main(int argc, char **argv) { pthread_t t; while (argc--) pthread_create(&t, 0, run, 0); return 0; }
`,
  );
  const threadsOf = (text: string) =>
    [...text.matchAll(/^static void (run_\d+)\(void\) \{$/gm)].map(([, name]) => name);
  const { code, stdout } = await sequentialize('--schema', 'ul', crowd);
  expect(code).toBe(0);
  expect(threadsOf(stdout)).toEqual(['run_1', 'run_2']);
  expect(stdout.match(/ {2}while \(__lazuli_WITHIN/g)).toHaveLength(2);
  const more = await sequentialize('--schema', 'ul', '--thread-unwind', '4', crowd);
  expect(threadsOf(more.stdout)).toHaveLength(4);
});

describe('wrong use of lazuli sequentialize', () => {
  const cases: readonly (readonly [string, number, RegExp, ...string[]])[] = [
    [
      'an unknown option',
      2,
      /^lazuli sequentialize: unknown option --rond \(did you mean --rounds\?\)/,
      '--rond',
      race,
    ],
    ['a bound of 0', 2, /^lazuli sequentialize: -u wants an integer from 1 to 1000000, not '0'/, '-u', '0', race],
    ['a bound of -3', 2, /^lazuli sequentialize: -r wants an integer from 1 to 1000, not '-3'/, '-r', '-3', race],
    ['an unknown backend', 2, /^lazuli sequentialize: --backend wants one of cbmc, /, '--backend', 'cmbc', race],
    [
      'an unknown loop',
      2,
      /^lazuli sequentialize: --unwindset names the loop main\.9/,
      '--unwindset',
      'main.9:2',
      race,
    ],
    ['an unknown thread', 2, /^lazuli sequentialize: --schedule names thread 7/, '--schedule', '7', race],
    ['rounds of a schema without', 2, /--rounds does not go with --schema ul/, '--schema', 'ul', '-r', '3', race],
    ['threads of a schema with rounds', 2, /--thread-unwind goes with --schema ul only/, '--thread-unwind', '3', race],
    [
      'recursion where loops are kept',
      3,
      /deep\.c:1:\d+: error: 'f' is recursive, which is not supported where loops are kept/,
      '--schema',
      'ul',
      write('deep.c', 'int f(int n) { return n ? f(n - 1) : 0; }\nint main(int n, char **v) { return f(n); }\n'),
    ],
    ['a map on top of the program', 2, /would be written twice/, '-o', 'out.c', '--map', 'out.c', race],
    ['a target that is the program', 2, /is the program itself, which would be overwritten/, '-o', race, race],
    ['no file', 2, /^lazuli sequentialize: FILE is missing/],
    [
      'a file that is not there',
      4,
      /^lazuli: cannot use '.*nothing\.c': no such file or directory/,
      path.join(folder, 'nothing.c'),
    ],
    ['a folder', 4, /^lazuli: cannot use '.*': it is a directory/, folder],
    ['C with errors', 3, /error: .*undeclared/, write('bad.c', 'int main(void) { return undeclared; }\n')],
    [
      'a sum for which there is no type',
      3,
      /error: __builtin_add_overflow of 128 bits is not supported/,
      write('wide.c', 'int main(void) { __int128 x = 1; return __builtin_add_overflow(x, 1, &x); }\n'),
    ],
    ['no main', 3, /error: the program has no function 'main'/, write('library.c', 'int f(void) { return 0; }\n')],
    ['a target that cannot be written', 4, /^lazuli: cannot use /, '-o', path.join(folder, 'no/such/out.c'), race],
  ];
  for (const [name, expected, message, ...args] of cases) {
    it(`is told: ${name}`, async () => {
      const { code, stdout, stderr } = await sequentialize(...args);
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
      expect(stderr).toMatch(message);
      if (expected !== 3) expect(stderr.trimEnd()).not.toContain('\n');
    });
  }
});
