/**
 * Records whose layout nobody can see: every access names a member, or copies a whole record of that type. Their
 * members may be declared otherwise, and what their size was in the source stays what it was, since sizes are numbers
 * by now.
 *
 * Somebody sees the layout of a record when a pointer to it is converted to a pointer to something else (bytes, another
 * record, an integer), when it lies in a union, or when it is filled as bytes. By way of `void *` a pointer may come
 * back as what it was. Whether it does is looked up where `void *` is converted to something: all variables that it may
 * lead to must be that, or arrays of it, and an allocation must be seen as one type only. What is seen as something
 * else is seen with all records inside.
 */

import { findPointsTo, type PointsTo } from '../passes/alias/points-to.ts';
import { asProgram, type BoundedProgram, globalVariables } from '../program/bounded-program.ts';
import { primitiveOf } from '../program/primitives.ts';
import type { Expression, Program, VariableSymbol } from '../program/tree.ts';
import { sameType, unqualified } from '../program/type-operations.ts';
import type { RecordDeclaration, Type } from '../program/types.ts';
import { expressionsOf, walkInitializer, walkPlainStatementsOnce, walkStatementOnce } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { elementOf } from './group-integers.ts';

export interface PlainRecords {
  has(record: RecordDeclaration): boolean;
  /** What allocations are used as, by the place of the allocation. */
  readonly allocated: ReadonlyMap<Loc, readonly Type[]>;
}

/** Null if nothing is known about where pointers lead. */
export function findPlainRecords(program: BoundedProgram): PlainRecords | null {
  const evaluated = program.threads.map((thread) => {
    const expressions: Expression[] = [];
    walkPlainStatementsOnce(thread.function.body, (statement) => pushAll(expressions, expressionsOf(statement)));
    return expressions;
  });
  const pointsTo = findPointsTo(program, evaluated);
  if (pointsTo === null) return null;
  const finder = new OddViews(pointsTo);
  for (const type of declaredTypes(asProgram(program))) finder.addUnions(type);
  for (const symbol of globalVariables(program)) finder.addInitializer(symbol);
  for (const { number, function: definition } of program.threads) {
    walkStatementOnce(definition.body, { expression: (node) => finder.addExpression(number, node) });
  }
  return finder;
}

function* declaredTypes({ items }: Program): Iterable<Type> {
  for (const item of items) {
    if (item.kind === 'record') for (const field of item.declaration.fields ?? []) yield field.type;
    if (item.kind === 'variable' || item.kind === 'typedef') yield item.symbol.type;
    if (item.kind !== 'function') continue;
    const locals: Type[] = [];
    walkStatementOnce(item.definition.body, {
      statement: (statement) => {
        if (statement.kind === 'declaration' && statement.item.kind === 'variable')
          locals.push(statement.item.symbol.type);
      },
    });
    yield* locals;
  }
}

class OddViews implements PlainRecords {
  readonly allocated = new Map<Loc, Type[]>();
  readonly #pointsTo: PointsTo;
  readonly #seen = new Set<RecordDeclaration>();
  readonly #viewsOfAllocation = new Map<Expression, Type>();

  constructor(pointsTo: PointsTo) {
    this.#pointsTo = pointsTo;
  }

  has(record: RecordDeclaration): boolean {
    return !record.isUnion && record.pack === null && !record.packed && !this.#seen.has(record);
  }

  addUnions(type: Type): void {
    for (const record of recordsIn(type)) {
      if (record.isUnion) for (const field of record.fields ?? []) this.#see(field.type);
    }
  }

  addInitializer({ initializer }: VariableSymbol): void {
    if (!initializer) return;
    walkInitializer(initializer, {
      expression: (node) => {
        if (node.kind === 'cast' && node.castKind === 'pointer') this.#seeBoth(node);
      },
    });
  }

  addExpression(thread: number, node: Expression): void {
    switch (node.kind) {
      case 'cast':
        if (node.castKind === 'pointer') this.#convert(thread, node);
        if (node.castKind === 'to-union') this.#see(node.operand.type);
        break;
      case 'va-arg':
        this.#see(node.type);
        if (node.type.kind === 'pointer') this.#see(node.type.target);
        break;
      case 'builtin':
        if (primitiveOf(node) === 'zero' && node.args[0]) this.#see(node.args[0].type);
        break;
      default:
        break;
    }
  }

  #convert(thread: number, node: Cast): void {
    const { operand, type } = node;
    if (type.kind !== 'pointer' || operand.type.kind !== 'pointer' || type.target.kind === 'void') return;
    if (operand.type.target.kind !== 'void') {
      if (!isSame(type.target, operand.type.target)) this.#seeBoth(node);
      return;
    }
    for (const object of this.#pointsTo.targetsOf(thread, operand)) {
      if (object.kind === 'allocated') this.#viewAllocation(object.allocation, type.target);
      else if (!isSame(elementOf(object.type), elementOf(type.target))) {
        this.#see(object.type);
        this.#see(type.target);
      }
    }
  }

  #viewAllocation(allocation: Expression, type: Type): void {
    const { loc } = allocation;
    const known = this.allocated.get(loc);
    if (!known) this.allocated.set(loc, [type]);
    else if (!known.some((other) => isSame(other, type))) known.push(type);
    const before = this.#viewsOfAllocation.get(allocation);
    if (!before) this.#viewsOfAllocation.set(allocation, type);
    else if (!isSame(before, type)) {
      this.#see(before);
      this.#see(type);
    }
  }

  #seeBoth({ operand, type }: Cast): void {
    for (const each of [operand.type, type]) if (each.kind === 'pointer') this.#see(each.target);
  }

  /** The layout of a type is seen, and of all that lies in it. */
  #see(type: Type): void {
    for (const record of recordsIn(type)) this.#seen.add(record);
  }
}

type Cast = Extract<Expression, { kind: 'cast' }>;

function isSame(a: Type, b: Type): boolean {
  return sameType(unqualified(a), unqualified(b));
}

/** The records that lie in an object of a type. */
function recordsIn(type: Type): ReadonlySet<RecordDeclaration> {
  const records = new Set<RecordDeclaration>();
  const pending: Type[] = [type];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const element = elementOf(at);
    if (element.kind !== 'record' || records.has(element.declaration)) continue;
    records.add(element.declaration);
    for (const field of element.declaration.fields ?? []) pending.push(field.type);
  }
  return records;
}
