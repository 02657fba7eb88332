/**
 * Statements. Labels and `case` stand on lines of their own, one step to the left of what follows; an empty statement
 * is added where C wants a statement after a label. Braces are added where a body could be misread (`else` after an
 * inner `if`) or where a list is not allowed. A long chain of `else if` is printed by a loop.
 */

import type { AsmOperand, AsmStatement, BlockStatement, DeclarationItem, Statement } from '../../program/tree.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { type PrintContext, printLabel } from './context.ts';
import { bareAssigned } from './leave-out-casts.ts';
import { LineWriter } from './line-writer.ts';
import { declarationAfter, printDeclarationItem, splitVariable } from './print-declaration.ts';
import { printCondition, printDiscarded, printExpressionAt, printPromoted } from './print-expression.ts';
import { quoteText, renderAnyInteger } from './print-literal.ts';
import { PRECEDENCE } from './rendered.ts';
import { isSpellingUsable } from './spelling.ts';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** A block with its braces as a text of its own, for statement expressions. */
export function printBlockText(context: PrintContext, block: BlockStatement): string {
  const writer = new LineWriter(null);
  writeBlock(context, writer, block);
  return writer.text().trimEnd();
}

function writeBlock(context: PrintContext, writer: LineWriter, block: BlockStatement): void {
  writer.write('{', block.loc);
  writeBranch(context, writer, block);
  writer.write('}', block.endLoc);
}

/** The statements of a block, in a scope that the caller has entered. */
export function writeItems(context: PrintContext, writer: LineWriter, items: readonly Statement[]): void {
  items.forEach((item, at) => {
    const next = items[at + 1];
    const following = isEnum(item) ? declarationAfter(items, at, declared) : null;
    writeStatement(context, writer, item, following);
    const isLabel = item.kind === 'label' || item.kind === 'case' || item.kind === 'default';
    if (isLabel && (next === undefined || next.kind === 'declaration')) writer.write(';', item.loc);
  });
}

function declared(statement: Statement): DeclarationItem | null {
  return statement.kind === 'declaration' ? statement.item : null;
}

function isEnum(statement: Statement): boolean {
  return statement.kind === 'declaration' && statement.item.kind === 'enum';
}

/** Writes the text between the lines that must stand before and behind it. */
export function writeWithAnnouncements(context: PrintContext, writer: LineWriter, text: string, loc: Loc): void {
  for (const line of context.announcements.splice(0)) writer.write(line, loc);
  writer.write(text, loc);
  for (const line of context.after.splice(0)) writer.write(line, loc);
}

/** `following` is the declaration that comes next; it matters to enums only. */
export function writeStatement(
  context: PrintContext,
  writer: LineWriter,
  statement: Statement,
  following: DeclarationItem | null,
): void {
  switch (statement.kind) {
    case 'block':
      writeBlock(context, writer, statement);
      break;
    case 'if':
      writeIf(context, writer, statement);
      break;
    case 'while': {
      const head = `while (${printCondition(context, statement.condition)})`;
      writeBody(context, writer, head, statement.body, statement.loc);
      break;
    }
    case 'do':
      writeDo(context, writer, statement);
      break;
    case 'for':
      writeFor(context, writer, statement);
      break;
    case 'switch': {
      const head = `switch (${printPromoted(context, statement.value)})`;
      writeBody(context, writer, head, statement.body, statement.loc);
      break;
    }
    case 'label':
    case 'case':
    case 'default':
      writer.writeLabel(`${printLabelText(context, statement)}:`, statement.loc);
      break;
    default:
      writeWithAnnouncements(context, writer, printSimple(context, statement, following), statement.loc);
  }
}

type LabelStatement = Of<'label' | 'case' | 'default'>;
type CompoundKind = 'block' | 'if' | 'while' | 'do' | 'for' | 'switch';

function printLabelText(context: PrintContext, statement: LabelStatement): string {
  switch (statement.kind) {
    case 'label':
      return printLabel(context, statement.label);
    case 'case':
      return `case ${printCaseValue(context, statement)}`;
    case 'default':
      return 'default';
  }
}

/** A statement without others inside; the empty text for a declaration that is written elsewhere. */
function printSimple(
  context: PrintContext,
  statement: Exclude<Statement, { kind: CompoundKind } | LabelStatement>,
  following: DeclarationItem | null,
): string {
  switch (statement.kind) {
    case 'declaration': {
      const text = printDeclarationItem(context, statement.item, following);
      return text === null ? '' : `${text};`;
    }
    case 'expression':
      return `${printDiscarded(context, statement.expression)};`;
    case 'empty':
      return ';';
    case 'goto':
      return `goto ${printLabel(context, statement.label)};`;
    case 'computed-goto':
      return `goto *${printExpressionAt(context, statement.target, PRECEDENCE.cast)};`;
    case 'break':
    case 'continue':
      return `${statement.kind};`;
    case 'return':
      return statement.value === null ? 'return;' : `return ${printReturned(context, statement.value)};`;
    case 'asm':
      return `${printAsm(context, statement)};`;
    default:
      return assertNever(statement);
  }
}

function printReturned(context: PrintContext, value: NonNullable<Of<'return'>['value']>): string {
  if (value.type.kind === 'void') return printDiscarded(context, value);
  return printExpressionAt(context, bareAssigned(value, context.dataModel), PRECEDENCE.comma);
}

function printCaseValue(context: PrintContext, statement: Of<'case'>): string {
  const { low, high, spelling } = statement;
  if (low !== high) return `${renderAnyInteger(low).text} ... ${renderAnyInteger(high).text}`;
  return spelling !== null && isSpellingUsable(context, spelling, low) ? spelling : renderAnyInteger(low).text;
}

// ---------------------------------------------------------------- bodies

/** A head with its body: a block opens on the line of the head, another statement stands below it. */
function writeBody(context: PrintContext, writer: LineWriter, head: string, whole: Statement, loc: Loc): void {
  const body = asBody(whole);
  writeWithAnnouncements(context, writer, `${head}${opening(body)}`, loc);
  writeBranch(context, writer, body);
  if (body.kind === 'block') writer.write('}', body.endLoc);
}

/** Labels and declarations are items of lists in the tree, but C has no such bodies. */
function asBody(body: Statement): Statement {
  switch (body.kind) {
    case 'declaration':
    case 'label':
    case 'case':
    case 'default':
      return inBlock(body);
    default:
      return body;
  }
}

function inBlock(statement: Statement): BlockStatement {
  return { kind: 'block', items: [statement], loc: statement.loc, endLoc: statement.loc };
}

/** The closing brace of a branch shares its line with the `else` that follows. */
function writeIf(context: PrintContext, writer: LineWriter, whole: Of<'if'>): void {
  let at: Of<'if'> = whole;
  let before = '';
  for (;;) {
    const { otherwise } = at;
    const then = otherwise !== null && endsInOpenIf(at.then) ? inBlock(at.then) : asBody(at.then);
    writeWithAnnouncements(
      context,
      writer,
      `${before}if (${printCondition(context, at.condition)})${opening(then)}`,
      at.loc,
    );
    writeBranch(context, writer, then);
    const closing = then.kind === 'block' ? '}' : '';
    if (otherwise === null) {
      if (then.kind === 'block') writer.write(closing, then.endLoc);
      return;
    }
    before = closing === '' ? 'else ' : `${closing} else `;
    if (otherwise.kind === 'if') {
      at = otherwise;
      continue;
    }
    const last = asBody(otherwise);
    writer.write(`${before.trimEnd()}${opening(last)}`, otherwise.loc);
    writeBranch(context, writer, last);
    if (last.kind === 'block') writer.write('}', last.endLoc);
    return;
  }
}

function opening(body: Statement): string {
  return body.kind === 'block' ? ' {' : '';
}

/** The inside of a block, or the statement itself. */
function writeBranch(context: PrintContext, writer: LineWriter, body: Statement): void {
  context.names.enter();
  writer.indented(() => {
    if (body.kind === 'block') writeItems(context, writer, body.items);
    else writeStatement(context, writer, body, null);
  });
  context.names.leave();
}

/** Whether an `else` written behind the statement would belong to an `if` inside it. */
function endsInOpenIf(statement: Statement): boolean {
  let at: Statement = statement;
  for (;;) {
    switch (at.kind) {
      case 'if':
        if (at.otherwise === null) return true;
        at = at.otherwise;
        break;
      case 'while':
      case 'for':
      case 'switch':
        at = at.body;
        break;
      default:
        return false;
    }
  }
}

/** The condition is printed after the body: labels get their names in the order of the text. */
function writeDo(context: PrintContext, writer: LineWriter, statement: Of<'do'>): void {
  const body = asBody(statement.body);
  writer.write(`do${opening(body)}`, statement.loc);
  writeBranch(context, writer, body);
  const { condition } = statement;
  const closing = body.kind === 'block' ? '} ' : '';
  writer.write(`${closing}while (${printCondition(context, condition)});`, condition.loc);
}

// ---------------------------------------------------------------- for

/**
 * The declarations of a loop's head must share their specifiers; if they do not, they stand in a block around the loop.
 */
function writeFor(context: PrintContext, writer: LineWriter, statement: Of<'for'>): void {
  context.names.enter();
  const init = printForInit(context, statement.init);
  if (init !== null) {
    writeForHead(context, writer, statement, init);
  } else {
    writer.write('{', statement.loc);
    writer.indented(() => {
      writeItems(context, writer, statement.init);
      writeForHead(context, writer, statement, '');
    });
    writer.write('}', statement.loc);
  }
  context.names.leave();
}

function writeForHead(context: PrintContext, writer: LineWriter, statement: Of<'for'>, init: string): void {
  const { condition, step } = statement;
  const test = condition === null ? '' : ` ${printCondition(context, condition)}`;
  const next = step === null ? '' : ` ${printDiscarded(context, step)}`;
  writeBody(context, writer, `for (${init};${test};${next})`, statement.body, statement.loc);
}

function printForInit(context: PrintContext, list: readonly Statement[]): string | null {
  const init = list.filter((statement) => !isDeferred(context, statement));
  const [first] = init;
  if (first === undefined) return '';
  if (first.kind === 'expression' && init.length === 1) return printDiscarded(context, first.expression);
  const declared = init.map((statement) => {
    const isVariable = statement.kind === 'declaration' && statement.item.kind === 'variable';
    return isVariable ? splitVariable(context, statement.item) : null;
  });
  const specifiers = declared[0]?.specifiers;
  if (declared.some((one) => one === null || one.specifiers !== specifiers)) return null;
  return `${specifiers} ${declared.map((one) => one?.declarator).join(', ')}`;
}

/** A record without a tag is written where it is first mentioned. */
function isDeferred(context: PrintContext, statement: Statement): boolean {
  if (statement.kind !== 'declaration' || statement.item.kind !== 'record') return false;
  if (context.names.tagOf(statement.item.declaration) !== null) return false;
  context.names.defer(statement.item.declaration);
  return true;
}

// ---------------------------------------------------------------- asm

function printAsm(context: PrintContext, statement: AsmStatement): string {
  const words = ['__asm__'];
  if (statement.isVolatile) words.push('volatile');
  if (statement.labels.length > 0) words.push('goto');
  const template = quoteText(statement.template);
  if (statement.isBasic) return `${words.join(' ')} (${template})`;
  const sections = [
    printAsmOperands(context, statement.outputs),
    printAsmOperands(context, statement.inputs),
    statement.clobbers.map(quoteText).join(', '),
  ];
  if (statement.labels.length > 0)
    sections.push(statement.labels.map((label) => printLabel(context, label)).join(', '));
  return `${words.join(' ')} (${template} : ${sections.join(' : ')})`;
}

function printAsmOperands(context: PrintContext, operands: readonly AsmOperand[]): string {
  return operands
    .map(({ name, constraint, value }) => {
      const label = name === null ? '' : `[${name}] `;
      return `${label}${quoteText(constraint)} (${printExpressionAt(context, value, PRECEDENCE.comma)})`;
    })
    .join(', ');
}
