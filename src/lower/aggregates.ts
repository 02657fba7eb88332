/**
 * Records and unions as values. A record value is the address of memory that holds it; whoever needs a value of its own
 * copies, scalar by scalar as the layout says. Every copied scalar is a load and a store of its own, as everywhere: C
 * does not make the assignment of a record atomic (unless the type is: then it is loaded and stored at once, and so is
 * every reading of it).
 */

import type { Value } from '../program/code.ts';
import { PLAIN } from '../program/memory-order.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { loadFrom, offsetBy, storeTo } from './accesses.ts';
import { lowerBuiltinRecord } from './builtins.ts';
import { lowerRecordCall } from './calls.ts';
import { type FunctionContext, pointerType, temporaryObject } from './context.ts';
import { lowerCommaEffects, lowerJump, lowerRecordAssignment, lowerValue } from './expressions.ts';
import { isAtomic, lowerLvalue, modeOf } from './lvalues.ts';
import { countLeaves, leavesOf, scalarOf } from './shapes.ts';
import { lowerStatementExpression } from './statements.ts';
import { zeroOf } from './values.ts';
import { lowerVaArg } from './varargs.ts';

/** Copies of more scalars than this would flood the code. */
const COPY_LIMIT = 20_000;

/** In one atomic section if the type is atomic, or if one of the sides is to be. */
export function copyRecord(
  f: FunctionContext,
  to: Value,
  from: Value,
  type: Type,
  loc: Loc,
  modes = { load: modeOf(type), store: modeOf(type) },
): void {
  if (countLeaves(type, f.model) > COPY_LIMIT) {
    f.program.unsupported(loc, `copying a record of more than ${COPY_LIMIT} scalars is`);
    return;
  }
  const isSection = modes.load.kind === 'atomic' || modes.store.kind === 'atomic';
  if (isSection) f.builder.emit({ kind: 'atomic-begin', loc });
  for (const leaf of leavesOf(type, f.model)) {
    const value = loadFrom(f, offsetBy(f, from, leaf.offset), leaf.type, modes.load, loc);
    storeTo(f, offsetBy(f, to, leaf.offset), value, leaf.type, modes.store, loc);
  }
  if (isSection) f.builder.emit({ kind: 'atomic-end', loc });
}

/** Evaluates an expression of record type; the address of memory that holds the value until something is assigned. */
export function recordAddress(f: FunctionContext, expression: Expression): Value {
  switch (expression.kind) {
    case 'variable':
    case 'dereference':
    case 'index':
    case 'member':
    case 'compound-literal': {
      const lvalue = lowerLvalue(f, expression);
      invariant(lvalue.kind === 'memory', 'records lie in memory');
      return isAtomic(expression.type) ? snapshot(f, lvalue.address, expression.type, expression.loc) : lvalue.address;
    }
    case 'call':
      return lowerRecordCall(f, expression);
    case 'assignment':
      return lowerRecordAssignment(f, expression);
    case 'comma':
      return recordAddress(f, lowerCommaEffects(f, expression));
    case 'conditional':
      return conditionalAddress(f, expression);
    case 'cast':
      return expression.castKind === 'to-union' ? unionOf(f, expression) : recordAddress(f, expression.operand);
    case 'statement-expression':
      return statementExpressionAddress(f, expression);
    case 'va-arg':
      return lowerVaArg(f, expression);
    case 'builtin':
      return lowerBuiltinRecord(f, expression);
    default:
      f.program.unsupported(expression.loc, 'this expression of record type is');
      return zeroOf(pointerType(f));
  }
}

/** A copy that only the full expression knows, read at once if the type is atomic. */
export function snapshot(f: FunctionContext, address: Value, type: Type, loc: Loc): Value {
  const copy = temporaryObject(f, 'record value', type, loc);
  copyRecord(f, copy, f.builder.share(address, loc), type, loc, { load: modeOf(type), store: PLAIN });
  return copy;
}

function conditionalAddress(f: FunctionContext, expression: Extract<Expression, { kind: 'conditional' }>): Value {
  const { builder } = f;
  const { loc } = expression;
  invariant(expression.then !== null, 'records have no truth');
  const result = builder.newRegister(pointerType(f));
  const otherwise = builder.newLabel();
  const end = builder.newLabel();
  lowerJump(f, expression.condition, otherwise, false);
  builder.set(result, recordAddress(f, expression.then), loc);
  builder.jump(end, loc);
  builder.place(otherwise);
  builder.set(result, recordAddress(f, expression.otherwise), loc);
  builder.place(end);
  return builder.read(result);
}

/** The block's objects end with it, so its value is copied out before. */
function statementExpressionAddress(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'statement-expression' }>,
): Value {
  const target = temporaryObject(f, 'block value', expression.type, expression.loc);
  lowerStatementExpression(f, expression, (last) => {
    copyRecord(f, target, f.builder.share(recordAddress(f, last), last.loc), expression.type, last.loc);
    return null;
  });
  return target;
}

function unionOf(f: FunctionContext, expression: Extract<Expression, { kind: 'cast' }>): Value {
  const { operand, type, loc } = expression;
  const target = temporaryObject(f, 'union value', type, loc);
  if (operand.type.kind === 'record') {
    copyRecord(f, target, f.builder.share(recordAddress(f, operand), loc), operand.type, loc);
    return target;
  }
  const scalar = scalarOf(operand.type, f.model);
  invariant(scalar !== null, 'a union of scalars and records');
  f.builder.emit({ kind: 'store', address: target, value: lowerValue(f, operand), type: scalar, mode: PLAIN, loc });
  return target;
}
