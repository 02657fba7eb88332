/**
 * What the printing functions share: the names in scope, and ways to write what stands before the current declaration.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { BlockStatement, DeclarationItem, Expression, LabelSymbol, VariableSymbol } from '../../program/tree.ts';
import type { Field, Type } from '../../program/types.ts';
import type { NameTable } from './name-table.ts';

export interface PrintContext {
  readonly dataModel: DataModel;
  readonly names: NameTable;
  /** Types of members that are declared otherwise than they are known. */
  readonly fieldTypes: ReadonlyMap<Field, Type>;
  /** `struct s;` lines that must stand before what is being written; whoever writes lines takes and empties them. */
  readonly announcements: string[];
  /** Lines that must stand behind it. */
  readonly after: string[];
  /** Within the parameters of a prototype, where the lengths of variable arrays are written `*`. */
  prototypeDepth: number;
  /** The texts of whole expressions, which copies of loops share. */
  readonly texts: ExpressionTexts;
  /** Of the current function. */
  labels: LabelNames;
  /** Of several definitions of a variable (all but one are tentative), the last: it bears the initializer. */
  readonly lastDefinitions: ReadonlyMap<VariableSymbol, DeclarationItem>;
  /** The text of a block with its braces, without indentation. Handed in, since expressions can contain statements. */
  readonly printBlock: (context: PrintContext, block: BlockStatement) => string;
  /** The text of an initializer; handed in, since compound literals contain them. */
  readonly printInitializer: (context: PrintContext, symbol: VariableSymbol) => string;
}

/** Texts that were written under one version of the table of names; `version` says which. */
export interface ExpressionTexts {
  version: number;
  readonly discarded: Map<Expression, string>;
  readonly conditions: Map<Expression, string>;
}

/** The text of an expression, from earlier if nothing has changed since. */
export function rememberText(
  { texts, names }: PrintContext,
  use: 'discarded' | 'conditions',
  expression: Expression,
  print: () => string,
): string {
  if (texts.version !== names.version) {
    texts.discarded.clear();
    texts.conditions.clear();
    texts.version = names.version;
  }
  const known = texts[use].get(expression);
  if (known !== undefined) return known;
  const text = print();
  // Printing a type can make names known, and then says more than it will say next time.
  if (texts.version === names.version) texts[use].set(expression, text);
  return text;
}

/** The names of labels within one function, each made distinct from other labels of the same name. */
export interface LabelNames {
  readonly names: Map<LabelSymbol, string>;
  readonly taken: Set<string>;
}

export function printLabel(context: PrintContext, label: LabelSymbol): string {
  const { names, taken } = context.labels;
  const known = names.get(label);
  if (known !== undefined) return known;
  let name = label.name;
  for (let n = 1; taken.has(name); n++) name = `${label.name}_${n}`;
  names.set(label, name);
  taken.add(name);
  return name;
}

/** Moves every line of a text to the right. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
