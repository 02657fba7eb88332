// Witnesses are validated: those that we write, and those that others write in the same formats.

import { fileURLToPath } from 'node:url';
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
    expect(message('- entry_type: other\n')).toMatchObject({
      message: 'neither a violation_sequence nor an invariant_set in it',
    });
    expect(message('- entry_type: invariant_set\n  content: [{invariant: {type: function_contract}}]\n')).toMatchObject(
      { message: expect.stringContaining('its type is "function_contract"') },
    );
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

  it('has what was confirmed, in C', () => {
    const confirmed = [{ place: { file: 'a.c', line: 3 }, condition: 'x == "a" && y < 2' }];
    const text = printCorrectnessWitness(confirmed, task);
    expect(text).toContain("- entry_type: invariant_set\n  metadata:\n    format_version: '2.0'");
    expect(text.match(/invariant:/g)).toHaveLength(1);
    expect(text).toContain('        line: 3\n      value: "x == \\"a\\" && y < 2"\n      format: c_expression\n');
    expect(printCorrectnessWitness([], task)).toContain('  content: []\n');
  });

  it(
    'says only what holds for every thread at the line',
    async () => {
      // The proof says of line 17 that wants[0] != 0 for the one thread, and wants[1] != 0 for the other.
      const program = fileURLToPath(new URL('../../examples/peterson-safe.c', import.meta.url));
      const witness = built.file('proof.yml', '');
      expect((await built.run(['prove', '--timeout', '40', '--witness', witness, program])).status).toBe(0);
      const { status, text } = await validate(program, witness, '--timeout', '40');
      expect(text).toMatch(/peterson-safe\.c: safe /);
      expect(status).toBe(0);
    },
    LIMIT_MS,
  );
});

describe('--validate-witness with invariants', () => {
  const INVARIANTS = `#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *u) {
  pthread_mutex_lock(&m);
  x = x + 1;
  y = y + 1;
  pthread_mutex_unlock(&m);
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int i = 0;
  while (i < 3) {
    i++;
  }
  pthread_mutex_lock(&m);
  assert(x == y);
  pthread_mutex_unlock(&m);
  return 0;
}
`;
  /** In the manner of Goblint and CPAchecker. */
  const witness = (atSeven: string, atLoop: string) => `- entry_type: invariant_set
  metadata: {format_version: '2.0', producer: {name: Goblint, version: 2.3.0}}
  content:
  - invariant:
      type: location_invariant
      location: {file_name: ./i.c, line: 7, column: 3, function: f}
      value: ${atSeven}
      format: c_expression
  - invariant:
      type: loop_invariant
      location: {file_name: ./i.c, line: 16, column: 3, function: main}
      value: ${atLoop}
      format: c_expression
`;
  const check = (text: string) => validate(built.file('i.c', INVARIANTS), built.file('i.yml', text), '--timeout', '30');

  it(
    'confirms what holds, and refutes what an execution breaks',
    async () => {
      const right = await check(witness('x == y && x <= 1', '(0 <= i && i <= 3)'));
      expect(right.text).toMatch(/i\.c: safe .*\n {2}The witness has 2 invariants; 2 of them were checked/);
      expect(right.status).toBe(0);
      const wrong = await check(witness('x == y', 'i <= 2'));
      expect(wrong.text).toMatch(/i\.c: unsafe: assertion: invariant of the witness: i <= 2 /);
      expect(wrong.text).toContain('  T0  16  while (i < 3) {');
      expect(wrong.status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'confirms nothing where an invariant cannot be looked at',
    async () => {
      const { text, status } = await check(witness('x == y', 'f(0) == 0'));
      expect(text).toContain('unknown: not all invariants of the witness could be checked; the others hold');
      expect(text).toContain('Not checked, for it is no expression of C that can stand there: line 16: f(0) == 0');
      expect(status).toBe(3);
    },
    LIMIT_MS,
  );

  it('reads entries of the first version', () => {
    const old = `- entry_type: loop_invariant
  metadata: {format_version: '0.1'}
  location: {file_name: a.c, file_hash: x, line: 4, column: 2, function: main}
  loop_invariant: {string: i >= 0, type: assertion, format: C}
`;
    expect(readWitness(old)).toEqual({
      kind: 'invariants',
      invariants: [{ kind: 'loop', file: 'a.c', line: 4, column: 2, condition: 'i >= 0' }],
    });
  });
});

describe('a witness of a data race', () => {
  const RACY = `#include <pthread.h>
int x;
void *f(void *u) { x = 1; return u; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
`;
  const others = (...lines: [thread: number, line: number][]) => `- entry_type: violation_sequence
  content:
  - segment:
    - waypoint: {type: function_enter, action: follow, thread_id: 0, location: {line: 6}}
  - segment:
${lines.map(([thread, line]) => `    - waypoint: {type: target, action: follow, thread_id: ${thread}, location: {line: ${line}}}`).join('\n')}
`;

  it.each(['own.yml', 'own.graphml'])(
    'leads to it: %s',
    async (name) => {
      const program = built.file('racy.c', RACY);
      const own = built.file(name, '');
      expect((await built.run(['check', '--check', 'race', '--witness', own, program])).status).toBe(10);
      expect((await validate(program, own, '--check', 'race')).status).toBe(10);
    },
    LIMIT_MS,
  );

  it(
    'may name the two accesses in any order, and what is not on the way',
    async () => {
      const program = built.file('racy.c', RACY);
      const status = async (text: string) =>
        (await validate(program, built.file('others.yml', text), '--check', 'race', '--timeout', '20')).status;
      expect(await status(others([0, 7], [1, 3]))).toBe(10);
      expect(await status(others([1, 3], [0, 7]))).toBe(10);
      const avoiding = others([0, 7], [1, 3]).replace(
        '  - segment:\n    - waypoint: {type: target',
        '  - segment:\n    - waypoint: {type: assumption, action: avoid, thread_id: 0, location: {line: 7}, constraint: {value: "1"}}\n    - waypoint: {type: target',
      );
      expect(await status(avoiding)).toBe(1);
    },
    LIMIT_MS,
  );
});
