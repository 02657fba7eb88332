/**
 * Checks that a stepped program is well-formed: indexes are in range, widths agree, guards are Booleans, every shared
 * read has a result of its own, and the targets of an access exclude one another as far as their terms show it. Returns
 * what is wrong, one sentence a fault; the tests run it on every program that they execute symbolically.
 *
 * Left out: whether the value sets of cells cover what is written. Cells that only count have sets found otherwise.
 */

import type { Term } from '../values/terms.ts';
import type { Access, Condition, SharedCell, Step, SteppedProgram, SteppedThread } from './steps.ts';

export function validateSteps(program: SteppedProgram): string[] {
  const validation = new Validation(program);
  validation.cells();
  for (const [index, thread] of program.threads.entries()) validation.thread(thread, index);
  validation.inputs();
  return validation.faults;
}

class Validation {
  readonly faults: string[] = [];
  readonly #program: SteppedProgram;
  readonly #cells = new Map<number, SharedCell>();
  readonly #results = new Set<Term>();

  constructor(program: SteppedProgram) {
    this.#program = program;
  }

  #expect(condition: boolean, fault: string): void {
    if (!condition) this.faults.push(fault);
  }

  #width(term: Term, width: number, what: string): void {
    const { graph } = this.#program;
    if (!Number.isInteger(term) || term < 0 || term >= graph.size) this.faults.push(`${what} is no term`);
    else this.#expect(graph.widthOf(term) === width, `${what} has ${graph.widthOf(term)} bits instead of ${width}`);
  }

  cells(): void {
    for (const cell of this.#program.cells) {
      this.#expect(!this.#cells.has(cell.id), `cell ${cell.name} occurs twice`);
      this.#cells.set(cell.id, cell);
      this.#width(cell.initial, cell.width, `the initial value of ${cell.name}`);
      this.#expect(cell.set.width === cell.width, `the set of ${cell.name} has another width than the cell`);
    }
  }

  thread(thread: SteppedThread, index: number): void {
    const name = `thread ${index}`;
    this.#expect(thread.index === index, `${name} is numbered ${thread.index}`);
    this.#spawn(thread, name);
    for (const [l, step] of thread.steps.entries()) this.#step(step, `step ${l} of ${name}`);
    const isStep = (step: number) => Number.isInteger(step) && step >= 0 && step < thread.steps.length;
    for (const [kind, conditions] of [
      ['assertion', thread.assertions],
      ['assumption', thread.assumptions],
    ] as const) {
      for (const [i, { step, guard, condition }] of conditions.entries()) {
        this.#expect(isStep(step), `${kind} ${i} of ${name} hangs on step ${step}, which does not exist`);
        this.#width(guard, 1, `the guard of ${kind} ${i} of ${name}`);
        this.#width(condition, 1, `the condition of ${kind} ${i} of ${name}`);
      }
    }
    for (const { step, guard, where } of thread.cuts) {
      this.#expect(isStep(step), `the cut at ${where} of ${name} hangs on step ${step}, which does not exist`);
      this.#width(guard, 1, `the guard of the cut at ${where} of ${name}`);
    }
    for (const { step, guard, order } of thread.fences) {
      this.#expect(
        step === -1 || isStep(step),
        `the fence ${order} of ${name} hangs on step ${step}, which does not exist`,
      );
      this.#width(guard, 1, `the guard of the fence ${order} of ${name}`);
    }
    for (const { step, guard } of thread.visits) {
      this.#expect(step === -1 || isStep(step), `a visit of ${name} hangs on step ${step}, which does not exist`);
      this.#width(guard, 1, `the guard of a visit of ${name}`);
    }
    this.#positions(thread, name);
  }

  /** Each condition has a place of its own, and each list is in order. */
  #positions({ assertions, assumptions, cuts, fences }: SteppedThread, name: string): void {
    const isInOrder = (list: readonly Condition[]) =>
      list.every(({ position }, i) => i === 0 || (list[i - 1] as Condition).position < position);
    const all = [...assertions, ...assumptions, ...cuts, ...fences];
    this.#expect([assertions, assumptions, cuts, fences].every(isInOrder), `conditions of ${name} are out of order`);
    this.#expect(new Set(all.map((c) => c.position)).size === all.length, `two conditions of ${name} share a place`);
  }

  #spawn({ index, spawn }: SteppedThread, name: string): void {
    this.#expect((index === 0) === (spawn === null), `${name} ${spawn ? 'is main but created' : 'is never created'}`);
    if (!spawn) return;
    const parent = this.#program.threads[spawn.thread];
    this.#expect(parent?.steps[spawn.step] !== undefined, `${name} is created by a step that does not exist`);
    this.#expect(spawn.thread !== index, `${name} creates itself`);
    this.#width(spawn.guard, 1, `the guard of the creation of ${name}`);
  }

  #step(step: Step, name: string): void {
    this.#width(step.guard, 1, `the guard of ${name}`);
    if (step.creation) this.#width(step.creation.guard, 1, `the guard of the creation in ${name}`);
    for (const [i, access] of step.accesses.entries()) this.#access(access, `access ${i} of ${name}`);
  }

  #access(access: Access, name: string): void {
    const { graph } = this.#program;
    this.#width(access.guard, 1, `the guard of ${name}`);
    this.#expect(access.targets.length > 0, `${name} has no target`);
    this.#expect(access.key !== '', `${name} has no key`);
    for (const { cell, select } of access.targets) {
      this.#width(select, 1, `a selection of ${name}`);
      const found = this.#cells.get(cell);
      if (!found) this.faults.push(`${name} touches cell ${cell}, which does not exist`);
      else this.#width(access.kind === 'read' ? access.result : access.value, found.width, `the value of ${name}`);
    }
    this.#exclusive(access, name);
    if (access.kind === 'write' || graph.constantOf(access.result) !== null) return;
    this.#expect(graph.operationOf(access.result) === 'variable', `the result of ${name} is not a variable`);
    this.#expect(!this.#results.has(access.result), `the result of ${name} is that of another access too`);
    this.#results.add(access.result);
  }

  #exclusive({ targets }: Access, name: string): void {
    const { graph } = this.#program;
    const selects = targets.map(({ select }) => select).filter((select) => !graph.isFalse(select));
    const isExclusive =
      new Set(selects).size === selects.length &&
      (selects.length < 2 || !selects.some((select) => graph.isTrue(select)));
    this.#expect(isExclusive, `${name} selects two cells at a time`);
  }

  inputs(): void {
    const { graph, inputs, threads } = this.#program;
    for (const { thread, key, term } of inputs) {
      this.#expect(threads[thread] !== undefined, `the input ${key} belongs to thread ${thread}, which does not exist`);
      const isFree = graph.operationOf(term) === 'variable' || graph.constantOf(term) !== null;
      this.#expect(isFree, `the input ${key} is computed`);
    }
  }
}
