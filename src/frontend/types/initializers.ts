/**
 * Initializers (C 6.7.9): brace elision, designators (nested, and GNU ranges), strings, later items that override
 * earlier ones, completion of `[]`. A list is read with a *cursor*, a stack of the aggregates that the current place
 * lies in: the next item without a designator goes to the next place, which may mean to leave aggregates that are full
 * or to enter one whose braces were left out. What is filled is kept in drafts (initializer-drafts.ts).
 */

import { variableSymbol } from '../../program/build-tree.ts';
import { evaluateConstant, evaluateInteger } from '../../program/evaluate-constant.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression, Initializer, StringExpression } from '../../program/tree.ts';
import { arrayOf, hasVariableSize, isCharacter, isComplete } from '../../program/type-operations.ts';
import type { ArrayType, Field, RecordType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { type Checker, error, errorExpression, errorType, isError, show, warn } from './checker.ts';
import { convertAssigned } from './conversions.ts';
import { typeOfName } from './declared-types.ts';
import { checkExpression, checkString, checkValue, findMember } from './expressions.ts';
import { type AggregateDraft, createDraft, type Draft, draftAt, finishDraft, setDraft } from './initializer-drafts.ts';

export interface InitializationOptions {
  /** The object has static duration: only constants will do. */
  readonly mustBeConstant: boolean;
}

export interface Initialization {
  readonly initializer: Initializer | null;
  /** The object's type, completed by the number of elements. */
  readonly type: Type;
}

/** Checks the initializer of an object of the given type. */
export function checkInitializer(
  c: Checker,
  type: Type,
  node: ast.Initializer,
  options: InitializationOptions,
  loc: Loc,
): Initialization {
  if (type === errorType) {
    if (node.kind === 'expression-initializer') checkExpression(c, node.value);
    return { initializer: null, type };
  }
  if (hasVariableSize(type)) {
    error(c, loc, 'type-mismatch', 'a variable-length array may not be initialised');
    return { initializer: null, type };
  }
  const draft = initializeObject(c, type, node, options, loc);
  if (draft === null) return { initializer: null, type };
  const initializer = finishDraft(draft);
  return { initializer, type: completedType(type, draft) };
}

function completedType(type: Type, draft: Draft): Type {
  if (type.kind !== 'array' || type.length !== null) return type;
  if (draft.kind === 'characters') return arrayOf(type.element, draft.value.units.length);
  return draft.kind === 'array' ? arrayOf(type.element, draft.length) : type;
}

// ---------------------------------------------------------------- one object

function initializeObject(
  c: Checker,
  type: Type,
  node: ast.Initializer,
  options: InitializationOptions,
  loc: Loc,
): Draft | null {
  if (type.kind === 'array') {
    const text = stringFor(c, type, node);
    if (text !== null) return characters(c, text, type, loc);
    if (node.kind === 'initializer-list') return initializeList(c, type, node, options);
    return arrayFromExpression(c, type, node.value, loc);
  }
  if (type.kind === 'record' && node.kind === 'initializer-list') {
    if (!isComplete(type)) {
      error(c, loc, 'incomplete-type', `initialisation of incomplete type ${show(type)}`);
      return null;
    }
    return initializeList(c, type, node, options);
  }
  if (node.kind === 'initializer-list') return initializeBracedScalar(c, type, node, options, loc);
  return scalar(c, type, checkExpression(c, node.value), options, node.value.loc);
}

/** GNU: an array may be initialised by a compound literal of its type. */
function arrayFromExpression(c: Checker, type: ArrayType, e: ast.Expression, loc: Loc): Draft | null {
  const value = checkExpression(c, e);
  if (isError(value)) return null;
  if (value.kind === 'compound-literal' && value.symbol.initializer !== null && value.type.kind === 'array') {
    const { initializer } = value.symbol;
    const length = typeof value.type.length === 'number' ? value.type.length : 0;
    return { kind: 'finished', initializer, length };
  }
  error(c, loc, 'type-mismatch', `invalid initializer for ${show(type)}`);
  return null;
}

function initializeBracedScalar(
  c: Checker,
  type: Type,
  list: ast.InitializerList,
  options: InitializationOptions,
  loc: Loc,
): Draft | null {
  const [first, second] = list.items;
  if (first === undefined) {
    error(c, list.loc, 'initializer', 'empty scalar initializer');
    return null;
  }
  if (second !== undefined) warn(c, second.loc, 'excess-initializer', 'excess elements in scalar initializer');
  if (first.designators.length > 0) {
    error(c, first.loc, 'initializer', 'designator in the initializer of a scalar');
    return null;
  }
  let inner = first.initializer;
  for (let depth = 0; inner.kind === 'initializer-list'; depth++) {
    if (depth === 0) warn(c, inner.loc, 'braces', 'braces around scalar initializer');
    const [item] = inner.items;
    if (item === undefined) {
      error(c, inner.loc, 'initializer', 'empty scalar initializer');
      return null;
    }
    inner = item.initializer;
  }
  return initializeObject(c, type, inner, options, loc);
}

function scalar(c: Checker, type: Type, value: Expression, options: InitializationOptions, loc: Loc): Draft | null {
  const converted = convertAssigned(c, value, type, { what: 'initialization', loc });
  if (isError(converted)) return null;
  if (options.mustBeConstant && !isConstantInitializer(c, converted)) {
    error(c, loc, 'not-constant', 'initializer element is not constant');
    return null;
  }
  return { kind: 'scalar', value: converted };
}

function isConstantInitializer(c: Checker, value: Expression): boolean {
  // GNU: a compound literal of constants may initialise a static record.
  if (value.kind === 'compound-literal') return value.symbol.duration === 'static';
  if (value.kind === 'cast' && (value.castKind === 'to-union' || value.castKind === 'record')) {
    return isConstantInitializer(c, value.operand);
  }
  return evaluateConstant(value, c.model) !== null;
}

// ---------------------------------------------------------------- strings

/** The string literal that initialises a character array, with or without braces; null if there is none. */
function stringFor(c: Checker, type: ArrayType, node: ast.Initializer): StringExpression | null {
  let at = node;
  if (at.kind === 'initializer-list') {
    const [first] = at.items;
    if (at.items.length !== 1 || first === undefined || first.designators.length > 0) return null;
    at = first.initializer;
  }
  if (at.kind !== 'expression-initializer' || at.value.kind !== 'string') return null;
  if (type.element.kind !== 'integer' && type.element.kind !== 'enum') return null;
  const text = checkString(c, at.value.parts, at.value.loc);
  return fitsElements(c, text, type) ? text : null;
}

function fitsElements(c: Checker, text: StringExpression, type: ArrayType): boolean {
  const element = text.type.kind === 'array' ? text.type.element : text.type;
  if (isCharacter(element)) return isCharacter(type.element);
  return !isCharacter(type.element) && sizeOf(element, c.model) === sizeOf(type.element, c.model);
}

function characters(c: Checker, value: StringExpression, type: ArrayType, loc: Loc): Draft {
  if (typeof type.length === 'number' && value.units.length - 1 > type.length) {
    warn(c, loc, 'excess-initializer', 'initializer-string for array of characters is too long');
  }
  const complete = type.length === null ? arrayOf(type.element, value.units.length) : type;
  return { kind: 'characters', value, type: complete };
}

// ---------------------------------------------------------------- lists

/** One aggregate on the way to the current place, and the place in it that comes next. */
interface Frame {
  readonly draft: AggregateDraft;
  /** An element's index, or a position in the list of fillable fields. */
  next: number;
  /** For a range designator: the last element that the next value is for. */
  last: number;
}

interface Cursor {
  readonly c: Checker;
  readonly options: InitializationOptions;
  readonly stack: Frame[];
}

function initializeList(
  c: Checker,
  type: ArrayType | RecordType,
  list: ast.InitializerList,
  options: InitializationOptions,
): Draft {
  const draft = createDraft(c, type, list.loc);
  const cursor: Cursor = { c, options, stack: [openFrame(draft)] };
  let reportedExcess = false;
  for (const item of list.items) {
    if (item.designators.length > 0) {
      if (!designate(cursor, item.designators)) continue;
    } else {
      leaveFullAggregates(cursor);
      if (isFull(topFrame(cursor))) {
        if (item.initializer.kind === 'expression-initializer') checkExpression(c, item.initializer.value);
        if (!reportedExcess)
          warn(c, item.loc, 'excess-initializer', `excess elements in ${describe(type)} initializer`);
        reportedExcess = true;
        continue;
      }
    }
    fillPlace(cursor, item.initializer, item.loc);
  }
  return draft;
}

function describe(type: Type): string {
  if (type.kind === 'array') return 'array';
  return type.kind === 'record' && type.declaration.isUnion ? 'union' : 'struct';
}

function openFrame(draft: AggregateDraft): Frame {
  return { draft, next: 0, last: 0 };
}

function topFrame(cursor: Cursor): Frame {
  return cursor.stack[cursor.stack.length - 1] as Frame;
}

function isFull(frame: Frame): boolean {
  const { draft } = frame;
  if (draft.kind === 'array') return frame.next >= (draft.limit ?? Number.POSITIVE_INFINITY);
  return frame.next >= (draft.type.declaration.isUnion ? Math.min(1, draft.fields.length) : draft.fields.length);
}

function leaveFullAggregates(cursor: Cursor): void {
  while (cursor.stack.length > 1 && isFull(topFrame(cursor))) cursor.stack.pop();
}

/** The type of the place that a frame points to. */
function placeType(frame: Frame): Type {
  if (frame.draft.kind === 'array') return frame.draft.type.element;
  return (frame.draft.fields[frame.next] as Field).type;
}

/** Puts an initializer at the current place and moves on, entering aggregates whose braces were left out. */
function fillPlace(cursor: Cursor, node: ast.Initializer, loc: Loc): void {
  const { c, options } = cursor;
  const first = topFrame(cursor);
  if (node.kind === 'initializer-list') {
    store(first, initializeObject(c, placeType(first), node, options, loc));
    return;
  }
  const value = node.value.kind === 'string' ? null : checkExpression(c, node.value);
  for (;;) {
    const frame = topFrame(cursor);
    const type = placeType(frame);
    if (type.kind === 'array') {
      const text = value === null ? stringFor(c, type, node) : null;
      if (text !== null) {
        store(frame, characters(c, text, type, loc));
        return;
      }
    } else if (type.kind !== 'record' || (value !== null && isValueOf(value, type))) {
      store(frame, scalar(c, type, value ?? checkExpression(c, node.value), options, node.value.loc));
      return;
    }
    if (!enterAggregate(cursor, frame, type, loc)) return;
  }
}

function isValueOf(value: Expression, type: RecordType): boolean {
  return isError(value) || (value.type.kind === 'record' && value.type.declaration === type.declaration);
}

/** Goes into the aggregate at the current place; false if it has no room at all. */
function enterAggregate(cursor: Cursor, frame: Frame, type: ArrayType | RecordType, loc: Loc): boolean {
  const inner = enter(cursor.c, frame, type, loc);
  if (isFull(inner)) {
    // An empty aggregate takes nothing, nor does an array of such: the value belongs to what follows.
    if (frame.draft.kind === 'array') frame.next = frame.draft.limit ?? Number.POSITIVE_INFINITY;
    const excess = isFull(topFrame(cursor)) && cursor.stack.length === 1;
    leaveFullAggregates(cursor);
    if (excess || isFull(topFrame(cursor))) {
      warn(cursor.c, loc, 'excess-initializer', `excess elements in ${describe(type)} initializer`);
      return false;
    }
    return true;
  }
  cursor.stack.push(inner);
  return true;
}

function enter(c: Checker, frame: Frame, type: ArrayType | RecordType, loc: Loc): Frame {
  const existing = draftAt(frame.draft, frame.next, Math.max(frame.next, frame.last));
  const inner =
    existing !== null && (existing.kind === 'array' || existing.kind === 'record')
      ? existing
      : createDraft(c, type, loc);
  store(frame, inner);
  return openFrame(inner);
}

function store(frame: Frame, draft: Draft | null): void {
  const last = Math.max(frame.next, frame.last);
  if (draft !== null) setDraft(frame.draft, frame.next, last, draft);
  else if (frame.draft.kind === 'array') frame.draft.length = Math.max(frame.draft.length, last + 1);
  frame.next = last + 1;
}

// ---------------------------------------------------------------- designators

/** Moves the cursor to the place that the designators name, from the aggregate of this list; false after a report. */
function designate(cursor: Cursor, designators: readonly ast.Designator[]): boolean {
  const { c } = cursor;
  cursor.stack.length = 1;
  for (const [i, designator] of designators.entries()) {
    if (i > 0 && !enterDesignated(cursor, designator.loc)) return false;
    const moved =
      designator.kind === 'member'
        ? designateMember(c, cursor, designator)
        : designateIndex(c, topFrame(cursor), designator);
    if (!moved) return false;
  }
  return true;
}

function enterDesignated(cursor: Cursor, loc: Loc): boolean {
  const frame = topFrame(cursor);
  const type = placeType(frame);
  if (type.kind !== 'array' && type.kind !== 'record') {
    error(cursor.c, loc, 'initializer', `designator for ${show(type)}, which is no aggregate`);
    return false;
  }
  cursor.stack.push(enter(cursor.c, frame, type, loc));
  return true;
}

function designateMember(c: Checker, cursor: Cursor, designator: ast.Designator & { kind: 'member' }): boolean {
  const frame = topFrame(cursor);
  const path = frame.draft.kind === 'record' ? findMember(c, frame.draft.type.declaration, designator.name) : null;
  if (path === null) {
    const what = frame.draft.kind === 'record' ? 'unknown field' : 'field name in the initializer of an array:';
    error(c, designator.loc, 'no-member', `${what} '${designator.name}' specified in initializer`);
    return false;
  }
  for (const [i, field] of path.entries()) {
    if (i > 0 && !enterDesignated(cursor, designator.loc)) return false;
    const at = topFrame(cursor);
    if (at.draft.kind !== 'record') return false;
    at.next = at.draft.fields.indexOf(field);
    at.last = at.next;
  }
  return true;
}

function designateIndex(c: Checker, frame: Frame, designator: ast.Designator & { kind: 'index' | 'range' }): boolean {
  if (frame.draft.kind !== 'array') {
    error(c, designator.loc, 'initializer', 'array index in the initializer of a structure or union');
    return false;
  }
  const low = indexValue(c, designator.kind === 'index' ? designator.index : designator.low);
  const high = designator.kind === 'index' ? low : indexValue(c, designator.high);
  if (low === null || high === null) return false;
  const limit = frame.draft.limit;
  if (low < 0 || high < low || (limit !== null && high >= limit) || high > 0x7fffffffffff) {
    error(c, designator.loc, 'initializer', 'array index in initializer exceeds array bounds');
    return false;
  }
  frame.next = low;
  frame.last = high;
  return true;
}

function indexValue(c: Checker, e: ast.Expression): number | null {
  const value = checkValue(c, e);
  if (isError(value)) return null;
  const constant = evaluateInteger(value, c.model);
  if (constant === null) error(c, e.loc, 'not-constant', 'array index in initializer is not constant');
  return constant === null ? null : Number(constant);
}

// ---------------------------------------------------------------- compound literals

export function checkCompoundLiteral(c: Checker, e: ast.Expression & { kind: 'compound-literal' }): Expression {
  const declared = typeOfName(c, e.type);
  if (declared === errorType) return errorExpression(e.loc);
  const isStatic = c.function === null;
  const { initializer, type } = checkInitializer(c, declared, e.initializer, { mustBeConstant: isStatic }, e.loc);
  if (!isComplete(type)) {
    if (type.kind !== 'array') error(c, e.loc, 'incomplete-type', `compound literal of incomplete type ${show(type)}`);
    return errorExpression(e.loc);
  }
  const symbol = variableSymbol({
    id: c.nextId++,
    name: '',
    type,
    duration: isStatic ? 'static' : 'automatic',
    initializer,
    loc: e.loc,
  });
  return { kind: 'compound-literal', symbol, type, loc: e.loc };
}
