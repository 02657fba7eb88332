// What gcc's ThreadSanitizer says of a random program when it really runs, with delays between its statements. It
// reports races of the runs that it sees, and only such; so what it reports must be there. Where it is silent, nothing
// is known. Fences are left out of the programs, because it does not know them.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { writeText } from './gcc.ts';
import { noiseHarness } from './noise-harness.ts';

/** Sections of the program's own hold one lock; runs that fail an assumption end. */
const HARNESS = `${noiseHarness({ chances: 3, longestUs: 300, limitMs: 2000 })}#include <pthread.h>
int __VERIFIER_nondet_int(void) { return draw() % 3; }
void __VERIFIER_assume(int condition) { if (!condition) _exit(3); }
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
`;

const REPORT = 'WARNING: ThreadSanitizer: data race';

export interface SanitizerRequest {
  readonly gcc: string;
  readonly folder: string;
  readonly text: string;
  readonly runs: number;
}

/** Whether it reports a race; null where the program does not compile with it. */
export function sanitizerReports({ gcc, folder, text, runs }: SanitizerRequest): boolean | null {
  const noisy = `void noise(void);\n${text.replaceAll(/;\n {2}/g, ';\n  noise();\n  ')}`;
  const files = [writeText(folder, 'race.c', noisy), writeText(folder, 'harness.c', HARNESS)];
  const program = path.join(folder, 'race');
  const made = spawnSync(gcc, ['-w', '-O0', '-g', '-fsanitize=thread', '-pthread', ...files, '-o', program]);
  if (made.status !== 0) return null;
  for (let run = 0; run < runs; run++) {
    const environment = { ...process.env, LAZULI_NOISE: `${run + 1}`, TSAN_OPTIONS: 'halt_on_error=1' };
    const { stderr } = spawnSync(program, { env: environment, encoding: 'utf8', timeout: 10_000 });
    if (stderr.includes(REPORT)) return true;
  }
  return false;
}
