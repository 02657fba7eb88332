/**
 * Which integers of the emitted program must have the same type, and which must keep theirs. Integers are variables,
 * members of records, and the elements of arrays of either: slots. A pointer to integers belongs to the group of what
 * it leads to, since what it points to has a type too: `p = &x;` and `p = q;` join the groups of both sides
 * (Steensgaard's analysis, one level deep).
 *
 * A group is open, and keeps its types, as soon as somebody may look at one of its slots in a way that is not
 * understood here: by a converted pointer, a pointer to a pointer, a function that is called, in the middle of an
 * expression, in assembly code. All other slots are only read, assigned by statements of their own, and reached by
 * pointers of the same group.
 */

import { integerNameOf } from '../program/integer-range.ts';
import type { Expression, Initializer, Statement, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { isBool, isInteger } from '../program/type-operations.ts';
import type { Field, Type } from '../program/types.ts';
import { childrenOf, expressionsOf, walkExpression, walkInitializer, walkStatement } from '../program/visit-tree.ts';

/** Where integers lie, or pointers to integers. */
export type Slot = VariableSymbol | Field;

export interface IntegerGroup {
  /** Of integers. All have the same declared type. */
  readonly integers: readonly Slot[];
  /** Of pointers to these. */
  readonly pointers: readonly Slot[];
}

/** The groups that are not open, in the order in which their slots first occur. */
export function groupIntegers(items: readonly TopLevelItem[]): readonly IntegerGroup[] {
  const grouping = new Grouping();
  for (const item of items) {
    if (item.kind === 'function') grouping.visitBody(item.definition.body);
    else if (item.kind === 'variable') grouping.declare(item.symbol);
  }
  return grouping.closedGroups();
}

export function elementOf(type: Type): Type {
  let at = type;
  while (at.kind === 'array') at = at.element;
  return at;
}

function isIntegerPointer(type: Type): boolean {
  return type.kind === 'pointer' && isInteger(type.target);
}

/** The part of a type that this is about: integers, pointers to them, or neither. */
function kindOf(type: Type): 'integer' | 'pointer' | 'other' {
  const element = elementOf(type);
  if (isInteger(element)) return 'integer';
  return isIntegerPointer(element) ? 'pointer' : 'other';
}

/** A node of a union-find forest. */
interface Group {
  parent: Group | null;
  isOpen: boolean;
  readonly slots: Slot[];
}

class Grouping {
  readonly #groups = new Map<Slot, Group>();
  /** Assignments that are statements of their own. */
  readonly #plain = new Set<Expression>();

  // -------------------------------------------------------------- the program

  visitBody(body: Statement): void {
    walkStatement(body, {
      statement: (statement) => this.#statement(statement),
      expression: (expression) => this.#expression(expression),
    });
  }

  declare(symbol: VariableSymbol): void {
    const { initializer, type } = symbol;
    const isKept = !symbol.defined || symbol.isParameter || symbol.alignment !== null;
    if (kindOf(type) !== 'other' && isKept) this.#open(this.#groupOf(symbol));
    else if (kindOf(type) !== 'other') this.#groupOf(symbol);
    if (!initializer) return;
    walkInitializer(initializer, { expression: (expression) => this.#openAll(expression) });
    this.#initialise(symbol, initializer);
  }

  #statement(statement: Statement): void {
    if (statement.kind === 'expression' && statement.expression.kind === 'assignment') {
      this.#plain.add(statement.expression);
    }
    if (statement.kind === 'asm') for (const operand of expressionsOf(statement)) this.#openAll(operand);
    if (statement.kind === 'declaration' && statement.item.kind === 'variable') this.declare(statement.item.symbol);
  }

  /**
   * An initializer is a constant: what occurs in it is addresses, and these would have to know the new types. A string
   * is no bit-vectors.
   */
  #initialise(slot: Slot, initializer: Initializer): void {
    switch (initializer.kind) {
      case 'scalar':
        if (kindOf(slot.type) === 'pointer' && !isNull(initializer.value)) this.#open(this.#groupOf(slot));
        break;
      case 'characters':
        this.#open(this.#groupOf(slot));
        break;
      case 'array':
        for (const { value } of initializer.items) this.#initialise(slot, value);
        break;
      case 'record':
        for (const { field, value } of initializer.items) this.#initialise(field, value);
        break;
    }
  }

  #expression(node: Expression): void {
    for (const child of childrenOf(node)) {
      if (this.#isOddPointer(node, child)) this.#open(this.#reachedBy(child));
    }
    switch (node.kind) {
      case 'member':
        if (kindOf(node.field.type) !== 'other') this.#groupOf(node.field);
        break;
      case 'assignment':
        if (!this.#plain.has(node)) this.#open(this.#placed(node.target));
        if (isIntegerPointer(node.target.type)) this.#join(this.#placed(node.target), this.#pointedTo(node.value));
        break;
      case 'comparison':
      case 'pointer-difference':
        if (isIntegerPointer(node.left.type)) this.#join(this.#pointedTo(node.left), this.#pointedTo(node.right));
        break;
      case 'conditional':
        if (isIntegerPointer(node.type)) this.#join(this.#pointedTo(node), this.#pointedTo(node.otherwise));
        break;
      case 'increment':
      case 'compound-assignment':
        this.#open(this.#placed(node.target));
        break;
      case 'statement-expression':
        this.#openAll(node);
        break;
      case 'compound-literal':
        this.#openAll(node);
        this.#openMembers(node.symbol.type);
        break;
      default:
        break;
    }
  }

  /** A pointer that goes where nobody knows that it leads to integers of another type. */
  #isOddPointer(parent: Expression, child: Expression): boolean {
    if (child.type.kind !== 'pointer') return false;
    const isDirect = isIntegerPointer(child.type);
    const isPlaceOfSlot = (child.kind === 'address' || isDecay(child)) && kindOf(placeType(child)) !== 'other';
    if (!isDirect && !isPlaceOfSlot) return false;
    if (parent.kind === 'index') return child !== parent.base;
    if (!isDirect) return true;
    switch (parent.kind) {
      case 'dereference':
      case 'pointer-offset':
      case 'pointer-difference':
      case 'comparison':
      case 'conditional':
      case 'logical':
      case 'unary':
      case 'assignment':
        return false;
      case 'cast':
        return !isSameView(parent) && parent.castKind !== 'to-bool' && parent.castKind !== 'to-void';
      default:
        return true;
    }
  }

  // -------------------------------------------------------------- places and pointers

  /** The group of an lvalue: of integers, or of what the pointers there lead to. Null if it is neither. */
  #placed(place: Expression): Group | null {
    let at = place;
    for (;;) {
      if (at.kind === 'variable') return kindOf(at.symbol.type) === 'other' ? null : this.#groupOf(at.symbol);
      if (at.kind === 'member') return kindOf(at.field.type) === 'other' ? null : this.#groupOf(at.field);
      const isElement = at.kind === 'index' && isDecay(at.base);
      if (!isElement) break;
      at = ((at as Index).base as Cast).operand;
    }
    if (isInteger(place.type)) {
      if (at.kind === 'index') return this.#pointedTo(at.base);
      if (at.kind === 'dereference') return this.#pointedTo(at.operand);
    }
    return isInteger(place.type) || isIntegerPointer(place.type) ? this.#openGroup() : null;
  }

  /** The group of what a pointer leads to; of a null pointer, a group of its own. */
  #pointedTo(pointer: Expression): Group {
    let at = pointer;
    for (;;) {
      if (at.kind === 'cast' && isSameView(at)) at = at.operand;
      else if (at.kind === 'pointer-offset') at = at.pointer;
      else if (at.kind === 'comma') at = at.right;
      else break;
    }
    switch (at.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        return this.#placed(at) ?? this.#openGroup();
      case 'address':
        return this.#placed(at.operand) ?? this.#openGroup();
      case 'cast':
        if (isNull(at)) return newGroup();
        return (isDecay(at) ? this.#placed(at.operand) : null) ?? this.#openGroup();
      case 'conditional':
        return at.then === null ? this.#openGroup() : this.#pointedTo(at.then);
      default:
        return this.#openGroup();
    }
  }

  /**
   * What could be reached from a pointer that is used in an odd way, be it to integers, to pointers to them, or to
   * arrays of either.
   */
  #reachedBy(pointer: Expression): Group | null {
    if (isIntegerPointer(pointer.type)) return this.#pointedTo(pointer);
    return pointer.kind === 'address' || isDecay(pointer) ? this.#placed((pointer as Cast).operand) : null;
  }

  // -------------------------------------------------------------- groups

  #groupOf(slot: Slot): Group {
    const known = this.#groups.get(slot);
    if (known) return rootOf(known);
    const made = newGroup();
    made.slots.push(slot);
    this.#groups.set(slot, made);
    return made;
  }

  #openGroup(): Group {
    return { ...newGroup(), isOpen: true };
  }

  #open(group: Group | null): void {
    if (group) rootOf(group).isOpen = true;
  }

  #openAll(expression: Expression): void {
    walkExpression(expression, {
      expression: (node) => {
        if (node.kind === 'variable' || node.kind === 'member') this.#open(this.#placed(node));
      },
    });
  }

  #openMembers(type: Type): void {
    const element = elementOf(type);
    if (element.kind !== 'record') return;
    for (const field of element.declaration.fields ?? []) {
      if (kindOf(field.type) !== 'other') this.#open(this.#groupOf(field));
      this.#openMembers(field.type);
    }
  }

  #join(a: Group | null, b: Group | null): void {
    if (!a || !b) return;
    const [one, other] = [rootOf(a), rootOf(b)];
    if (one === other) return;
    const [small, large] = one.slots.length < other.slots.length ? [one, other] : [other, one];
    small.parent = large;
    for (const slot of small.slots) large.slots.push(slot);
    if (small.isOpen) large.isOpen = true;
  }

  closedGroups(): IntegerGroup[] {
    const roots = new Set([...this.#groups.values()].map(rootOf));
    const groups: IntegerGroup[] = [];
    for (const { isOpen, slots } of roots) {
      if (isOpen) continue;
      const integers = slots.filter(({ type }) => kindOf(type) === 'integer');
      const names = new Set(integers.map(({ type }) => integerNameOf(elementOf(type))));
      if (names.size !== 1 || !integers.every(canChange)) continue;
      groups.push({ integers, pointers: slots.filter(({ type }) => kindOf(type) === 'pointer') });
    }
    return groups;
  }
}

type Cast = Extract<Expression, { kind: 'cast' }>;
type Index = Extract<Expression, { kind: 'index' }>;

const newGroup = (): Group => ({ parent: null, isOpen: false, slots: [] });

function rootOf(group: Group): Group {
  let at = group;
  while (at.parent) at = at.parent;
  return at;
}

/**
 * A truth value has one bit as it is; a bit-field says itself how many it has; and who asks for an alignment counts on
 * it.
 */
function canChange(slot: Slot): boolean {
  if (isBool(elementOf(slot.type))) return false;
  return 'bits' in slot ? slot.bits === null && slot.alignment === null && !slot.packed : true;
}

function isNull(pointer: Expression): boolean {
  return pointer.kind === 'cast' && pointer.castKind === 'null-to-pointer';
}

function isDecay(expression: Expression): expression is Cast {
  return expression.kind === 'cast' && expression.castKind === 'array-to-pointer';
}

function placeType(pointer: Expression): Type {
  return (pointer as Cast).operand.type;
}

/** A conversion between pointers to the same integers, as for qualifiers. */
function isSameView({ castKind, operand, type }: Cast): boolean {
  if (castKind !== 'qualification' && castKind !== 'pointer') return false;
  if (type.kind !== 'pointer' || operand.type.kind !== 'pointer') return false;
  const [to, from] = [type.target, operand.type.target];
  return isInteger(to) && isInteger(from) && integerNameOf(to) === integerNameOf(from);
}
