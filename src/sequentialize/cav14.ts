/**
 * The schema of the CAV 2014 paper (Fig. 3 to 5): arrays `pc`, `size` and `active` indexed by thread, one `cs` for the
 * thread that runs, and a driver that guesses before each run of a thread where it will be interrupted. The guess is
 * between the place where the thread stopped last and its end.
 */

import { askDeadlock } from './ask-deadlock.ts';
import { askRace } from './ask-race.ts';
import type { ProbedThread } from './probed-thread.ts';
import { describeRounds, macroCall, type Schema, type SchemaInput, type SchemaThread } from './schema.ts';
import { threadWriter } from './write-thread.ts';

export const cav14: Schema = {
  name: 'cav14',
  summary: 'the schema of the CAV 2014 paper: the driver guesses the next context switch before each run of a thread',
  keepsLoops: false,
  headComment: (input) => describeRounds('cav14', input),
  draws: 'unsigned int',
  usesControlBits: false,
  guessesFirst: false,
  writeThread: threadWriter({
    jump: (_, from, to) => `__lazuli_J(${from}, ${to});`,
    guard: (_, label) => `__lazuli_G(${label});`,
  }),
  activate: (thread, loc) => macroCall('__lazuli_activate', [thread], loc),
  declarations,
  driver,
};

function declarations({ threads, spelling }: SchemaInput): readonly string[] {
  const count = threads.length;
  const active = threads.map(({ number }) => (number === 0 ? 1 : 0)).join(', ');
  const sizes = threads.map(({ size }) => size).join(', ');
  return [
    `static _Bool __lazuli_active[${count}] = {${active}};`,
    `static unsigned int __lazuli_cs, __lazuli_ct, __lazuli_pc[${count}];`,
    `static const unsigned int __lazuli_size[${count}] = {${sizes}};`,
    `#define __lazuli_J(A, B) if (__lazuli_pc[__lazuli_ct] > A || A >= __lazuli_cs) goto __lazuli_##B`,
    `#define __lazuli_G(L) ${spelling.assume}(__lazuli_cs >= L)`,
    '#define __lazuli_activate(T) __lazuli_active[T] = 1',
  ];
}

function driver(input: SchemaInput): readonly string[] {
  const { schedule, rounds, closingMain } = input;
  return [
    'int main(void) {',
    '  unsigned int round;',
    `  for (round = 1; round <= ${rounds}; round++) {`,
    ...schedule.flatMap((number) => run(input, number, '    ')),
    '  }',
    ...(closingMain ? run(input, 0, '  ') : []),
    ...askDeadlock(input, probed),
    ...askRace(input, probed),
    '  return 0;',
    '}',
  ];
}

function probed({ number, functionName }: SchemaThread): ProbedThread {
  return {
    isCreated: number === 0 ? null : `__lazuli_active[${number}]`,
    hasEnded: `__lazuli_pc[${number}] == __lazuli_size[${number}]`,
    step: [`__lazuli_ct = ${number};`, `__lazuli_cs = __lazuli_pc[${number}] + 1;`, `${functionName}();`],
  };
}

function run({ threads, spelling, delays }: SchemaInput, number: number, indentation: string): string[] {
  const guess = spelling.nondet('unsigned int');
  return [
    ...(delays ? ['__lazuli_turn(__lazuli_now + 1);'] : []),
    `__lazuli_ct = ${number};`,
    `if (__lazuli_active[${number}]) {`,
    `  __lazuli_cs = __lazuli_pc[${number}] + ${guess}();`,
    `  ${spelling.assume}(__lazuli_cs >= __lazuli_pc[${number}] && __lazuli_cs <= __lazuli_size[${number}]);`,
    `  ${threads[number]?.functionName}();`,
    `  __lazuli_pc[${number}] = __lazuli_cs;`,
    '}',
  ].map((line) => indentation + line);
}
