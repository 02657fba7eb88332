// Several programs, and several properties, in one command: each with its own verdict, all of them in each report.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Built, build } from '../support/built.ts';
import { validateSarif } from '../support/sarif-schema.ts';

const LIMIT_MS = 120_000;
const OPTIONS = { timeout: LIMIT_MS };
let built: Built;
let safe: string;
let racy: string;

beforeAll(async () => {
  built = await build();
  safe = built.file('one & only.c', 'int main(void) { return 0; }\n');
  racy = built.file(
    'racy.c',
    `#include <assert.h>
#include <pthread.h>
int x;
void *f(void *u) { x = x + 1; return u; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, f, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
`,
  );
  built.file('unreach-call.prp', 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n');
  built.file('no-data-race.prp', 'CHECK( init(main()), LTL(G ! data-race) )\n');
}, LIMIT_MS);
afterAll(() => built.remove());

const read = (name: string) => readFileSync(path.join(built.folder, name), 'utf8');

describe('several programs', () => {
  it('are told one after the other, then at a glance; one violation decides the exit code', OPTIONS, async () => {
    const broken = built.file('broken.c', 'int main(void) { return x; }\n');
    const missing = path.join(built.folder, 'missing.c');
    const file = (name: string) => path.join(built.folder, name);
    const { status, stdout, stderr } = await built.run([
      ...['check', '--each', '--timeout', '30', '--format', 'github', '--parallel', '2'],
      ...[
        '--json',
        file('all.json'),
        '--junit',
        file('all.xml'),
        '--sarif',
        file('all.sarif'),
        '--html',
        file('pages'),
      ],
      ...[safe, racy, broken, missing],
    ]);
    expect(status).toBe(10);
    expect(stderr).toContain("error: 'x' undeclared");
    const summary = stdout.slice(stdout.indexOf('Summary:')).split('\n');
    expect(summary[1]).toMatch(/^ {2}safe {4} +\d+\.\d s {2}\S*one & only\.c$/);
    expect(summary[2]).toMatch(/^ {2}unsafe {2} .*racy\.c +assertion: .*x == 2, line 11$/);
    expect(summary[3]).toMatch(/^ {2}unknown .*broken\.c +the program has errors$/);
    expect(summary[4]).toMatch(/^ {2}unknown .*missing\.c +cannot use '.*missing\.c': no such file or directory$/);
    expect(summary[6]).toMatch(/^4 checks: 1 safe, 1 unsafe, 2 unknown \(\d+\.\d s\)$/);
    expect(stdout.indexOf('one & only.c: safe')).toBeLessThan(stdout.indexOf('racy.c: unsafe'));
    expect(stdout).toMatch(/^::error file=.*racy\.c,line=11,/m);
    expect(stdout.match(/^::warning /gm)).toHaveLength(2);
    expect(JSON.parse(read('all.json'))).toMatchObject({
      format: 'lazuli-reports',
      reports: [{ verdict: 'safe' }, { verdict: 'unsafe' }, { verdict: 'unknown' }, { verdict: 'unknown' }],
    });
    expect(read('all.xml')).toContain('<testsuites tests="4" failures="1" errors="2"');
    const sarif: unknown = JSON.parse(read('all.sarif'));
    expect(validateSarif(sarif)).toEqual([]);
    expect(sarif).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: 'assertion', level: 'error' },
            { ruleId: 'race', level: 'note' },
          ],
        },
      ],
    });
    const pages = readdirSync(file('pages')).map((name) => name.replace(/^.*-(?=[a-z]+\.c\.html)/, ''));
    expect(pages.sort()).toEqual(['broken.c.html', 'index.html', 'missing.c.html', 'only.c.html', 'racy.c.html']);
    expect(read('pages/index.html').match(/<a href=/g)).toHaveLength(4);
    const again = await built.run(['replay', file('all.json')]);
    expect(again.stdout).toContain('racy.c: unsafe');
    expect((await built.run(['replay', file('all.json'), '--program', safe])).stdout).toContain('only.c: safe');
  });

  it('have the exit code of the worst where none is violated', OPTIONS, async () => {
    const missing = path.join(built.folder, 'missing.c');
    expect((await built.run(['check', '--each', safe, safe])).status).toBe(0);
    expect((await built.run(['check', '--each', safe, missing])).status).toBe(4);
  });

  it('do not go with what shows the inside of one', OPTIONS, async () => {
    const { status, stderr } = await built.run(['check', '--each', '--dump', 'code', safe]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('--dump is for one program') });
  });

  it('stop at Ctrl-C, and those that were not begun say so', OPTIONS, async () => {
    const long = built.file(
      'long.c',
      `int nondet(void);
int main(void) { unsigned a = nondet(), b = nondet(), n = 0;
  while (n < 1000000) { n++; a = a * b + n; b ^= a >> 3; }
  if (a * a + b * b == 7) __builtin_unreachable(); return 0; }\n`,
    );
    const json = path.join(built.folder, 'stopped.json');
    const args = ['check', '--each', '--parallel', '1', '--json', json, long, racy];
    const { status, stdout } = await built.run(args, { interruptAfterMs: 1500 });
    expect(status).toBe(130);
    expect(stdout).toMatch(/unknown .*racy\.c +interrupted/);
    expect(JSON.parse(readFileSync(json, 'utf8')).reports).toHaveLength(2);
  });
});

describe('several properties', () => {
  it('of a task each have their verdict, beside what the task says', OPTIONS, async () => {
    const task = built.file(
      'task.yml',
      `format_version: '2.0'
input_files: racy.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
  - property_file: no-data-race.prp
    expected_verdict: false
  - property_file: termination.prp
`,
    );
    const { status, stdout } = await built.run(['check', '--timeout', '30', task]);
    expect(status).toBe(10);
    expect(stdout).toMatch(/unsafe .*racy\.c \(unreach-call\) .*line 11; NOT as the task says: true/);
    expect(stdout).toMatch(/unsafe .*racy\.c \(no-data-race\) .*; as the task says/);
    expect(stdout).toMatch(/unknown .*racy\.c \(termination\) .*termination\.prp: no such file/);
    expect(stdout).toMatch(/3 checks: 2 unsafe, 1 unknown, 1 not as the task says/);
  });

  it('of the command line, too, in the words of BenchExec', OPTIONS, async () => {
    const properties = ['unreach-call.prp', 'no-data-race.prp'].flatMap((name) => [
      '--property',
      path.join(built.folder, name),
    ]);
    const { status, stdout } = await built.run(['check', '--format', 'verdict', '--each', ...properties, racy, safe]);
    expect(stdout.split('\n').map((line) => line.replace(/ {2}.*\//, '  '))).toEqual([
      'false(unreach-call)  racy.c (unreach-call)',
      'false(no-data-race)  racy.c (no-data-race)',
      'true  one & only.c (unreach-call)',
      'true  one & only.c (no-data-race)',
      '',
    ]);
    expect(status).toBe(10);
  });
});
