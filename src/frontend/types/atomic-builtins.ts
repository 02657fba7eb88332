/**
 * The atomic builtins (program/atomics.ts) are typed by what their first argument points to: values are converted to
 * that type, the node keeps the builtin's name, memory orders stay arguments.
 */

import { type AtomicRole, atomicRow } from '../../program/atomics.ts';
import { integer } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import { evaluateInteger } from '../../program/evaluate-constant.ts';
import type { Expression } from '../../program/tree.ts';
import {
  integerType,
  intType,
  isInteger,
  pointerTo,
  sizeType,
  unqualified,
  voidType,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { type Checker, error, errorExpression, isError, show } from './checker.ts';
import { convertAssigned, decay } from './conversions.ts';
import { boolType } from './operators.ts';

export function checkAtomicBuiltin(c: Checker, name: string, given: readonly Expression[], loc: Loc): Expression {
  const row = atomicRow(name);
  invariant(row, 'an atomic builtin');
  const { roles, result, isOpen } = row;
  if (given.length < roles.length || (given.length > roles.length && !isOpen)) {
    error(c, loc, 'argument-count', `too ${given.length < roles.length ? 'few' : 'many'} arguments to '${name}'`);
    return errorExpression(loc);
  }
  const object =
    roles[0] === 'object' ? objectType(c, name, row.takesAnyType, decay(given[0] as Expression), loc) : voidType;
  if (object === null) return errorExpression(loc);
  const args = roles.map((role, i) => checkRole(c, name, role, given[i] as Expression, object, i));
  if (args.some(isError)) return errorExpression(loc);
  if (name === '__atomic_always_lock_free') return alwaysLockFree(c, args[0] as Expression, loc);
  const type = result === 'value' ? object : result === 'bool' ? boolType : voidType;
  return { kind: 'builtin', name, args, type, loc };
}

/** As on x86, for objects of all sizes that one instruction can access. */
function alwaysLockFree(c: Checker, size: Expression, loc: Loc): Expression {
  const bytes = evaluateInteger(size, c.model);
  if (bytes === null) error(c, size.loc, 'not-constant', "argument 1 of '__atomic_always_lock_free' is not constant");
  const isFree = bytes === 1n || bytes === 2n || bytes === 4n || bytes === 8n;
  return integer(isFree ? 1 : 0, loc, boolType);
}

/** The unqualified type of the object that the builtin works on; null after a report. */
function objectType(c: Checker, name: string, takesAnyType: boolean, pointer: Expression, loc: Loc): Type | null {
  const target = pointer.type.kind === 'pointer' ? unqualified(pointer.type.target) : null;
  const accepted =
    target !== null &&
    (takesAnyType
      ? target.kind !== 'void' && target.kind !== 'function'
      : isInteger(target) || target.kind === 'pointer');
  if (accepted) return target;
  error(c, loc, 'type-mismatch', `operand type ${show(pointer.type)} is incompatible with argument 1 of '${name}'`);
  return null;
}

function checkRole(
  c: Checker,
  name: string,
  role: AtomicRole,
  given: Expression,
  object: Type,
  index: number,
): Expression {
  const argument = decay(given);
  const to = (type: Type): Expression =>
    convertAssigned(c, argument, type, { what: `passing argument ${index + 1} of '${name}'`, loc: argument.loc });
  switch (role) {
    case 'object':
      return argument;
    case 'value':
      return to(object);
    case 'amount':
      return to(object.kind === 'pointer' ? addressInteger(c.model) : object);
    case 'order':
      return to(intType);
    case 'flag':
      return to(boolType);
    case 'size':
      return to(sizeType(c.model));
    case 'any':
      return argument.type.kind === 'pointer' ? argument : to(pointerTo(voidType));
    case 'place':
      if (argument.type.kind === 'pointer') return argument;
      return to(pointerTo(object));
  }
}

function addressInteger(model: DataModel): Type {
  return integerType(model === 'ILP32' ? 'int' : 'long');
}
