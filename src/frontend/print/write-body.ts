/**
 * For passes that write the bodies of functions themselves, line by line, as the C-to-C road does with its control
 * code: the parts of the printer that they need, and nothing of its state.
 */

import type { Expression, LabelSymbol, Statement } from '../../program/tree.ts';
import type { Loc } from '../../support/source.ts';
import { type PrintContext, printLabel } from './context.ts';
import type { LineWriter, WrittenLines } from './line-writer.ts';
import { printCondition } from './print-expression.ts';
import { writeStatement } from './print-statement.ts';

export class BodyWriter {
  readonly #context: PrintContext;
  readonly #lines: LineWriter;
  /** The place of a label that still lacks a statement. */
  #labelled: Loc | null = null;

  constructor(context: PrintContext, lines: LineWriter) {
    this.#context = context;
    this.#lines = lines;
  }

  /** A line as it is. */
  line(text: string, loc: Loc): void {
    if (this.#labelled !== null && text.startsWith('}')) this.end();
    this.#labelled = null;
    this.#lines.write(text, loc);
  }

  /** The number of the next piece that is written: a line, or what `lines` writes. */
  get next(): number {
    return this.#lines.count;
  }

  /** Another text for a part of a piece. */
  replace(piece: number, part: string, text: string): void {
    this.#lines.replace(piece, part, text);
  }

  /** What stands before each line here. */
  get indentation(): string {
    return this.#lines.indentation;
  }

  get canTake(): boolean {
    return this.#lines.canTake;
  }

  /** Takes back the pieces from this one on, each of which must be a line. */
  take(from: number): WrittenLines {
    return this.#lines.take(from);
  }

  /** Lines with their indentation, as one piece. They do not end in a label. */
  lines(text: string, locs: readonly Loc[]): void {
    this.#labelled = null;
    this.#lines.writeLines(text, locs);
  }

  /** A statement, with declarations in the scope of the function. */
  statement(statement: Statement): void {
    this.#labelled = null;
    writeStatement(this.#context, this.#lines, statement, null);
  }

  label(name: string, loc: Loc): void {
    this.#lines.writeLabel(`${name}:`, loc);
    this.#labelled = loc;
  }

  /** The name of a label of the program. */
  nameOf(label: LabelSymbol): string {
    return printLabel(this.#context, label);
  }

  condition(condition: Expression): string {
    return printCondition(this.#context, condition);
  }

  indented(body: () => void): void {
    this.#lines.indented(body);
  }

  /** Before a closing brace: a label needs a statement. */
  end(): void {
    if (this.#labelled !== null) this.#lines.write(';', this.#labelled);
    this.#labelled = null;
  }
}
