/**
 * A program between two passes as C that a compiler accepts: primitives that the passes know by name are declared,
 * functions that are mentioned get a prototype where their definition is gone (calls are inlined) or comes later, and
 * what headers declare and nobody uses is left out. A nondeterministic value is drawn by a function of its type, and
 * labels that copies of a loop share get their numbers.
 */

import { printProgram } from '../frontend/print/print-program.ts';
import type { DataModel } from '../program/data-model.ts';
import { PRIMITIVES, primitiveOf } from '../program/primitives.ts';
import type { Expression, FunctionSymbol, Program, TopLevelItem } from '../program/tree.ts';
import {
  mapBlock,
  mapExpression,
  type StatementRebuild,
  walkInitializer,
  walkStatementOnce,
} from '../program/visit-tree.ts';
import { type NondetType, nondetTypeText, shortTypeName } from './backend-spelling.ts';
import { pruneItems } from './prune-items.ts';
import { nondetTypeOf } from './spell-primitives.ts';

export function printStage(program: Program): string {
  const used = new Set<string>();
  const items = program.items.map((item) => nameDraws(item, used));
  const pruned = pruneItems({ ...program, items });
  const declared = { ...pruned, items: declareFunctions(pruned.items) };
  return `${declarePrimitives(used, program.dataModel)}${countLabels(printProgram(declared))}`;
}

/** Labels of visible statements are numbered in each function in the order of the text; nothing jumps to them yet. */
function countLabels(text: string): string {
  let count = 0;
  return text.replace(/^\S.* \{$|^( *)__lazuli_\d+:/gm, (line, indentation?: string) => {
    if (indentation !== undefined) return `${indentation}__lazuli_${count++}:`;
    count = 0;
    return line;
  });
}

/** Notes the primitives, and spells those that draw a value by its type. */
function nameDraws(item: TopLevelItem, used: Set<string>): TopLevelItem {
  if (item.kind !== 'function') return item;
  const rename = (node: Expression): Expression => {
    const primitive = primitiveOf(node);
    if (node.kind !== 'builtin' || primitive === null) return node;
    if (primitive !== 'nondet') {
      used.add(isNumberedSpawn(node) ? NUMBERED_SPAWN : node.name);
      return node;
    }
    const type = nondetTypeOf(node.type);
    const name = `${PRIMITIVES.nondet}_${shortTypeName(type)}`;
    used.add(declarationOfDraw(type, name));
    return { ...node, name };
  };
  const rebuild: StatementRebuild = {
    expression: (expression) => mapExpression(expression, rename),
    statement: (statement) => [statement],
    rebuilt: new Map(),
  };
  const { definition } = item;
  return { ...item, definition: { ...definition, body: mapBlock(definition.body, rebuild) } };
}

/** Once threads have functions of their own, `spawn` takes the number of the new one. */
const NUMBERED_SPAWN = `unsigned int ${PRIMITIVES.spawn}(unsigned int, void *);`;

function isNumberedSpawn({ name, args }: Extract<Expression, { kind: 'builtin' }>): boolean {
  return name === PRIMITIVES.spawn && args[0]?.type.kind === 'integer';
}

function declarationOfDraw(type: NondetType, name: string): string {
  const text = nondetTypeText(type);
  return `${text}${text.endsWith('*') ? '' : ' '}${name}(void);`;
}

/** As the models' primitives.h has them. The operand of the last two is an object, whatever its type. */
function declarePrimitives(used: ReadonlySet<string>, model: DataModel): string {
  const size = model === 'ILP32' ? 'unsigned int' : 'unsigned long';
  const declarations = new Map<string, string>([
    [PRIMITIVES.assume, `void ${PRIMITIVES.assume}(int, ...);`],
    [PRIMITIVES.assert, `void ${PRIMITIVES.assert}(int, const char *, const char *);`],
    [PRIMITIVES.self, `unsigned int ${PRIMITIVES.self}(void);`],
    [PRIMITIVES.spawn, `unsigned int ${PRIMITIVES.spawn}(void *(*)(void *), void *);`],
    [PRIMITIVES.endThread, `_Noreturn void ${PRIMITIVES.endThread}(void);`],
    [PRIMITIVES.halt, `_Noreturn void ${PRIMITIVES.halt}(void);`],
    [PRIMITIVES.atomicBegin, `void ${PRIMITIVES.atomicBegin}(void);`],
    [PRIMITIVES.atomicEnd, `void ${PRIMITIVES.atomicEnd}(void);`],
    [PRIMITIVES.fence, `void ${PRIMITIVES.fence}(int);`],
    [PRIMITIVES.allocate, `void *${PRIMITIVES.allocate}(${size}, int);`],
    [PRIMITIVES.free, `void ${PRIMITIVES.free}(void *);`],
    [PRIMITIVES.objectSize, `${size} ${PRIMITIVES.objectSize}(const void *);`],
    [PRIMITIVES.havoc, `#define ${PRIMITIVES.havoc}(object) ((void)0)`],
    [PRIMITIVES.zero, `#define ${PRIMITIVES.zero}(object) ((void)0)`],
  ]);
  return [...used].map((name) => `${declarations.get(name) ?? name}\n`).join('');
}

/** With prototypes, each before the first item that needs it. */
function declareFunctions(items: readonly TopLevelItem[]): TopLevelItem[] {
  const known = new Set<FunctionSymbol>();
  const missing: FunctionSymbol[] = [];
  const visitor = {
    expression: (node: Expression) => {
      if (node.kind !== 'function' || known.has(node.symbol)) return;
      known.add(node.symbol);
      missing.push(node.symbol);
    },
  };
  const result: TopLevelItem[] = [];
  for (const item of items) {
    if (item.kind === 'function') {
      known.add(item.definition.symbol);
      walkStatementOnce(item.definition.body, visitor);
    } else if (item.kind === 'function-prototype') known.add(item.symbol);
    else if (item.kind === 'variable' && item.symbol.initializer) walkInitializer(item.symbol.initializer, visitor);
    for (const symbol of missing.splice(0)) result.push({ kind: 'function-prototype', symbol, loc: symbol.loc });
    result.push(item);
  }
  return result.map((item) => asMentioned(item, known));
}

/** A thread's routine has lost its result, but those who create the thread know it with one. */
function asMentioned(item: TopLevelItem, mentioned: ReadonlySet<FunctionSymbol>): TopLevelItem {
  if (item.kind !== 'function') return item;
  const { symbol } = item.definition;
  const original = [...mentioned].find((each) => each.name === symbol.name && each !== symbol);
  return original ? { ...item, definition: { ...item.definition, symbol: { ...symbol, type: original.type } } } : item;
}
