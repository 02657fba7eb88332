/**
 * For each label of a bounded program, the labels of other threads that its step may have to wait for: their steps
 * touch the same object, one of the two to write, or create the thread, if it is its first step. (A thread does nothing
 * before it is created, so that its creator never waits for it.) A step is what runs from a label to the next ones.
 *
 * One walk over each thread (passes/forward-walk.ts) follows which labels may have been the last on the way:
 * usually one, several behind branches. What is touched counts for all of them. Objects are told by the points-to
 * analysis; where that gives up, or a function without a body is called, there is no answer.
 */

import { findSharedMemory, type ObjectAccess, type SharedMemory } from '../passes/alias/find-shared-memory.ts';
import type { AbstractObject } from '../passes/alias/points-to.ts';
import { type FlowClient, ForwardWalk, type Sides } from '../passes/forward-walk.ts';
import { type BoundedProgram, lastLabel } from '../program/bounded-program.ts';
import { primitiveCall } from '../program/primitives.ts';
import type { LabelSymbol, Statement } from '../program/tree.ts';
import { expressionsOf, itemsOf } from '../program/visit-tree.ts';

/** The labels of one thread that conflict with something, in order. */
export interface ConflictingLabels {
  readonly thread: number;
  readonly labels: readonly number[];
}

/** By thread and label: what conflicts with the step there. */
export type Conflicts = readonly (readonly (readonly ConflictingLabels[])[])[];

/** Programs with more labels than this would get conditions longer than themselves. */
const MOST_LABELS = 1_000;

export function findConflicts(program: BoundedProgram): Conflicts | null {
  if (program.threads.reduce((sum, thread) => sum + lastLabel(thread), 0) > MOST_LABELS) return null;
  const sharing = findSharedMemory(program);
  const steps: StepEffects[][] = [];
  for (const { number, labels, function: definition } of program.threads) {
    const found = new StepFinder(number, labels.symbols, sharing).run(definition.body);
    if (found === null) return null;
    steps.push(found);
  }
  return steps.map((own, thread) => own.map((step) => conflictsOf(step, thread, steps)));
}

interface StepEffects {
  readonly reads: Set<AbstractObject>;
  readonly writes: Set<AbstractObject>;
  /** The numbers of the threads that it creates. */
  readonly creates: Set<number>;
}

function conflictsOf(
  step: StepEffects,
  thread: number,
  steps: readonly (readonly StepEffects[])[],
): ConflictingLabels[] {
  const first = steps[thread]?.[0];
  return steps.flatMap((others, other) => {
    if (other === thread) return [];
    const isConflict = (another: StepEffects) =>
      touchSame(step, another) || (step === first && another.creates.has(thread));
    const labels = others.flatMap((another, label) => (isConflict(another) ? [label] : []));
    return labels.length > 0 ? [{ thread: other, labels }] : [];
  });
}

function touchSame(one: StepEffects, other: StepEffects): boolean {
  return meet(one.writes, other.writes) || meet(one.writes, other.reads) || meet(one.reads, other.writes);
}

function meet(left: ReadonlySet<AbstractObject>, right: ReadonlySet<AbstractObject>): boolean {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  for (const object of few) if (many.has(object)) return true;
  return false;
}

class StepFinder implements FlowClient<ReadonlySet<number>, void> {
  readonly #thread: number;
  readonly #labels: ReadonlySet<LabelSymbol>;
  readonly #sharing: SharedMemory;
  readonly #steps: StepEffects[] = [];
  /** Follows the labels that may have been the last. */
  readonly #walk = new ForwardWalk<ReadonlySet<number>, void>(this, new Set());
  #isLost = false;

  constructor(thread: number, labels: ReadonlySet<LabelSymbol>, sharing: SharedMemory) {
    this.#thread = thread;
    this.#labels = labels;
    this.#sharing = sharing;
  }

  /** By label: its step; null when that is not known. */
  run(body: Statement): StepEffects[] | null {
    this.items(itemsOf(body));
    return this.#isLost ? null : this.#steps;
  }

  meet(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...one, ...other]);
  }

  items(items: readonly Statement[]): void {
    for (const item of items) this.#walk.statement(item);
  }

  test(arm: Statement): Sides<ReadonlySet<number>> {
    this.other(arm);
    return { then: this.#walk.now, otherwise: this.#walk.now };
  }

  begin(label: LabelSymbol): ReadonlySet<number> | null {
    if (!this.#labels.has(label)) return null;
    return new Set([this.#steps.push({ reads: new Set(), writes: new Set(), creates: new Set() }) - 1]);
  }

  block(): void {}

  branches(): void {}

  passed(): void {}

  /** What the expressions of a statement touch. */
  other(statement: Statement): void {
    for (const expression of expressionsOf(statement)) {
      const touched = this.#sharing.touchedBy(this.#thread, expression);
      if (touched === null) this.#isLost = true;
      for (const touch of touched ?? []) this.#add(touch);
    }
    const primitive = primitiveCall(statement);
    const [created] = primitive?.primitive === 'spawn' ? primitive.call.args : [];
    if (created?.kind !== 'integer') return;
    for (const label of this.#walk.now ?? []) (this.#steps[label] as StepEffects).creates.add(Number(created.value));
  }

  #add({ object, kind }: ObjectAccess): void {
    for (const label of this.#walk.now ?? []) {
      const step = this.#steps[label] as StepEffects;
      (kind === 'write' ? step.writes : step.reads).add(object);
    }
  }
}
