import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireTool } from '../../test/support/tools.ts';
import { readProgram } from '../frontend/front-end.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { DataModel } from './data-model.ts';
import { alignOf, sizeOf } from './layout.ts';
import { recordType } from './type-operations.ts';
import type { RecordDeclaration } from './types.ts';

/** Compiles and runs a program with gcc. */
function runWithGcc(gcc: string, text: string, model: DataModel): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-layout-'));
  try {
    const source = path.join(folder, 'layout.c');
    const program = path.join(folder, 'layout');
    writeFileSync(source, text);
    const options = [model === 'ILP32' ? '-m32' : '-m64', '-w', '-o', program, source];
    execFileSync(gcc, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    return execFileSync(program, { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const scalars = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
  'long long',
  'float',
  'double',
  'long double',
  'void *',
  '_Bool',
  'enum colour',
  '_Atomic int',
  '_Atomic short',
  '__builtin_va_list',
  '_Float128',
  'double _Complex',
];
const bitTypes: readonly (readonly [string, number])[] = [
  ['char', 8],
  ['signed char', 8],
  ['unsigned short', 16],
  ['int', 32],
  ['unsigned', 32],
  ['long long', 64],
  ['unsigned long', 32],
  ['_Bool', 1],
  ['enum colour', 3],
];

function randomRecord(random: Random, index: number): string {
  const keyword = random.chance(1, 5) ? 'union' : 'struct';
  const members: string[] = [];
  const count = random.below(7);
  for (let i = 0; i < count; i++) members.push(randomMember(random, `m${i}`, index));
  if (keyword === 'struct' && count > 1 && random.chance(1, 8)) members.push('short flexible[];');
  const packed = random.chance(1, 6) ? ' __attribute__((packed))' : '';
  const aligned = random.chance(1, 10) ? ` __attribute__((aligned(${1 << random.below(6)})))` : '';
  const body = `${keyword} r${index} {\n${members.map((member) => `  ${member}\n`).join('')}}${packed}${aligned};\n`;
  if (!random.chance(1, 8)) return body;
  return `#pragma pack(push, ${1 << random.below(4)})\n${body}#pragma pack(pop)\n`;
}

function randomMember(random: Random, name: string, index: number): string {
  const kind = random.below(10);
  if (kind < 4) {
    const [type, most] = random.pick(bitTypes);
    if (random.chance(1, 8)) return `${type} : 0;`;
    if (random.chance(1, 10)) return `${type} : ${1 + random.below(most)};`;
    const attribute = random.chance(1, 12)
      ? ` __attribute__((${random.pick(['packed', 'aligned(4)', 'aligned(8)'])}))`
      : '';
    return `${type} ${name} : ${1 + random.below(most)}${attribute};`;
  }
  const attribute = random.chance(1, 8)
    ? ` __attribute__((${random.pick(['packed', 'aligned(2)', 'aligned(16)'])}))`
    : '';
  if (kind === 4 && index > 0)
    return `union r_or_int${index}_${name} { int i; struct r${random.below(index)} *p; } ${name};`;
  if (kind === 5) return `struct { short ${name}_a; char ${name}_b[3]; };`;
  if (kind === 6) return `${random.pick(scalars)} ${name}[${random.below(4)}]${attribute};`;
  const type = random.chance(1, 20) ? 'aligned_int' : random.pick(scalars);
  return `${type} ${name}${attribute};`;
}

const prologue = `enum colour { RED, GREEN, BLUE };
typedef int aligned_int __attribute__((aligned(8)));
`;

/** What the compiled program prints for a record, from our layout. */
function expectedLines(declaration: RecordDeclaration, index: number, model: DataModel): string[] {
  const type = recordType(declaration);
  const lines = [`r${index} size ${sizeOf(type, model)} align ${alignOf(type, model)}`];
  for (const field of declaration.fields ?? []) {
    if (field.name === null) continue;
    if (field.bits === null) {
      lines.push(`r${index}.${field.name} offset ${field.offset}`);
      continue;
    }
    const first = 8 * field.offset + field.bits.offset;
    lines.push(`r${index}.${field.name} bits ${first} ${first + field.bits.width - 1}`);
  }
  return lines;
}

function printingProgram(text: string, records: readonly RecordDeclaration[]): string {
  const parts = records.map((declaration, index) => {
    const name = `${declaration.isUnion ? 'union' : 'struct'} r${index}`;
    const fields = (declaration.fields ?? []).map((field) => {
      if (field.name === null) return '';
      if (field.bits === null)
        return `printf("r${index}.${field.name} offset %d\\n", (int)__builtin_offsetof(${name}, ${field.name}));`;
      return `{ static ${name} v; v.${field.name} = -1; bits("r${index}.${field.name}", &v, sizeof v); }`;
    });
    return `printf("r${index} size %d align %d\\n", (int)sizeof(${name}), (int)_Alignof(${name}));\n${fields.join('\n')}`;
  });
  return `#include <stdio.h>
#include <stddef.h>
${text}
static void bits(const char *name, void *p, int size) {
  int first = -1, last = -1;
  for (int i = 0; i < 8 * size; i++)
    if (((unsigned char *)p)[i / 8] >> i % 8 & 1) { if (first < 0) first = i; last = i; }
  printf("%s bits %d %d\\n", name, first, last);
}
int main(void) {
${parts.join('\n')}
  return 0;
}
`;
}

describe.each(['ILP32', 'LP64'] as const)('record layout on %s', (model) => {
  it.each([1, 2, 3])(
    'agrees with gcc (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      let text = prologue;
      for (let i = 0; i < 200; i++) text += randomRecord(random, i);
      text = text.replace(/struct r(\d+) \*p/g, 'void *p');
      const { program, diagnostics } = readProgram({ fileName: 'layout.c', text, dataModel: model });
      expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
      const records: RecordDeclaration[] = [];
      for (const item of program?.items ?? []) {
        const match = item.kind === 'record' ? /^r(\d+)$/.exec(item.declaration.tag ?? '') : null;
        if (match && item.kind === 'record') records[Number(match[1])] = item.declaration;
      }
      expect(records.length).toBe(200);
      const gcc = requireTool(model === 'ILP32' ? 'gcc -m32' : 'gcc');
      if (gcc === null) return;
      const output = runWithGcc(gcc, printingProgram(text, records), model);
      const expected = records.flatMap((declaration, index) => expectedLines(declaration, index, model));
      expect(output.trim().split('\n')).toEqual(expected);
    },
    30_000,
  );
});
