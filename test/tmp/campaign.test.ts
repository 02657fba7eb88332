import { it } from 'vitest';
import type { CheckName } from '../../src/program/check-names.ts';
import { compareWithEnumeration } from '../support/agreement.ts';
import { randomRaces } from '../support/random-races.ts';
import { randomThreads } from '../support/random-threads.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.COUNT ?? 100);
const SEED = Number(process.env.SEED ?? 1);
const KIND = process.env.KIND ?? 'races';
const KINDS = [{}, { hasLibrary: true }, { hasLifetimes: true }, { hasBytes: true }] as const;
it('campaign', async () => {
  const counts: Record<string, number> = {};
  const end = Date.now() + Number(process.env.MS ?? 100000);
  let differs = 0;
  let seed = SEED;
  for (; seed < SEED + COUNT && Date.now() < end; seed++) {
    const text =
      KIND === 'races' ? randomRaces(seed, 2 + (seed % 2)) : randomThreads({ seed, size: 2, ...KINDS[seed % 4] });
    const sets: CheckName[][] = [['race'], ['race'], ['race', 'pointer', 'free'], ['race', 'deadlock']];
    const checks = new Set(sets[(seed >> 2) % 4]);
    const compare = async (t: string) => {
      try {
        return await compareWithEnumeration(t, {
          checks,
          dataModel: seed % 3 === 0 ? 'ILP32' : 'LP64',
          rounds: 3 + (seed % 4),
          stateLimit: Number(process.env.STATES ?? 4000),
        });
      } catch (e) {
        return { kind: 'skipped', message: `no program ${e}` } as const;
      }
    };
    const a = await compare(text);
    const key = a.kind === 'skipped' ? `skipped ${a.message.slice(0, 70)}` : a.kind;
    counts[key] = (counts[key] ?? 0) + 1;
    if (a.kind === 'differ') {
      differs++;
      const small = await shrink(text, async (each) => (await compare(each)).kind === 'differ', 300);
      console.log(`seed ${seed} [${[...checks]}]: ${a.message}\n${small}`);
      if (differs > 3) break;
    }
  }
  console.log(seed - SEED, JSON.stringify(counts, null, 1));
}, 1000000);
