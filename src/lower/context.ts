/**
 * What lowering keeps while it works: `ProgramContext` for the whole program (which functions and objects exist, and
 * which still wait to be lowered) and `FunctionContext` for one function (where its variables live, where its jumps
 * go).
 *
 * Functions and static objects are lowered on demand, from main on: what main cannot reach does not appear in the code.
 */

import { defaultChecks } from '../program/check-names.ts';
import type { Approximation, CheckName, CodeObject, FunctionId, ObjectId, RegisterId, Value } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import type { JumpScopes } from '../program/find-jump-scopes.ts';
import { alignOf, sizeOf } from '../program/layout.ts';
import { THREAD_ENTRY } from '../program/primitives.ts';
import type {
  BlockStatement,
  Expression,
  FunctionSymbol,
  LabelSymbol,
  Program,
  StringExpression,
  VariableSymbol,
} from '../program/tree.ts';
import { hasVariableSize, qualifiersOf } from '../program/type-operations.ts';
import { QUALIFIER_CONST, type Type } from '../program/types.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import type { Loc } from '../support/source.ts';
import { codeVariable } from './code-variable.ts';
import type { FunctionBuilder, Label } from './function-builder.ts';
import { pointerScalar } from './shapes.ts';
import { staticSize } from './static-size.ts';

export interface LowerOptions {
  /** The checks that become assertions; those that executors do themselves (pointer, free, leak) may be listed too. */
  readonly checks: ReadonlySet<CheckName>;
  /** One C statement is one step, as in the papers, unless it calls a function. */
  readonly atomicStatements: boolean;
  /** Reaching a label named ERROR is a violation. */
  readonly errorLabels: boolean;
}

export const DEFAULT_LOWER_OPTIONS: LowerOptions = {
  // A deadlock is no assertion: engines look for it.
  checks: new Set(defaultChecks().filter((check) => check !== 'deadlock')),
  atomicStatements: false,
  errorLabels: true,
};

/** The presumed folder of the bundled models: what their line markers say. */
const MODEL_FOLDER = '<lazuli models>/';

/** Where a variable of a function lives. */
export type Storage =
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'object'; readonly object: ObjectId }
  /** A record parameter: the caller's copy. */
  | { readonly kind: 'indirect'; readonly address: Value };

export class ProgramContext {
  readonly program: Program;
  readonly options: LowerOptions;
  readonly sink: DiagnosticSink;
  readonly model: DataModel;
  /** Whether the program starts threads at all. */
  readonly hasThreads: boolean;
  readonly functions: FunctionSymbol[] = [];
  readonly objects: CodeObject[] = [];
  /** Static objects whose initial values are still to be found: functions are lowered first. */
  readonly pendingObjects: { readonly id: ObjectId; readonly symbol: VariableSymbol }[] = [];
  /** Objects that are declared but defined nowhere. */
  readonly undefinedObjects: { readonly id: ObjectId; readonly symbol: VariableSymbol }[] = [];
  /** See `Code.approximations`; by name. */
  readonly approximations = new Map<string, Approximation>();
  /** See `Code.limits`. */
  readonly limits: string[] = [];
  readonly #functionIds = new Map<FunctionSymbol, FunctionId>();
  readonly #objectIds = new Map<VariableSymbol, ObjectId>();
  readonly #stringIds = new Map<number, ObjectId>();
  readonly #labelAddresses = new Map<LabelSymbol, number>();
  readonly #warned = new Set<string>();

  constructor(program: Program, options: LowerOptions, sink: DiagnosticSink) {
    this.program = program;
    this.options = options;
    this.sink = sink;
    this.model = program.dataModel;
    this.hasThreads = program.items.some(
      (item) => item.kind === 'function' && item.definition.symbol.name === THREAD_ENTRY,
    );
  }

  /** The function's number; the first use puts it on the list of those to be lowered. */
  functionOf(symbol: FunctionSymbol): FunctionId {
    const known = this.#functionIds.get(symbol);
    if (known !== undefined) return known;
    const id = this.functions.length as FunctionId;
    this.functions.push(symbol);
    this.#functionIds.set(symbol, id);
    return id;
  }

  /** The object of a variable with static or thread duration. */
  staticObject(symbol: VariableSymbol): ObjectId {
    const known = this.#objectIds.get(symbol);
    if (known !== undefined) return known;
    const id = this.#addObject(symbol.name, symbol, symbol.type, staticSize(symbol, this.model), symbol.loc);
    this.#objectIds.set(symbol, id);
    if (symbol.defined || symbol.linkage === 'none') this.pendingObjects.push({ id, symbol });
    else this.undefinedObjects.push({ id, symbol });
    return id;
  }

  localObject(name: string, symbol: VariableSymbol | null, type: Type | null, size: number, loc: Loc): ObjectId {
    return this.#addObject(name, symbol, type, size, loc);
  }

  stringObject(literal: StringExpression): ObjectId {
    const known = this.#stringIds.get(literal.id);
    if (known !== undefined) return known;
    const id = this.objects.length as ObjectId;
    const unit = literal.type.kind === 'array' ? sizeOf(literal.type.element, this.model) : 1;
    const bits = (8 * unit) as 8 | 16 | 32;
    const type = { kind: 'integer', bits, signed: unit === 1, pointer: false } as const;
    this.objects.push({
      id,
      name: `string_${literal.id}`,
      variable: null,
      type: literal.type,
      size: sizeOf(literal.type, this.model),
      alignment: unit,
      duration: 'static',
      isModel: this.isModel(literal.loc),
      isConstant: true,
      initial: literal.units.flatMap((value, i) => {
        if (value === 0) return [];
        const number = type.signed ? BigInt.asIntN(bits, BigInt(value)) : BigInt(value);
        return [{ offset: i * unit, type, value: { kind: 'constant', type, value: number } as const }];
      }),
    });
    this.#stringIds.set(literal.id, id);
    return id;
  }

  #addObject(name: string, symbol: VariableSymbol | null, type: Type | null, size: number, loc: Loc): ObjectId {
    const id = this.objects.length as ObjectId;
    this.objects.push({
      id,
      name,
      variable: symbol && codeVariable(symbol),
      type,
      size,
      alignment: Math.max(symbol?.alignment ?? 1, type ? alignOf(type, this.model) : 8),
      duration: symbol?.duration ?? 'automatic',
      isModel: this.isModel(loc),
      isConstant: symbol?.duration === 'static' && (qualifiersOf(symbol.type) & QUALIFIER_CONST) !== 0,
      initial: [],
    });
    return id;
  }

  /** What `&&label` is: a small number that is no address of anything else. */
  labelAddress(label: LabelSymbol): number {
    const known = this.#labelAddresses.get(label);
    if (known !== undefined) return known;
    const address = this.#labelAddresses.size + 1;
    this.#labelAddresses.set(label, address);
    return address;
  }

  /** Whether a place lies in the bundled models. */
  isModel(loc: Loc): boolean {
    return this.program.sources.place(loc)?.file.startsWith(MODEL_FOLDER) ?? false;
  }

  has(check: CheckName): boolean {
    return this.options.checks.has(check);
  }

  unsupported(loc: Loc, what: string): void {
    this.sink.error(loc, 'unsupported', `${what} not supported`);
  }

  warnOnce(key: string, loc: Loc, message: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.sink.warning(loc, 'approximation', message);
  }
}

/** Where `break` and `continue` go, and how many scopes stay open there. */
export interface JumpTarget {
  readonly breakLabel: Label;
  /** null inside a switch that stands in no loop. */
  readonly continueLabel: Label | null;
  readonly breakHeight: number;
  readonly continueHeight: number;
}

export interface FunctionContext {
  readonly program: ProgramContext;
  readonly model: DataModel;
  readonly builder: FunctionBuilder;
  readonly symbol: FunctionSymbol | null;
  readonly variables: Map<VariableSymbol, Storage>;
  readonly labels: Map<LabelSymbol, Label>;
  /** For labels that are placed: how many cleanups are due there in each open scope. */
  readonly labelCleanups: Map<LabelSymbol, readonly number[]>;
  readonly caseLabels: Map<object, Label>;
  readonly targets: JumpTarget[];
  readonly jumpScopes: JumpScopes;
  /** The syntax node of each open scope of the builder, null for full expressions. */
  readonly scopeNodes: (BlockStatement | object | null)[];
  /** Lengths of variable-length arrays, in registers, by the expression in the type. */
  readonly lengths: Map<Expression, Value>;
  /** The hidden pointer to the place of a record result. */
  resultAddress: Value | null;
  /** The object of variable arguments. */
  variableArguments: Value | null;
  /** The models are trusted: their indexes and arithmetic are not checked. */
  isModel: boolean;
  /** The body is one atomic step. */
  isAtomic: boolean;
}

export function pointerType(f: FunctionContext): ReturnType<typeof pointerScalar> {
  return pointerScalar(f.model);
}

/** Enters an object of the innermost scope. */
export function enterObject(f: FunctionContext, object: ObjectId, size: Value | null, zeroed: boolean, loc: Loc): void {
  f.builder.emit({ kind: 'enter-object', object, size, zeroed, loc });
  const scope = f.builder.scopes[f.builder.scopes.length - 1];
  if (scope && !scope.objects.includes(object)) scope.objects.push(object);
}

/** A nameless object of the full expression, and its address. */
export function temporaryObject(f: FunctionContext, name: string, type: Type, loc: Loc): Value {
  const size = hasVariableSize(type) ? 0 : sizeOf(type, f.model);
  const object = f.program.localObject(name, null, type, size, loc);
  enterObject(f, object, null, false, loc);
  return { kind: 'object-address', type: pointerType(f), object, offset: 0 };
}
