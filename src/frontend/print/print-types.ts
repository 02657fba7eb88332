/**
 * The dump of `--dump=types`: every declared name with its type, size and alignment, every record with the places of
 * its members, every enum with its values. One line a thing, in the order of the source; made for reading and for
 * diffs.
 */

import type { DataModel } from '../../program/data-model.ts';
import { integerSize } from '../../program/integer-range.ts';
import { alignOf, sizeOf } from '../../program/layout.ts';
import { type PrintTypeOptions, printType } from '../../program/print-type.ts';
import type { DeclarationItem, FunctionDefinition, Program, Statement, VariableSymbol } from '../../program/tree.ts';
import { hasVariableSize, isComplete } from '../../program/type-operations.ts';
import type { EnumDeclaration, Field, RecordDeclaration, Type } from '../../program/types.ts';
import { statementsOf } from '../../program/visit-tree.ts';

/** Anonymous records and enums are told apart by their numbers. */
const names: PrintTypeOptions = {
  recordName: (declaration) =>
    `${declaration.isUnion ? 'union' : 'struct'} ${declaration.tag ?? `<anonymous ${declaration.id}>`}`,
  enumName: (declaration) => `enum ${declaration.tag ?? `<anonymous ${declaration.id}>`}`,
};

export function printTypes(program: Program): string {
  const lines: string[] = [];
  for (const item of program.items) {
    if (item.kind === 'function') printFunction(item.definition, program.dataModel, lines);
    else if (item.kind !== 'asm') printDeclaration(item, program.dataModel, '', lines);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function printDeclaration(item: DeclarationItem, model: DataModel, indent: string, lines: string[]): void {
  switch (item.kind) {
    case 'record':
      printRecord(item.declaration, indent, lines);
      break;
    case 'record-announcement':
      break;
    case 'enum':
      printEnum(item.declaration, model, indent, lines);
      break;
    case 'typedef':
      lines.push(`${indent}typedef ${printType(item.symbol.type, item.symbol.name, names)}`);
      break;
    case 'variable':
      lines.push(`${indent}${describeVariable(item.symbol, model)}`);
      break;
    case 'function-prototype':
      lines.push(`${indent}${printType(item.symbol.type, item.symbol.name, names)}`);
      break;
  }
}

function describeVariable(symbol: VariableSymbol, model: DataModel): string {
  const storage = symbol.duration === 'automatic' ? '' : ` ${symbol.duration}`;
  const linkage = symbol.linkage === 'none' ? '' : ` ${symbol.linkage}`;
  return `${printType(symbol.type, symbol.name, names)}: ${describeSize(symbol.type, model, symbol.alignment)}${storage}${linkage}`;
}

function describeSize(type: Type, model: DataModel, requested: number | null = null): string {
  if (!isComplete(type)) return 'incomplete';
  const alignment = Math.max(alignOf(type, model), requested ?? 1);
  return `size ${hasVariableSize(type) ? 'variable' : sizeOf(type, model)}, alignment ${alignment}`;
}

function printRecord(declaration: RecordDeclaration, indent: string, lines: string[]): void {
  const name = names.recordName?.(declaration) ?? '';
  lines.push(`${indent}${name}: size ${declaration.size}, alignment ${declaration.alignment}`);
  for (const field of declaration.fields ?? []) lines.push(`${indent}  ${describeField(field)}`);
}

function describeField(field: Field): string {
  const text = printType(field.type, field.name ?? '', names);
  if (field.bits === null) return `${field.offset}: ${text}`;
  return `${field.offset}.${field.bits.offset}: ${text} : ${field.bits.width}`;
}

function printEnum(declaration: EnumDeclaration, model: DataModel, indent: string, lines: string[]): void {
  const size = integerSize(declaration.underlying, model);
  lines.push(`${indent}${names.enumName?.(declaration)}: ${declaration.underlying}, size ${size}`);
  for (const { name, value } of declaration.enumerators ?? []) lines.push(`${indent}  ${name} = ${value}`);
}

function printFunction(definition: FunctionDefinition, model: DataModel, lines: string[]): void {
  const { symbol } = definition;
  lines.push(`${printType(symbol.type, symbol.name, names)} {`);
  for (const parameter of definition.parameters) lines.push(`  parameter ${describeVariable(parameter, model)}`);
  // A list instead of recursion: blocks may be nested deeply and `else if` chains long.
  const pending: { readonly statement: Statement; readonly indent: string }[] = [];
  const push = (statements: readonly Statement[], indent: string): void => {
    for (let i = statements.length - 1; i >= 0; i--) pending.push({ statement: statements[i] as Statement, indent });
  };
  push(definition.body.items, '  ');
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { statement, indent } = next;
    if (statement.kind === 'declaration') printDeclaration(statement.item, model, indent, lines);
    else push(statementsOf(statement), statement.kind === 'if' ? indent : `${indent}  `);
  }
  lines.push('}');
}
