/**
 * The typed tree as readable C that compiles: the user's names, typedefs and structure, implicit conversions left out
 * where C makes them by itself. The printer serves `lazuli parse`, the dumps, and the passes from C to C, so it is
 * right for any valid tree and not only for what the parser makes. Printing, reading and printing again gives the same
 * text.
 *
 * The program is printed against a table of the names in scope. Where the table finds that a name would lead to the
 * wrong symbol, or that a record needs a tag, printing is done again with fresh names (see name-table.ts): once for
 * nearly every program.
 */

import type { DataModel } from '../../program/data-model.ts';
import type {
  DeclarationItem,
  Expression,
  FunctionDefinition,
  Program,
  Statement,
  TopLevelItem,
  TypedefSymbol,
  VariableSymbol,
} from '../../program/tree.ts';
import type { Field, Type } from '../../program/types.ts';
import { assertNever, InvariantError } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { PrintContext } from './context.ts';
import { LineWriter } from './line-writer.ts';
import { NameTable, type Renamable } from './name-table.ts';
import {
  declarationAfter,
  printDeclarationItem,
  printDefinitionSpecifiers,
  printFunctionHead,
} from './print-declaration.ts';
import { printDiscarded } from './print-expression.ts';
import { printVariableInitializer } from './print-initializer.ts';
import { quoteText } from './print-literal.ts';
import { printBlockText, writeItems, writeStatement, writeWithAnnouncements } from './print-statement.ts';
import { BodyWriter } from './write-body.ts';

export interface ProgramStyle {
  /** Filled with the source places of the lines of the output. */
  readonly lineMap?: (Loc | readonly Loc[])[];
  /** Writes `#line` directives, so that a compiler reports places of the original source. */
  readonly lineDirectives?: boolean;
  /** A text to stand before a top-level item, such as a comment; null for none. */
  readonly annotate?: (item: TopLevelItem) => string | null;
  /** Writes the bodies of functions in the printer's place; null for those that are printed as usual. */
  readonly writeBody?: (definition: FunctionDefinition) => ((out: BodyWriter) => void) | null;
  /** Types that are declared before the text. */
  readonly knownTypedefs?: readonly TypedefSymbol[];
  /** Types of members that are declared otherwise than they are known. */
  readonly fieldTypes?: ReadonlyMap<Field, Type>;
}

/** Each attempt adds names that differ from all others, so that few are ever needed. */
const ATTEMPT_LIMIT = 20;

export function printProgram(program: Program, options: ProgramStyle = {}): string {
  const renamed = new Map<Renamable, string>();
  const lastDefinitions = findLastDefinitions(program);
  const lineMap = options.lineMap ?? [];
  for (let attempt = 0; attempt < ATTEMPT_LIMIT; attempt++) {
    const names = new NameTable(renamed, false);
    for (const typedef of options.knownTypedefs ?? []) names.declare(typedef, typedef.name);
    lineMap.length = 0;
    const writer = new LineWriter(options.lineDirectives ? program.sources : null, lineMap);
    const context = createContext(program.dataModel, names, lastDefinitions, options.fieldTypes);
    writeProgram(context, writer, program, options);
    if (names.problems.size === 0) return writer.text();
    for (const entity of names.problems) renamed.set(entity, freshName(entity, names.used));
  }
  throw new InvariantError('the names of a program cannot be told apart');
}

/** One expression, for traces and messages: names are written as they are. */
export function printExpression(expression: Expression, dataModel: DataModel): string {
  return printDiscarded(createContext(dataModel, new NameTable(new Map(), true)), expression);
}

/** One statement with its substatements, for traces and messages. */
export function printStatement(statement: Statement, dataModel: DataModel): string {
  const writer = new LineWriter(null);
  writeStatement(createContext(dataModel, new NameTable(new Map(), true)), writer, statement, null);
  return writer.text().trimEnd();
}

function findLastDefinitions(program: Program): ReadonlyMap<VariableSymbol, DeclarationItem> {
  const last = new Map<VariableSymbol, DeclarationItem>();
  for (const item of program.items) {
    if (item.kind === 'variable' && item.isDefinition) last.set(item.symbol, item);
  }
  return last;
}

function createContext(
  dataModel: DataModel,
  names: NameTable,
  lastDefinitions: ReadonlyMap<VariableSymbol, DeclarationItem> = new Map(),
  fieldTypes: ReadonlyMap<Field, Type> = new Map(),
): PrintContext {
  return {
    dataModel,
    names,
    fieldTypes,
    announcements: [],
    after: [],
    prototypeDepth: 0,
    texts: { version: names.version, discarded: new Map(), conditions: new Map() },
    labels: { names: new Map(), taken: new Set() },
    lastDefinitions,
    printBlock: printBlockText,
    printInitializer: printVariableInitializer,
  };
}

/** A record without a tag becomes `anonymous_1`, everything else keeps its name as the stem. */
function freshName(entity: Renamable, used: Set<string>): string {
  const stem = 'name' in entity ? entity.name : 'tag' in entity ? (entity.tag ?? 'anonymous') : 'unnamed';
  let n = 1;
  while (used.has(`${stem}_${n}`)) n++;
  const name = `${stem}_${n}`;
  used.add(name);
  return name;
}

function writeProgram(context: PrintContext, writer: LineWriter, program: Program, options: ProgramStyle): void {
  const { items } = program;
  items.forEach((item, at) => {
    if (item.kind === 'function') writer.separate();
    const annotation = options.annotate?.(item) ?? null;
    if (annotation !== null) writer.write(annotation, item.loc);
    const following = item.kind === 'enum' ? declarationAfter(items, at, toDeclaration) : null;
    writeTopLevelItem(context, writer, item, following, options);
  });
}

function toDeclaration(item: TopLevelItem): DeclarationItem | null {
  return item.kind === 'function' || item.kind === 'asm' ? null : item;
}

function writeTopLevelItem(
  context: PrintContext,
  writer: LineWriter,
  item: TopLevelItem,
  following: DeclarationItem | null,
  options: ProgramStyle,
): void {
  switch (item.kind) {
    case 'function':
      writeFunction(context, writer, item, options);
      break;
    case 'asm':
      writer.write(`__asm__(${quoteText(item.text)});`, item.loc);
      break;
    case 'record':
    case 'record-announcement':
    case 'enum':
    case 'typedef':
    case 'variable':
    case 'function-prototype': {
      const text = printDeclarationItem(context, item, following);
      if (text !== null) writeWithAnnouncements(context, writer, `${text};`, item.loc);
      break;
    }
    default:
      assertNever(item);
  }
}

/** Parameters and the body of a function share one scope. */
function writeFunction(
  context: PrintContext,
  writer: LineWriter,
  item: Extract<TopLevelItem, { kind: 'function' }>,
  { writeBody }: ProgramStyle,
): void {
  const { definition } = item;
  const { names } = context;
  context.labels = { names: new Map(), taken: new Set() };
  const specifiers = printDefinitionSpecifiers(context, definition.symbol);
  names.enter();
  const head = printFunctionHead(context, definition);
  writeWithAnnouncements(context, writer, `${specifiers}${head} {`, definition.loc);
  const write = writeBody?.(definition);
  writer.indented(() => {
    if (write) write(new BodyWriter(context, writer));
    else writeItems(context, writer, definition.body.items);
  });
  writer.write('}', definition.body.endLoc);
  names.leave();
  writer.separate();
}
