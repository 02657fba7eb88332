/**
 * Adds up what became of instances, and says what that means for the program. What it keeps does not grow with their
 * number. A sample is no proof: only all selections, with as many tiles a thread as it can be preempted, say something
 * about all interleavings within the bounds.
 */

import { judgeReach } from '../../outcome/judge-reach.ts';
import type { AssertionCoverage, CoveredBounds, CutPlace, Outcome, Unsafe } from '../../outcome/outcome.ts';
import { groupDigits } from '../../support/group-digits.ts';
import type { InstanceResult, TimedResult } from './instance-result.ts';
import { SWARM } from './prepare-swarm.ts';
import { chanceToMiss } from './sample-chance.ts';

export interface SwarmScope {
  readonly bounds: CoveredBounds;
  /** Instances to be run. */
  readonly count: bigint;
  /** All selections; null where somebody listed the instances. */
  readonly total: bigint | null;
  readonly isRandom: boolean;
  /** Every interleaving within the bounds is one of some selection. */
  readonly coversAll: boolean;
}

export interface MeasuredRange {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

const NO_RANGE: MeasuredRange = { min: Number.POSITIVE_INFINITY, max: 0, sum: 0 };

export class Tally {
  done = 0;
  bugs = 0;
  unknown = 0;
  times: MeasuredRange = NO_RANGE;
  memory: MeasuredRange = NO_RANGE;
  /** Parts of instances that were split. */
  parts = 0;
  /** By the prover, of instances and parts. */
  discharged = 0;
  /** The first counterexample, and the key of the instance that had it. */
  found: { readonly key: string; readonly outcome: Unsafe } | null = null;
  /** By the key of an instance: what of its parts is missing. */
  readonly #splits = new Map<string, { missing: number; isUnknown: boolean; hasBug: boolean }>();
  readonly #cuts = new Map<string, CutPlace>();
  #areCutsKnown = true;
  #assertions: AssertionCoverage | null = null;
  /** Why there was no answer, and how often. */
  readonly #reasons = new Map<string, number>();

  add(key: string, { result, elapsedMs, memoryBytes }: TimedResult): void {
    this.#count(key, result);
    this.times = widen(this.times, elapsedMs);
    this.memory = widen(this.memory, memoryBytes);
    switch (result.kind) {
      case 'violation':
        this.found ??= { key, outcome: result.outcome };
        break;
      case 'unknown':
        this.#reasons.set(result.reason, (this.#reasons.get(result.reason) ?? 0) + 1);
        break;
      case 'none':
        this.#addCovered(result);
        if (result.isDischarged) this.discharged++;
        break;
    }
  }

  /** An instance that was split is done when its parts are. */
  #count(key: string, result: InstanceResult): void {
    const [whole = key] = key.split('.', 1);
    const isPart = whole !== key;
    const state = this.#splits.get(whole) ?? { missing: 0, isUnknown: false, hasBug: false };
    if (isPart) {
      this.parts++;
      state.missing--;
    }
    if (result.kind === 'split') state.missing += result.parts;
    state.isUnknown ||= result.kind === 'unknown';
    state.hasBug ||= result.kind === 'violation';
    if (state.missing > 0) this.#splits.set(whole, state);
    else {
      this.#splits.delete(whole);
      this.done++;
      if (state.hasBug) this.bugs++;
      else if (state.isUnknown) this.unknown++;
    }
  }

  #addCovered({ cuts, assertions }: Extract<InstanceResult, { kind: 'none' }>): void {
    if (cuts === null) this.#areCutsKnown = false;
    for (const cut of cuts ?? []) this.#cuts.set(cut.where, cut);
    this.#assertions = unite(this.#assertions, assertions);
  }

  /** What the instances that were run say. */
  conclude({ bounds, count, total, isRandom, coversAll }: SwarmScope): { outcome: Outcome; notes: readonly string[] } {
    if (this.found) return { outcome: this.found.outcome, notes: [] };
    const answered = this.done - this.unknown;
    const all = total ?? count;
    const isAll = BigInt(this.done) === all && this.unknown === 0;
    if (isAll && coversAll) {
      const cuts = this.#areCutsKnown || this.#cuts.size > 0 ? [...this.#cuts.values()] : null;
      const covered = cuts?.length === 0 ? { ...bounds, unwind: null } : bounds;
      const outcome = { kind: 'bounded', engine: SWARM, bounds: covered, cuts, assertions: this.#assertions } as const;
      return { outcome: judgeReach({ ...outcome, reason: null }), notes: [] };
    }
    const of = groupDigits(all);
    const some = isAll ? `any of the ${of} instances` : `${groupDigits(answered)} of ${of} instances`;
    const reasons = [...this.#reasons].map(([reason, times]) => `${reason} (${groupDigits(times)})`);
    const open = this.unknown === 0 ? '' : `; no answer for ${groupDigits(this.unknown)}: ${reasons.join(', ')}`;
    const common = { kind: 'unknown', engine: SWARM, bounds, loc: null, attempts: [] } as const;
    const outcome: Outcome = { ...common, cause: 'sample', reason: `no bug in ${some}${open}` };
    return { outcome, notes: this.#explain(answered, total, { isAll, isRandom, coversAll }) };
  }

  #explain(
    answered: number,
    total: bigint | null,
    { isAll, isRandom, coversAll }: { isAll: boolean; isRandom: boolean; coversAll: boolean },
  ): string[] {
    if (total === null || (isAll && !coversAll))
      return ['These instances do not have all interleavings within the bounds.'];
    if (!isRandom || answered === 0 || this.unknown > 0) return [];
    const chances = [10, 100, 1000]
      .filter((share) => total > BigInt(share))
      .map((share) => `one in ${groupDigits(share)}, ${percent(chanceToMiss(total, total / BigInt(share), answered))}`);
    if (chances.length === 0) return [];
    return [
      `If bugs were in some of the instances, the chance that these ${answered} missed them: ${chances.join('; ')}.`,
    ];
  }
}

function percent(share: number): string {
  return share < 0.0001 ? 'less than 0.01 %' : `${(100 * share).toFixed(share < 0.01 ? 2 : 0)} %`;
}

function widen({ min, max, sum }: MeasuredRange, value: number): MeasuredRange {
  return { min: Math.min(min, value), max: Math.max(max, value), sum: sum + value };
}

/** What one of them reaches is reached. */
function unite(a: AssertionCoverage | null, b: AssertionCoverage | null): AssertionCoverage | null {
  if (a === null || b === null) return a ?? b;
  const keyOf = (place: AssertionCoverage['missed'][number]) => JSON.stringify(place);
  const missedByB = new Set(b.missed.map(keyOf));
  const missed = a.missed.filter((place) => missedByB.has(keyOf(place)));
  const reachedAt = new Map([...a.reachedAt, ...b.reachedAt].map((place) => [keyOf(place), place]));
  return { total: a.total, reached: a.total - missed.length, missed, reachedAt: [...reachedAt.values()] };
}
