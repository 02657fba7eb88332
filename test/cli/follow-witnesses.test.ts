// Violation witnesses as other tools write them are followed, in all that the formats can say: branches, calls and
// returns, conditions, what is to be avoided; and what leads nowhere is told with its reason.

import { describe, expect, it } from 'vitest';
import { readWitness } from '../../src/cli/read-witness.ts';
import { checkText } from '../support/check-text.ts';

/** One value of `n`, one way through the branches, and one order of the threads break it. */
const PROGRAM = `#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int x, mode;
int half(int v) {
  return v / 2;
}
void *work(void *u) {
  int i = 0;
  while (i < 2) {
    x = x + 1;
    i++;
  }
  return u; }
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  if (n > 10)
    mode = half(n);
  else mode = 1;
  switch (mode) {
    case 1: break;
    case 21:
      mode = 5;
      break;
    default: mode = 0;
  }
  pthread_create(&t, 0, work, 0);
  if (mode == 5 && x == 1) __VERIFIER_error();
  pthread_join(t, 0);
  return 0;
}
`;

/** Enough for hundreds of runs. */
const SHORT_MS = 1500;

const HEAD = `- entry_type: violation_sequence
  metadata: {format_version: '2.2', producer: {name: other}}
  content:
`;

/** A waypoint in a segment of its own. */
const follow = (type: string, line: number, thread: number, constraint = '', column = '') =>
  `  - segment:\n    - waypoint: {type: ${type}, action: follow, thread_id: ${thread}, location: {file_name: dir/program.c, line: ${line}${column}}${
    constraint === '' ? '' : `, constraint: {value: '${constraint}', format: c_expression}`
  }}\n`;

const avoid = (type: string, line: number, constraint: string) =>
  `    - waypoint: {type: ${type}, action: avoid, thread_id: 0, location: {file_name: dir/program.c, line: ${line}}, constraint: {value: '${constraint}'}}\n`;

const TARGET = follow('target', 29, 0);

async function validate(witness: string, timeLimitMs = 20_000) {
  const read = readWitness(witness);
  if (read.kind !== 'witness') return read;
  const outcome = await checkText(PROGRAM, { witness: read.path, timeLimitMs });
  return { kind: outcome.kind, reason: outcome.kind === 'unknown' ? outcome.reason : '' };
}

/** Deagle and Dartagnan write few waypoints, CPAchecker many, Ultimate assumptions about all that it knows. */
const LEADING: readonly (readonly [string, string])[] = [
  ['assumptions alone', follow('assumption', 18, 0, 'n == 42') + TARGET],
  [
    'a branch that is taken',
    follow('branching', 18, 0, 'true', ', column: 3') + follow('assumption', 24, 0, 'n == 43') + TARGET,
  ],
  ['the label of a switch', follow('assumption', 18, 0, 'n == 43') + follow('branching', 21, 0, '21') + TARGET],
  [
    'what a call returns',
    follow('assumption', 18, 0, 'n == 42') + follow('function_return', 19, 0, '\\result == 21') + TARGET,
  ],
  ['what an input returns', follow('function_return', 17, 0, '\\result == 42') + TARGET],
  [
    'a call, the creation of a thread, and rounds of a loop',
    follow('function_enter', 19, 0) +
      follow('assumption', 21, 0, '1') +
      follow('assumption', 24, 0, 'mode >= 21 && 42 == n') +
      follow('function_enter', 28, 0) +
      follow('branching', 10, 1, 'true') +
      follow('assumption', 11, 1, 'x == 0 && i == 0') +
      TARGET,
  ],
  [
    'conditions that are avoided',
    follow('assumption', 24, 0, 'n == 42').replace('segment:\n', `segment:\n${avoid('assumption', 19, 'n == 44')}`) +
      TARGET,
  ],
  [
    'a branch that is avoided',
    TARGET.replace('segment:\n', `segment:\n${avoid('branching', 18, 'false')}`).replace(
      '- segment',
      `${follow('assumption', 24, 0, 'n == 42').trim()}\n  - segment`,
    ),
  ],
];

describe('witnesses that lead to the violation', () => {
  it.each(LEADING)('%s', async (_, content) => {
    expect(await validate(HEAD + content)).toMatchObject({ kind: 'unsafe' });
  });
});

const edge = (at: number, ...data: readonly (readonly [string, string])[]) =>
  `<edge source="A${at}" target="A${at + 1}">${data.map(([key, value]) => `<data key="${key}">${value}</data>`).join('')}</edge>`;

const graph = (...edges: string[]) => `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<data key="witness-type">violation_witness</data><data key="producer">CPAchecker 4.0</data>
<node id="A0"><data key="entry">true</data></node><node id="sink"><data key="sink">true</data></node>
<node id="A${edges.length}"><data key="violation">true</data></node>
${edges.join('\n')}
<edge source="A1" target="sink"><data key="startline">20</data></edge>
</graph></graphml>`;

describe('witnesses in GraphML', () => {
  const GRAPH = (control: string) =>
    graph(
      edge(0, ['createThread', '0']),
      edge(1, ['threadId', '0'], ['enterFunction', 'main'], ['startline', '15']),
      // A declaration, where nothing is executed.
      edge(2, ['threadId', '0'], ['startline', '16'], ['endline', '16']),
      edge(3, ['threadId', '0'], ['startline', '18'], ['control', control], ['assumption', 'n == (42);']),
      edge(4, ['threadId', '0'], ['startline', '19'], ['enterFunction', 'half'], ['assumption.scope', 'main']),
      edge(5, ['threadId', '0'], ['startline', '6'], ['returnFromFunction', 'half']),
      edge(6, ['threadId', '0'], ['startline', '28'], ['createThread', '1']),
      edge(7, ['threadId', '1'], ['enterFunction', 'work'], ['startline', '8']),
      edge(8, ['threadId', '1'], ['startline', '11'], ['assumption', 'n == 42;x == 0;']),
      edge(9, ['threadId', '0'], ['startline', '29'], ['enterFunction', '__VERIFIER_error']),
    );

  it('are followed with threads, functions, controls and assumptions', async () => {
    expect(await validate(GRAPH('condition-true'))).toMatchObject({ kind: 'unsafe' });
  });

  it('lead nowhere where the control is wrong', async () => {
    const { kind, reason } = (await validate(GRAPH('condition-false'), SHORT_MS)) as { kind: string; reason: string };
    expect(kind).toBe('unknown');
    // The other branch calls nothing.
    expect(reason).toContain('no thread came to the next one (line 19 of thread 0, a call)');
  });
});

describe('witnesses that do not lead to the violation', () => {
  it.each([
    [
      'another branch',
      follow('branching', 18, 0, 'false') + TARGET,
      'and the last one (line 29 of thread 0) did not break',
    ],
    [
      'a condition that never holds',
      follow('assumption', 18, 0, 'n == 42') + follow('assumption', 24, 0, 'mode == 7') + TARGET,
      'at the next one (line 24 of thread 0, mode == 7) what the witness says did not hold',
    ],
    [
      'a place where nobody comes',
      follow('assumption', 6, 1, 'x == 0') + TARGET,
      'no thread came to the next one (line 6 of thread 1, x == 0)',
    ],
    [
      'no branch there',
      follow('branching', 29, 0, 'true', ', column: 40') + TARGET,
      'stands no branch that can be followed',
    ],
    [
      'what is to be avoided',
      TARGET.replace('segment:\n', `segment:\n${avoid('assumption', 28, 'mode == 5')}`).replace(
        '- segment',
        `${follow('assumption', 18, 0, 'n == 42').trim()}\n  - segment`,
      ),
      'but also to one that is to be avoided (line 28 of thread 0, mode == 5)',
    ],
  ])('%s', async (_, content, words) => {
    const { kind, reason } = (await validate(HEAD + content, SHORT_MS)) as { kind: string; reason: string };
    expect(kind).toBe('unknown');
    expect(reason).toContain(words);
  });

  it('are refused where they speak of something else', () => {
    const message = (content: string) => readWitness(HEAD + content);
    expect(message(follow('target', 3, 0).replace('follow', 'cycle'))).toMatchObject({
      message: 'the witness has a cycle: it speaks of executions without end, which are not looked for',
    });
    expect(message(follow('guess', 3, 0))).toMatchObject({ message: 'a waypoint of the witness has the type "guess"' });
    expect(message(TARGET.replace('line: 29', 'row: 29'))).toMatchObject({
      message: 'a waypoint of the witness (target) has no line',
    });
  });
});
