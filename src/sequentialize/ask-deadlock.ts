/**
 * The question whether threads wait for ever, at the end of a sequential program: of the state in which the schedule
 * has ended, any set of threads is guessed, and each of them tries its next step once more. One that waits there says
 * so and returns, having changed nothing (passes/label/refuse-late-waits.ts); if one does not wait, the guess was
 * wrong. It is a deadlock if all threads that are left are in the set, or if each of the set waits for a thread that is
 * in it or has ended: a circle of locks and joins, which nobody else opens.
 *
 * That is the question of encode/encode-deadlock.ts, but for threads that spin, which are none of the set here: whoever
 * goes round a loop can go on.
 */

import { assertionText, isLeft, PROBES, type ProbedThread } from './probed-thread.ts';
import type { SchemaInput, SchemaThread } from './schema.ts';

/** The macro for a wait, with its condition and the number, plus one, of the thread that is waited for. */
export const WAIT = '__lazuli_wait';
/** Beginning of the names of the variables that tell which threads wait. */
export const WAITING = '__lazuli_waiting_';
const HOLDER = '__lazuli_holder';
const STUCK = '__lazuli_stuck';

export function deadlockDeclarations({ seeks, spelling }: SchemaInput): readonly string[] {
  if (seeks !== 'deadlock') return [];
  return [
    `static _Bool ${PROBES}, ${STUCK};`,
    `static int ${HOLDER};`,
    `#define ${WAIT}(C, H) \\`,
    `  do { if (${PROBES} && !(C)) { ${STUCK} = 1; ${HOLDER} = H; return; } ${spelling.assume}(C); } while (0)`,
  ];
}

/** The last lines of the driver. */
export function askDeadlock(input: SchemaInput, probed: (thread: SchemaThread) => ProbedThread): readonly string[] {
  const { seeks, spelling, threads } = input;
  if (seeks !== 'deadlock') return [];
  const all = threads.map((thread) => ({ ...probed(thread), number: thread.number }));
  const waiting = ({ number }: { readonly number: number }) => `${WAITING}${number}`;
  const holder = ({ number }: { readonly number: number }) => `${HOLDER}_${number}`;
  const isOver = (thread: (typeof all)[number]) => {
    const ended = `${thread.hasEnded} || ${waiting(thread)}`;
    return thread.isCreated === null ? `(${ended})` : `(!${thread.isCreated} || ${ended})`;
  };
  const isHeld = (thread: (typeof all)[number]) => {
    const by = all.map((other) => `${holder(thread)} == ${other.number + 1} && ${isGone(other)}`);
    return `(!${waiting(thread)} || ${by.join(' || ')})`;
  };
  const isGone = (other: (typeof all)[number]) => {
    const ended = other.isCreated === null ? other.hasEnded : `${other.isCreated} && ${other.hasEnded}`;
    return `(${waiting(other)} || ${ended})`;
  };
  return [
    '  /* Which threads wait for ever: any that do are guessed, and try their next steps. */',
    `  ${PROBES} = 1;`,
    ...all.map((thread) => `  _Bool ${waiting(thread)} = ${spelling.nondet('_Bool')}();`),
    ...all.map((thread) => `  int ${holder(thread)} = 0;`),
    ...all.flatMap((thread) => [
      `  if (${waiting(thread)}) {`,
      `    ${spelling.assume}(${isLeft(thread)});`,
      `    ${STUCK} = 0;`,
      ...thread.step.map((line) => `    ${line}`),
      `    ${spelling.assume}(${STUCK});`,
      `    ${holder(thread)} = ${HOLDER};`,
      '  }',
    ]),
    `  _Bool __lazuli_all = ${all.map(isOver).join(' && ')};`,
    `  _Bool __lazuli_circle = ${all.map(isHeld).join(' && ')};`,
    `  ${spelling.assume}(${all.map(waiting).join(' || ')});`,
    `  ${assertionText('!(__lazuli_all || __lazuli_circle)', 'deadlock: threads wait for ever', spelling)};`,
  ];
}
