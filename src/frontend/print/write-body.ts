/**
 * For passes that write the bodies of functions themselves, line by line, as the C-to-C road does with its control
 * code: the parts of the printer that they need, and nothing of its state.
 */

import type { Expression, LabelSymbol, Statement } from '../../program/tree.ts';
import type { Loc } from '../../support/source.ts';
import { type PrintContext, printLabel } from './context.ts';
import type { LineWriter } from './line-writer.ts';
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

  /** A line as it is; gives its number, for `replace`. */
  line(text: string, loc: Loc): number {
    if (this.#labelled !== null && text.startsWith('}')) this.end();
    this.#labelled = null;
    this.#lines.write(text, loc);
    return this.#lines.count - 1;
  }

  /** Another text for a line that was written before. */
  replace(line: number, text: string): void {
    this.#lines.replace(line, text);
  }

  /** The number of the next line. */
  get next(): number {
    return this.#lines.count;
  }

  /** What stands before each line here. */
  get indentation(): string {
    return this.#lines.indentation;
  }

  get canRepeat(): boolean {
    return this.#lines.canRepeat;
  }

  /** Writes lines once more, which do not end in a label; gives the number of the first. */
  repeat(from: number, to: number): number {
    this.#labelled = null;
    return this.#lines.repeat(from, to);
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
