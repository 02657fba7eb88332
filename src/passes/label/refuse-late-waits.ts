/**
 * Whether a thread waits is found out by trying its next step once more when the schedule has ended
 * (sequentialize/ask-deadlock.ts). That must not change what the others see. A step that waits has changed nothing yet,
 * as the models are written; but a section of the program's own may write and then call a routine that waits, and a
 * robust mutex changes hands before anybody waits for it. Such programs are refused.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import { primitiveCall, waitOf } from '../../program/primitives.ts';
import type { LabelSymbol, Statement } from '../../program/tree.ts';
import { expressionsOf, itemsOf } from '../../program/visit-tree.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { SharedMemory } from '../alias/find-shared-memory.ts';
import { type FlowClient, ForwardWalk, type Sides } from '../forward-walk.ts';

export function refuseLateWaits(program: BoundedProgram, sharing: SharedMemory, sink: DiagnosticSink): void {
  for (const { number, labels, function: definition } of program.threads) {
    new StepWalk(number, labels.symbols, sharing, sink).items(itemsOf(definition.body));
  }
}

/** Follows whether the step has changed anything that others may see. */
class StepWalk implements FlowClient<boolean, void> {
  readonly #thread: number;
  readonly #labels: ReadonlySet<LabelSymbol>;
  readonly #sharing: SharedMemory;
  readonly #sink: DiagnosticSink;
  readonly #walk = new ForwardWalk<boolean, void>(this, false);

  constructor(thread: number, labels: ReadonlySet<LabelSymbol>, sharing: SharedMemory, sink: DiagnosticSink) {
    this.#thread = thread;
    this.#labels = labels;
    this.#sharing = sharing;
    this.#sink = sink;
  }

  meet(one: boolean, other: boolean): boolean {
    return one || other;
  }

  items(items: readonly Statement[]): void {
    for (const item of items) this.#walk.statement(item);
  }

  test(arm: Statement): Sides<boolean> {
    return { then: this.#walk.now, otherwise: this.#walk.now || this.#changes(arm) };
  }

  begin(label: LabelSymbol): boolean | null {
    return this.#labels.has(label) ? false : null;
  }

  block(): void {}

  branches(): void {}

  passed(): void {}

  other(statement: Statement): void {
    if (statement.kind === 'while') {
      // Whatever a turn has changed; its first visible statement has a label.
      this.#walk.now = true;
      this.items(itemsOf(statement.body));
      this.#walk.now = true;
      return;
    }
    const found = primitiveCall(statement);
    if (found && waitOf(found) && this.#walk.now) {
      const message =
        'a thread waits in an atomic section after it has written; deadlocks are not looked for C to C then';
      this.#sink.error(statement.loc, 'unsupported', message);
    }
    if (this.#walk.now === false && this.#changes(statement)) this.#walk.now = true;
  }

  #changes(statement: Statement): boolean {
    if (primitiveCall(statement)?.primitive === 'spawn') return true;
    return expressionsOf(statement).some((expression) => {
      const touched = this.#sharing.touchedBy(this.#thread, expression);
      return touched === null || touched.some(({ kind }) => kind === 'write');
    });
  }
}
