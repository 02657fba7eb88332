/**
 * Statements. Structured loops are laid out contiguously with exactly one closing jump each: `continue` goes forward to
 * it. A switch is a chain of comparisons in front of its body, whose cases are labels, wherever in the body they stand
 * (Duff's device).
 */

import type { Value } from '../program/code.ts';
import { findAddressedLabels } from '../program/find-loops.ts';
import { meaningOfAsm } from '../program/inline-assembly.ts';
import type { AsmStatement, BlockStatement, Expression, LabelSymbol, Statement } from '../program/tree.ts';
import { isErrorLabel } from '../program/verifier-names.ts';
import { assertNever } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { emitAssert } from './checks.ts';
import type { FunctionContext, JumpTarget } from './context.ts';
import { lowerDeclaration, lowerTypedef, promiseCleanup } from './declarations.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import type { Label } from './function-builder.ts';
import { inFullExpression, inScope, lowerCondition } from './scopes.ts';
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

// ---------------------------------------------------------------- blocks

function lowerBlock(f: FunctionContext, block: BlockStatement): void {
  inScope(f, block, block.endLoc, () => {
    for (const item of block.items) lowerStatement(f, item);
  });
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
