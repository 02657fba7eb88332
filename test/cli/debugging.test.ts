// What a check shows of its inside: dumps, loops, validation.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { parseDimacs } from '../support/parse-dimacs.ts';

const PROGRAM = `#include <pthread.h>
#include <assert.h>
int x;
void *work(void *a) { for (int i = 0; i < 2; i++) x = x + 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (x == 0) { }
  do { x = x + 1; } while (x < 1);
  pthread_join(t, 0);
  assert(x == 3);
  return 0;
}
`;

let lazuli: Built;
let program = '';
beforeAll(async () => {
  lazuli = await build();
  program = lazuli.file('program.c', PROGRAM);
});
afterAll(() => lazuli.remove());

const DUMPS = '--dump=code,steps,intervals,cnf,trace';
const BOUNDS = ['--no-explore', '-u', '2', '-r', '2'];

/** The dumped files by name. */
function readFolder(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

describe('check --dump', () => {
  it('writes numbered files, the same ones every time', async () => {
    const folders = ['first', 'second'].map((name) => path.join(lazuli.folder, name));
    for (const folder of folders) {
      const { status } = await lazuli.run(['check', ...BOUNDS, '-j', '1', DUMPS, '--dump-dir', folder, program]);
      expect(status).toBe(10);
    }
    const [first, second] = folders.map(readFolder) as [Map<string, string>, Map<string, string>];
    expect([...first.keys()]).toEqual([
      'program.c.01-code.txt',
      'program.c.02-unwind-2-steps.txt',
      'program.c.03-unwind-2-intervals.txt',
      'program.c.04-unwind-2-rounds-2.cnf',
      'program.c.05-trace.json',
    ]);
    expect(second).toEqual(first);
    expect(first.get('program.c.01-code.txt')).toContain('work');
    expect(first.get('program.c.02-unwind-2-steps.txt')).toContain('cell x: 32 bits');
    expect(first.get('program.c.03-unwind-2-intervals.txt')).toMatch(/^ {2}x\s/m);
    expect(parseDimacs(first.get('program.c.04-unwind-2-rounds-2.cnf') as string).kind).toBe('formula');
    expect(JSON.parse(first.get('program.c.05-trace.json') as string)).toMatchObject({ verdict: 'unsafe' });
  });

  it('writes to the standard output without a folder', async () => {
    const { stdout } = await lazuli.run(['check', ...BOUNDS, '--dump=steps', program]);
    expect(stdout).toMatch(/^cell /);
    expect(stdout).toContain('program.c: unsafe');
  });
});

describe('check --show-loops', () => {
  it('lists the loops of the program and does nothing else', async () => {
    const { status, stdout, stderr } = await lazuli.run(['check', '--show-loops', program]);
    expect(stdout.replaceAll(lazuli.folder, '.')).toBe(
      ['work.0: for at ./program.c:4:23', 'main.0: while at ./program.c:8:3', 'main.1: do at ./program.c:9:3', ''].join(
        '\n',
      ),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('--show-loops', () => {
  it('names the loops alike, whichever road is taken', async () => {
    const file = lazuli.file(
      'loops.c',
      `#include <pthread.h>
int n;
void *run(void *argument) {
  for (int i = 0; i < n; i++) {
    int j = n;
    while (j > 0) j--;
    do n--; while (n > 9);
  }
again:
  if (n > 3) goto again;
  if (n > 2) goto again;
  return argument;
}
int main(void) {
  static void *const places[] = { &&first, &&second };
  int turns = n;
first:
  if (turns-- > 0) goto *places[turns & 1];
second:
  while (turns++ < 2) ;
  return run(0) != 0;
}
`,
    );
    const expected = [
      'run.0: for at 4:3',
      'run.1: while at 6:5',
      'run.2: do at 7:5',
      'run.3: goto at 9:1',
      'main.0: goto at 17:1',
      'main.1: while at 20:3',
    ];
    for (const command of ['check', 'sequentialize']) {
      const { stdout } = await lazuli.run([command, '--show-loops', file]);
      expect(stdout.trimEnd().replaceAll(`${file}:`, '').split('\n')).toEqual(expected);
    }
  });
});

describe('check --validate', () => {
  it('changes nothing when all is well', async () => {
    const { status, stdout } = await lazuli.run(['check', ...BOUNDS, '--validate', program]);
    expect(status).toBe(10);
    expect(stdout).toContain('unsafe');
  });
});
