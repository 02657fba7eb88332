/**
 * The question for a data race, at the end of a sequential program: in the state in which the schedule has ended, two
 * threads stand before conflicting accesses (encode/encode-race.ts has the reason why that is all). Two threads are
 * guessed, and each tries its next step, in which it says what it is about to touch (passes/watch-accesses.ts).
 *
 * The first of the two stands before an access that is not atomic, and returns before it makes it, so that the second
 * finds memory as it was. That one may stand before an atomic section: it goes through with it, since a section that
 * cannot be completed does nothing, and says any one of the accesses in it.
 */

import { assertionText, isLeft, PROBES, type ProbedThread } from './probed-thread.ts';
import type { SchemaInput, SchemaThread } from './schema.ts';

/** The macros for accesses: an address, so many bytes, from this offset on, and whether they are written. */
export const TOUCH = '__lazuli_touch';
export const TOUCH_ATOMIC = '__lazuli_touch_atomic';
/** Beginnings of the names of the variables that tell which two threads race. */
export const FIRST = '__lazuli_first_';
export const SECOND = '__lazuli_second_';

export function raceDeclarations({ seeks, spelling }: SchemaInput): readonly string[] {
  if (seeks !== 'race') return [];
  const chance = `${spelling.nondet('_Bool')}()`;
  return [
    `static unsigned char ${PROBES};`,
    '/* What a thread that tries its next step is about to touch. */',
    'static _Bool __lazuli_touched, __lazuli_writes;',
    'static unsigned long __lazuli_at, __lazuli_bytes;',
    '#define __lazuli_say(A, N, O, W) \\',
    '  { __lazuli_touched = 1; __lazuli_at = (unsigned long)(A) + O; __lazuli_bytes = N; __lazuli_writes = W; }',
    `#define ${TOUCH}(A, N, O, W) \\`,
    `  do { if (${PROBES} && ${chance}) { __lazuli_say(A, N, O, W) return; } } while (0)`,
    `#define ${TOUCH_ATOMIC}(A, N, O, W) \\`,
    `  do { if (${PROBES} == 2 && ${chance}) __lazuli_say(A, N, O, W) } while (0)`,
  ];
}

/** The last lines of the driver. */
export function askRace(input: SchemaInput, probed: (thread: SchemaThread) => ProbedThread): readonly string[] {
  const { seeks, spelling, threads } = input;
  if (seeks !== 'race') return [];
  const all = threads.map((thread) => ({ ...probed(thread), number: thread.number }));
  const guess = (names: string) =>
    all.map(({ number }) => `  _Bool ${names}${number} = ${spelling.nondet('_Bool')}();`);
  const one = (names: string) => `${all.map(({ number }) => `${names}${number}`).join(' + ')} == 1`;
  const tries = (names: string) =>
    all.flatMap((thread) => [
      `  if (${names}${thread.number}) {`,
      `    ${spelling.assume}(${isLeft(thread)}${names === SECOND ? ` && !${FIRST}${thread.number}` : ''});`,
      ...thread.step.map((line) => `    ${line}`),
      '  }',
      `  ${spelling.assume}(!${names}${thread.number} || __lazuli_touched);`,
    ]);
  const overlap =
    '__lazuli_first_at < __lazuli_at + __lazuli_bytes && __lazuli_at < __lazuli_first_at + __lazuli_first_bytes';
  return [
    '  /* Two threads that are about to touch the same bytes, one of them to write. */',
    ...guess(FIRST),
    ...guess(SECOND),
    `  ${spelling.assume}(${one(FIRST)} && ${one(SECOND)});`,
    `  ${PROBES} = 1;`,
    ...tries(FIRST),
    '  unsigned long __lazuli_first_at = __lazuli_at, __lazuli_first_bytes = __lazuli_bytes;',
    '  _Bool __lazuli_first_writes = __lazuli_writes;',
    '  __lazuli_touched = 0;',
    `  ${PROBES} = 2;`,
    ...tries(SECOND),
    `  ${assertionText(`!((__lazuli_writes || __lazuli_first_writes) && ${overlap})`, 'race: a data race', spelling)};`,
  ];
}
