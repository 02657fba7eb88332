// Mutated C through the whole front end, the type checker and the printer included: the answer is diagnostics or a
// program, soon, and a program that is accepted can be printed and read again. LAZULI_FUZZ_COUNT and LAZULI_FUZZ_SEED
// vary it.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/support/random.ts';
import { findBenchmarks } from '../support/benchmarks.ts';
import { randomC } from '../support/random-c.ts';
import { firstDifference, roundTrip } from '../support/round-trip.ts';
import { mutate } from './mutate.ts';

const COUNT = Number(process.env.LAZULI_FUZZ_COUNT ?? 600);
const SEED = Number(process.env.LAZULI_FUZZ_SEED ?? 1);
const HANG_MS = 5_000;
const TIMEOUT_MS = 60_000 + 40 * COUNT;

/** The inclusions cost most of the time and are not what is mutated; what most programs need of them is declared. */
function withoutInclusions(text: string): string {
  return `int printf(const char *, ...);\n${text.replace(/^ *#include.*$/gm, '')}`;
}

/** Our own programs, random ones, and the ends of the benchmarks, where the program itself stands. */
function readCorpus(): string[] {
  const programs = fileURLToPath(new URL('../programs/sequential', import.meta.url));
  const corpus = readdirSync(programs).map((file) => readFileSync(path.join(programs, file), 'utf8'));
  for (let seed = 0; seed < 80; seed++) corpus.push(randomC({ seed, size: 20 }));
  const benchmarks = findBenchmarks();
  const files = benchmarks === null ? [] : readdirSync(benchmarks, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.[ic]$/.test(name)).sort()) {
    corpus.push(readFileSync(path.join(benchmarks ?? '', file), 'utf8').slice(-2_000));
  }
  return corpus.map(withoutInclusions);
}

type Verdict = 'accepted' | 'refused' | { readonly fault: string };

function judge(text: string): Verdict {
  const start = performance.now();
  let verdict: Verdict = 'accepted';
  try {
    const trip = roundTrip('mutated.c', text, 'LP64');
    if (trip.kind === 'failed') {
      if (trip.message.startsWith('what was printed')) return { fault: trip.message };
      verdict = 'refused';
    } else if (trip.text !== trip.again) {
      return { fault: `printed twice, ${firstDifference(trip.text, trip.again)}` };
    }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const milliseconds = performance.now() - start;
  return milliseconds > HANG_MS ? { fault: `took ${milliseconds.toFixed(0)} ms` } : verdict;
}

describe('type checker and printer under mutation', () => {
  it(
    `survive ${COUNT} mutated texts (seed ${SEED})`,
    () => {
      const random = createRandom(SEED);
      const corpus = readCorpus();
      let accepted = 0;
      for (let i = 0; i < COUNT; i++) {
        const text = mutate(random.pick(corpus), random.pick(corpus), random);
        const verdict = judge(text);
        expect(verdict, `seed ${SEED}, input ${i}: ${JSON.stringify(text)}`).toBeTypeOf('string');
        if (verdict === 'accepted') accepted++;
      }
      expect(accepted).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
