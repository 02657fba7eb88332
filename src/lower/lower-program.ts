/**
 * Lowers the typed tree to code (program/code.ts): `lowerProgram` starts at main and at the entry of threads and takes
 * in whatever they reach. What C leaves open is decided here: operands are evaluated from left to right. What is not
 * supported is an error at its place, and then there is no code.
 *
 * An object that is declared but defined nowhere starts with any contents; a main with parameters gets any of them,
 * within limits. Both are prepared by a start function that then calls main.
 */

import type {
  CallSignature,
  Code,
  CodeFunction,
  CodeObject,
  FunctionId,
  Loop,
  ObjectId,
  Value,
} from '../program/code.ts';
import { findLoops } from '../program/find-loops.ts';
import { ARGUMENT_LENGTH, MODELLED_ARGUMENTS, missedArguments, mostArguments } from '../program/main-arguments.ts';
import { PLAIN } from '../program/memory-order.ts';
import { operandsOf } from '../program/operands.ts';
import { THREAD_ENTRY } from '../program/primitives.ts';
import type { FunctionDefinition, FunctionSymbol, Program, VariableSymbol } from '../program/tree.ts';
import { isComplete, qualifiersOf } from '../program/type-operations.ts';
import { QUALIFIER_CONST } from '../program/types.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import { NOWHERE } from '../support/source.ts';
import { nondet, signatureOf, storeNondet } from './calls.ts';
import { type FunctionContext, type LowerOptions, ProgramContext, pointerType } from './context.ts';
import { type FinishedBody, numberLoops } from './function-builder.ts';
import { staticInitialValues } from './initializers.ts';
import { createFunctionContext, lowerFunction } from './lower-function.ts';
import { countLeaves, scalarOf } from './shapes.ts';
import { binary, constant, convert, INT, integerScalar, select } from './values.ts';

/** A function with its instructions, before loops have their numbers. */
interface LoweredFunction {
  readonly symbol: FunctionSymbol | null;
  readonly name: string;
  readonly signature: CallSignature;
  readonly body: FinishedBody;
  readonly isAtomic: boolean;
  readonly isModel: boolean;
  /** Loops are numbered in this order. */
  readonly order: number;
}

/** Models that give only some of what the function can give, and what they leave out: see `Code.limits`. */
const LIMITED_MODELS: readonly (readonly [name: string, limit: string])[] = [
  ['getenv', 'environment variables have at most 7 characters'],
  ['sigaction', 'no signal arrives: handlers are never called'],
  ['signal', 'no signal arrives: handlers are never called'],
];

/** Arbitrary contents of larger objects would need too many inputs. */
const UNDEFINED_OBJECT_LIMIT = 1024;

/** Lowers a program. Null when something was refused; the sink then holds the errors. */
export function lowerProgram(program: Program, options: LowerOptions, sink: DiagnosticSink): Code | null {
  const context = new ProgramContext(program, options, sink);
  const symbols = functionsByName(program);
  const main = symbols.get('main');
  if (!main?.definition) {
    sink.error(NOWHERE, 'no-main', "the program has no function 'main'");
    return null;
  }
  const mainId = context.functionOf(main);
  const entry = symbols.get(THREAD_ENTRY);
  const threadEntry = entry?.definition ? context.functionOf(entry) : null;
  const lowered = lowerAll(context);
  for (const [name, limit] of LIMITED_MODELS) {
    const model = symbols.get(name)?.definition;
    if (model && context.isModel(model.loc)) context.limits.push(limit);
  }
  const start = lowerStart(context, main, lowered[mainId] as LoweredFunction, mainId);
  if (start) lowered.push(start);
  if (sink.hasErrors) return null;
  limitByEffects(context);
  const { functions, loops } = finishFunctions(lowered);
  return {
    dataModel: program.dataModel,
    sources: program.sources,
    functions,
    objects: context.objects,
    loops,
    main: start ? ((functions.length - 1) as FunctionId) : mainId,
    threadEntry,
    limits: context.limits,
    approximations: [...context.approximations.values()],
  };
}

/**
 * A function without a result that is defined elsewhere does something. It is given nothing that it could change, but
 * it knows the variables of external linkage: then nothing is proved.
 */
function limitByEffects(context: ProgramContext): void {
  const { program, approximations } = context;
  const does = [...approximations.values()].find(
    ({ meaning, isOwn, isVoid }) => meaning === 'input' && isOwn && isVoid,
  );
  const knows = program.items.find(
    (item) =>
      item.kind === 'variable' &&
      item.symbol.linkage === 'external' &&
      (qualifiersOf(item.symbol.type) & QUALIFIER_CONST) === 0 &&
      !context.isModel(item.symbol.loc),
  );
  if (!does || knows?.kind !== 'variable') return;
  context.limits.push(`'${does.name}' is defined nowhere, and could change '${knows.symbol.name}'`);
}

function functionsByName(program: Program): Map<string, FunctionSymbol> {
  const symbols = new Map<string, FunctionSymbol>();
  for (const item of program.items) {
    if (item.kind === 'function') symbols.set(item.definition.symbol.name, item.definition.symbol);
  }
  return symbols;
}

/** Lowers functions and initial values until nothing new turns up: either may mention more of both. */
function lowerAll(context: ProgramContext): LoweredFunction[] {
  const lowered: LoweredFunction[] = [];
  let objects = 0;
  while (lowered.length < context.functions.length || objects < context.pendingObjects.length) {
    const symbol = context.functions[lowered.length];
    if (symbol) {
      lowered.push(finishOne(lowerFunction(context, symbol), symbol));
      continue;
    }
    const pending = context.pendingObjects[objects++];
    invariant(pending, 'an object is left');
    const { id } = pending;
    const initial = staticInitialValues(createFunctionContext(context, null), pending.symbol);
    context.objects[id] = { ...(context.objects[id] as CodeObject), initial };
  }
  return lowered;
}

function finishOne(f: FunctionContext, symbol: FunctionSymbol): LoweredFunction {
  invariant(symbol.type.kind === 'function', 'a function');
  const parameters = symbol.definition?.parameters.map((parameter) => parameter.type) ?? symbol.type.parameters;
  return {
    symbol,
    name: symbol.name,
    signature: signatureOf(symbol.type, parameters, f.model),
    // After errors, jumps may lack their labels; nobody will look at the code.
    body: f.program.sink.hasErrors ? { registers: [], instructions: [], loops: [] } : f.builder.finish(),
    isAtomic: f.isAtomic,
    isModel: f.isModel,
    order: symbol.definition?.loc ?? symbol.loc,
  };
}

/** Numbers the loops of the whole program, functions in source order, and names them. */
function finishFunctions(lowered: readonly LoweredFunction[]): {
  readonly functions: readonly CodeFunction[];
  readonly loops: readonly Loop[];
} {
  const functions: CodeFunction[] = [];
  const loops: Loop[] = [];
  const bySource = lowered
    .map((item, id) => ({ item, id: id as FunctionId }))
    .sort((a, b) => a.item.order - b.item.order);
  for (const { item, id } of bySource) {
    const named = item.symbol?.definition ? findLoops(item.symbol.definition) : [];
    const numbered = numberLoops(item.body, id, named, loops.length);
    pushAll(loops, numbered.loops);
    functions[id] = {
      id,
      name: item.name,
      parameters: item.signature.parameters.length,
      signature: item.signature,
      resultType: item.symbol?.type.kind === 'function' ? item.symbol.type.result : null,
      registers: item.body.registers,
      instructions: numbered.instructions,
      isAtomic: item.isAtomic,
      isModel: item.isModel,
    };
  }
  return { functions, loops };
}

// ---------------------------------------------------------------- the start function

/** A function that prepares what main needs, or null when main needs nothing. */
function lowerStart(
  context: ProgramContext,
  main: FunctionSymbol,
  lowered: LoweredFunction,
  mainId: FunctionId,
): LoweredFunction | null {
  invariant(main.type.kind === 'function' && main.definition, 'main is a function');
  const parameters = main.definition.parameters.map((parameter) => parameter.type);
  if (parameters.length === 0 && context.undefinedObjects.length === 0) return null;
  const f = createFunctionContext(context, null);
  for (const { id, symbol } of context.undefinedObjects) fillUndefined(f, id, symbol);
  const signature = signatureOf(main.type, parameters, f.model);
  const args = usesParameters(lowered)
    ? mainArguments(f, main.definition)
    : signature.parameters.map((type) => constant(0n, type));
  const register = signature.result ? f.builder.newRegister(signature.result) : null;
  const { loc } = main.definition;
  f.builder.emit({ kind: 'call', register, callee: mainId, args, signature, loc });
  f.builder.emit({ kind: 'return', value: null, loc });
  const none: CallSignature = { parameters: [], result: null };
  const body = context.sink.hasErrors ? { registers: [], instructions: [], loops: [] } : f.builder.finish();
  return { symbol: null, name: '__lazuli_start', signature: none, body, isAtomic: false, isModel: true, order: 0 };
}

/** Whether the code of a function looks at its parameters at all; most mains do not. */
function usesParameters({ body, signature }: LoweredFunction): boolean {
  const count = signature.parameters.length;
  return body.instructions.some((instruction) => operandsOf(instruction).some((value) => readsBelow(value, count)));
}

function readsBelow(value: Value, count: number): boolean {
  switch (value.kind) {
    case 'register':
      return value.register < count;
    case 'unary':
    case 'convert':
      return readsBelow(value.operand, count);
    case 'binary':
    case 'overflows':
      return readsBelow(value.left, count) || readsBelow(value.right, count);
    case 'select':
      return [value.condition, value.then, value.otherwise].some((part) => readsBelow(part, count));
    default:
      return false;
  }
}

/** Names that the C library defines and that programs only pass on. */
const LIBRARY_OBJECTS = new Set(['stdin', 'stdout', 'stderr', 'environ', 'optarg']);

function fillUndefined(f: FunctionContext, id: ObjectId, symbol: VariableSymbol): void {
  const { type, loc, name } = symbol;
  if (!isComplete(type) || countLeaves(type, f.model) > UNDEFINED_OBJECT_LIMIT) {
    f.program.sink.error(
      loc,
      'undefined',
      `'${name}' is declared but defined nowhere, and too large or incomplete to be anything`,
    );
    return;
  }
  if (!LIBRARY_OBJECTS.has(name)) {
    f.program.warnOnce(`undefined ${name}`, loc, `'${name}' is defined nowhere: it starts with any contents`);
    const isOwn = !(f.program.program.sources.place(loc)?.inSystemHeader ?? false);
    f.program.approximations.set(name, { name, meaning: 'contents', isOwn, isVoid: false });
  }
  storeNondet(f, { kind: 'object-address', type: pointerType(f), object: id, offset: 0 }, type, name, loc);
}

/** As program/main-arguments.ts has them. */
function mainArguments(f: FunctionContext, main: FunctionDefinition): Value[] {
  const { loc } = main;
  const used = main.parameters.map((parameter) => scalarOf(parameter.type, f.model));
  const count = used.length;
  // A remainder instead of an assumption: every input is good.
  const count32 = integerScalar(32, false);
  const any = binary('rem', nondet(f, count32, 'argc', loc), constant(BigInt(mostArguments(main)), count32));
  const argc = f.builder.keep(convert(binary('add', any, constant(1n, count32)), INT), loc);
  const args: Value[] = [convert(argc, used[0] ?? INT)];
  if (count > 1) args.push(argumentVector(f, argc, loc));
  while (args.length < count) args.push(constant(0n, pointerType(f)));
  const limit = missedArguments(main, ({ definition }) => definition !== null && !f.program.isModel(definition.loc));
  if (limit === null) return args;
  f.program.warnOnce('main arguments', loc, limit);
  f.program.limits.push(limit);
  return args;
}

function argumentVector(f: FunctionContext, argc: Value, loc: typeof NOWHERE): Value {
  const pointer = pointerType(f);
  const word = pointer.bits / 8;
  const byte = integerScalar(8, true);
  const address = (object: ObjectId, offset: number): Value => ({
    kind: 'object-address',
    type: pointer,
    object,
    offset,
  });
  const vector = f.program.localObject('argv', null, null, word * (MODELLED_ARGUMENTS + 1), loc);
  f.builder.emit({ kind: 'enter-object', object: vector, size: null, zeroed: true, loc });
  for (let i = 0; i < MODELLED_ARGUMENTS; i++) {
    const text = f.program.localObject(`argv[${i}]`, null, null, ARGUMENT_LENGTH, loc);
    f.builder.emit({ kind: 'enter-object', object: text, size: null, zeroed: true, loc });
    for (let at = 0; at < ARGUMENT_LENGTH - 1; at++) {
      const value = nondet(f, byte, `argv[${i}][${at}]`, loc);
      f.builder.emit({ kind: 'store', address: address(text, at), value, type: byte, mode: PLAIN, loc });
    }
    // argv[argc] and what follows is null.
    const exists = binary('lt', constant(i, INT), argc);
    const value = select(exists, address(text, 0), constant(0n, pointer));
    f.builder.emit({ kind: 'store', address: address(vector, i * word), value, type: pointer, mode: PLAIN, loc });
  }
  return address(vector, 0);
}
