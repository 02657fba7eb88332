/**
 * Statements: conditions are scalars, `break` and `continue` stand where they lead somewhere, case values are distinct
 * constants, labels are defined once, jumps do not enter the scope of a variable-length array or of a variable with a
 * cleanup, `return` fits the function.
 */

import { integerNameOf, wrapInteger } from '../../program/integer-range.ts';
import type { AsmOperand, BlockStatement, Expression, LabelSymbol, Statement } from '../../program/tree.ts';
import { isInteger, unqualified, voidType } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import {
  type Checker,
  descend,
  error,
  errorExpression,
  errorType,
  type FunctionState,
  type GuardedScope,
  inScope,
  isError,
  type LabelState,
  refuse,
  type SwitchState,
  show,
  warn,
} from './checker.ts';
import { convertAssigned, decay, isLvalue, promote } from './conversions.ts';
import { checkDeclaration, checkStaticAssertion } from './declarations.ts';
import { checkExpression, checkIntegerConstant, checkValue } from './expressions.ts';
import { checkCondition } from './operators.ts';
import { isAsyncLabel, outlineAsync } from './outline-async.ts';

// ---------------------------------------------------------------- blocks

/** A block with a scope of its own. */
export function checkBlock(c: Checker, block: ast.BlockStatement): BlockStatement {
  return inScope(c, 'block', () => checkBlockItems(c, block));
}

/** A block whose scope the caller has opened: a function's body shares it with the parameters. */
export function checkBlockItems(c: Checker, block: ast.BlockStatement): BlockStatement {
  const state = c.function;
  const guardedScope = state?.guardedScope ?? null;
  const labelDepth = state?.labels.length ?? 0;
  const outer = c.statements;
  const items: Statement[] = [];
  c.statements = items;
  for (const item of block.items) checkStatementInto(c, item, items);
  c.statements = outer;
  if (state !== null) {
    state.guardedScope = guardedScope;
    while (state.labels.length > labelDepth) closeLabels(c, state);
  }
  const isPlain = !items.some((item) => item.kind === 'label' && isAsyncLabel(item.label.name));
  const outlined = isPlain ? items : outlineAsync(c, items);
  return { kind: 'block', items: outlined, loc: block.loc, endLoc: block.endLoc };
}

/** Checks a statement of a list; declarations become as many items as they declare things. */
function checkStatementInto(c: Checker, node: ast.Statement, items: Statement[]): void {
  switch (node.kind) {
    case 'declaration':
      checkDeclaration(c, node);
      return;
    case 'static-assert':
      checkStaticAssertion(c, node);
      return;
    case 'local-labels':
      declareLocalLabels(c, node.names, node.loc);
      return;
    case 'function-definition':
      refuse(c, node.loc, 'a function inside a function');
      return;
    default: {
      const statement = checkStatement(c, node);
      if (statement !== null) items.push(statement);
    }
  }
}

/** A statement that stands alone, as the body of a loop or a branch. */
function checkBody(c: Checker, node: ast.Statement): Statement {
  if (node.kind === 'block') return checkStatement(c, node) ?? { kind: 'empty', loc: node.loc };
  // C makes every such statement a block of its own; whatever it declares stays inside.
  const outer = c.statements;
  const items: Statement[] = [];
  c.statements = items;
  inScope(c, 'block', () => checkStatementInto(c, node, items));
  c.statements = outer;
  const [only] = items;
  if (only === undefined) return { kind: 'empty', loc: node.loc };
  return items.length === 1 && only.kind !== 'declaration'
    ? only
    : { kind: 'block', items, loc: node.loc, endLoc: node.loc };
}

function checkStatement(c: Checker, node: ast.Statement): Statement | null {
  if (!descend(c, node.loc)) return null;
  const result = dispatch(c, node);
  c.depth--;
  return result;
}

function dispatch(c: Checker, node: ast.Statement): Statement | null {
  const { loc } = node;
  switch (node.kind) {
    case 'block':
      return checkBlock(c, node);
    case 'expression':
      return { kind: 'expression', expression: decay(checkExpression(c, node.expression)), loc };
    case 'empty':
      return { kind: 'empty', loc };
    case 'if':
      return checkIf(c, node);
    case 'while': {
      const condition = checkCondition(c, checkExpression(c, node.condition), node.condition.loc);
      return { kind: 'while', condition, body: inLoop(c, node.body), loc };
    }
    case 'do': {
      const body = inLoop(c, node.body);
      return {
        kind: 'do',
        body,
        condition: checkCondition(c, checkExpression(c, node.condition), node.condition.loc),
        loc,
      };
    }
    case 'for':
      return inScope(c, 'block', () => checkFor(c, node));
    case 'switch':
      return checkSwitch(c, node);
    case 'case':
      return checkCase(c, node);
    case 'default':
      return checkDefault(c, loc);
    case 'label':
      return checkLabel(c, node.name, loc);
    case 'goto': {
      const label = useLabel(c, node.label, loc);
      return label && { kind: 'goto', label, loc };
    }
    case 'computed-goto': {
      const target = checkValue(c, node.target);
      if (!isError(target) && target.type.kind !== 'pointer') {
        error(c, loc, 'type-mismatch', "computed 'goto' needs a pointer");
      }
      if (c.function !== null) c.function.computedGoto ??= loc;
      return { kind: 'computed-goto', target, loc };
    }
    case 'break':
      if ((c.function?.breakDepth ?? 0) === 0)
        error(c, loc, 'misplaced', "'break' statement not within loop or switch");
      return { kind: 'break', loc };
    case 'continue':
      if ((c.function?.loopDepth ?? 0) === 0) error(c, loc, 'misplaced', "'continue' statement not within a loop");
      return { kind: 'continue', loc };
    case 'return':
      return checkReturn(c, node);
    case 'asm':
      return checkAsm(c, node);
    case 'declaration':
    case 'static-assert':
    case 'function-definition':
    case 'local-labels':
      return null;
    default:
      return assertNever(node);
  }
}

/** Follows `else if` with a loop and builds the nest from its end. */
function checkIf(c: Checker, node: ast.Statement & { kind: 'if' }): Statement {
  const branches: { condition: Expression; then: Statement; loc: Loc }[] = [];
  let at: ast.Statement | null = node;
  while (at !== null && at.kind === 'if') {
    const condition = checkCondition(c, checkExpression(c, at.condition), at.condition.loc);
    branches.push({ condition, then: checkBody(c, at.then), loc: at.loc });
    at = at.otherwise;
  }
  let otherwise = at === null ? null : checkBody(c, at);
  for (let i = branches.length - 1; i >= 0; i--) {
    const { condition, then, loc } = branches[i] as (typeof branches)[number];
    otherwise = { kind: 'if', condition, then, otherwise, loc };
  }
  return otherwise as Statement;
}

// ---------------------------------------------------------------- loops

function inLoop(c: Checker, body: ast.Statement): Statement {
  const state = c.function;
  if (state === null) return checkBody(c, body);
  state.loopDepth++;
  state.breakDepth++;
  const result = checkBody(c, body);
  state.loopDepth--;
  state.breakDepth--;
  return result;
}

function checkFor(c: Checker, node: ast.Statement & { kind: 'for' }): Statement {
  const outer = c.statements;
  const init: Statement[] = [];
  c.statements = init;
  const guardedScope = c.function?.guardedScope ?? null;
  if (node.init?.kind === 'declaration') {
    checkDeclaration(c, node.init);
    checkLoopDeclarations(c, init);
  } else if (node.init?.kind === 'static-assert') checkStaticAssertion(c, node.init);
  else if (node.init !== null) {
    init.push({ kind: 'expression', expression: checkValue(c, node.init), loc: node.init.loc });
  }
  c.statements = outer;
  const condition = node.condition && checkCondition(c, checkExpression(c, node.condition), node.condition.loc);
  const step = node.step && checkValue(c, node.step);
  const body = inLoop(c, node.body);
  if (c.function !== null) c.function.guardedScope = guardedScope;
  return { kind: 'for', init, condition, step, body, loc: node.loc };
}

/** C 6.8.5: only automatic variables are declared in the head of a loop. */
function checkLoopDeclarations(c: Checker, init: readonly Statement[]): void {
  for (const statement of init) {
    if (statement.kind !== 'declaration') continue;
    const { item, loc } = statement;
    if (item.kind === 'variable' && item.symbol.duration === 'automatic') continue;
    // As gcc has it: a record without a tag declares nothing but the variable.
    if (item.kind === 'record' && item.declaration.tag === null) continue;
    const what = item.kind === 'variable' ? `static or extern variable '${item.symbol.name}'` : item.kind;
    error(c, loc, 'storage-class', `${what} declared in 'for' loop initial declaration`);
  }
}

// ---------------------------------------------------------------- switch

function checkSwitch(c: Checker, node: ast.Statement & { kind: 'switch' }): Statement {
  let value = checkValue(c, node.value);
  if (!isError(value) && !isInteger(value.type)) {
    error(c, node.value.loc, 'type-mismatch', `switch quantity of type ${show(value.type)} is not an integer`);
    value = errorExpression(node.value.loc);
  } else if (!isError(value)) value = promote(c, value);
  const state = c.function;
  if (state === null) return { kind: 'empty', loc: node.loc };
  const current: SwitchState = {
    type: unqualified(value.type),
    guardedScope: state.guardedScope,
    cases: [],
    defaultLoc: null,
  };
  state.switches.push(current);
  state.breakDepth++;
  const body = checkBody(c, node.body);
  state.breakDepth--;
  state.switches.pop();
  checkDistinct(c, current);
  return { kind: 'switch', value, body, loc: node.loc };
}

function checkDistinct(c: Checker, state: SwitchState): void {
  const sorted = [...state.cases].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : a.loc - b.loc));
  let previous: (typeof sorted)[number] | null = null;
  for (const item of sorted) {
    if (previous !== null && item.low <= previous.high) {
      error(c, item.loc, 'duplicate-case', 'duplicate case value', [
        { loc: previous.loc, message: 'previously used here' },
      ]);
    }
    if (previous === null || item.high > previous.high) previous = item;
  }
}

function innermostSwitch(c: Checker, what: string, loc: Loc): SwitchState | null {
  const state = c.function;
  const current = state?.switches[state.switches.length - 1];
  if (state === null || current === undefined) {
    error(c, loc, 'misplaced', `'${what}' label not within a switch statement`);
    return null;
  }
  reportEntry(c, 'switch jumps', state.guardedScope, current.guardedScope, loc);
  return current;
}

function checkCase(c: Checker, node: ast.Statement & { kind: 'case' }): Statement | null {
  const current = innermostSwitch(c, 'case', node.loc);
  const low = checkIntegerConstant(c, node.low, 'the case label');
  const high = node.high === null ? low : checkIntegerConstant(c, node.high, 'the case label');
  if (current === null || low === null || high === null || current.type === errorType) return null;
  if (low > high) {
    warn(c, node.loc, 'empty-range', 'empty range specified');
    return { kind: 'empty', loc: node.loc };
  }
  const name = integerNameOf(current.type);
  const item = { low: wrapInteger(low, name, c.model), high: wrapInteger(high, name, c.model), loc: node.loc };
  current.cases.push(item);
  const { low: first } = node;
  const isNamed = node.high === null && (first.kind === 'identifier' || first.kind === 'character');
  const spelling = isNamed ? (first.kind === 'identifier' ? first.name : first.text) : null;
  return { kind: 'case', low: item.low, high: item.high, spelling, loc: node.loc };
}

function checkDefault(c: Checker, loc: Loc): Statement | null {
  const current = innermostSwitch(c, 'default', loc);
  if (current === null) return null;
  if (current.defaultLoc !== null) {
    const note = { loc: current.defaultLoc, message: 'this is the first default label' };
    error(c, loc, 'duplicate-case', 'multiple default labels in one switch', [note]);
  }
  current.defaultLoc = loc;
  return { kind: 'default', loc };
}

// ---------------------------------------------------------------- labels

/** Whether a place that has passed `inner` is inside all that `outer` has passed. */
function encloses(outer: GuardedScope, inner: GuardedScope): boolean {
  for (let at = inner; at !== null; at = at.parent) if (at === outer) return true;
  return outer === null;
}

/**
 * A jump from `from` to `to` may leave guarded scopes but not enter one. gcc lets a jump pass a cleanup's declaration;
 * we do not.
 */
function reportEntry(c: Checker, what: string, to: GuardedScope, from: GuardedScope, loc: Loc): void {
  if (to === null || encloses(to, from)) return;
  if (to.reason === 'cleanup')
    refuse(c, loc, `a ${what === 'jump' ? what : 'switch'} into the scope of a variable with a cleanup`);
  else error(c, loc, 'jump-into-scope', `${what} into scope of identifier with variably modified type`);
}

function labelState(c: Checker, state: FunctionState, name: string, loc: Loc): LabelState {
  for (let i = state.labels.length - 1; i >= 0; i--) {
    const found = state.labels[i]?.get(name);
    if (found !== undefined) return found;
  }
  return createLabel(c, state.labels[0] as Map<string, LabelState>, name, loc);
}

function createLabel(c: Checker, table: Map<string, LabelState>, name: string, loc: Loc): LabelState {
  const symbol: LabelSymbol = { kind: 'label-symbol', id: c.nextId++, name, loc };
  const created: LabelState = { symbol, place: 'undefined', jumps: [] };
  table.set(name, created);
  return created;
}

function declareLocalLabels(c: Checker, names: readonly string[], loc: Loc): void {
  const state = c.function;
  if (state === null) return;
  const table = new Map<string, LabelState>();
  state.labels.push(table);
  for (const name of names) createLabel(c, table, name, loc);
}

function checkLabel(c: Checker, name: string, loc: Loc): Statement | null {
  const state = c.function;
  if (state === null) return null;
  const label = labelState(c, state, name, loc);
  if (label.place !== 'undefined') {
    error(c, loc, 'redeclared', `duplicate label '${name}'`);
    return null;
  }
  label.place = state.guardedScope;
  return { kind: 'label', label: label.symbol, loc };
}

/** A jump to a label, or its address; null outside of functions. */
export function useLabel(c: Checker, name: string, loc: Loc): LabelSymbol | null {
  const state = c.function;
  if (state === null) {
    error(c, loc, 'misplaced', `label '${name}' referenced outside of any function`);
    return null;
  }
  const label = labelState(c, state, name, loc);
  label.jumps.push({ from: state.guardedScope, loc });
  return label.symbol;
}

/**
 * Ends the innermost label scope: every label used is defined, and no jump enters the scope of a variable-length array.
 */
export function closeLabels(c: Checker, state: FunctionState): void {
  const table = state.labels.pop();
  for (const label of table?.values() ?? []) {
    const [first] = label.jumps;
    if (label.place === 'undefined') {
      if (first !== undefined) error(c, first.loc, 'undeclared', `label '${label.symbol.name}' used but not defined`);
      continue;
    }
    for (const jump of label.jumps) reportEntry(c, 'jump', label.place, jump.from, jump.loc);
  }
}

// ---------------------------------------------------------------- return, asm, statement expressions

function checkReturn(c: Checker, node: ast.Statement & { kind: 'return' }): Statement {
  const { loc } = node;
  const result: Type = c.function?.result ?? errorType;
  if (node.value === null) {
    if (result.kind !== 'void' && result !== errorType) {
      warn(c, loc, 'return-mismatch', "'return' with no value, in function returning non-void");
    }
    return { kind: 'return', value: null, loc };
  }
  const value = checkValue(c, node.value);
  if (result.kind === 'void') {
    if (!isError(value) && value.type.kind !== 'void') {
      warn(c, loc, 'return-mismatch', "'return' with a value, in function returning void");
    }
    return { kind: 'return', value, loc };
  }
  warnAboutLocalAddress(c, value, loc);
  return { kind: 'return', value: convertAssigned(c, value, result, { what: 'return', loc: node.value.loc }), loc };
}

function warnAboutLocalAddress(c: Checker, value: Expression, loc: Loc): void {
  const isAddress = value.kind === 'address' || (value.kind === 'cast' && value.castKind === 'array-to-pointer');
  if (!isAddress) return;
  let at = value.operand;
  while (at.kind === 'member') at = at.object;
  if (at.kind === 'variable' && at.symbol.duration === 'automatic') {
    warn(c, loc, 'return-local-addr', 'function returns address of local variable');
  }
}

function checkAsm(c: Checker, node: ast.AsmStatement): Statement {
  const operand = (item: ast.AsmOperand, isOutput: boolean): AsmOperand => {
    const value = checkExpression(c, item.value);
    if (isOutput && !isError(value) && !isLvalue(value)) {
      error(c, item.value.loc, 'lvalue-required', "lvalue required in 'asm' statement");
    }
    return { name: item.name, constraint: item.constraint, value: isOutput ? value : decay(value) };
  };
  const labels: LabelSymbol[] = [];
  for (const name of node.labels) {
    const label = useLabel(c, name, node.loc);
    if (label !== null) labels.push(label);
  }
  return {
    kind: 'asm',
    isVolatile: node.isVolatile,
    isBasic: node.isBasic,
    template: node.template,
    outputs: node.outputs.map((item) => operand(item, true)),
    inputs: node.inputs.map((item) => operand(item, false)),
    clobbers: node.clobbers,
    labels,
    loc: node.loc,
  };
}

/** GNU `({ … })`: the value of the last statement, if that is an expression. */
export function checkStatementExpression(c: Checker, body: ast.BlockStatement, loc: Loc): Expression {
  if (c.function === null) {
    error(c, loc, 'misplaced', 'braced-group within expression allowed only inside a function');
    return errorExpression(loc);
  }
  const block = checkBlock(c, body);
  const last = block.items[block.items.length - 1];
  if (last?.kind === 'expression' && last.expression.type === errorType) return errorExpression(loc);
  const type = last?.kind === 'expression' ? unqualified(last.expression.type) : voidType;
  return { kind: 'statement-expression', body: block, type, loc };
}
