/**
 * An initializer as the assignments that it stands for. What an initializer of an aggregate does not mention is zero;
 * when that is much, the whole object is filled with zeros first.
 */

import { assign, builtin, element, expressionStatement, integer, member, zeroOf } from '../program/build-tree.ts';
import { PRIMITIVES } from '../program/primitives.ts';
import type { Expression, Initializer, Statement } from '../program/tree.ts';
import { isScalar } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';

/** More zeros than this are written by one `zero`. */
const ZERO_LIMIT = 8;

export function initializerAssignments(target: Expression, initializer: Initializer, loc: Loc): Statement[] {
  const statements: Statement[] = [];
  const zeros = countZeros(target.type, initializer);
  if (zeros > ZERO_LIMIT) statements.push(zeroStatement(target, loc));
  appendAssignments(target, initializer, zeros <= ZERO_LIMIT, loc, statements);
  return statements;
}

export function zeroStatement(target: Expression, loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.zero, [target], loc), loc);
}

/** The number of scalars in a type; a union counts as one. */
export function countScalars(type: Type): number {
  if (type.kind === 'array') return typeof type.length === 'number' ? type.length * countScalars(type.element) : 1;
  if (type.kind !== 'record' || type.declaration.isUnion) return 1;
  let count = 0;
  for (const field of type.declaration.fields ?? []) count += countScalars(field.type);
  return count;
}

function countZeros(type: Type, initializer: Initializer): number {
  switch (initializer.kind) {
    case 'scalar':
      return 0;
    case 'characters':
      return Math.max(0, countScalars(type) - initializer.value.units.length);
    case 'array': {
      const elementType = type.kind === 'array' ? type.element : type;
      let covered = 0;
      let zeros = 0;
      for (const { first, last, value } of initializer.items) {
        covered += last - first + 1;
        zeros += (last - first + 1) * countZeros(elementType, value);
      }
      const length = type.kind === 'array' && typeof type.length === 'number' ? type.length : covered;
      return zeros + (length - covered) * countScalars(elementType);
    }
    case 'record': {
      if (type.kind !== 'record') return 0;
      if (type.declaration.isUnion) return ZERO_LIMIT + 1;
      const mentioned = new Map(initializer.items.map((item) => [item.field, item.value]));
      let zeros = 0;
      for (const field of type.declaration.fields ?? []) {
        const value = mentioned.get(field);
        zeros += value ? countZeros(field.type, value) : countScalars(field.type);
      }
      return zeros;
    }
  }
}

function appendAssignments(
  target: Expression,
  initializer: Initializer,
  withZeros: boolean,
  loc: Loc,
  out: Statement[],
): void {
  switch (initializer.kind) {
    case 'scalar':
      out.push(assign(target, initializer.value, loc));
      break;
    case 'characters':
      appendCharacters(target, initializer.value.units, withZeros, loc, out);
      break;
    case 'array':
      appendArray(target, initializer, withZeros, loc, out);
      break;
    case 'record': {
      const mentioned = new Map(initializer.items.map((item) => [item.field, item.value]));
      const { type } = target;
      const fields = type.kind === 'record' ? (type.declaration.fields ?? []) : [];
      for (const field of fields) {
        const value = mentioned.get(field);
        const part = member(target, field, loc);
        if (value) appendAssignments(part, value, withZeros, loc, out);
        else if (withZeros && field.name !== null) appendZero(part, loc, out);
      }
      break;
    }
  }
}

function appendCharacters(
  target: Expression,
  units: readonly number[],
  withZeros: boolean,
  loc: Loc,
  out: Statement[],
): void {
  const { type } = target;
  if (type.kind !== 'array') return;
  const length = typeof type.length === 'number' ? type.length : units.length;
  for (let i = 0; i < length; i++) {
    const unit = units[i] ?? 0;
    if (i >= units.length && !withZeros) break;
    out.push(assign(element(target, integer(i, loc), loc), integer(unit, loc), loc));
  }
}

function appendArray(
  target: Expression,
  initializer: Extract<Initializer, { kind: 'array' }>,
  withZeros: boolean,
  loc: Loc,
  out: Statement[],
): void {
  let next = 0;
  const fillUntil = (end: number) => {
    for (; withZeros && next < end; next++) appendZero(element(target, integer(next, loc), loc), loc, out);
  };
  for (const { first, last, value } of initializer.items) {
    fillUntil(first);
    for (let i = first; i <= last; i++) {
      appendAssignments(element(target, integer(i, loc), loc), value, withZeros, loc, out);
    }
    next = last + 1;
  }
  const { type } = target;
  if (type.kind === 'array' && typeof type.length === 'number') fillUntil(type.length);
}

function appendZero(target: Expression, loc: Loc, out: Statement[]): void {
  if (isScalar(target.type)) out.push(assign(target, zeroOf(target.type, loc), loc));
  else out.push(zeroStatement(target, loc));
}
