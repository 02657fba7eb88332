/**
 * What is left to be run of a swarm: its instances in their order, and the parts of those that ran out of their time,
 * which come first. Instances are made when somebody takes them, and nothing is kept of those that are done; what an
 * earlier run has done is left out.
 */

import type { InstanceResult } from './instance-result.ts';
import type { Instance, Instances } from './instances.ts';

export interface Task {
  /** The place of the instance in the order; of a part, the way to it: part 3 of instance 12 is `12.3`. */
  readonly key: string;
  readonly instance: Instance;
}

/** Smaller instances that together have all interleavings of one, within the bounds. */
export interface Parts {
  readonly count: number;
  at(index: number): Instance;
}

export interface Splitting {
  /** So often a part is split again. */
  readonly depth: number;
  /** Null where an instance is too small. */
  readonly split: (instance: Instance) => Parts | null;
}

interface OpenSplit {
  readonly key: string;
  readonly parts: Parts;
  next: number;
}

export class Agenda {
  readonly #instances: Instances;
  readonly #splitting: Splitting | null;
  readonly #done = new DoneIndices();
  readonly #doneParts = new Set<string>();
  readonly #splits: OpenSplit[] = [];
  #next = 0n;

  constructor(instances: Instances, splitting: Splitting | null) {
    this.#instances = instances;
    this.#splitting = splitting;
  }

  /** An earlier run has this result; all of them are told before anything is taken. False: that was known. */
  leaveOut(key: string, kind: InstanceResult['kind']): boolean {
    const isPart = key.includes('.');
    if (isPart ? this.#doneParts.has(key) : this.#done.has(BigInt(key))) return false;
    if (isPart) this.#doneParts.add(key);
    else this.#done.add(BigInt(key));
    if (kind === 'split') this.#open(key, this.instanceAt(key));
    return true;
  }

  /** Null: there is nothing, or nothing before somebody splits what is running. */
  take(): Task | null {
    for (let split = this.#splits.at(-1); split; split = this.#splits.at(-1)) {
      const { key, parts } = split;
      if (split.next === parts.count) this.#splits.pop();
      else {
        const number = split.next++;
        const part = `${key}.${number}`;
        if (!this.#doneParts.delete(part)) return { key: part, instance: parts.at(number) };
      }
    }
    while (this.#next < this.#instances.count && this.#done.has(this.#next)) this.#next++;
    if (this.#next >= this.#instances.count) return null;
    const index = this.#next++;
    return { key: String(index), instance: this.#instances.at(index) };
  }

  /** Puts the parts of an instance on the agenda; tells how many, or null where it is not split. */
  split({ key, instance }: Task): number | null {
    const depth = key.split('.').length - 1;
    return this.#splitting && depth < this.#splitting.depth ? this.#open(key, instance) : null;
  }

  #open(key: string, instance: Instance): number | null {
    const parts = this.#splitting?.split(instance) ?? null;
    if (parts !== null) this.#splits.push({ key, parts, next: 0 });
    return parts?.count ?? null;
  }

  instanceAt(key: string): Instance {
    const [index = '0', ...way] = key.split('.');
    const whole = this.#instances.at(BigInt(index));
    return way.reduce((instance, part) => this.#splitting?.split(instance)?.at(Number(part)) ?? instance, whole);
  }
}

/** Nearly all below some number, and a few above. */
class DoneIndices {
  #below = 0n;
  readonly #above = new Set<bigint>();

  add(index: bigint): void {
    this.#above.add(index);
    while (this.#above.delete(this.#below)) this.#below++;
  }

  has(index: bigint): boolean {
    return index < this.#below || this.#above.has(index);
  }
}
