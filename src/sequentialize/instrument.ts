/**
 * The control code inside thread functions, the same for both schemas: after each label i, `J(i, i + 1)` jumps to the next label when the
 * statement ran in an earlier round or is to run in a later one; wherever control can arrive by a jump over labels, `G(l)`
 * prunes the executions that were to be interrupted at a label jumped over, l being the next label in the text. (Fig. 3 of
 * "Bounded Model Checking of Multi-Threaded C Programs via Lazy Sequentialization", CAV 2014.)
 *
 * Control code only reads its variables. A guard is left out where no label lies between the jump and its target.
 *
 * Jumps over labels that overlap one another would leave no point at which all executions meet, and what backends such as CBMC know of
 * a path would double with each of them: in `if (a) x = 1; if (b) y = 1;`, with a and b private, `J` enters the second branch, past
 * the end of the first. Where such a jump starts behind the end of another, with no label between, there is a meeting
 * point: executions that skip the statement come by as well, and are sent on by another `J`. It is no place to stop at.
 */

import { JumpFinder } from '../passes/find-jumps.ts';
import { block, builtin, expressionStatement, integer, labelStatement } from '../program/build-tree.ts';
import type { FreshSymbols } from '../program/fresh-symbols.ts';
import type { FunctionDefinition, LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, itemsOf, walkPlainStatements } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

/** How a schema writes its two macros. */
export interface ControlMacros {
  readonly jump: (thread: number, from: number, to: number, loc: Loc) => Statement;
  readonly guard: (thread: number, label: number, loc: Loc) => Statement;
}

/** A macro call with numbers as arguments. */
export function macroCall(name: string, args: readonly number[], loc: Loc): Statement {
  return expressionStatement(
    builtin(
      name,
      args.map((arg) => integer(arg, loc)),
      loc,
    ),
    loc,
  );
}

export function instrumentThread(
  definition: FunctionDefinition,
  thread: number,
  labels: ReadonlyMap<LabelSymbol, number>,
  macros: ControlMacros,
  fresh: FreshSymbols,
): FunctionDefinition {
  const { body } = definition;
  const plain = new Instrumenter(definition, thread, labels, macros, fresh);
  const items = plain.items(body.items);
  if (plain.meetings.size === 0) return { ...definition, body: { ...body, items } };
  // How many meeting points a label has is known only now.
  const again = new Instrumenter(definition, thread, labels, macros, fresh, plain.meetings);
  return { ...definition, body: { ...body, items: again.items(body.items) } };
}

class Instrumenter {
  readonly #thread: number;
  readonly #labels: ReadonlyMap<LabelSymbol, number>;
  readonly #macros: ControlMacros;
  readonly #last: number;
  /** For each label of the program, the lowest number of labels passed at a jump to it. */
  readonly #jumpedFrom = new Map<LabelSymbol, number>();
  readonly #jumps = new JumpFinder();
  /** For each label of the program, the number of labels passed at its place. */
  readonly #placedAt = new Map<LabelSymbol, number>();
  readonly #fresh: FreshSymbols;
  /** How many labels have been passed: the number of the next one. */
  #passed = 0;
  /** Whether there was a guard since the last label or meeting point. */
  #isGuarded = false;
  /** By label: the meeting points before the next one. */
  readonly meetings = new Map<number, number>();
  readonly #expected: ReadonlyMap<number, number>;
  #nextMeeting: number;

  constructor(
    definition: FunctionDefinition,
    thread: number,
    labels: ReadonlyMap<LabelSymbol, number>,
    macros: ControlMacros,
    fresh: FreshSymbols,
    expected: ReadonlyMap<number, number> = new Map(),
  ) {
    this.#fresh = fresh;
    this.#expected = expected;
    this.#thread = thread;
    this.#labels = labels;
    this.#macros = macros;
    let passed = 0;
    walkPlainStatements(definition.body, (statement) => {
      if (statement.kind === 'label' && labels.has(statement.label)) passed++;
      if (statement.kind === 'label') this.#placedAt.set(statement.label, passed);
      if (statement.kind !== 'goto') return;
      const known = this.#jumpedFrom.get(statement.label);
      this.#jumpedFrom.set(statement.label, Math.min(known ?? passed, passed));
    });
    this.#last = passed - 1;
    this.#nextMeeting = passed;
  }

  items(items: readonly Statement[]): Statement[] {
    const out: Statement[] = [];
    for (const item of items) {
      if (!this.#jumps.hasJumps(item)) out.push(item);
      else {
        if (this.#isGuarded && this.#leaps(item)) out.push(...this.#meet(item.loc));
        for (const part of this.#statement(item)) out.push(part);
      }
    }
    return out;
  }

  /** Whether a jump over labels starts in the statement. */
  #leaps(statement: Statement): boolean {
    if (statement.kind === 'label') return false;
    let found = false;
    walkPlainStatements(statement, (part) => {
      if (part.kind === 'label' && this.#labels.has(part.label)) found = true;
      if (part.kind === 'goto' && (this.#placedAt.get(part.label) ?? 0) > this.#passed) found = true;
    });
    return found;
  }

  #meet(loc: Loc): Statement[] {
    const number = this.#passed - 1;
    const found = (this.meetings.get(number) ?? 0) + 1;
    this.meetings.set(number, found);
    this.#isGuarded = false;
    const label = this.#fresh.label(`__lazuli_${this.#nextMeeting++}`, loc);
    return [labelStatement(label, loc), this.#jumpFrom(number, (this.#expected.get(number) ?? 0) - found, loc)];
  }

  /** The jump to the next label, or to the next meeting point before it if there are any. */
  #jumpFrom(number: number, meetings: number, loc: Loc): Statement {
    return this.#macros.jump(this.#thread, number, meetings > 0 ? this.#nextMeeting : number + 1, loc);
  }

  #guard(loc: Loc): Statement {
    this.#isGuarded = true;
    return this.#macros.guard(this.#thread, this.#passed, loc);
  }

  #statement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case 'block':
        return [{ ...statement, items: this.items(statement.items) }];
      case 'label':
        return this.#label(statement);
      case 'if':
        return this.#if(statement);
      default:
        return [statement];
    }
  }

  #label(statement: Extract<Statement, { kind: 'label' }>): readonly Statement[] {
    const number = this.#labels.get(statement.label);
    if (number === undefined) {
      const from = this.#jumpedFrom.get(statement.label) ?? this.#passed;
      return from < this.#passed ? [statement, this.#guard(statement.loc)] : [statement];
    }
    this.#passed++;
    this.#isGuarded = false;
    // Nothing jumps to the first one.
    const place = number === 0 ? [] : [statement];
    if (number === this.#last) return place;
    return [...place, this.#jumpFrom(number, this.#expected.get(number) ?? 0, statement.loc)];
  }

  #if(statement: Extract<Statement, { kind: 'if' }>): readonly Statement[] {
    const { arms, last } = ifChain(statement);
    const before = this.#passed;
    const branch = (part: Statement) => {
      // Reached by a jump over the branches before it.
      const guard = this.#passed > before ? [this.#guard(part.loc)] : [];
      return block([...guard, ...this.items(itemsOf(part))], part.loc);
    };
    const thens = arms.map((arm) => branch(arm.then));
    let otherwise: Statement | null = last && branch(last);
    for (let i = arms.length - 1; i >= 0; i--) {
      otherwise = { ...(arms[i] as typeof statement), then: thens[i] as Statement, otherwise };
    }
    const whole = otherwise as Statement;
    return this.#passed > before ? [whole, this.#guard(statement.loc)] : [whole];
  }
}
