/**
 * The unlimited lazy sequentialization (UL-CSeq; Fig. 5.1 to 5.3 of the thesis): loops stay, and so neither iterations
 * nor context switches have a bound, only threads. The driver calls the threads that have been created in turn, for
 * ever. A call goes through three modes, kept in `s`: it looks for the label where the thread stopped (RESUME), runs on
 * from there (EXECUTE), and may stop at every label that it comes to, which it notes in `pc` (SUSPEND); then the rest
 * is stepped over. `write-resumable-thread.ts` has the thread functions.
 *
 * A thread at its last label has ended. Who waits for something that is not so is pruned by an assumption, as in the
 * other schemas: there is an execution in which the thread stopped before it waited.
 */

import { askDeadlock } from './ask-deadlock.ts';
import { PROBES, type ProbedThread } from './probed-thread.ts';
import { bitsFor, macroCall, type Schema, type SchemaInput, type SchemaThread } from './schema.ts';
import { writeResumableThread } from './write-resumable-thread.ts';

export const ul: Schema = {
  name: 'ul',
  summary:
    'loops are kept and rounds without end, for verifiers that prove; only loops that create threads are unwound',
  keepsLoops: true,
  headComment: () => [
    '/* Made by Lazuli from a program with threads (ul): each call of a thread goes on at the label where it stopped (pc),',
    '   and may stop at any label that it comes to. */',
  ],
  draws: '_Bool',
  usesControlBits: true,
  guessesFirst: false,
  writeThread: writeResumableThread,
  activate: (thread, loc) => macroCall('__lazuli_create', [thread], loc),
  declarations,
  driver,
};

function declarations({ threads, spelling, seeks }: SchemaInput): readonly string[] {
  const created = threads.filter(({ number }) => number > 0);
  return [
    'enum { __lazuli_RESUME, __lazuli_EXECUTE, __lazuli_SUSPEND };',
    'static unsigned char __lazuli_s;',
    ...(created.length > 0
      ? [`static _Bool ${created.map(({ number }) => `__lazuli_created_${number}`).join(', ')};`]
      : []),
    ...threads.map(({ number, size }) => `static ${spelling.controlType(bitsFor(size))} __lazuli_pc_${number};`),
    '#define __lazuli_EXEC (__lazuli_s == __lazuli_EXECUTE)',
    '#define __lazuli_WITHIN(T, L) (__lazuli_s == __lazuli_RESUME && __lazuli_pc_##T <= L)',
    '#define __lazuli_CONTR(T, L) \\',
    // Who tries a step does not come to the next one.
    ...(seeks === null ? [] : [`  if (__lazuli_EXEC) ${spelling.assume}(!${PROBES}); \\`]),
    '  if (__lazuli_s == __lazuli_RESUME && __lazuli_pc_##T == L) __lazuli_s = __lazuli_EXECUTE; \\',
    `  if (__lazuli_EXEC && ${seeks === null ? '' : `!${PROBES} && `}${spelling.nondet('_Bool')}()) { __lazuli_pc_##T = L; __lazuli_s = __lazuli_SUSPEND; }`,
    '#define __lazuli_END(T, L) if (__lazuli_EXEC) { __lazuli_pc_##T = L; __lazuli_s = __lazuli_SUSPEND; }',
    '#define __lazuli_create(T) __lazuli_created_##T = 1',
  ];
}

function driver(input: SchemaInput): readonly string[] {
  const { threads, schedule, spelling, seeks } = input;
  const calls = schedule.flatMap((number) => {
    const call = `${threads[number]?.functionName}();`;
    return [
      '    __lazuli_s = __lazuli_RESUME;',
      `    ${number === 0 ? '' : `if (__lazuli_created_${number}) `}${call}`,
    ];
  });
  const ended = threads.map(({ number, size }) => {
    const isAtEnd = `__lazuli_pc_${number} == ${size}`;
    return number === 0 ? isAtEnd : `(!__lazuli_created_${number} || ${isAtEnd})`;
  });
  // What really runs is to end when nothing is left to do.
  const end = spelling.isRun ? [`    if (${ended.join(' && ')}) return 0;`] : [];
  if (seeks === null) return ['int main(void) {', '  while (1) {', ...calls, ...end, '  }', '}'];
  const often = `  while (${spelling.nondet('_Bool')}()) {`;
  return ['int main(void) {', often, ...calls, ...end, '  }', ...askDeadlock(input, probed), '  return 0;', '}'];
}

function probed({ number, size, functionName }: SchemaThread): ProbedThread {
  return {
    isCreated: number === 0 ? null : `__lazuli_created_${number}`,
    hasEnded: `__lazuli_pc_${number} == ${size}`,
    step: ['__lazuli_s = __lazuli_RESUME;', `${functionName}();`],
  };
}
