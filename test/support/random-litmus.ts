/** Random litmus tests: two or three threads of a few operations, and an outcome that some model allows, or nearly. */

import type { Random } from '../../src/support/random.ts';
import { finalValue, type Litmus, outcomesOf } from './litmus.ts';

const STORES = ['W', 'W', 'W', 'W.rlx', 'W.rel', 'W.sc'];
const LOADS = ['R', 'R', 'R.acq', 'R.sc'];
const FENCES = ['F', 'F.rel', 'F.acq', 'F.ar'];

/** `isMixed`: with bytes of words. */
export function randomLitmus(random: Random, isMixed: boolean): Litmus {
  const places = isMixed ? ['x', 'x0', 'x1', 'y', 'y0'] : ['x', 'y', 'z'].slice(0, 2 + random.below(2));
  const count = random.chance(1, 4) ? 3 : 2;
  const registers: string[] = [];
  let value = 0;
  const operation = (): string => {
    const place = random.pick(places);
    const kind = random.below(10);
    if (kind < 4) {
      value += isMixed && place.length === 1 ? 257 : 1;
      return `${random.pick(STORES)} ${place} ${place.length === 1 ? value : value % 256}`;
    }
    if (kind === 8) return random.pick(FENCES);
    const register = `r${registers.length}`;
    registers.push(register);
    if (kind === 9) return `${random.pick(['A', 'X'])} ${place} 1 ${register}`;
    return `${random.pick(LOADS)} ${place} ${register}`;
  };
  const length = count === 3 ? 3 : 4;
  const threads = Array.from({ length: count }, () =>
    Array.from({ length: 2 + random.below(length - 1) }, operation).join('; '),
  );
  // Registers of a thread go into one word.
  const asked = threads.flatMap((thread) =>
    [...thread.matchAll(/\br\d+/g)].slice(0, isMixed ? 2 : 3).map(([name]) => name),
  );
  const isUsed = (place: string) => threads.some((thread) => thread.includes(` ${place}`));
  const names = [...asked, ...places.filter((place) => place.length === 1 && isUsed(place) && random.chance(1, 3))];
  return { threads, outcome: chooseOutcome({ threads, outcome: {} }, names, random) };
}

/** One that a model allows and a stronger one may not; now and then with a value changed. */
function chooseOutcome(litmus: Litmus, names: readonly string[], random: Random): Record<string, number> {
  const print = (end: Record<string, number>) => JSON.stringify(names.map((name) => finalValue(end, name)));
  const strong = new Set(outcomesOf(litmus, random.chance(1, 2) ? 'tso' : 'sc').map(print));
  const all = outcomesOf(litmus, 'pso');
  const weak = all.filter((end) => !strong.has(print(end)));
  const end = random.pick(weak.length > 0 && random.chance(3, 4) ? weak : all);
  const outcome = Object.fromEntries(names.map((name) => [name, finalValue(end, name)]));
  const changed = names.length > 0 && random.chance(1, 4) ? random.pick(names) : null;
  if (changed) outcome[changed] = finalValue(random.pick(all), changed);
  return outcome;
}
