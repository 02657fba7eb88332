/**
 * What the type checker found out, for `--dump=types`: each declaration at file scope with its type spelled out, sizes and
 * alignments, the layout of records to the bit, the values of enumerators, the locals of functions.
 */

import type { DataModel } from '../../program/data-model.ts';
import { alignOf, sizeOf } from '../../program/layout.ts';
import { printType } from '../../program/print-type.ts';
import type { Program, TopLevelItem, VariableSymbol } from '../../program/tree.ts';
import type { EnumDeclaration, RecordDeclaration, Type } from '../../program/types.ts';
import { assertNever } from '../../support/invariant.ts';

export function printTypes(program: Program): string {
  return program.items.map((item) => `${printItem(item, program.dataModel)}\n`).join('');
}

function printItem(item: TopLevelItem, model: DataModel): string {
  switch (item.kind) {
    case 'record':
      return printLayout(item.declaration, model);
    case 'record-announcement':
      return `${item.declaration.isUnion ? 'union' : 'struct'} ${item.declaration.tag} (announced)`;
    case 'enum':
      return printEnum(item.declaration);
    case 'typedef':
      return `typedef ${printType(item.symbol.type, item.symbol.name)}${printSize(item.symbol.type, model)}`;
    case 'variable':
      return printVariable(item.symbol, item.isDefinition, model);
    case 'function-prototype':
      return `function ${printType(item.symbol.type, item.symbol.name)} (${item.symbol.linkage} linkage)`;
    case 'function': {
      const { symbol, parameters } = item.definition;
      const head = `function ${printType(symbol.type, symbol.name)} (${symbol.linkage} linkage, defined)`;
      return [head, ...parameters.map((one) => `  parameter ${printType(one.type, one.name)}`)].join('\n');
    }
    case 'asm':
      return 'asm';
    default:
      return assertNever(item);
  }
}

function printVariable(symbol: VariableSymbol, isDefinition: boolean, model: DataModel): string {
  const notes = [`${symbol.linkage} linkage`, `${symbol.duration} duration`];
  if (isDefinition) notes.push('defined');
  return `variable ${printType(symbol.type, symbol.name)} (${notes.join(', ')})${printSize(symbol.type, model)}`;
}

function printSize(type: Type, model: DataModel): string {
  if (!hasSize(type)) return '';
  return `: size ${sizeOf(type, model)}, alignment ${alignOf(type, model)}`;
}

function hasSize(type: Type): boolean {
  let at = type;
  while (at.kind === 'array') {
    if (typeof at.length !== 'number') return false;
    at = at.element;
  }
  if (at.kind === 'record') return at.declaration.fields !== null;
  return at.kind !== 'void' && at.kind !== 'function';
}

function printLayout(record: RecordDeclaration, model: DataModel): string {
  const head = `${record.isUnion ? 'union' : 'struct'} ${record.tag ?? '<unnamed>'}`;
  const fields = (record.fields ?? []).map(({ name, type, offset, bits }) => {
    const place = bits === null ? `${offset}` : `${offset} bits ${bits.offset}..${bits.offset + bits.width - 1}`;
    return `  at ${place}: ${printType(type, name ?? '')}${bits === null ? printSize(type, model) : ''}`;
  });
  return [`${head}: size ${record.size}, alignment ${record.alignment}`, ...fields].join('\n');
}

function printEnum(declaration: EnumDeclaration): string {
  const items = (declaration.enumerators ?? []).map(({ name, value }) => `  ${name} = ${value}`);
  return [`enum ${declaration.tag ?? '<unnamed>'}: ${declaration.underlying}`, ...items].join('\n');
}
