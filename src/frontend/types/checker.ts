/**
 * The state of one run of the type checker, handed to all its functions as their first argument, and the few helpers
 * that everybody needs: diagnostics, fresh ids, scopes, error nodes.
 *
 * After an error the checker goes on with an *error expression*, whose type is the object `errorType` (an int, told
 * apart by identity). Every check that meets it stays silent, so that one fault gives one message.
 */

import type { DataModel } from '../../program/data-model.ts';
import { type PrintTypeOptions, printType } from '../../program/print-type.ts';
import type {
  DeclarationItem,
  Expression,
  FunctionSymbol,
  LabelSymbol,
  Statement,
  StringExpression,
  TopLevelItem,
  VariableSymbol,
} from '../../program/tree.ts';
import type { Field, IntegerType, RecordDeclaration, Type } from '../../program/types.ts';
import type { DiagnosticNote, DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc, SourceMap } from '../../support/source.ts';
import { openScope, type Scope } from './scope.ts';

export interface TypeCheckOptions {
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  readonly dataModel: DataModel;
  /** `inline` means what it means in GNU C before C99. */
  readonly gnuInline?: boolean;
  /** Where symbols begin to be numbered: after those of the units before. */
  readonly firstId?: number;
}

/** What a label of the current function is known to be, and where jumps to it start. */
export interface LabelState {
  readonly symbol: LabelSymbol;
  /** The guarded declarations that the label has passed, or 'undefined' while it is not defined. */
  place: GuardedScope | 'undefined';
  readonly jumps: { readonly from: GuardedScope; readonly loc: Loc }[];
}

/**
 * The declarations that jumps may not pass (of variable-length arrays, or with a cleanup) before a place, innermost
 * first.
 */
export type GuardedScope = { readonly reason: 'variable-array' | 'cleanup'; readonly parent: GuardedScope } | null;

export interface SwitchState {
  readonly type: Type;
  readonly guardedScope: GuardedScope;
  readonly cases: { readonly low: bigint; readonly high: bigint; readonly loc: Loc }[];
  defaultLoc: Loc | null;
}

/** The function whose body is being checked. */
export interface FunctionState {
  readonly symbol: FunctionSymbol;
  readonly result: Type;
  /** Maps of `__label__` scopes, innermost last; the first is the function's own. */
  readonly labels: Map<string, LabelState>[];
  /** It is a GNU `extern inline` wrapper that hands on the caller's variable arguments: only gcc can inline it. */
  passesCallerArguments: boolean;
  /** `__func__`, made when first used. */
  nameLiteral: StringExpression | null;
  guardedScope: GuardedScope;
  loopDepth: number;
  switches: SwitchState[];
  /** Where `break` leads: a loop or a switch is open. */
  breakDepth: number;
  /** Whether some variable has a cleanup, and the first computed goto: the two do not go together. */
  hasCleanup: boolean;
  computedGoto: Loc | null;
}

/** The name of what a symbol is another name of, and where that is said. */
export interface Alias {
  readonly target: string;
  readonly loc: Loc;
}

export interface Checker {
  readonly model: DataModel;
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  /** The items of the program, in order. */
  readonly items: TopLevelItem[];
  readonly fileScope: Scope;
  scope: Scope;
  function: FunctionState | null;
  /** The list that declarations in the current block go to; null at file scope. */
  statements: Statement[] | null;
  /** Everything with linkage, by name, also what is declared in blocks only. */
  readonly external: Map<string, VariableSymbol | FunctionSymbol>;
  /** Functions whose only definition so far is GNU `extern inline`: another may replace it. */
  readonly replaceable: Set<FunctionSymbol>;
  /** Functions with a declaration that makes their definition one for other files, too (C 6.7.4). */
  readonly seenOutside: Set<FunctionSymbol>;
  /** What has the attribute `weak`. */
  readonly weak: Set<VariableSymbol | FunctionSymbol>;
  /** What has the attribute `alias`. */
  readonly aliases: Map<VariableSymbol | FunctionSymbol, Alias>;
  readonly gnuInline: boolean;
  /** Functions that were called before any declaration. */
  readonly implicit: Set<FunctionSymbol>;
  /** The members of a record that initializers fill, in order. */
  readonly fillable: Map<RecordDeclaration, readonly Field[]>;
  /** The members of a record by name, with the anonymous members that lead to each. */
  readonly members: Map<RecordDeclaration, ReadonlyMap<string, readonly Field[]>>;
  /** Names that were already reported as undeclared. */
  readonly undeclared: Set<string>;
  /** The functions that run before main and after it, with their priorities. */
  readonly constructors: Map<FunctionSymbol, number>;
  readonly destructors: Map<FunctionSymbol, number>;
  /** `register` variables, whose address may not be taken. */
  readonly registers: Set<VariableSymbol>;
  nextId: number;
  /** How deep expressions and statements are nested at this point. */
  depth: number;
}

export function createChecker(options: TypeCheckOptions): Checker {
  const fileScope = openScope('file', null);
  return {
    model: options.dataModel,
    sources: options.sources,
    sink: options.sink,
    items: [],
    fileScope,
    scope: fileScope,
    function: null,
    statements: null,
    external: new Map(),
    replaceable: new Set(),
    seenOutside: new Set(),
    weak: new Set(),
    aliases: new Map(),
    gnuInline: options.gnuInline ?? false,
    implicit: new Set(),
    fillable: new Map(),
    members: new Map(),
    undeclared: new Set(),
    constructors: new Map(),
    destructors: new Map(),
    registers: new Set(),
    nextId: options.firstId ?? 1,
    depth: 0,
  };
}

// ---------------------------------------------------------------- diagnostics

export function error(
  c: Pick<Checker, 'sink'>,
  loc: Loc,
  code: string,
  message: string,
  notes: readonly DiagnosticNote[] = [],
): void {
  c.sink.error(loc, code, message, notes);
}

/** As gcc does, warnings about system headers are not given. */
export function warn(c: Checker, loc: Loc, code: string, message: string, notes: readonly DiagnosticNote[] = []): void {
  if (c.sources.place(loc)?.inSystemHeader) return;
  c.sink.warning(loc, code, message, notes);
}

/** For C that Lazuli knows but does not support. */
export function refuse(c: Pick<Checker, 'sink'>, loc: Loc, what: string): void {
  error(c, loc, 'unsupported', `${what} is not supported`);
}

const messageNames: PrintTypeOptions = {};

/** A type as messages show it. */
export function show(type: Type): string {
  return `'${printType(type, '', messageNames)}'`;
}

// ---------------------------------------------------------------- error nodes

/** The type of what could not be checked. Compare by identity. */
export const errorType: IntegerType = Object.freeze({ kind: 'integer', name: 'int', qualifiers: 0, alias: null });

export function errorExpression(loc: Loc): Expression {
  return { kind: 'integer', type: errorType, value: 0n, spelling: null, loc };
}

export function isError(expression: Expression): boolean {
  return expression.type === errorType;
}

// ---------------------------------------------------------------- scopes, items, depth

/** Runs `body` in a new scope. */
export function inScope<T>(c: Checker, kind: 'block' | 'prototype', body: () => T): T {
  const outer = c.scope;
  c.scope = openScope(kind, outer);
  const result = body();
  c.scope = outer;
  return result;
}

/** Puts a declaration where it belongs: into the program or into the current block. */
export function emit(c: Checker, item: DeclarationItem): void {
  if (c.statements === null) c.items.push(item);
  else c.statements.push({ kind: 'declaration', item, loc: item.loc });
}

/** Deeper nesting than this is refused, so that the stack always suffices. */
const MAXIMUM_DEPTH = 1000;

/** Goes one level deeper (the caller decrements `depth` again), or reports and returns false past the limit. */
export function descend(c: Checker, loc: Loc): boolean {
  if (c.depth >= MAXIMUM_DEPTH) {
    error(c, loc, 'too-deep', 'this is nested too deeply');
    return false;
  }
  c.depth++;
  return true;
}
