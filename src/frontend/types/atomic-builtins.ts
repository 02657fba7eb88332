/**
 * The atomic builtins of gcc: `__sync_*`, `__atomic_*_n` and the generic `__atomic_*`. They are typed by what their
 * first argument points to: values are converted to that type, the node keeps the builtin's name, memory orders stay
 * arguments. In `__sync_*` and `__atomic_fetch_*` on pointers the operand counts bytes, as in gcc.
 */

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
import type { Loc } from '../../support/source.ts';
import { type Checker, error, errorExpression, isError, show } from './checker.ts';
import { convertAssigned, decay } from './conversions.ts';
import { boolType } from './operators.ts';

/**
 * What an argument is: `object` the pointer that gives the type T; `value` a T; `amount` a T, or a number of bytes for
 * pointers; `place` a pointer to T; `order` a memory order; `flag` a `_Bool`; `any` a pointer to anything; `size` a
 * size.
 */
type Role = 'object' | 'value' | 'amount' | 'place' | 'order' | 'flag' | 'any' | 'size';
type Result = 'value' | 'bool' | 'void';

interface Rule {
  readonly roles: readonly Role[];
  readonly result: Result;
  /** `__sync_*` builtins take and ignore further arguments. */
  readonly open: boolean;
}

function rule(roles: string, result: Result, open = false): Rule {
  return { roles: roles === '' ? [] : (roles.split(' ') as Role[]), result, open };
}

const operations: readonly string[] = ['add', 'sub', 'or', 'and', 'xor', 'nand'];

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...operations.flatMap((operation): [string, Rule][] => [
    [`__sync_fetch_and_${operation}`, rule('object amount', 'value', true)],
    [`__sync_${operation}_and_fetch`, rule('object amount', 'value', true)],
    [`__atomic_fetch_${operation}`, rule('object amount order', 'value')],
    [`__atomic_${operation}_fetch`, rule('object amount order', 'value')],
  ]),
  ['__sync_bool_compare_and_swap', rule('object value value', 'bool', true)],
  ['__sync_val_compare_and_swap', rule('object value value', 'value', true)],
  ['__sync_lock_test_and_set', rule('object value', 'value', true)],
  ['__sync_lock_release', rule('object', 'void', true)],
  ['__sync_synchronize', rule('', 'void', true)],
  ['__atomic_load_n', rule('object order', 'value')],
  ['__atomic_load', rule('object place order', 'void')],
  ['__atomic_store_n', rule('object value order', 'void')],
  ['__atomic_store', rule('object place order', 'void')],
  ['__atomic_exchange_n', rule('object value order', 'value')],
  ['__atomic_exchange', rule('object place place order', 'void')],
  ['__atomic_compare_exchange_n', rule('object place value flag order order', 'bool')],
  ['__atomic_compare_exchange', rule('object place place flag order order', 'bool')],
  ['__atomic_test_and_set', rule('any order', 'bool')],
  ['__atomic_clear', rule('any order', 'void')],
  ['__atomic_thread_fence', rule('order', 'void')],
  ['__atomic_signal_fence', rule('order', 'void')],
  ['__atomic_always_lock_free', rule('size any', 'bool')],
  ['__atomic_is_lock_free', rule('size any', 'bool')],
]);

/**
 * Arithmetic and `__sync_*` work on integers and pointers. The others take objects of any type, also those that gcc has
 * generic forms for: our stdatomic.h uses them for every type.
 */
function takesAnyType(name: string): boolean {
  return /^__atomic_(load|store|exchange|compare_exchange)(_n)?$/.test(name);
}

export function isAtomicBuiltin(name: string): boolean {
  return name.startsWith('__atomic_') || name.startsWith('__sync_') ? rules.has(name) : false;
}

export function checkAtomicBuiltin(c: Checker, name: string, given: readonly Expression[], loc: Loc): Expression {
  const { roles, result, open } = rules.get(name) as Rule;
  if (given.length < roles.length || (given.length > roles.length && !open)) {
    error(c, loc, 'argument-count', `too ${given.length < roles.length ? 'few' : 'many'} arguments to '${name}'`);
    return errorExpression(loc);
  }
  const object = roles[0] === 'object' ? objectType(c, name, decay(given[0] as Expression), loc) : voidType;
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
function objectType(c: Checker, name: string, pointer: Expression, loc: Loc): Type | null {
  const target = pointer.type.kind === 'pointer' ? unqualified(pointer.type.target) : null;
  const accepted =
    target !== null &&
    (takesAnyType(name)
      ? target.kind !== 'void' && target.kind !== 'function'
      : isInteger(target) || target.kind === 'pointer');
  if (accepted) return target;
  error(c, loc, 'type-mismatch', `operand type ${show(pointer.type)} is incompatible with argument 1 of '${name}'`);
  return null;
}

function checkRole(c: Checker, name: string, role: Role, given: Expression, object: Type, index: number): Expression {
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
