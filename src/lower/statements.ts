/**
 * Statements. Structured loops are laid out contiguously with exactly one closing jump each: `continue` goes forward to
 * it. A switch is a chain of comparisons in front of its body, whose cases are labels, wherever in the body they stand
 * (Duff's device).
 */

import type { Value } from '../program/code.ts';
import { findAddressedLabels } from '../program/find-loops.ts';
import { meaningOfAsm } from '../program/inline-assembly.ts';
import type {
  AsmStatement,
  BlockStatement,
  Expression,
  Initializer,
  LabelSymbol,
  Statement,
  VariableSymbol,
} from '../program/tree.ts';
import { hasVariableSize, isBool, isVariablyModified } from '../program/type-operations.ts';
import { isErrorLabel } from '../program/verifier-names.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { isWorthASection } from './atomic-statements.ts';
import { nondet } from './calls.ts';
import { emitAssert } from './checks.ts';
import { enterObject, type FunctionContext, type JumpTarget } from './context.ts';
import { lowerEffects, lowerJump, lowerValue } from './expressions.ts';
import type { Label } from './function-builder.ts';
import { initialiseObject } from './initializers.ts';
import { evaluateLengths, sizeValue, storageOf } from './lvalues.ts';
import { binary, constant, INT, zeroOf } from './values.ts';

export function lowerStatement(f: FunctionContext, statement: Statement): void {
  switch (statement.kind) {
    case 'block':
      lowerBlock(f, statement);
      break;
    case 'declaration':
      if (statement.item.kind === 'variable') {
        lowerDeclaration(f, statement.item.symbol, statement.loc);
        promiseCleanup(f, statement.item.symbol);
      } else if (statement.item.kind === 'typedef') lowerTypedef(f, statement.item.symbol.type, statement.loc);
      break;
    case 'expression':
      inFullExpression(f, [statement.expression], statement.loc, () => lowerEffects(f, statement.expression));
      break;
    case 'empty':
      break;
    case 'if':
      lowerIf(f, statement);
      break;
    case 'while':
    case 'do':
    case 'for':
      lowerLoop(f, statement);
      break;
    case 'switch':
      lowerSwitch(f, statement);
      break;
    case 'case':
    case 'default':
      lowerCaseLabel(f, statement);
      break;
    case 'label':
      f.builder.placeHead(labelOf(f, statement.label), 'goto', statement.loc);
      f.labelCleanups.set(statement.label, f.builder.countCleanups());
      if (isErrorLabel(statement.label.name) && f.program.options.errorLabels && f.program.has('assertion')) {
        emitAssert(f, zeroOf(INT), 'assertion', 'the label ERROR is reached', statement.loc);
      }
      break;
    case 'goto':
      lowerGoto(f, statement);
      break;
    case 'computed-goto':
      lowerComputedGoto(f, statement);
      break;
    case 'break':
    case 'continue':
      lowerLeap(f, statement);
      break;
    case 'return':
      lowerReturn(f, statement);
      break;
    case 'asm':
      lowerAsm(f, statement);
      break;
    default:
      assertNever(statement);
  }
}

// ---------------------------------------------------------------- scopes

function lowerBlock(f: FunctionContext, block: BlockStatement): void {
  inScope(f, block, block.endLoc, () => {
    for (const item of block.items) lowerStatement(f, item);
  });
}

/** Opens a scope for a syntax node, or for a full expression (null). */
function inScope(f: FunctionContext, node: object | null, end: Loc, body: () => void): void {
  f.builder.enterScope();
  f.scopeNodes.push(node);
  body();
  f.builder.leaveScope(end);
  f.scopeNodes.pop();
}

/** A full expression: its temporary objects end with it, and on demand it is one atomic step. */
function inFullExpression(f: FunctionContext, expressions: readonly Expression[], loc: Loc, body: () => void): void {
  const isSection =
    f.program.options.atomicStatements && expressions.some((expression) => isWorthASection(f, expression));
  if (isSection) f.builder.emit({ kind: 'atomic-begin', loc });
  inScope(f, null, loc, body);
  if (isSection) f.builder.emit({ kind: 'atomic-end', loc });
}

/**
 * Branches on a condition as a full expression: falls through when it holds, goes to the label otherwise (or the other
 * way round).
 */
function lowerCondition(f: FunctionContext, condition: Expression, label: Label, jumpIf: boolean): void {
  const { builder } = f;
  const isSection = f.program.options.atomicStatements && isWorthASection(f, condition);
  const before = builder.scopes.length;
  if (!isSection && !needsScope(condition)) {
    lowerJump(f, condition, label, jumpIf);
    invariant(builder.scopes.length === before, 'conditions leave no scope open');
    return;
  }
  // The value is kept, so that temporary objects end and the section ends before the branch.
  let value: Value = zeroOf(INT);
  inFullExpression(f, [condition], condition.loc, () => {
    value = builder.keep(lowerValue(f, condition), condition.loc);
  });
  builder.branch(
    jumpIf ? binary('eq', value, zeroOf(value.type)) : binary('ne', value, zeroOf(value.type)),
    label,
    condition.loc,
  );
}

/** Whether evaluating a condition may make temporary objects: only calls do. */
function needsScope(expression: Expression): boolean {
  switch (expression.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'variable':
    case 'function':
      return false;
    case 'unary':
    case 'cast':
    case 'address':
    case 'dereference':
      return needsScope(expression.operand);
    case 'member':
      return needsScope(expression.object);
    case 'index':
      return needsScope(expression.base) || needsScope(expression.index);
    case 'increment':
      return needsScope(expression.target);
    case 'assignment':
    case 'compound-assignment':
      return needsScope(expression.target) || needsScope(expression.value);
    case 'call':
      return (
        expression.type.kind === 'record' ||
        expression.args.some((arg) => arg.type.kind === 'record' || needsScope(arg)) ||
        isVariadic(expression)
      );
    case 'comparison':
    case 'arithmetic':
    case 'logical':
      return needsScope(expression.right) || needsScope(expression.left);
    default:
      return true;
  }
}

function isVariadic(call: Extract<Expression, { kind: 'call' }>): boolean {
  const type = call.callee.type.kind === 'pointer' ? call.callee.type.target : call.callee.type;
  return type.kind !== 'function' || type.variadic;
}

// ---------------------------------------------------------------- declarations

function lowerTypedef(f: FunctionContext, type: VariableSymbol['type'], loc: Loc): void {
  if (isVariablyModified(type)) evaluateLengths(f, type, loc);
}

function lowerDeclaration(f: FunctionContext, symbol: VariableSymbol, loc: Loc): void {
  if (symbol.duration !== 'automatic') return;
  if (isVariablyModified(symbol.type)) evaluateLengths(f, symbol.type, loc);
  const storage = storageOf(f, symbol);
  if (storage.kind === 'register') {
    declareRegister(f, symbol, loc);
    return;
  }
  invariant(storage.kind === 'object', 'a local variable');
  const size = hasVariableSize(symbol.type) ? sizeValue(f, symbol.type, loc) : null;
  if (symbol.initializer === null || size !== null) {
    enterObject(f, storage.object, size, symbol.initializer !== null, loc);
    return;
  }
  const { initializer } = symbol;
  inFullExpression(f, initializerExpressions(initializer), loc, () => {
    initialiseInScope(f, symbol, initializer, loc);
  });
}

/** From here on, whoever leaves the scope makes the variable's cleanup. */
function promiseCleanup(f: FunctionContext, { cleanup }: VariableSymbol): void {
  if (cleanup === null) return;
  f.builder.scopes[f.builder.scopes.length - 1]?.cleanups.push((loc) => {
    const call = { ...cleanup, loc };
    inFullExpression(f, [call], loc, () => lowerEffects(f, call));
  });
}

/** The object belongs to the enclosing block, the temporaries of its initializer to the full expression. */
function initialiseInScope(f: FunctionContext, symbol: VariableSymbol, initializer: Initializer, loc: Loc): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'object', 'a local object');
  const own = f.builder.scopes[f.builder.scopes.length - 1];
  const outer = f.builder.scopes[f.builder.scopes.length - 2];
  invariant(own && outer, 'a full expression stands in a scope');
  if (!outer.objects.includes(storage.object)) outer.objects.push(storage.object);
  initialiseObject(f, storage.object, symbol.type, initializer, loc);
  own.objects.splice(own.objects.indexOf(storage.object), own.objects.includes(storage.object) ? 1 : 0);
}

function declareRegister(f: FunctionContext, symbol: VariableSymbol, loc: Loc): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'register', 'a variable in a register');
  const { initializer } = symbol;
  if (initializer?.kind === 'scalar') {
    inFullExpression(f, [initializer.value], loc, () => {
      f.builder.set(storage.register, lowerValue(f, initializer.value), loc);
    });
    return;
  }
  f.builder.emit({
    kind: 'nondet',
    register: storage.register,
    type: scalarTypeOf(f, symbol.type, loc),
    isBool: isBool(symbol.type),
    source: symbol.name,
    loc,
  });
}

/** The expressions in an initializer, to judge whether it is worth an atomic section. */
function initializerExpressions(initializer: Initializer): Expression[] {
  switch (initializer.kind) {
    case 'scalar':
      return [initializer.value];
    case 'characters':
      return [];
    case 'array':
    case 'record':
      return initializer.items.flatMap((item) => initializerExpressions(item.value));
  }
}

/** What a jump may pass by must exist from the start, with any value. */
export function declareSkipped(f: FunctionContext, symbol: VariableSymbol): void {
  const storage = storageOf(f, symbol);
  if (storage.kind === 'register') {
    nondetInto(f, symbol);
  } else if (storage.kind === 'object' && !hasVariableSize(symbol.type)) {
    enterObject(f, storage.object, null, false, symbol.loc);
  }
}

function nondetInto(f: FunctionContext, symbol: VariableSymbol): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'register', 'a variable in a register');
  const value = nondet(f, scalarTypeOf(f, symbol.type, symbol.loc), symbol.name, symbol.loc, isBool(symbol.type));
  f.builder.set(storage.register, value, symbol.loc);
}

// ---------------------------------------------------------------- selection and loops

function lowerIf(f: FunctionContext, first: Extract<Statement, { kind: 'if' }>): void {
  const end = f.builder.newLabel();
  let statement: Statement | null = first;
  // A chain of else-ifs may be long: no recursion along it.
  while (statement?.kind === 'if') {
    const next: Statement | null = statement.otherwise;
    const otherwise = next ? f.builder.newLabel() : end;
    lowerCondition(f, statement.condition, otherwise, false);
    lowerStatement(f, statement.then);
    if (next) {
      f.builder.jump(end, statement.loc);
      f.builder.place(otherwise);
    }
    statement = next;
  }
  if (statement) lowerStatement(f, statement);
  f.builder.place(end);
}

function lowerLoop(f: FunctionContext, statement: Extract<Statement, { kind: 'while' | 'do' | 'for' }>): void {
  if (statement.kind !== 'for') {
    lowerLoopBody(f, statement);
    return;
  }
  inScope(f, statement, statement.loc, () => {
    for (const init of statement.init) lowerStatement(f, init);
    lowerLoopBody(f, statement);
  });
}

/**
 * A tested loop is laid out with its test at the end (`jump test; body: …; next: step; test: if (!c) goto end; jump
 * body; end:`), so that the closing jump is taken exactly as often as the body runs: what an unwinding bound counts.
 */
function lowerLoopBody(f: FunctionContext, statement: Extract<Statement, { kind: 'while' | 'do' | 'for' }>): void {
  const { builder } = f;
  const end = builder.newLabel();
  const next = builder.newLabel();
  const test = builder.newLabel();
  if (statement.kind !== 'do') builder.jump(test, statement.loc);
  const head = builder.newLoopHead(statement.kind, statement.loc);
  const height = builder.scopes.length;
  f.targets.push({ breakLabel: end, continueLabel: next, breakHeight: height, continueHeight: height });
  lowerStatement(f, statement.body);
  f.targets.pop();
  builder.place(next);
  const step = statement.kind === 'for' ? statement.step : null;
  if (step) inFullExpression(f, [step], step.loc, () => lowerEffects(f, step));
  builder.place(test);
  if (statement.condition) lowerCondition(f, statement.condition, end, false);
  builder.jump(head, statement.loc);
  builder.place(end);
}

/** `break` and `continue`. */
function lowerLeap(f: FunctionContext, statement: Extract<Statement, { kind: 'break' | 'continue' }>): void {
  const target = f.targets[f.targets.length - 1];
  const label = statement.kind === 'break' ? target?.breakLabel : target?.continueLabel;
  if (!target || !label) {
    f.program.sink.error(statement.loc, 'misplaced', `${statement.kind} outside of a loop`);
    return;
  }
  f.builder.unwindScopes(statement.kind === 'break' ? target.breakHeight : target.continueHeight, statement.loc);
  f.builder.jump(label, statement.loc);
}

// ---------------------------------------------------------------- switch

type CaseStatement = Extract<Statement, { kind: 'case' | 'default' }>;

function lowerSwitch(f: FunctionContext, statement: Extract<Statement, { kind: 'switch' }>): void {
  const { builder } = f;
  let value: Value = zeroOf(INT);
  inFullExpression(f, [statement.value], statement.loc, () => {
    value = builder.keep(lowerValue(f, statement.value), statement.loc);
  });
  const end = builder.newLabel();
  let otherwise = end;
  for (const label of casesOf(statement.body)) {
    const target = builder.newLabel();
    f.caseLabels.set(label, target);
    if (label.kind === 'default') otherwise = target;
    else lowerCaseTest(f, value, label, target);
  }
  builder.jump(otherwise, statement.loc);
  const outer = f.targets[f.targets.length - 1];
  const target: JumpTarget = {
    breakLabel: end,
    breakHeight: builder.scopes.length,
    continueLabel: outer?.continueLabel ?? null,
    continueHeight: outer?.continueHeight ?? 0,
  };
  f.targets.push(target);
  lowerStatement(f, statement.body);
  f.targets.pop();
  builder.place(end);
}

/** Goes to the case's label when the value lies in its range. A branch jumps when its condition is false. */
function lowerCaseTest(
  f: FunctionContext,
  value: Value,
  label: Extract<CaseStatement, { kind: 'case' }>,
  target: Label,
): void {
  const low = constant(label.low, value.type);
  if (label.low === label.high) {
    f.builder.branch(binary('ne', value, low), target, label.loc);
    return;
  }
  const high = constant(label.high, value.type);
  f.builder.branch(binary('or', binary('lt', value, low), binary('lt', high, value)), target, label.loc);
}

/** The cases of a switch, in order, without those of switches inside. */
function casesOf(body: Statement): CaseStatement[] {
  const cases: CaseStatement[] = [];
  const work: Statement[] = [body];
  for (let statement = work.pop(); statement; statement = work.pop()) {
    if (statement.kind === 'case' || statement.kind === 'default') cases.push(statement);
    else if (statement.kind === 'block') pushAll(work, [...statement.items].reverse());
    else if (statement.kind === 'if') {
      if (statement.otherwise) work.push(statement.otherwise);
      work.push(statement.then);
    } else if (statement.kind === 'while' || statement.kind === 'do' || statement.kind === 'for') {
      work.push(statement.body);
    }
  }
  return cases;
}

function lowerCaseLabel(f: FunctionContext, statement: CaseStatement): void {
  const label = f.caseLabels.get(statement);
  if (label) f.builder.place(label);
  else f.program.sink.error(statement.loc, 'misplaced', `${statement.kind} outside of a switch`);
}

// ---------------------------------------------------------------- goto and return

function labelOf(f: FunctionContext, symbol: Parameters<typeof f.labels.get>[0]): Label {
  const known = f.labels.get(symbol);
  if (known) return known;
  const label = f.builder.newLabel();
  f.labels.set(symbol, label);
  return label;
}

function lowerGoto(f: FunctionContext, { label, loc }: Extract<Statement, { kind: 'goto' }>): void {
  jumpToLabel(f, label, loc);
}

/** Leaves the scopes that do not enclose the label, and goes there. */
function jumpToLabel(f: FunctionContext, symbol: LabelSymbol, loc: Loc): void {
  const around = f.jumpScopes.labelScopes.get(symbol);
  if (around) {
    // Scope 0 is the function's; the rest stays open as long as it also encloses the label.
    let height = 1;
    while (height < f.builder.scopes.length && isAround(around, f.scopeNodes[height])) height++;
    f.builder.unwindScopes(height, loc);
    // A jump back passes declarations of the scopes that stay open. Forward, jumps into the scope of a cleanup are
    // refused.
    const due = f.labelCleanups.get(symbol);
    if (due) f.builder.cleanUpScopes(height, due, loc);
  } else if (f.builder.hasCleanups()) {
    f.program.unsupported(loc, 'a jump to a label in a statement expression, inside the scope of a cleanup, is');
  }
  f.builder.jump(labelOf(f, symbol), loc);
}

/** Scopes of full expressions have no node and enclose no label. */
function isAround(around: ReadonlySet<object>, node: object | null | undefined): boolean {
  return node !== null && node !== undefined && around.has(node);
}

/** GNU `goto *p`: a comparison with every label of the function whose address is taken. */
function lowerComputedGoto(f: FunctionContext, statement: Extract<Statement, { kind: 'computed-goto' }>): void {
  const { loc } = statement;
  const target = f.builder.keep(lowerValue(f, statement.target), loc);
  const body = f.symbol?.definition?.body;
  const addressed = body ? findAddressedLabels(body) : new Set();
  for (const symbol of f.jumpScopes.labelScopes.keys()) {
    if (!addressed.has(symbol)) continue;
    const next = f.builder.newLabel();
    f.builder.branch(binary('eq', target, constant(f.program.labelAddress(symbol), target.type)), next, loc);
    jumpToLabel(f, symbol, loc);
    f.builder.place(next);
  }
  emitAssert(f, zeroOf(INT), 'pointer', 'a computed goto to something that is no label of the function', loc);
  f.builder.emit({ kind: 'halt', loc });
}

function lowerReturn(f: FunctionContext, statement: Extract<Statement, { kind: 'return' }>): void {
  const { loc, value } = statement;
  let result: Value | null = null;
  if (value) {
    inFullExpression(f, [value], loc, () => {
      result = lowerResult(f, value, loc);
    });
  }
  if (f.builder.hasCleanups()) {
    result = result && f.builder.keep(result, loc);
    f.builder.cleanUpScopes(f.builder.scopes.length, [], loc);
  }
  emitReturn(f, result, loc);
}

/** The value to return; a record goes to where the caller wants it. */
function lowerResult(f: FunctionContext, value: Expression, loc: Loc): Value | null {
  if (value.type.kind === 'record' && f.resultAddress) {
    copyRecord(f, f.resultAddress, f.builder.share(recordAddress(f, value), loc), value.type, loc);
    return null;
  }
  if (value.type.kind === 'void') {
    lowerEffects(f, value);
    return null;
  }
  const result = lowerValue(f, value);
  return f.program.options.atomicStatements ? f.builder.share(result, loc) : result;
}

export function emitReturn(f: FunctionContext, value: Value | null, loc: Loc): void {
  if (f.isAtomic) {
    const kept = value ? f.builder.share(value, loc) : null;
    f.builder.emit({ kind: 'atomic-end', loc });
    f.builder.emit({ kind: 'return', value: kept, loc });
  } else {
    f.builder.emit({ kind: 'return', value, loc });
  }
}

// ---------------------------------------------------------------- statement expressions

/** GNU `({ … })`: its value is that of the last statement, taken by `take` before the block's objects end. */
export function lowerStatementExpression(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'statement-expression' }>,
  take: (last: Expression) => Value | null = (last) => f.builder.keep(lowerValue(f, last), last.loc),
): Value | null {
  const { body } = expression;
  let value: Value | null = null;
  inScope(f, body, body.endLoc, () => {
    const last = body.items[body.items.length - 1];
    const hasValue = last?.kind === 'expression' && expression.type.kind !== 'void';
    for (const item of hasValue ? body.items.slice(0, -1) : body.items) lowerStatement(f, item);
    if (hasValue) value = take(last.expression);
  });
  return value;
}

function lowerAsm(f: FunctionContext, statement: AsmStatement): void {
  const { loc } = statement;
  const meaning = meaningOfAsm(statement);
  if (meaning.kind === 'fence') f.builder.emit({ kind: 'fence', order: meaning.order, loc });
  if (meaning.kind === 'unknown') f.program.unsupported(loc, 'this inline assembly is');
}
