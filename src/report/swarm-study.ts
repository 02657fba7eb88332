/**
 * The study of a swarm: what many random instances of a program say about their times, their memory and the share that
 * has the bug, and how long a first bug is expected to take with more cores (Fig. 4.5 and 4.6 of Nguyen's thesis).
 *
 * The expectation is computed, not drawn: n cores take n instances of the sample, each equally likely, with
 * replacement; under the condition that one of them has a bug, the time is that of the quickest one that has. An
 * instance is taken to run alone on its core, and nobody starts a second one.
 */

import { groupDigits } from '../support/group-digits.ts';
import { escapeXml } from './junit.ts';

export interface StudySample {
  readonly verdict: 'violation' | 'none' | 'unknown';
  readonly ms: number;
  readonly memoryBytes: number;
}

export interface Spread {
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly deviation: number;
}

export interface StudyPoint {
  readonly cores: number;
  readonly expectedMs: number;
}

export interface Study {
  readonly instances: number;
  readonly withBug: number;
  readonly withoutAnswer: number;
  /** Of all instances; null where there is none. */
  readonly allMs: Spread | null;
  /** Of those with a bug, as in the papers. */
  readonly bugMs: Spread | null;
  readonly bugMemoryBytes: Spread | null;
  /** By cores; empty without a bug. */
  readonly curve: readonly StudyPoint[];
  /** How many cores find a bug with these probabilities; null without a bug. */
  readonly certain95: StudyPoint | null;
  readonly certain99: StudyPoint | null;
}

const MOST_CORES = 2000;

export function makeStudy(samples: readonly StudySample[]): Study {
  const bugs = samples.filter(({ verdict }) => verdict === 'violation');
  const times = bugs.map(({ ms }) => ms).sort((a, b) => a - b);
  const share = samples.length === 0 ? 0 : bugs.length / samples.length;
  const at = (cores: number): StudyPoint => ({ cores, expectedMs: expectedMs(times, samples.length, cores) });
  const certain = (probability: number) => (times.length === 0 ? null : at(coresFor(share, probability)));
  return {
    instances: samples.length,
    withBug: bugs.length,
    withoutAnswer: samples.filter(({ verdict }) => verdict === 'unknown').length,
    allMs: spreadOf(samples.map(({ ms }) => ms)),
    bugMs: spreadOf(times),
    bugMemoryBytes: spreadOf(bugs.map(({ memoryBytes }) => memoryBytes)),
    curve: times.length === 0 ? [] : chooseCores().map(at),
    certain95: certain(0.95),
    certain99: certain(0.99),
  };
}

/** The smallest number of cores of which one has a bug with that probability. */
function coresFor(share: number, probability: number): number {
  return share >= 1 ? 1 : Math.max(1, Math.ceil(Math.log(1 - probability) / Math.log(1 - share)));
}

/** Ten for each doubling. */
function chooseCores(): readonly number[] {
  const cores = new Set<number>();
  for (let n = 1; n < MOST_CORES; n *= 2 ** 0.1) cores.add(Math.round(n));
  return [...cores, MOST_CORES];
}

/** `sorted` are the times of those with a bug, of `count` instances. */
function expectedMs(sorted: readonly number[], count: number, cores: number): number {
  const missing = (j: number) => (1 - j / count) ** cores;
  const sum = sorted.reduce((total, ms, j) => total + ms * (missing(j) - missing(j + 1)), 0);
  return sum / (1 - missing(sorted.length));
}

function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const average = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length;
  return {
    min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: values.reduce((a, b) => Math.max(a, b), 0),
    average,
    deviation: Math.sqrt(variance),
  };
}

// ---------------------------------------------------------------- as text

export function printStudy(study: Study): string {
  const { instances, withBug, withoutAnswer, allMs, bugMs, bugMemoryBytes } = study;
  const share = instances === 0 ? 0 : (100 * withBug) / instances;
  const open = withoutAnswer === 0 ? '' : `; ${groupDigits(withoutAnswer)} without an answer`;
  const rows: readonly (readonly [string, Spread | null, number, string])[] = [
    ['time, all', allMs, 1000, 's'],
    ['time, with a bug', bugMs, 1000, 's'],
    ['memory, with a bug', bugMemoryBytes, 2 ** 20, 'MB'],
  ];
  const lines = [
    `${groupDigits(instances)} random instances, ${groupDigits(withBug)} with a bug (${share.toFixed(2)} %)${open}`,
    '',
    `  ${''.padEnd(24)}${['minimum', 'maximum', 'average', 'deviation'].map((word) => word.padStart(11)).join('')}`,
  ];
  for (const [name, spread, unit, symbol] of rows) {
    if (!spread) continue;
    const { min, max, average, deviation } = spread;
    const cells = [min, max, average, deviation].map((value) => (value / unit).toFixed(2).padStart(11));
    lines.push(`  ${`${name} (${symbol})`.padEnd(24)}${cells.join('')}`);
  }
  if (study.certain95 && study.certain99) {
    const tell = ({ cores, expectedMs: ms }: StudyPoint) => `${groupDigits(cores)} cores, ${(ms / 1000).toFixed(2)} s`;
    lines.push('', `  a bug with 95 %: ${tell(study.certain95)}; with 99 %: ${tell(study.certain99)}`);
  }
  return `${lines.join('\n')}\n`;
}

// ---------------------------------------------------------------- as a picture

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [640, 360, 70, 50, 40, 20];

/** Expected time to the first bug against the number of cores, both on logarithmic axes; null without a bug. */
export function drawStudy(study: Study, program: string): string | null {
  const { curve, certain95, certain99 } = study;
  if (curve.length === 0 || !certain95 || !certain99) return null;
  const times = curve.map(({ expectedMs: ms }) => Math.max(ms, 1));
  const low = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) / 1.5;
  const high = times.reduce((a, b) => Math.max(a, b), 0) * 1.5;
  const x = (cores: number) => LEFT + (Math.log(cores) / Math.log(MOST_CORES)) * (WIDTH - LEFT - RIGHT);
  const y = (ms: number) =>
    HEIGHT - BOTTOM - (Math.log(Math.max(ms, 1) / low) / Math.log(high / low)) * (HEIGHT - BOTTOM - TOP);
  const place = ({ cores, expectedMs: ms }: StudyPoint) => `${x(cores).toFixed(1)},${y(ms).toFixed(1)}`;
  const axis = `stroke="currentColor" stroke-width="1"`;
  const coreTicks = [1, 10, 100, 1000].map(
    (cores) => `<text x="${x(cores).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${cores}</text>`,
  );
  const timeTicks = [low * 1.5, Math.sqrt(low * high), high / 1.5].map(
    (ms) =>
      `<text x="${LEFT - 8}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end">${(ms / 1000).toPrecision(2)} s</text>`,
  );
  const isShown = ({ cores }: StudyPoint) => cores <= MOST_CORES;
  const [x95, y95] = place(certain95).split(',');
  const [x99, y99] = place(certain99).split(',').map(Number) as [number, number];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor">
<title>Expected time to the first bug</title>
<text x="${LEFT}" y="20">${escapeXml(program)}: expected time to the first bug by cores</text>
<line x1="${LEFT}" y1="${HEIGHT - BOTTOM}" x2="${WIDTH - RIGHT}" y2="${HEIGHT - BOTTOM}" ${axis}/>
<line x1="${LEFT}" y1="${TOP}" x2="${LEFT}" y2="${HEIGHT - BOTTOM}" ${axis}/>
${coreTicks.join('\n')}
${timeTicks.join('\n')}
<text x="${WIDTH - RIGHT}" y="${HEIGHT - 12}" text-anchor="end">cores</text>
<polyline points="${curve.map(place).join(' ')}" fill="none" stroke="#2a6fb0" stroke-width="2"/>
${isShown(certain95) ? `<circle cx="${x95}" cy="${y95}" r="5" fill="#c0392b"><title>95 %: ${certain95.cores} cores</title></circle>` : ''}
${isShown(certain99) ? `<rect x="${(x99 - 5).toFixed(1)}" y="${(y99 - 5).toFixed(1)}" width="10" height="10" fill="#c0392b"><title>99 %: ${certain99.cores} cores</title></rect>` : ''}
<text x="${LEFT}" y="${HEIGHT - 12}">round: a bug with 95 %; square: with 99 %</text>
</svg>
`;
}

/** The picture and the table on a page of their own. */
export function printStudyPage(study: Study, program: string): string {
  const picture = drawStudy(study, program) ?? '<p>No instance has a bug.</p>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeXml(program)}: a study of its swarm</title>
<style>body { font-family: sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b } } pre { overflow-x: auto }</style></head>
<body><h1>${escapeXml(program)}</h1>
${picture}
<pre>${escapeXml(printStudy(study))}</pre>
</body></html>
`;
}
