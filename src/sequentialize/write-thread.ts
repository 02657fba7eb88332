/**
 * Writes the function of a thread with its control code, the same for both schemas with rounds: after each label i,
 * `J(i, i + 1)` jumps to the next label when the statement ran in an earlier round or is to run in a later one;
 * wherever control can arrive by a jump over labels, `G(l)` prunes the executions that were to be interrupted at a
 * label jumped over, l being the next label in the text. (Fig. 3 of "Bounded Model Checking of Multi-Threaded C
 * Programs via Lazy Sequentialization", CAV 2014.)
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
import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, itemsOf, statementsOf, walkPlainStatements } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';
import { hole, NumberedText } from './numbered-text.ts';
import type { Schema, ThreadText } from './schema.ts';

/** How a schema writes its two macros. */
export interface ControlMacros {
  readonly jump: (thread: number, from: LabelNumber, to: LabelNumber) => string;
  readonly guard: (thread: number, label: LabelNumber) => string;
}

/** The number of a label, or a hole for it. */
type LabelNumber = number | string;

/** Writes the functions of threads with these macros. */
export function threadWriter(macros: ControlMacros): Schema['writeThread'] {
  return (text, out) => new ThreadWriter(text, macros, out).run();
}

/** What is known of the statements in a statement. */
interface Contents {
  /** How many labels of ours there are. */
  readonly labels: number;
  /** Whether there are labels of the program. */
  readonly hasPlaces: boolean;
  /** Whether there are labels or jumps of any kind. */
  readonly hasJumps: boolean;
}

const PLAIN: Contents = { labels: 0, hasPlaces: false, hasJumps: false };
const JUMP: Contents = { labels: 0, hasPlaces: false, hasJumps: true };
const LABEL: Contents = { labels: 1, hasPlaces: false, hasJumps: true };
const PLACE: Contents = { labels: 0, hasPlaces: true, hasJumps: true };

/** The lines of a group, and what they do to the writer. */
interface Written {
  /** Numbers count from the label that comes next. */
  readonly text: NumberedText;
  readonly locs: readonly Loc[];
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
  readonly #contents = new Map<Statement, Contents>();
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
  /** The piece of the output with the last `J` in it. */
  #jumpPiece = 0;
  /** Groups that copies of loops share, as they were written first; null for those that must be written each time. */
  readonly #written = new Map<Statement, Written | null>();
  /** While the first of these is written, with holes for numbers: its first piece, and where the numbers start. */
  #first: { readonly piece: number; readonly number: number } | null = null;

  constructor({ definition, thread, labels }: ThreadText, macros: ControlMacros, out: BodyWriter) {
    this.#out = out;
    this.#thread = thread;
    this.#labels = labels;
    this.#macros = macros;
    this.#body = definition.body;
    const { labels: count } = this.#contentsOf(definition.body);
    this.#last = count - 1;
    this.#nextMeeting = count;
    this.#findPlaces(definition.body, 0);
  }

  run(): void {
    this.#items(itemsOf(this.#body));
    this.#out.end();
  }

  // -------------------------------------------------------------- looking ahead

  #contentsOf(statement: Statement): Contents {
    switch (statement.kind) {
      case 'label':
        return this.#labels.has(statement.label) ? LABEL : PLACE;
      case 'goto':
        return JUMP;
      case 'block':
      case 'if':
        return this.#contents.get(statement) ?? this.#look(statement);
      default:
        return PLAIN;
    }
  }

  #look(statement: Statement): Contents {
    let labels = 0;
    let hasPlaces = false;
    let hasJumps = false;
    const add = (part: Statement) => {
      const inside = this.#contentsOf(part);
      labels += inside.labels;
      hasPlaces ||= inside.hasPlaces;
      hasJumps ||= inside.hasJumps;
    };
    let at: Statement | null = statement;
    for (; at?.kind === 'if'; at = at.otherwise) add(at.then);
    if (at) statementsOf(at).forEach(add);
    const found = { labels, hasPlaces, hasJumps };
    this.#contents.set(statement, found);
    return found;
  }

  /** Notes where the labels of the program stand, `passed` labels of ours standing before the statement. */
  #findPlaces(statement: Statement, passed: number): number {
    if (statement.kind === 'label' && !this.#labels.has(statement.label)) this.#placedAt.set(statement.label, passed);
    const { labels, hasPlaces } = this.#contentsOf(statement);
    if (!hasPlaces) return passed + labels;
    let now = passed;
    let at: Statement | null = statement;
    for (; at?.kind === 'if'; at = at.otherwise) now = this.#findPlaces(at.then, now);
    for (const part of at ? statementsOf(at) : []) now = this.#findPlaces(part, now);
    return now;
  }

  /** Whether a jump over labels starts in the statement. */
  #leaps(statement: Statement): boolean {
    if (statement.kind === 'label') return false;
    if (this.#contentsOf(statement).labels > 0) return true;
    let found = false;
    walkPlainStatements(statement, (part) => {
      if (part.kind === 'goto' && (this.#placedAt.get(part.label) ?? 0) > this.#passed) found = true;
    });
    return found;
  }

  // -------------------------------------------------------------- control code

  /** A number of a label as it is written. */
  #numbered(number: number): LabelNumber {
    return this.#first === null ? number : hole(number - this.#first.number);
  }

  #jumpText(from: number, to: number): string {
    return this.#macros.jump(this.#thread, this.#numbered(from), this.#numbered(to));
  }

  #jump(number: number, loc: Loc): void {
    this.#out.line(this.#jumpText(number, number + 1), loc);
    this.#jumpPiece = this.#out.next - 1;
  }

  #guard(loc: Loc): void {
    this.#isGuarded = true;
    this.#out.line(this.#macros.guard(this.#thread, this.#numbered(this.#passed)), loc);
  }

  /** The last jump leads here instead of to the next label. */
  #meet(loc: Loc): void {
    this.#fillHoles();
    const number = this.#passed - 1;
    const meeting = this.#nextMeeting++;
    this.#out.replace(this.#jumpPiece, this.#jumpText(number, number + 1), this.#jumpText(number, meeting));
    this.#out.label(labelName(meeting), loc);
    this.#jump(number, loc);
    this.#isGuarded = false;
  }

  // -------------------------------------------------------------- statements

  #items(items: readonly Statement[]): void {
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Statement;
      if (item.kind === 'block') this.#group(item);
      else if (!this.#contentsOf(item).hasJumps) this.#plain(item);
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
    if (this.#first !== null) this.#items(group.items);
    else if (known && isSame) this.#repeat(known);
    else if (known === undefined && this.#out.canTake && this.#isClosed(group)) this.#writeFirst(group);
    else this.#items(group.items);
  }

  #writeFirst(group: Extract<Statement, { kind: 'block' }>): void {
    const [before, isGuardedBefore] = [this.#passed, this.#isGuarded];
    const first = { piece: this.#out.next, number: before };
    this.#first = first;
    this.#items(group.items);
    const isWhole = this.#first === first;
    this.#first = null;
    if (isWhole) {
      const { lines, locs } = this.#out.take(first.piece);
      const written = {
        text: new NumberedText(lines.join('\n')),
        locs,
        labels: this.#passed - before,
        indentation: this.#out.indentation,
        isGuardedBefore,
        isGuardedAfter: this.#isGuarded,
      };
      this.#written.set(group, written);
      this.#passed = before;
      this.#repeat(written);
    } else this.#written.set(group, null);
  }

  /** A meeting point has a number of its own: a group with one in it cannot be written again. */
  #fillHoles(): void {
    if (this.#first === null) return;
    const { piece, number } = this.#first;
    const { lines, locs } = this.#out.take(piece);
    for (const [at, line] of lines.entries()) {
      this.#out.lines(new NumberedText(line).from(number), [locs[at] as Loc]);
    }
    this.#first = null;
  }

  #repeat({ text, locs, labels, isGuardedAfter }: Written): void {
    if (locs.length > 0) this.#out.lines(text.from(this.#passed), locs);
    if (labels > 0) this.#jumpPiece = this.#out.next - 1;
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
      this.#out.label(labelName(this.#numbered(number)), loc);
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

function labelName(number: LabelNumber): string {
  return `__lazuli_${number}`;
}
