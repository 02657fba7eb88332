/**
 * Which variables several threads may touch. Used twice: before inlining, to split statements, where a thread is known
 * only as a function that may be started any number of times; and on the bounded program, to find the visible
 * statements, where every thread is a function of its own.
 *
 * The answer errs on the safe side: a variable that is called shared may well belong to one thread. A local variable is
 * private unless its address is taken. A global one is private when one thread only touches it, and harmless when
 * nobody writes it. A variable whose address is taken counts as touched and written by everybody.
 */

import { primitiveOf, touchedPlace } from '../../program/primitives.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Program,
  Statement,
  VariableSymbol,
} from '../../program/tree.ts';
import { pushChildren, statementsOf, walkInitializer, walkStatement } from '../../program/visit-tree.ts';
import { pushAll } from '../../support/push-all.ts';

export interface SharedVariables {
  isShared(symbol: VariableSymbol): boolean;
}

/** What a piece of code does to variables, apart from what it does through pointers. */
export interface Accesses {
  readonly reads: Set<VariableSymbol>;
  readonly writes: Set<VariableSymbol>;
  /** The address goes somewhere: anybody may read and write. */
  readonly escapes: Set<VariableSymbol>;
  readonly calls: Set<FunctionSymbol>;
  /** Functions whose address is taken. */
  readonly mentions: Set<FunctionSymbol>;
  callsThroughPointer: boolean;
}

export function newAccesses(): Accesses {
  return {
    reads: new Set(),
    writes: new Set(),
    escapes: new Set(),
    calls: new Set(),
    mentions: new Set(),
    callsThroughPointer: false,
  };
}

/** The variable an lvalue lies in; null when the text does not show it. Adds the expressions evaluated on the way. */
export function rootOf(lvalue: Expression, evaluated?: Expression[]): VariableSymbol | null {
  let at = lvalue;
  for (;;) {
    switch (at.kind) {
      case 'member':
        at = at.object;
        break;
      case 'index':
      case 'dereference': {
        if (at.kind === 'index') evaluated?.push(at.index);
        const pointer: Expression = at.kind === 'index' ? at.base : at.operand;
        const object = objectBehind(pointer);
        if (object === null) {
          evaluated?.push(pointer);
          return null;
        }
        at = object;
        break;
      }
      case 'variable':
        return at.symbol;
      case 'compound-literal':
        evaluated?.push(at);
        return at.symbol;
      default:
        evaluated?.push(at);
        return null;
    }
  }
}

/**
 * The object whose address a pointer visibly is, whatever type it is cast to: `a` in `a`, `(char *)a` and `(int *)&a`.
 */
export function objectBehind(pointer: Expression): Expression | null {
  let at = pointer;
  while (at.kind === 'cast' && (at.castKind === 'pointer' || at.castKind === 'qualification')) at = at.operand;
  if (at.kind === 'address' && at.operand.kind !== 'function') return at.operand;
  return at.kind === 'cast' && at.castKind === 'array-to-pointer' ? at.operand : null;
}

/** Adds what evaluating an expression for its value does. */
export function addAccesses(expression: Expression, to: Accesses): void {
  const stack: Expression[] = [expression];
  const touch = (lvalue: Expression, how: Set<VariableSymbol>, also: Set<VariableSymbol> = how) => {
    const symbol = rootOf(lvalue, stack);
    if (symbol) how.add(symbol);
    if (symbol && also !== how) also.add(symbol);
  };
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    switch (at.kind) {
      case 'variable':
      case 'member':
      case 'index':
        touch(at, to.reads);
        break;
      case 'assignment':
        touch(at.target, to.writes);
        stack.push(at.value);
        break;
      case 'compound-assignment':
        touch(at.target, to.reads, to.writes);
        stack.push(at.value);
        break;
      case 'increment':
        touch(at.target, to.reads, to.writes);
        break;
      case 'address':
        touch(at.operand, to.escapes);
        break;
      case 'cast':
        if (at.castKind === 'array-to-pointer') touch(at.operand, to.escapes);
        else stack.push(at.operand);
        break;
      case 'function':
        to.mentions.add(at.symbol);
        break;
      case 'call':
        addCall(at, to);
        pushAll(stack, at.args);
        if (at.callee.kind !== 'function') stack.push(at.callee);
        break;
      case 'builtin':
        if (primitiveOf(at) === 'touch') {
          const { address, isWrite } = touchedPlace(at);
          const object = objectBehind(address);
          if (object) touch(object, isWrite ? to.writes : to.reads);
          else stack.push(address);
        } else if (fillsObjects(at)) {
          for (const arg of at.args) touch(arg, to.writes);
        } else if (at.name === '__builtin_va_start' || at.name === '__builtin_va_copy') {
          for (const arg of at.args) touch(arg, to.reads, to.writes);
        } else pushAll(stack, at.args);
        break;
      case 'va-arg':
        touch(at.list, to.reads, to.writes);
        break;
      case 'statement-expression':
        addStatement(at.body, to);
        break;
      case 'compound-literal':
        if (at.symbol.initializer) {
          walkInitializer(at.symbol.initializer, { expression: (node) => addAccesses(node, to) });
        }
        break;
      default:
        pushChildren(at, stack);
    }
  }
}

/** Whether a primitive writes the objects that its operands name. */
export function fillsObjects({ name }: Extract<Expression, { kind: 'builtin' }>): boolean {
  return name === '__lazuli_havoc' || name === '__lazuli_zero';
}

function addCall(call: Extract<Expression, { kind: 'call' }>, to: Accesses): void {
  if (call.callee.kind === 'function') to.calls.add(call.callee.symbol);
  else to.callsThroughPointer = true;
}

/** Statements that occur several times in the tree are looked at once. */
export function addStatement(statement: Statement, to: Accesses): void {
  const seen = new Set<Statement>();
  const stack: Statement[] = [statement];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    addOwnExpressions(at, to);
    const parts = statementsOf(at);
    for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i] as Statement);
  }
}

function addOwnExpressions(statement: Statement, to: Accesses): void {
  switch (statement.kind) {
    case 'expression':
      addAccesses(statement.expression, to);
      break;
    case 'if':
    case 'while':
    case 'do':
      addAccesses(statement.condition, to);
      break;
    case 'for':
      if (statement.condition) addAccesses(statement.condition, to);
      if (statement.step) addAccesses(statement.step, to);
      break;
    case 'switch':
      addAccesses(statement.value, to);
      break;
    case 'return':
      if (statement.value) addAccesses(statement.value, to);
      break;
    default:
      break;
  }
}

// ---------------------------------------------------------------- before inlining

/**
 * Shared variables of a program whose threads are not yet told apart: any function whose address is taken may be the
 * start of any number of threads.
 */
export function findSharedVariables(program: Program): SharedVariables {
  const definitions = new Map<FunctionSymbol, FunctionDefinition>();
  for (const item of program.items) {
    if (item.kind === 'function') definitions.set(item.definition.symbol, item.definition);
  }
  const accesses = new Map<FunctionSymbol, Accesses>();
  const started = new Set<FunctionSymbol>();
  const escaping = new Set<VariableSymbol>();
  for (const [symbol, definition] of definitions) {
    const own = newAccesses();
    addStatement(definition.body, own);
    accesses.set(symbol, own);
    for (const mentioned of own.mentions) started.add(mentioned);
    for (const variable of own.escapes) escaping.add(variable);
  }
  addInitializers(program, started, escaping);
  const inThreads = reachableAccesses([...started], accesses, started);
  return {
    isShared: (symbol) => {
      if (symbol.duration === 'thread') return escaping.has(symbol);
      if (symbol.duration === 'automatic') return escaping.has(symbol);
      return escaping.has(symbol) || inThreads.reads.has(symbol) || inThreads.writes.has(symbol);
    },
  };
}

/** Addresses that stand in the initializers of globals. */
function addInitializers(program: Program, started: Set<FunctionSymbol>, escaping: Set<VariableSymbol>): void {
  const all = newAccesses();
  for (const item of program.items) {
    if (item.kind === 'variable' && item.isDefinition && item.symbol.initializer) {
      walkStatement({ kind: 'declaration', item, loc: item.loc }, { expression: (node) => addAccesses(node, all) });
    }
  }
  for (const symbol of all.mentions) started.add(symbol);
  for (const symbol of all.escapes) escaping.add(symbol);
}

function reachableAccesses(
  roots: readonly FunctionSymbol[],
  accesses: ReadonlyMap<FunctionSymbol, Accesses>,
  addressTaken: ReadonlySet<FunctionSymbol>,
): Accesses {
  const union = newAccesses();
  const seen = new Set<FunctionSymbol>();
  const pending = [...roots];
  for (let symbol = pending.pop(); symbol !== undefined; symbol = pending.pop()) {
    if (seen.has(symbol)) continue;
    seen.add(symbol);
    const own = accesses.get(symbol);
    if (!own) continue;
    for (const variable of own.reads) union.reads.add(variable);
    for (const variable of own.writes) union.writes.add(variable);
    pushAll(pending, own.calls);
    if (own.callsThroughPointer) pushAll(pending, addressTaken);
  }
  return union;
}

// ---------------------------------------------------------------- on the bounded program

/**
 * Shared variables of a program whose threads are known: those whose address is taken, and those that several threads
 * touch, one of them to write, if anybody reads them at all. What main does before it creates the first thread touches
 * nothing in this sense.
 */
export function variablesInConflict(threads: readonly Accesses[], countsWrites = false): SharedVariables {
  const escaping = new Set<VariableSymbol>();
  const touchedBy = new Map<VariableSymbol, number>();
  const shared = new Set<VariableSymbol>();
  const written = new Set<VariableSymbol>();
  const read = new Set<VariableSymbol>();
  threads.forEach((accesses, number) => {
    for (const symbol of accesses.escapes) escaping.add(symbol);
    for (const symbol of accesses.writes) written.add(symbol);
    for (const symbol of accesses.reads) read.add(symbol);
    for (const symbol of [...accesses.reads, ...accesses.writes]) {
      const other = touchedBy.get(symbol);
      if (other !== undefined && other !== number) shared.add(symbol);
      touchedBy.set(symbol, number);
    }
  });
  const isShared = (symbol: VariableSymbol) =>
    escaping.has(symbol) || (shared.has(symbol) && written.has(symbol) && (countsWrites || read.has(symbol)));
  return { isShared };
}
