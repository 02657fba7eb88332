/**
 * Follows a violation witness, of ours or of others, by concrete runs that keep to it: the threads come to the places
 * of the witness in its order, and the last place is where the property breaks. Witnesses leave out much (how far a
 * thread goes before another one goes on, most inputs), so many runs are tried: after a place is passed its thread
 * stays or the thread of the next place goes on, by chance. Equations of the witness give the inputs, and where they
 * speak of a local variable they are checked. What is found is replayed like every counterexample.
 *
 * Left out: columns, conditions under which a place is to be avoided, and which way a branch goes: a run may follow
 * more than the witness says.
 */

import type { Code, Instruction } from '../../program/code.ts';
import { createRandom, type Random } from '../../support/random.ts';
import type { Frame, MachineEvent, Thread } from '../../trace/interpreter/state.ts';
import type { WitnessPath, WitnessPlace } from '../check-options.ts';
import type { ExplorePlan } from './explore.ts';
import type { Scheduler } from './schedulers.ts';

/** How a run keeps to a witness. */
export class WitnessFollower {
  readonly #path: WitnessPath;
  readonly #code: Code;
  readonly #random: Random;
  /** Of the current run: the places passed, and whether an equation was false. */
  #passed = 0;
  #isContradicted = false;
  #last: number | null = null;
  /** The most places that any run has passed. */
  mostPassed = 0;

  constructor(path: WitnessPath, code: Code, seed: number) {
    this.#path = path;
    this.#code = code;
    this.#random = createRandom(seed);
  }

  /** Runs that follow, for as long as anybody wants; the first ones stay as short as they can. */
  *plans(): Generator<ExplorePlan> {
    const values = this.#path.flatMap(({ equations }) => equations.map(({ value }) => BigInt(value)));
    for (let run = 0; ; run++) {
      const stay = run === 0 ? 0 : ([30, 60, 85, 95][run % 4] as number);
      const mode = run % 3 === 2 ? 'boundary' : 'zero';
      yield { name: 'witness', scheduler: this.#begin(stay), mode, values };
    }
  }

  /** The last run came to all places but the violation itself, which the caller compares. */
  get hasFollowed(): boolean {
    return !this.#isContradicted && this.#passed >= this.#path.length - 1;
  }

  isTarget(thread: number, file: string | null, line: number | null): boolean {
    const target = this.#path.at(-1);
    const targets = target === undefined ? [] : [target, ...(target.alternatives ?? [])];
    return line !== null && targets.some((each) => fits(each, thread, file ?? '', line));
  }

  /** Sees everything that happens. */
  watch(_event: MachineEvent, frame: Frame, instruction: Instruction): void {
    const place = this.#code.sources.place(instruction.loc);
    if (!place || frame.function.source.isModel) return;
    const { avoided = [] } = this.#path[this.#passed] ?? {};
    if (avoided.some((each) => fits(each, frame.thread.id, place.file, place.line))) this.#isContradicted = true;
    // Several places of a witness may be one of the run: an equation, and the call that it stands before.
    for (; this.#passed < this.#path.length - 1; this.#passed++) {
      const next = this.#path[this.#passed] as WitnessPlace;
      if (!fits(next, frame.thread.id, place.file, place.line)) break;
      if (contradicts(next, frame)) this.#isContradicted = true;
      this.#last = frame.thread.id;
    }
    this.mostPassed = Math.max(this.mostPassed, this.#passed);
  }

  #begin(stay: number): Scheduler {
    this.#passed = 0;
    this.#isContradicted = false;
    this.#last = null;
    return (candidates) => {
      const of = (id: number | null | undefined) => candidates.find((thread) => thread.id === id);
      const last = of(this.#last);
      const wanted = this.#path[Math.min(this.#passed, this.#path.length - 1)]?.thread;
      const next = wanted === null ? this.#random.pick(candidates) : of(wanted);
      if (last && (!next || this.#random.chance(stay, 100))) return last;
      return next ?? (this.#random.pick(candidates) as Thread);
    };
  }
}

function fits({ thread, file, line }: WitnessPlace, id: number, where: string, at: number): boolean {
  const isThere = line === at && (file === null || where.split('/').at(-1) === file);
  return isThere && (thread === null || thread === id);
}

/** Only variables that are not in memory can be looked at here. */
function contradicts({ equations }: WitnessPlace, { function: { source }, registers }: Frame): boolean {
  return equations.some(({ name, value }) => {
    const found = source.registers.flatMap(({ variable }, at) => (variable?.name === name ? [registers[at]] : []));
    return found.length === 1 && found[0] !== undefined && BigInt(found[0]) !== BigInt(value);
  });
}
