/**
 * The control code inside thread functions, the same for both schemas: after each label i, `J(i, i + 1)` jumps to the next label when the
 * statement ran in an earlier round or is to run in a later one; wherever control can arrive by a jump over labels, `G(l)`
 * prunes the executions that were to be interrupted at a label jumped over, l being the next label in the text. (Fig. 3 of
 * "Bounded Model Checking of Multi-Threaded C Programs via Lazy Sequentialization", CAV 2014.)
 *
 * Control code only reads its variables. A guard is left out where no label lies between the jump and its target.
 */

import { JumpFinder } from '../passes/find-jumps.ts';
import { block, builtin, expressionStatement, integer } from '../program/build-tree.ts';
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
): FunctionDefinition {
  const instrumenter = new Instrumenter(definition, thread, labels, macros);
  const { body } = definition;
  return { ...definition, body: { ...body, items: instrumenter.items(body.items) } };
}

class Instrumenter {
  readonly #thread: number;
  readonly #labels: ReadonlyMap<LabelSymbol, number>;
  readonly #macros: ControlMacros;
  readonly #last: number;
  /** For each label of the program, the lowest number of labels passed at a jump to it. */
  readonly #jumpedFrom = new Map<LabelSymbol, number>();
  readonly #jumps = new JumpFinder();
  /** How many labels have been passed: the number of the next one. */
  #passed = 0;

  constructor(
    definition: FunctionDefinition,
    thread: number,
    labels: ReadonlyMap<LabelSymbol, number>,
    macros: ControlMacros,
  ) {
    this.#thread = thread;
    this.#labels = labels;
    this.#macros = macros;
    let passed = 0;
    walkPlainStatements(definition.body, (statement) => {
      if (statement.kind === 'label' && labels.has(statement.label)) passed++;
      if (statement.kind !== 'goto') return;
      const known = this.#jumpedFrom.get(statement.label);
      this.#jumpedFrom.set(statement.label, Math.min(known ?? passed, passed));
    });
    this.#last = passed - 1;
  }

  items(items: readonly Statement[]): Statement[] {
    const out: Statement[] = [];
    for (const item of items) {
      if (!this.#jumps.hasJumps(item)) out.push(item);
      else for (const part of this.#statement(item)) out.push(part);
    }
    return out;
  }

  #guard(loc: Loc): Statement {
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
    // Nothing jumps to the first one.
    const place = number === 0 ? [] : [statement];
    if (number === this.#last) return place;
    return [...place, this.#macros.jump(this.#thread, number, number + 1, statement.loc)];
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
