import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { drawStudy, makeStudy, printStudy, printStudyPage, type StudySample } from './swarm-study.ts';

const MB = 2 ** 20;

/** 40 instances, ten of them with a bug, which take 1 to 10 s. */
const samples: readonly StudySample[] = Array.from({ length: 40 }, (_, i) =>
  i < 10
    ? { verdict: 'violation', ms: 1000 * (10 - i), memoryBytes: (i + 1) * MB }
    : { verdict: i === 39 ? 'unknown' : 'none', ms: 20_000, memoryBytes: MB },
);

describe('the study of a swarm', () => {
  const study = makeStudy(samples);

  it('tells times and memory of instances with a bug, and their share', () => {
    expect(study).toMatchObject({ instances: 40, withBug: 10, withoutAnswer: 1 });
    expect(study.bugMs).toMatchObject({ min: 1000, max: 10_000, average: 5500 });
    expect(study.bugMemoryBytes).toMatchObject({ min: MB, max: 10 * MB });
    expect(printStudy(study)).toContain('40 random instances, 10 with a bug (25.00 %); 1 without an answer');
    expect(printStudy(study)).toMatch(/time, with a bug \(s\) +1\.00 +10\.00 +5\.50 +2\.87/);
  });

  it('expects what drawing at random gives', () => {
    const random = createRandom(1);
    const drawn = (cores: number) => {
      let [sum, hits] = [0, 0];
      for (let i = 0; i < 40_000; i++) {
        let least = Number.POSITIVE_INFINITY;
        for (let n = 0; n < cores; n++) {
          const { verdict, ms } = random.pick(samples);
          if (verdict === 'violation') least = Math.min(least, ms);
        }
        if (least === Number.POSITIVE_INFINITY) continue;
        sum += least;
        hits++;
      }
      return { ms: sum / hits, share: hits / 40_000 };
    };
    for (const { cores, expectedMs } of study.curve.filter((point) => [1, 4, 11].includes(point.cores)))
      expect(Math.abs(drawn(cores).ms - expectedMs) / expectedMs).toBeLessThan(0.03);
    expect(study.certain95?.cores).toBe(11);
    expect(drawn(11).share).toBeGreaterThan(0.95);
    expect(drawn(10).share).toBeLessThan(0.95);
    expect(study.certain99?.cores).toBe(17);
    expect(study.curve.at(-1)).toEqual({ cores: 2000, expectedMs: expect.closeTo(1000, 5) });
  });

  it('is a picture, and a page with it', () => {
    const picture = drawStudy(study, 'a<b.c') ?? '';
    expect(picture).toContain('<polyline');
    expect(picture).toContain('95 %: 11 cores');
    expect(picture).toContain('a&lt;b.c');
    expect(picture).not.toContain('NaN');
    expect(printStudyPage(study, 'a<b.c')).toContain(picture);
  });

  it('without a bug has no picture', () => {
    const none = makeStudy(samples.filter(({ verdict }) => verdict === 'none'));
    expect(drawStudy(none, 'x.c')).toBeNull();
    expect(printStudyPage(none, 'x.c')).toContain('No instance has a bug.');
    expect(makeStudy([])).toMatchObject({ instances: 0, curve: [], certain95: null });
  });
});
