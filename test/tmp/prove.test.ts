import { it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { enumerateAll, readCode } from '../support/agreement.ts';
import { randomRaces } from '../support/random-races.ts';

const SEED = Number(process.env.SEED ?? 1);
it('campaign', async () => {
  const counts: Record<string, number> = {};
  const end = Date.now() + Number(process.env.MS ?? 100000);
  let seed = SEED;
  for (; Date.now() < end; seed++) {
    const text = randomRaces(seed, 2 + (seed % 2));
    const checks = new Set<CheckName>(['race']);
    const code = readCode(text, 'ILP32', { checks });
    const truth = enumerateAll(code, 4000, checks);
    const outcome = await prove(
      code,
      { checks, timeLimitMs: 4000 },
      { clock: () => performance.now(), createSolvers: createIncrementalSolvers },
    );
    const t = truth.violations.length > 0 ? 'unsafe' : truth.isComplete ? 'safe' : 'large';
    const key = `${t} ${outcome.kind === 'proved' ? 'proved' : outcome.reason.slice(0, 60)}`;
    counts[key] = (counts[key] ?? 0) + 1;
    if (t === 'unsafe' && outcome.kind === 'proved') console.log(`WRONG seed ${seed}\n${text}`);
  }
  console.log(seed - SEED, JSON.stringify(counts, null, 1));
}, 1000000);
