/**
 * A bounded program in which threads stop at fewer places: an instance of a swarm on the C-to-C road. Labels that
 * nobody may stop at go, and with them their control code, so that the emitted program shrinks. Those at the start and
 * at the end of a thread stay.
 *
 * Copies of a loop share their statements and labels. Where all labels of a statement stay, or all go, copies go on
 * sharing it.
 */

import type { BoundedProgram, BoundedThread } from '../program/bounded-program.ts';
import { lastLabel } from '../program/bounded-program.ts';
import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

export function restrictLabels(
  program: BoundedProgram,
  isKept: (thread: number, label: number) => boolean,
): BoundedProgram {
  const threads = program.threads.map((thread): BoundedThread => {
    const last = lastLabel(thread);
    const restrictor = new Restrictor(
      thread,
      thread.labels.places.map((_, label) => label === 0 || label === last || isKept(thread.number, label)),
    );
    const { body } = thread.function;
    const items = restrictor.items(body.items);
    const { places } = restrictor;
    return {
      ...thread,
      function: { ...thread.function, body: { ...body, items } },
      labels: { ...thread.labels, places },
    };
  });
  return { ...program, threads };
}

class Restrictor {
  readonly places: Loc[] = [];
  readonly #symbols: ReadonlySet<LabelSymbol>;
  readonly #allPlaces: readonly Loc[];
  /** How many are kept before each label. */
  readonly #keptBefore: readonly number[];
  readonly #counts = new Map<Statement, number>();
  readonly #stripped = new Map<Statement, Statement>();
  #passed = 0;

  constructor({ labels }: BoundedThread, kept: readonly boolean[]) {
    this.#symbols = labels.symbols;
    this.#allPlaces = labels.places;
    const before = [0];
    for (const [label, isKept] of kept.entries()) before.push((before[label] as number) + (isKept ? 1 : 0));
    this.#keptBefore = before;
  }

  items(items: readonly Statement[]): readonly Statement[] {
    return items.flatMap((item) => this.#statement(item) ?? []);
  }

  #statement(statement: Statement): Statement | null {
    const count = this.#countOf(statement);
    const [from, to] = [this.#passed, this.#passed + count];
    const kept = (this.#keptBefore[to] as number) - (this.#keptBefore[from] as number);
    if (kept > 0 && kept < count) return this.#rebuild(statement, (part) => this.#statement(part));
    this.#passed = to;
    if (kept === 0) return this.#strip(statement);
    for (let label = from; label < to; label++) this.places.push(this.#allPlaces[label] as Loc);
    return statement;
  }

  /** Without any of our labels. */
  #strip(statement: Statement): Statement | null {
    if (this.#countOf(statement) === 0) return statement;
    if (statement.kind === 'label') return null;
    const known = this.#stripped.get(statement);
    if (known) return known;
    const stripped = this.#rebuild(statement, (part) => this.#strip(part));
    this.#stripped.set(statement, stripped);
    return stripped;
  }

  #rebuild(statement: Statement, part: (inner: Statement) => Statement | null): Statement {
    if (statement.kind === 'block') {
      return { ...statement, items: statement.items.flatMap((item) => part(item) ?? []) };
    }
    if (statement.kind !== 'if') return statement;
    // A chain of branches may be longer than the stack is deep.
    const { arms, last } = ifChain(statement);
    const parts = arms.map((arm) => ({ ...arm, then: part(arm.then) ?? arm.then }));
    let otherwise = last && part(last);
    for (const arm of parts.reverse()) otherwise = { ...arm, otherwise };
    return otherwise as Statement;
  }

  #countOf(statement: Statement): number {
    if (statement.kind === 'label') return this.#symbols.has(statement.label) ? 1 : 0;
    if (statement.kind !== 'block' && statement.kind !== 'if') return 0;
    const known = this.#counts.get(statement);
    if (known !== undefined) return known;
    let count = 0;
    if (statement.kind === 'block') for (const item of statement.items) count += this.#countOf(item);
    else {
      const { arms, last } = ifChain(statement);
      for (const { then } of arms) count += this.#countOf(then);
      if (last) count += this.#countOf(last);
    }
    this.#counts.set(statement, count);
    return count;
  }
}
