/**
 * The schema of Lazy-CSeq 2.0: the control variables are separate for each thread and just wide enough, and the driver
 * has two phases. The first guesses for every thread where each of its rounds stops, and checks that these places do
 * not go backwards and lie within the thread; the second only runs the threads. (The paper guesses lengths and adds
 * them up; guessing the places spares the additions. docs/sequentialization.md lists all differences.) With many rounds
 * only schedules in normal form are guessed (normal-form.ts).
 */

import { pushAll } from '../support/push-all.ts';
import { askDeadlock } from './ask-deadlock.ts';
import { askRace } from './ask-race.ts';
import { normalForm } from './normal-form.ts';
import type { ProbedThread } from './probed-thread.ts';
import { bitsFor, describeRounds, macroCall, type Schema, type SchemaInput, type SchemaThread } from './schema.ts';
import { threadWriter } from './write-thread.ts';

export const lazy2: Schema = {
  name: 'lazy2',
  summary: 'variables of minimal width for each thread; all context switches are guessed before the simulation starts',
  keepsLoops: false,
  headComment: (input) => describeRounds('lazy2', input),
  draws: 'unsigned int',
  usesControlBits: true,
  guessesFirst: true,
  writeThread: threadWriter({
    jump: (thread, from, to) => `__lazuli_J(${thread}, ${from}, ${to});`,
    guard: (thread, label) => `__lazuli_G(${thread}, ${label});`,
  }),
  activate: (thread, loc) => macroCall('__lazuli_activate', [thread], loc),
  declarations,
  driver,
};

function controlType({ spelling }: SchemaInput, { size }: SchemaThread): string {
  return spelling.controlType(bitsFor(size));
}

function declarations(input: SchemaInput): readonly string[] {
  const { threads, spelling } = input;
  const created = threads.filter(({ number }) => number > 0);
  return [
    ...(created.length > 0
      ? [`static _Bool ${created.map(({ number }) => `__lazuli_active_${number}`).join(', ')};`]
      : []),
    ...threads.map((thread) => {
      const { number } = thread;
      return `static ${controlType(input, thread)} __lazuli_pc_${number}, __lazuli_cs_${number};`;
    }),
    `#define __lazuli_J(T, A, B) if (__lazuli_pc_##T > A || A >= __lazuli_cs_##T) goto __lazuli_##B`,
    `#define __lazuli_G(T, L) ${spelling.assume}(__lazuli_cs_##T >= L)`,
    '#define __lazuli_activate(T) __lazuli_active_##T = 1',
  ];
}

function driver(input: SchemaInput): readonly string[] {
  const { threads, schedule, rounds } = input;
  const order = schedule.map((number) => threads[number] as SchemaThread);
  const lines = ['int main(void) {', '  /* Where each round of each thread stops. */'];
  for (const thread of order) pushAll(lines, guesses(input, thread));
  pushAll(lines, inNormalForm(input));
  for (let round = 0; round < rounds; round++) {
    lines.push(`  /* Round ${round + 1}. */`);
    for (const [at, thread] of order.entries()) pushAll(lines, run(input, thread, round, at));
  }
  if (input.closingMain) {
    lines.push('  /* Main once more. */');
    pushAll(lines, run(input, threads[0] as SchemaThread, rounds, 0));
  }
  pushAll(lines, askDeadlock(input, probed));
  pushAll(lines, askRace(input, probed));
  return [...lines, '  return 0;', '}'];
}

function probed({ number, size, functionName }: SchemaThread): ProbedThread {
  return {
    isCreated: number === 0 ? null : `__lazuli_active_${number}`,
    hasEnded: `__lazuli_pc_${number} == ${size}`,
    step: [`__lazuli_cs_${number} = __lazuli_pc_${number} + 1;`, `${functionName}();`],
  };
}

const stopOf = (thread: number, round: number): string => `__lazuli_stop_${thread}_${round}`;

function inNormalForm({ conflicts, ...input }: SchemaInput): string[] {
  if (conflicts === null) return [];
  const conditions = normalForm({ ...input, conflicts, stop: stopOf });
  return [
    '  /* Steps come as early as they can. */',
    ...conditions.flatMap((parts) => `  ${input.spelling.assume}(${parts.join('\n    || ')});`.split('\n')),
  ];
}

function guesses(input: SchemaInput, thread: SchemaThread): string[] {
  const { spelling } = input;
  const { number, size } = thread;
  const rounds = number === 0 && input.closingMain ? input.rounds + 1 : input.rounds;
  const type = controlType(input, thread);
  const names = Array.from({ length: rounds }, (_, round) => stopOf(number, round));
  const declared = names.map((name) => `  ${type} ${name} = ${spelling.nondet('unsigned int')}();`);
  const checks = names.map((name, i) => `${name} <= ${names[i + 1] ?? size}`);
  return [...declared, `  ${spelling.assume}(${checks.join(' && ')});`];
}

/**
 * A thread that does not exist yet is held at its start by an assumption. With `if (active)` around the call, all that
 * the thread writes would have two values behind it, from with and from without the call.
 */
function run(input: SchemaInput, { number, functionName }: SchemaThread, round: number, at: number): string[] {
  const { spelling, delays, threads } = input;
  const stop = stopOf(number, round);
  return [
    ...(number === 0 ? [] : [`  ${spelling.assume}(__lazuli_active_${number} || ${stop} == 0);`]),
    ...(delays ? [`  __lazuli_turn(${round * threads.length + at + 1});`] : []),
    `  __lazuli_cs_${number} = ${stop};`,
    `  ${functionName}();`,
    `  __lazuli_pc_${number} = __lazuli_cs_${number};`,
  ];
}
