/**
 * Writes the function of a thread with its control code, the same for both schemas: after each label i, `J(i, i + 1)`
 * jumps to the next label when the statement ran in an earlier round or is to run in a later one; wherever control can
 * arrive by a jump over labels, `G(l)` prunes the executions that were to be interrupted at a label jumped over, l
 * being the next label in the text. (Fig. 3 of "Bounded Model Checking of Multi-Threaded C Programs via Lazy
 * Sequentialization", CAV 2014.)
 *
 * Control code only reads its variables. A guard is left out where no label lies between the jump and its target.
 * Labels are numbered as they are written: copies of a loop share their statements with the labels in them, and nothing
 * is made for each copy but its lines. Blocks are spliced into the list that they stand in, for all declarations stand
 * at the top.
 *
 * Jumps over labels that overlap one another would leave no point at which all executions meet, and what backends such
 * as CBMC know of a path would double with each of them: in `if (a) x = 1; if (b) y = 1;`, with a and b private, `J`
 * enters the second branch, past the end of the first. Where such a jump starts behind the end of another, with no
 * label between, there is a meeting point: executions that skip the statement come by as well, and are sent on by
 * another `J`. It is no place to stop at.
 */

import type { BodyWriter } from '../frontend/print/write-body.ts';
import { JumpFinder, PartFinder } from '../passes/find-jumps.ts';
import type { FunctionDefinition, LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, itemsOf, statementsOf, walkPlainStatements } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

/** How a schema writes its two macros. */
export interface ControlMacros {
  readonly jump: (thread: number, from: number, to: number) => string;
  readonly guard: (thread: number, label: number) => string;
}

export interface ThreadInput {
  readonly definition: FunctionDefinition;
  readonly thread: number;
  /** The labels that control code jumps to. */
  readonly labels: ReadonlySet<LabelSymbol>;
  readonly macros: ControlMacros;
}

/** Everything between the braces of the function. */
export function writeThread(input: ThreadInput, out: BodyWriter): void {
  new ThreadWriter(input, out).run();
}

/** A line with numbers in it; they are told from the number of labels passed at the start of the lines. */
interface NumberedLine {
  /** Counted from the first of the lines. */
  readonly line: number;
  readonly kind: 'label' | 'jump' | 'guard';
  readonly number: number;
}

/** Lines that were written for a statement, and what they did to the writer. */
interface Written {
  readonly from: number;
  readonly to: number;
  readonly numbered: readonly NumberedLine[];
  readonly labels: number;
  readonly indentation: string;
  readonly isGuardedBefore: boolean;
  readonly isGuardedAfter: boolean;
}

class ThreadWriter {
  readonly #out: BodyWriter;
  readonly #thread: number;
  readonly #labels: ReadonlySet<LabelSymbol>;
  readonly #macros: ControlMacros;
  readonly #body: Statement;
  readonly #jumps = new JumpFinder();
  /** Labels of the program. */
  readonly #places = new PartFinder((part) => part.kind === 'label' && !this.#labels.has(part.label));
  readonly #counts = new Map<Statement, number>();
  /** For each label of the program, the lowest number of labels passed at a jump to it. */
  readonly #jumpedFrom = new Map<LabelSymbol, number>();
  /** For each label of the program, the number of labels passed at its place. */
  readonly #placedAt = new Map<LabelSymbol, number>();
  readonly #last: number;
  /** How many labels have been passed: the number of the next one. */
  #passed = 0;
  /** Whether there was a guard since the last label or meeting point. */
  #isGuarded = false;
  #nextMeeting: number;
  /** The line of the last `J`. */
  #jumpLine = 0;
  /** Groups that copies of loops share, as they were written first; null for those that must be written each time. */
  readonly #written = new Map<Statement, Written | null>();
  /** While the first of these is written: its lines with numbers. */
  #recorded: NumberedLine[] | null = null;

  constructor({ definition, thread, labels, macros }: ThreadInput, out: BodyWriter) {
    this.#out = out;
    this.#thread = thread;
    this.#labels = labels;
    this.#macros = macros;
    this.#body = definition.body;
    const count = this.#count(definition.body);
    this.#last = count - 1;
    this.#nextMeeting = count;
    this.#findPlaces(definition.body, 0);
  }

  run(): void {
    this.#items(itemsOf(this.#body));
    this.#out.end();
  }

  // -------------------------------------------------------------- looking ahead

  /** How many labels of ours stand in a statement. */
  #count(statement: Statement): number {
    if (statement.kind === 'label') return this.#labels.has(statement.label) ? 1 : 0;
    if (!this.#jumps.hasJumps(statement)) return 0;
    const known = this.#counts.get(statement);
    if (known !== undefined) return known;
    let count = 0;
    let at: Statement | null = statement;
    for (; at?.kind === 'if'; at = at.otherwise) count += this.#count(at.then);
    for (const part of at ? statementsOf(at) : []) count += this.#count(part);
    this.#counts.set(statement, count);
    return count;
  }

  /** Notes where the labels of the program stand, `passed` labels of ours standing before the statement. */
  #findPlaces(statement: Statement, passed: number): number {
    let now = passed;
    if (statement.kind === 'label') {
      if (this.#labels.has(statement.label)) now++;
      this.#placedAt.set(statement.label, now);
    } else if (!this.#jumps.hasJumps(statement)) return now;
    else if (!this.#places.isIn(statement)) return now + this.#count(statement);
    else {
      let at: Statement | null = statement;
      for (; at?.kind === 'if'; at = at.otherwise) now = this.#findPlaces(at.then, now);
      for (const part of at ? statementsOf(at) : []) now = this.#findPlaces(part, now);
    }
    return now;
  }

  /** Whether a jump over labels starts in the statement. */
  #leaps(statement: Statement): boolean {
    if (statement.kind === 'label') return false;
    if (this.#count(statement) > 0) return true;
    let found = false;
    walkPlainStatements(statement, (part) => {
      if (part.kind === 'goto' && (this.#placedAt.get(part.label) ?? 0) > this.#passed) found = true;
    });
    return found;
  }

  // -------------------------------------------------------------- control code

  #textOf(kind: NumberedLine['kind'], number: number): string {
    switch (kind) {
      case 'label':
        return `${labelName(number)}:`;
      case 'jump':
        return this.#macros.jump(this.#thread, number, number + 1);
      case 'guard':
        return this.#macros.guard(this.#thread, number);
    }
  }

  #record(kind: NumberedLine['kind'], number: number): void {
    this.#recorded?.push({ line: this.#out.next, kind, number });
  }

  #jump(number: number, loc: Loc): void {
    this.#record('jump', number);
    this.#jumpLine = this.#out.line(this.#textOf('jump', number), loc);
  }

  #guard(loc: Loc): void {
    this.#isGuarded = true;
    this.#record('guard', this.#passed);
    this.#out.line(this.#textOf('guard', this.#passed), loc);
  }

  /** The last jump leads here instead of to the next label. */
  #meet(loc: Loc): void {
    const number = this.#passed - 1;
    const meeting = this.#nextMeeting++;
    this.#recorded = null;
    this.#out.replace(this.#jumpLine, this.#macros.jump(this.#thread, number, meeting));
    this.#out.label(labelName(meeting), loc);
    this.#jump(number, loc);
    this.#isGuarded = false;
  }

  // -------------------------------------------------------------- statements

  #items(items: readonly Statement[]): void {
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Statement;
      if (item.kind === 'block') this.#group(item);
      else if (!this.#jumps.hasJumps(item)) this.#plain(item);
      else {
        if (this.#isGuarded && this.#leaps(item)) this.#meet(item.loc);
        this.#statement(item);
      }
    }
  }

  /** A group that was written before is written again by its lines, with other numbers. */
  #group(group: Extract<Statement, { kind: 'block' }>): void {
    const known = this.#written.get(group);
    const isSame = known?.isGuardedBefore === this.#isGuarded && known.indentation === this.#out.indentation;
    if (known && isSame) this.#repeat(known);
    else if (known === undefined && this.#recorded === null && this.#out.canRepeat && this.#isClosed(group)) {
      this.#written.set(group, this.#writeFirst(group));
    } else this.#items(group.items);
  }

  #writeFirst(group: Extract<Statement, { kind: 'block' }>): Written | null {
    const [from, before, isGuardedBefore] = [this.#out.next, this.#passed, this.#isGuarded];
    this.#recorded = [];
    this.#items(group.items);
    // A meeting point has ended the recording.
    const recorded: readonly NumberedLine[] | null = this.#recorded;
    this.#recorded = null;
    if (recorded === null) return null;
    return {
      from,
      to: this.#out.next,
      numbered: recorded.map(({ line, kind, number }) => ({ line: line - from, kind, number: number - before })),
      labels: this.#passed - before,
      indentation: this.#out.indentation,
      isGuardedBefore,
      isGuardedAfter: this.#isGuarded,
    };
  }

  #repeat({ from, to, numbered, labels, isGuardedAfter }: Written): void {
    const start = this.#out.repeat(from, to);
    for (let at = 0; at < numbered.length; at++) {
      const { line, kind, number } = numbered[at] as NumberedLine;
      this.#out.replace(start + line, this.#textOf(kind, this.#passed + number));
      this.#recorded?.push({ line: start + line, kind, number: this.#passed + number });
      if (kind === 'jump') this.#jumpLine = start + line;
    }
    this.#passed += labels;
    this.#isGuarded = isGuardedAfter;
  }

  /** Whether the statement has no jumps of the program and no labels of it, and so is the same wherever it stands. */
  #isClosed(statement: Statement): boolean {
    let isClosed = true;
    walkPlainStatements(statement, (part) => {
      if (part.kind === 'goto' || (part.kind === 'label' && !this.#labels.has(part.label))) isClosed = false;
    });
    return isClosed;
  }

  #plain(statement: Statement): void {
    if (statement.kind === 'if') this.#if(statement);
    else this.#out.statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'label':
        this.#label(statement);
        break;
      case 'if':
        this.#if(statement);
        break;
      case 'goto': {
        const known = this.#jumpedFrom.get(statement.label);
        this.#jumpedFrom.set(statement.label, Math.min(known ?? this.#passed, this.#passed));
        this.#out.statement(statement);
        break;
      }
      default:
        this.#out.statement(statement);
    }
  }

  #label({ label, loc }: Extract<Statement, { kind: 'label' }>): void {
    if (!this.#labels.has(label)) {
      this.#out.label(this.#out.nameOf(label), loc);
      if ((this.#jumpedFrom.get(label) ?? this.#passed) < this.#passed) this.#guard(loc);
      return;
    }
    const number = this.#passed++;
    this.#isGuarded = false;
    // Nothing jumps to the first one.
    if (number > 0) {
      this.#record('label', number);
      this.#out.label(labelName(number), loc);
    }
    if (number < this.#last) this.#jump(number, loc);
  }

  #if(statement: Extract<Statement, { kind: 'if' }>): void {
    const { arms, last } = ifChain(statement);
    const before = this.#passed;
    const branch = (part: Statement) => {
      this.#out.indented(() => {
        // Reached by a jump over the branches before it.
        if (this.#passed > before) this.#guard(part.loc);
        this.#items(itemsOf(part));
      });
    };
    for (const arm of arms) {
      const word = arm === statement ? 'if' : '} else if';
      this.#out.line(`${word} (${this.#out.condition(arm.condition)}) {`, arm.loc);
      branch(arm.then);
    }
    if (last) {
      this.#out.line('} else {', last.loc);
      branch(last);
    }
    const end = last ?? (arms.at(-1) ?? statement).then;
    this.#out.line('}', end.kind === 'block' ? end.endLoc : end.loc);
    if (this.#passed > before) this.#guard(statement.loc);
  }
}

function labelName(number: number): string {
  return `__lazuli_${number}`;
}
