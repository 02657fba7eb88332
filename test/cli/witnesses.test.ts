// Witnesses are followed: those that we write, and those that others write in the same formats.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWitness } from '../../src/cli/read-witness.ts';
import { printCorrectnessWitness } from '../../src/report/correctness-witness.ts';
import { type Built, build } from '../support/built.ts';

const LIMIT_MS = 120_000;
let built: Built;

beforeAll(async () => {
  built = await build();
}, LIMIT_MS);
afterAll(() => built.remove());

/** Only if the second thread reads between the two accesses of the first, and for one input. */
const PROGRAM = `#include <assert.h>
#include <pthread.h>
int nondet(void);
int x, seen;
void *f(void *u) {
  x = 1;
  x = 2;
  return u;
}
void *g(void *u) {
  seen = x;
  return u;
}
int main(void) {
  pthread_t s, t;
  int n = nondet();
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!(seen == 1 && n == 4711));
  return 0;
}
`;

/** As another tool might write it: no column, no hash, only what matters. */
const OTHERS = (target: number) => `- entry_type: violation_sequence
  metadata: {format_version: '2.2', producer: {name: other}}
  content:
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 0, location: {file_name: dir/w.c, line: 17},
        constraint: {value: 'n == 4711', format: c_expression}}
  - segment:
    - waypoint: {type: function_enter, action: follow, thread_id: 0, location: {file_name: dir/w.c, line: 17}}
  - segment:
    - waypoint: {type: function_enter, action: follow, thread_id: 0, location: {file_name: dir/w.c, line: 18}}
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 1, location: {line: 6}, constraint: {value: '1'}}
  - segment:
    - waypoint: {type: assumption, action: follow, thread_id: 2, location: {line: 11}, constraint: {value: '1'}}
  - segment:
    - waypoint: {type: target, action: follow, thread_id: 0, location: {file_name: dir/w.c, line: ${target}}}
`;

async function validate(program: string, witness: string, ...args: string[]) {
  const { status, stdout, stderr } = await built.run(['check', '--validate-witness', witness, ...args, program]);
  return { status, text: `${stdout}${stderr}` };
}

describe('--validate-witness', () => {
  it.each(['w.yml', 'w.graphml'])(
    'follows what --witness writes: %s',
    async (name) => {
      const program = built.file('w.c', PROGRAM);
      const witness = built.file(name, '');
      expect((await built.run(['check', '--witness', witness, program])).status).toBe(10);
      const { status, text } = await validate(program, witness);
      expect(text).toMatch(/w\.c: unsafe: .*\(witness/);
      expect(status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'follows a witness of others, and says when one leads nowhere',
    async () => {
      const program = built.file('w.c', PROGRAM);
      const right = await validate(program, built.file('right.yml', OTHERS(21)));
      expect(right.text).toMatch(/unsafe: .*\(witness/);
      expect(right.status).toBe(10);
      const wrong = await validate(program, built.file('wrong.yml', OTHERS(11)), '--timeout', '20');
      expect(wrong.text).toMatch(
        /unknown: the witness leads to no violation in \d+ runs; they came to 5 of its 6 places/,
      );
      expect(wrong.status).toBe(1);
    },
    LIMIT_MS,
  );

  it('refuses what is no violation witness', () => {
    const message = (text: string) => readWitness(text);
    expect(message('- entry_type: invariant_set\n  content: []\n')).toMatchObject({
      message: expect.stringContaining('correctness witness'),
    });
    expect(message('a: [')).toMatchObject({ message: expect.stringContaining('no YAML') });
    expect(message('<?xml version="1.0"?><graphml><graph></graph></graphml>')).toMatchObject({
      message: expect.stringContaining('no entry'),
    });
  });
});

describe('the witness of a proof', () => {
  const task = {
    ...{ files: [{ name: 'a.c', sha256: '00' }], specification: 'CHECK', uuid: 'u' },
    dataModel: 'LP64',
    ...{ producer: { name: 'lazuli', version: '1' }, creationTime: '2026-01-01T00:00:00Z' },
  } as const;

  it('has what holds at one place, in C', () => {
    const at = (thread: string, line: number) => ({ thread, text: 'is', places: [{ file: 'a.c', line, column: 1 }] });
    const facts = [
      { when: [at('T1', 3)], holds: 'x == "a" && y < 2' },
      { when: [at('T1', 4), at('T2', 4)], holds: null },
      { when: [], holds: 'x > 0' },
    ];
    const text = printCorrectnessWitness({ threads: [], facts }, task);
    expect(text).toContain("- entry_type: invariant_set\n  metadata:\n    format_version: '2.0'");
    expect(text.match(/invariant:/g)).toHaveLength(1);
    expect(text).toContain('        line: 3\n      value: "x == \\"a\\" && y < 2"\n      format: c_expression\n');
    expect(printCorrectnessWitness(null, task)).toContain('  content: []\n');
  });
});
