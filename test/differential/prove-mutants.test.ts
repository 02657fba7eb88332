// Mutants of programs that are proved: none of those that concrete runs or the bounded engine break may be proved. A
// sample of them; more with LAZULI_MUTANTS_COUNT, others with LAZULI_MUTANTS_SEED.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { createRandom } from '../../src/support/random.ts';
import { CHECKS, readCode } from '../support/agreement.ts';
import { checkText } from '../support/check-text.ts';
import { type Mutant, mutantsOf } from '../support/mutate-program.ts';

const COUNT = Number(process.env.LAZULI_MUTANTS_COUNT ?? 10);
const SEED = Number(process.env.LAZULI_MUTANTS_SEED ?? 1);
const TIME_LIMIT_MS = 1_500;

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = (name: string) => readFileSync(`${root}/examples/${name}-safe.c`, 'utf8');

/** Any number of threads in a critical section; main looks on. */
const CROWD = `#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside, done;
void *work(void *unused) {
  pthread_mutex_lock(&m);
  inside++;
  assert(inside == 1);
  inside--;
  done = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    assert(inside == 0);
    pthread_mutex_unlock(&m);
  }
}
`;

/** A loop without bound and a thread that is waited for. */
const LOOP = `#include <assert.h>
#include <pthread.h>
int turns, ready;
void *work(void *unused) {
  while (turns < 5) turns++;
  ready = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (ready == 1) assert(turns == 5);
  pthread_join(t, 0);
  assert(turns == 5);
  return 0;
}
`;

const PROGRAMS = [CROWD, LOOP, ...['peterson', 'bank-account', 'singleton', 'read-write-lock'].map(example)];

async function isProved(text: string, timeLimitMs: number): Promise<boolean> {
  const code = readCode(text, 'LP64', { checks: CHECKS });
  const environment = { clock: () => performance.now(), createSolvers: createIncrementalSolvers };
  // The proof is what is tested here, not its confirmation.
  const outcome = await prove(code, { checks: CHECKS, timeLimitMs, confirmMs: 0 }, environment);
  return outcome.kind === 'proved';
}

/** Programs that are no longer C are of no interest. */
async function judge({ name, text }: Mutant): Promise<boolean> {
  if (!(await isProved(text, TIME_LIMIT_MS))) return false;
  const outcome = await checkText(text, { explore: true, unwind: 6, rounds: 3 });
  if (outcome.kind === 'unsafe' && outcome.trace && CHECKS.has(outcome.trace.violation.check))
    expect.fail(`${name}: proved, but broken: ${outcome.trace.violation.message}\n${text}`);
  return true;
}

describe('mutants of proved programs', () => {
  it(
    `are proved only where they are right (${COUNT} from seed ${SEED})`,
    async () => {
      const random = createRandom(SEED);
      const mutants = PROGRAMS.flatMap(mutantsOf);
      let proved = 0;
      for (let i = 0; i < COUNT; i++) {
        const mutant = mutants[random.below(mutants.length)] as Mutant;
        if (await judge(mutant)) proved++;
      }
      expect(proved).toBeLessThan(COUNT);
      // A test in which nothing can be proved would show nothing.
      expect(await isProved(LOOP, 60_000)).toBe(true);
    },
    60_000 + 10_000 * COUNT,
  );
});
