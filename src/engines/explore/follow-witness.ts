/**
 * Follows a violation witness, of ours or of others, by concrete runs that keep to it: the threads pass the places of
 * the witness in its order, none of those that are to be avoided, and the last place is where the property breaks.
 * Witnesses leave out much (how far a thread goes before another one goes on, most inputs), so many runs are tried:
 * after a place is passed its thread stays or the thread of the next place goes on, by chance. Equations of the witness
 * give the inputs. What is found is replayed like every counterexample.
 *
 * When a place is passed is told by pass-witness-place.ts.
 */

import type { Code, Instruction } from '../../program/code.ts';
import { createRandom, type Random } from '../../support/random.ts';
import type { Machine } from '../../trace/interpreter/machine.ts';
import type { Frame, MachineEvent, Thread } from '../../trace/interpreter/state.ts';
import type { WitnessPath, WitnessPlace } from '../check-options.ts';
import { isOf, keepVisible, type Passage, WitnessPlaces } from './pass-witness-place.ts';
import type { ExplorePlan } from './plans.ts';
import type { Scheduler } from './schedulers.ts';

/** How a run keeps to a witness. */
export class WitnessFollower {
  readonly #path: WitnessPath;
  readonly #random: Random;
  readonly #places: WitnessPlaces;
  /** Of the current run: the places passed, and the place that was to be avoided. */
  #passed = 0;
  #wrong: WitnessPlace | null = null;
  #last: number | null = null;
  /** Of the run that has passed the most places: how many, and what became of the next. */
  #mostPassed = 0;
  #next: Passage = 'elsewhere';
  #mostWrong: WitnessPlace | null = null;

  constructor(path: WitnessPath, code: Code, seed: number) {
    this.#path = keepVisible(path, code);
    this.#random = createRandom(seed);
    this.#places = new WitnessPlaces(code);
  }

  /** Runs that follow, for as long as anybody wants; the first ones stay as short as they can. */
  *plans(): Generator<ExplorePlan> {
    const values = this.#path.flatMap(({ conditions }) => conditions.map(({ value }) => BigInt(value)));
    for (let run = 0; ; run++) {
      const stay = run === 0 ? 0 : ([30, 60, 85, 95][run % 4] as number);
      // A witness may leave out whole threads.
      const wander = [0, 10, 0, 40][run % 4] as number;
      const mode = run % 3 === 2 ? 'boundary' : 'zero';
      yield { name: 'witness', scheduler: this.#begin(stay, wander), mode, values };
    }
  }

  /** The last run came to all places but the violation itself, which the caller compares. */
  get hasFollowed(): boolean {
    return this.#wrong === null && this.#passed >= this.#path.length - 1;
  }

  isTarget(thread: number, file: string | null, line: number | null): boolean {
    const target = this.#path.at(-1);
    const targets = target === undefined ? [] : [target, ...(target.alternatives ?? [])];
    return line !== null && targets.some((each) => isOf(each, thread, file ?? '', line));
  }

  /** How far the runs came, and what they did not come to. */
  tellMostPassed(): string {
    const { length } = this.#path;
    const next = this.#path[this.#mostPassed];
    const count = `they came to ${this.#mostPassed} of its ${length} places`;
    if (!next) return count;
    const where = describe(next);
    if (this.#mostWrong) return `${count}, but also to one that is to be avoided (${describe(this.#mostWrong)})`;
    if (this.#mostPassed === length - 1) return `${count}, and the last one (${where}) did not break the property`;
    if (this.#next === 'no branching')
      return `${count}; at the next one (${where}) stands no branch that can be followed`;
    if (this.#next === 'otherwise') return `${count}; at the next one (${where}) what the witness says did not hold`;
    return `${count}; no thread came to the next one (${where})`;
  }

  /** Sees everything that happens. */
  watch(machine: Machine, event: MachineEvent, frame: Frame, instruction: Instruction): void {
    const here = { machine, event, frame, instruction };
    const { avoided = [] } = this.#path[this.#passed] ?? {};
    this.#wrong ??= avoided.find((each) => this.#places.pass(each, here) === 'passed') ?? null;
    // Several places of a witness may be one of the run: an equation, and the call that it stands before.
    let next: Passage = 'elsewhere';
    for (; this.#passed < this.#path.length - 1; this.#passed++) {
      next = this.#places.pass(this.#path[this.#passed] as WitnessPlace, here);
      if (next !== 'passed') break;
      this.#last = frame.thread.id;
    }
    this.#remember(next);
    this.#places.learn(here);
  }

  #remember(next: Passage): void {
    const isFurther = this.#passed > this.#mostPassed;
    if (isFurther) {
      this.#mostPassed = this.#passed;
      this.#next = 'elsewhere';
      this.#mostWrong = null;
    }
    if (this.#passed !== this.#mostPassed) return;
    if (next === 'otherwise' || next === 'no branching') this.#next = next;
    if (this.#wrong) this.#mostWrong = this.#wrong;
  }

  #begin(stay: number, wander: number): Scheduler {
    this.#passed = 0;
    this.#wrong = null;
    this.#last = null;
    this.#places.begin();
    return (candidates) => {
      const of = (id: number | null | undefined) => candidates.find((thread) => thread.id === id);
      if (this.#random.chance(wander, 100)) return this.#random.pick(candidates) as Thread;
      const last = of(this.#last);
      const wanted = this.#path[Math.min(this.#passed, this.#path.length - 1)]?.thread;
      const next = wanted === null ? this.#random.pick(candidates) : of(wanted);
      if (last && (!next || this.#random.chance(stay, 100))) return last;
      return next ?? (this.#random.pick(candidates) as Thread);
    };
  }
}

function describe({ kind, thread, line, conditions, way }: WitnessPlace): string {
  const words = { statement: '', branching: ', branching', enter: ', a call', return: ', a return', target: '' }[kind];
  const held = conditions.map(({ name, relation, value }) => `${name} ${relation} ${value}`).join(' && ');
  const who = thread === null ? '' : ` of thread ${thread}`;
  return `${line === 0 ? 'any line' : `line ${line}`}${who}${words}${way === undefined ? '' : ` ${way}`}${held === '' ? '' : `, ${held}`}`;
}
