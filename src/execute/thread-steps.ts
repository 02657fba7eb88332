/**
 * The steps of a thread as they come into being, and the conditions that hang on them. A visible access opens a step,
 * or belongs to that of the atomic section; an assumption, assertion or cut hangs on the last step before it.
 */

import type { CheckName, CodePoint } from '../program/code.ts';
import { isWeak } from '../program/memory-model.ts';
import type { AccessMode, MemoryOrder } from '../program/memory-order.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import type { Cell } from './cells.ts';
import type { Execution } from './execution.ts';
import type { SectionKind, State } from './state.ts';
import type { StepBuilder, ThreadBuilder } from './step-builder.ts';
import { type Touch, unsupportedWhere } from './steps.ts';

/** Where an instruction stands: its place for people and its key for replaying; and how its accesses are ordered. */
export interface Position {
  readonly loc: Loc;
  readonly key: string;
  readonly mode: AccessMode;
  /** It stands in a thread routine. */
  readonly isModel: boolean;
}

export class ThreadSteps {
  readonly #execution: Execution;
  readonly #builder: ThreadBuilder;

  constructor(execution: Execution, builder: ThreadBuilder) {
    this.#execution = execution;
    this.#builder = builder;
  }

  /** The step that a visible access belongs to: that of the atomic section, or a new one. */
  openStep(state: State, position: Position): StepBuilder {
    const { graph } = this.#execution;
    const opened = state.section?.step;
    if (opened) {
      // Other paths of the section have no part in the step so far.
      opened.guard = graph.or(opened.guard, state.guard);
      return opened;
    }
    this.#execution.steps++;
    this.#execution.poll();
    const step = this.#builder.accessStep(state.guard, position.loc, (a, b) => graph.or(a, b));
    if (state.section) state.section.step = step;
    return step;
  }

  /** How an access to the cell, made here, takes part in races. What thread routines do with their own does not. */
  touch(state: State, { mode, isModel }: Position, { object }: Cell): Touch | null {
    const kind = state.section?.kind;
    const { declared } = object;
    const isNobodys = declared?.mayRace === true || (isModel && declared?.isModel === true);
    if (!this.#execution.options.checks.has('race') || kind === 'model' || isNobodys) return null;
    return mode.kind === 'atomic' || kind === 'program' ? 'atomic' : 'plain';
  }

  /** All visible accesses of the action belong to one step. */
  asSection<T>(state: State, action: () => T): T {
    this.enterSection(state);
    const result = action();
    this.leaveSection(state);
    return result;
  }

  /** The same for an action that is a fence, too. */
  asFence(state: State, loc: Loc, action: () => void): void {
    this.enterCodeSection(state, 'access', loc);
    action();
    this.leaveSection(state);
  }

  enterSection(state: State, kind: SectionKind = 'access'): void {
    if (state.atomicDepth++ === 0) state.section = { step: null, kind };
  }

  /** An atomic section of the code. Under a weak memory model its step comes into being with it, because it drains. */
  enterCodeSection(state: State, kind: SectionKind, loc: Loc): void {
    const isOutermost = state.atomicDepth === 0;
    this.enterSection(state, kind);
    if (isOutermost && state.section && this.#drainsBuffers(state))
      state.section.step = this.#builder.addDrain(state.guard, loc);
  }

  /** A fence outside of sections; a full one waits, where memory is weak. */
  fence(state: State, order: MemoryOrder, loc: Loc): void {
    if (order !== 'seq_cst' || !this.#drainsBuffers(state)) this.#builder.addFence(state.guard, order);
    else if (state.atomicDepth === 0) this.#builder.closeStep(this.#builder.addDrain(state.guard, loc));
  }

  /** While there is one thread only, nothing is kept back. */
  #drainsBuffers({ spawned }: State): boolean {
    return spawned && isWeak(this.#execution.options.memoryModel ?? 'sc');
  }

  leaveSection(state: State): void {
    if (state.atomicDepth === 0 || --state.atomicDepth > 0) return;
    if (state.section?.step) this.#builder.closeStep(state.section.step);
    state.section = null;
    state.sectionMemory.clear();
  }

  /**
   * The step on which a condition found here hangs. After a visible effect it must not hang on that step: the effect
   * stands even if the thread never gets past the condition.
   */
  stepForCondition(state: State, position: Position): number {
    const last = state.section?.step ?? this.#builder.lastStepBuilder();
    if (!last || (last.effect && last !== state.section?.step))
      return this.#builder.addStep(state.guard, position.loc).index;
    // Where its guard does not hold, a step is passed along with the one before, which may have an effect.
    last.guard = this.#execution.graph.or(last.guard, state.guard);
    return last.index;
  }

  /** Checks a condition: an assertion if the check is asked for, otherwise the end of paths that violate it. */
  require(state: State, condition: Term, check: CheckName, message: string, position: Position): void {
    const { graph, options } = this.#execution;
    if (graph.isTrue(graph.or(condition, graph.not(state.guard)))) return;
    if (check === 'unsupported') this.#cutUnsupported(state, condition, message, position);
    else if (options.checks.has(check)) this.assert(state, condition, check, message, position);
    else this.assume(state, condition, position);
  }

  /** Paths that violate the condition end here, and the verdict will have to say so. */
  #cutUnsupported(state: State, condition: Term, message: string, position: Position): void {
    const { graph } = this.#execution;
    const violated = graph.and(state.guard, graph.not(condition));
    const cut = { kind: 'unsupported', where: unsupportedWhere(message), loc: position.loc } as const;
    this.#builder.addCut(this.stepForCondition(state, position), violated, cut);
  }

  assert(state: State, condition: Term, check: CheckName, message: string, position: Position): void {
    if (this.#execution.graph.isTrue(condition)) return;
    const step = state.section?.step?.index ?? this.#lastStepOrNew(state, position);
    const { loc, key } = position;
    this.#builder.addAssertion(step, state.guard, { condition, check, message, loc, key });
  }

  /**
   * The thread comes to the instruction. A step in which the program ends is never passed: `isLast` asks for the one
   * before it.
   */
  visit(state: State, point: CodePoint, isLast: boolean): void {
    const section = state.section?.step?.index;
    const step = section === undefined ? this.#builder.stepCount - 1 : isLast ? section - 1 : section;
    this.#builder.addVisit(step, state.guard, point);
  }

  assume(state: State, condition: Term, position: Position): void {
    if (this.#execution.graph.isTrue(condition)) return;
    this.#builder.addAssumption(this.stepForCondition(state, position), state.guard, condition, false);
  }

  /** A thread routine waits for the condition. */
  wait(state: State, condition: Term, position: Position, holder: Term | null): void {
    if (this.#execution.graph.isTrue(condition)) return;
    const isAsked = this.#execution.options.checks.has('deadlock');
    const step = isAsked ? this.stepForWait(state, position) : this.stepForCondition(state, position);
    this.#builder.addAssumption(step, state.guard, condition, isAsked, isAsked ? holder : null);
  }

  /** Whoever waits has passed what it read before: the condition hangs on no step of a read before the section. */
  stepForWait(state: State, position: Position): number {
    const last = this.#builder.lastStepBuilder();
    const isPassed = !state.section?.step && last && last.accesses.length > 0;
    return isPassed ? this.#builder.addStep(state.guard, position.loc).index : this.stepForCondition(state, position);
  }

  /** The program ends here. Nobody sees what an atomic section did in which it ends. */
  halt(state: State): void {
    const { options, graph } = this.#execution;
    if (options.checks.has('deadlock')) this.#builder.addHalt(state.guard);
    if (state.section?.step) this.#builder.addEndInside(state.section.step.index, state.guard, graph.false);
  }

  /** Nobody passes the step of the open section but where an assertion in it fails. */
  endHere(state: State): void {
    const step = state.section?.step;
    if (step) this.#builder.addAssumption(step.index, state.guard, this.#execution.graph.false, false);
  }

  #lastStepOrNew(state: State, position: Position): number {
    const last = this.#builder.lastStepBuilder();
    return last ? last.index : this.#builder.addStep(state.guard, position.loc).index;
  }
}
