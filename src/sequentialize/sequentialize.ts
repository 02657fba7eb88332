/**
 * A bounded program as one sequential C file: control variables, the program's own declarations, one function per
 * thread with control code, and the driver. For each line of the file, the place in the source that it came from.
 */

import { type ProgramStyle, printProgram } from '../frontend/print/print-program.ts';
import {
  asProgram,
  type BoundedProgram,
  type BoundedThread,
  lastLabel,
  mapThreads,
} from '../program/bounded-program.ts';
import { block, builtin, expressionStatement } from '../program/build-tree.ts';
import { type DataModel, wordSize } from '../program/data-model.ts';
import type { FreshSymbols } from '../program/fresh-symbols.ts';
import { sizeOf } from '../program/layout.ts';
import { isWeak } from '../program/memory-model.ts';
import type { Expression, FunctionSymbol, Program, TopLevelItem, TypedefSymbol } from '../program/tree.ts';
import { intType, vaListType } from '../program/type-operations.ts';
import type { Field, Type } from '../program/types.ts';
import { walkInitializer } from '../program/visit-tree.ts';
import { invariant } from '../support/invariant.ts';
import type { LinePlaces } from '../support/line-places.ts';
import { pushAll } from '../support/push-all.ts';
import { type Loc, NOWHERE } from '../support/source.ts';
import { deadlockDeclarations } from './ask-deadlock.ts';
import { raceDeclarations } from './ask-race.ts';
import type { BackendSpelling } from './backend-spelling.ts';
import { arriveFunction, declareDelays, turnBits } from './declare-delays.ts';
import { type DelayedStore, delayAll } from './delay-stores.ts';
import { findConflicts } from './find-conflicts.ts';
import { countKept, sizeTable } from './keep-sizes.ts';
import { type BitVectorType, type Narrowed, narrowVariables, type Widths } from './narrow-variables.ts';
import { FEWEST_ROUNDS } from './normal-form.ts';
import { pruneItems } from './prune-items.ts';
import { bitsFor, type Schema, type SchemaInput } from './schema.ts';
import { SCHEMAS } from './schemas.ts';
import { showValues } from './show-values.ts';
import { newUsed, type SpellingContext, spellPrimitives } from './spell-primitives.ts';

export interface SequentializeOptions {
  readonly schema: Schema['name'];
  readonly rounds: number;
  /**
   * Main runs once more after the last round, as in the original Lazy-CSeq, where assertions after joins need no round
   * more.
   */
  readonly closingMain: boolean;
  /** The order of the threads in a round: a permutation of their numbers; null for the order of their numbers. */
  readonly schedule: readonly number[] | null;
  readonly spelling: BackendSpelling;
  /** Writes `#line` directives. */
  readonly lineDirectives: boolean;
  /** Executions that reach what the models leave out are cut off, instead of violating an assertion. */
  readonly cutsOffUnsupported?: boolean;
  /** Declares integers in fewer bits, by the widths that this tells. The spelling must have types for it. */
  readonly widths?: Widths | undefined;
  /** Of schedules that give the same executions, only one; where nothing is said, if there are many rounds. */
  readonly normalForm?: boolean;
  /** For Frama-C: shows the values of variables that could be narrower after each assignment. */
  readonly showsValues?: boolean;
}

export interface SequentializedThread {
  readonly number: number;
  readonly functionName: string;
  readonly startName: string;
  /** The number of its last label. */
  readonly size: number;
  /** By label: the place of the statement that it stands before. */
  readonly labels: readonly Loc[];
  /** The stores that may reach memory late, by number: the places of the assignment and of its target. */
  readonly stores: readonly (readonly Loc[])[];
}

export interface Sequentialized {
  readonly text: string;
  /** The places that the lines came from, NOWHERE for control code. */
  readonly lineMap: LinePlaces;
  readonly threads: readonly SequentializedThread[];
  /** Threads have loops that are none of the source, with as many iterations as a large array has elements. */
  readonly hasOwnLoops: boolean;
}

export function sequentialize(bounded: BoundedProgram, options: SequentializeOptions): Sequentialized {
  const schema = SCHEMAS.find(({ name }) => name === options.schema);
  invariant(schema, 'an unknown schema');
  invariant(schema.keepsLoops === bounded.options.keepLoops, 'a program that was bounded for another schema');
  const { memoryModel } = bounded.options;
  const delayed = isWeak(memoryModel) ? delayAll(bounded) : null;
  const threaded = delayed?.bounded ?? bounded;
  const program = asProgram(threaded);
  const used = newUsed();
  used.nondet.add(schema.draws);
  const kept = options.spelling.objectSize === null ? countKept(program) : 0;
  if (kept > 0 && schema.keepsLoops) used.allocates = true;
  const spellingContext = {
    program,
    spelling: options.spelling,
    fresh: bounded.fresh,
    threads: bounded.threads,
    activate: schema.activate,
    cutsOffUnsupported: options.cutsOffUnsupported ?? false,
    endsAtViolation: options.widths !== undefined,
    keepsSizes: kept > 0,
    used,
  };
  const spelled = asProgram(mapThreads(threaded, (thread) => spellPrimitives(thread, spellingContext))).items;
  const shown = options.showsValues ? showValues(spelled) : spelled;
  const { items, typedefs, fieldTypes } = options.widths
    ? narrow(shown, options.widths, spellingContext)
    : { items: shown, typedefs: [], fieldTypes: new Map<Field, Type>() };
  const threads = bounded.threads.map((thread, t) => describeThread(thread, delayed?.stores[t] ?? []));
  if (schema.usesControlBits) for (const { size } of threads) used.controlBits.add(bitsFor(size));
  const schedule = options.schedule ?? threads.map((thread) => thread.number);
  const { rounds, closingMain, spelling } = options;
  const turns = rounds * threads.length + (closingMain ? 1 : 0);
  const delays = delayed && isWeak(memoryModel) ? { ...delayed, memoryModel, turns } : null;
  if (delays) used.controlBits.add(turnBits(delays));
  // Under a weak memory model steps conflict in more ways.
  const isNormal = schema.guessesFirst && delays === null && (options.normalForm ?? rounds >= FEWEST_ROUNDS);
  const conflicts = isNormal ? findConflicts(bounded) : null;
  const { seeks } = bounded.options;
  if (seeks !== null) used.nondet.add('_Bool');
  const input: SchemaInput = { threads, schedule, rounds, closingMain, spelling, conflicts, seeks, delays };
  const before = [
    ...schema.headComment(input),
    ...options.spelling.prologue(used, program.dataModel),
    ...(kept > 0 ? sizeTable(schema.keepsLoops ? null : kept, program.dataModel) : []),
    ...schema.declarations(input),
    ...deadlockDeclarations(input),
    ...(delays ? declareDelays(delays, spelling) : []),
    ...raceDeclarations(input),
  ];
  const main = bounded.threads[0];
  const arrival = delays && main ? arriveFunction(delays, main.function.symbol, bounded.fresh) : [];
  const pruned = pruneItems({ ...program, items: withStubs([...items, ...arrival], used.functions, bounded.fresh) });
  // Control code comes last: it is all that differs between copies of a loop, and nobody needs to look at it.
  const { text, lineMap } = assemble(before, pruned, schema.driver(input), {
    writeBody: threadWriters(bounded, schema),
    lineDirectives: options.lineDirectives,
    knownTypedefs: typedefs,
    fieldTypes,
  });
  return { text, lineMap, threads, hasOwnLoops: used.hasOwnLoops };
}

function describeThread(thread: BoundedThread, delayed: readonly DelayedStore[]): SequentializedThread {
  const { number, startName, labels } = thread;
  const functionName = thread.function.symbol.name;
  const stores = delayed.map(({ assignment: { loc, target } }) => [loc, target.loc]);
  return { number, functionName, startName, size: lastLabel(thread), labels: labels.places, stores };
}

/** How the functions of the threads are written. */
function threadWriters({ threads }: BoundedProgram, schema: Schema): NonNullable<ProgramStyle['writeBody']> {
  const byName = new Map(threads.map((thread) => [thread.function.symbol.name, thread]));
  return (definition) => {
    const thread = byName.get(definition.symbol.name);
    if (thread === undefined) return null;
    return (out) => schema.writeThread({ definition, thread: thread.number, labels: thread.labels.symbols }, out);
  };
}

/** The items with narrow integers, and the types that these have. */
function narrow(
  items: readonly TopLevelItem[],
  widths: Widths,
  { program, spelling, used, fresh }: SpellingContext,
): Narrowed & { readonly typedefs: readonly TypedefSymbol[] } {
  const { signedType } = spelling;
  invariant(signedType, 'a spelling without narrow types');
  const typedefs = new Map<string, TypedefSymbol>();
  const typedefOf = ({ bits, signed }: BitVectorType) => {
    (signed ? used.signedBits : used.controlBits).add(bits);
    const name = signed ? signedType(bits) : spelling.controlType(bits);
    const known = typedefs.get(name);
    if (known) return known;
    const made = {
      kind: 'typedef-symbol',
      id: fresh.id(),
      name,
      type: intType,
      alignment: null,
      loc: NOWHERE,
    } as const;
    typedefs.set(name, made);
    return made;
  };
  const narrowed = narrowVariables(items, { ...widths, dataModel: program.dataModel, typedefOf });
  return { ...narrowed, typedefs: [...typedefs.values()] };
}

/**
 * Functions whose addresses are compared need to exist, although nobody calls them any more: they get an empty body.
 */
function withStubs(
  items: readonly TopLevelItem[],
  inThreads: ReadonlySet<FunctionSymbol>,
  fresh: FreshSymbols,
): TopLevelItem[] {
  const mentioned = new Set(inThreads);
  const visitor = {
    expression: (node: Expression) => {
      if (node.kind === 'function') mentioned.add(node.symbol);
    },
  };
  for (const item of items) {
    if (item.kind === 'variable' && item.symbol.initializer) walkInitializer(item.symbol.initializer, visitor);
  }
  const stubs = [...mentioned].map((symbol) => stubOf(symbol, fresh));
  const firstFunction = items.findIndex((item) => item.kind === 'function');
  const prototypes = [...mentioned].map(
    (symbol): TopLevelItem => ({ kind: 'function-prototype', symbol, loc: symbol.loc }),
  );
  return [...typesFirst(items.slice(0, firstFunction), prototypes), ...stubs, ...items.slice(firstFunction)];
}

/** Prototypes stand between the types and the variables, whose initializers may mention the functions. */
function typesFirst(items: readonly TopLevelItem[], prototypes: readonly TopLevelItem[]): TopLevelItem[] {
  const isVariable = ({ kind }: TopLevelItem) => kind === 'variable';
  const others = items.filter((item) => item.kind !== 'function-prototype');
  return [...others.filter((item) => !isVariable(item)), ...prototypes, ...others.filter(isVariable)];
}

function stubOf(symbol: FunctionSymbol, fresh: FreshSymbols): TopLevelItem {
  const { loc, type } = symbol;
  const types = type.kind === 'function' ? type.parameters : [];
  const parameters = types.map((parameter, i) => ({
    ...fresh.variable({ name: `unused_${i}`, type: parameter, loc }),
    isParameter: true,
  }));
  const body = block([expressionStatement(builtin('__builtin_trap', [], loc))], loc);
  return { kind: 'function', definition: { symbol, parameters, body, loc }, loc };
}

/** There is one thread left, and not all verifiers read the word. */
const NOTHING_IS_ATOMIC = ['#define _Atomic'];

/**
 * A list in a record is only a place for a pointer by now, and verifiers do not agree with compilers about its size.
 */
function listType(model: DataModel): string[] {
  const words = sizeOf(vaListType, model) / wordSize(model);
  return [`typedef char *__lazuli_list[${words}];`, '#define __builtin_va_list __lazuli_list'];
}

function assemble(
  before: readonly string[],
  program: Program,
  after: readonly string[],
  options: Pick<ProgramStyle, 'writeBody' | 'lineDirectives' | 'knownTypedefs' | 'fieldTypes'>,
): { readonly text: string; readonly lineMap: LinePlaces } {
  const own: (Loc | readonly Loc[])[] = [];
  const middle = printProgram(program, { ...options, lineMap: own });
  const head = [...before];
  if (mentions(middle, '_Atomic')) pushAll(head, NOTHING_IS_ATOMIC);
  if (mentions(middle, '__builtin_va_list')) pushAll(head, listType(program.dataModel));
  const text = `${head.map((line) => `${line}\n`).join('')}${middle}${middle.endsWith('\n') ? '' : '\n'}`;
  const tail = ['', ...(options.lineDirectives ? ['#line 1 "<lazuli>"'] : []), ...after];
  const nowhere = (lines: readonly string[]): (Loc | readonly Loc[])[] => lines.map(() => NOWHERE);
  const lineMap = nowhere(head).concat(own, nowhere(tail));
  return { text: `${text}${tail.map((line) => `${line}\n`).join('')}`, lineMap };
}

/** Whether a text has a word. Most have not, and are long. */
function mentions(text: string, word: string): boolean {
  return text.includes(word) && new RegExp(`\\b${word}\\b`).test(text);
}
