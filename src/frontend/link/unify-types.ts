/**
 * Which structures, unions and enumerations of several translation units are one type (C 6.2.7). Each unit has made its
 * own declaration of `struct s` from the header that all of them include; in the linked program there is one. Two
 * records are the same when they have the same tag (or none), the same layout, and members of the same names and
 * compatible types; an incomplete one is the same as any of its tag. Records that refer to themselves are compared on
 * the assumption that they are the same, and all pairs that a comparison met are merged when it succeeds.
 *
 * Left out: an incomplete type whose tag stands for different complete types elsewhere stays a type of its own.
 */

import { compatible, unqualified } from '../../program/type-operations.ts';
import type { EnumDeclaration, RecordDeclaration, Type } from '../../program/types.ts';
import type { CheckedUnit } from '../types/check-types.ts';

type Tagged = RecordDeclaration | EnumDeclaration;

/** How two declarations of one thing in two units agree; `pointers`: but for what pointers point to, and `const`. */
export type Agreement = 'same' | 'pointers' | 'different';

export class UnifiedTypes {
  readonly #parents = new Map<Tagged, Tagged>();

  /** Finds the types that the units share, by their tags, typedefs and enumerators. */
  constructor(units: readonly CheckedUnit[]) {
    const known = new Map<string, Tagged[]>();
    for (const unit of units) {
      for (const [name, declaration] of namedTypes(unit)) {
        if (!isCompleteTag(declaration)) continue;
        const others = known.get(name) ?? [];
        known.set(name, others);
        if (!others.some((other) => this.#unify(other, declaration))) others.push(declaration);
      }
    }
    this.#completeIncomplete(units, known);
  }

  /** The declaration that stands for all that are the same. */
  find<T extends Tagged>(declaration: T): T {
    let at: Tagged = declaration;
    for (let next = this.#parents.get(at); next !== undefined; next = this.#parents.get(at)) at = next;
    return at as T;
  }

  /** Compares the types of one name in two units. Equal types are merged. */
  compare(left: Type, right: Type): Agreement {
    const pairs: [Tagged, Tagged][] = [];
    if (this.#matches(left, right, pairs)) {
      this.#merge(pairs);
      return 'same';
    }
    return differsBehindPointers(this, left, right) ? 'pointers' : 'different';
  }

  /** Whether two types are the same but for qualifiers at the outside; merges nothing. */
  matches(left: Type, right: Type): boolean {
    return this.#matches(unqualified(left), unqualified(right), []);
  }

  #unify(left: Tagged, right: Tagged): boolean {
    const pairs: [Tagged, Tagged][] = [];
    if (!this.#tagsMatch(left, right, pairs)) return false;
    this.#merge(pairs);
    return true;
  }

  /** The earlier unit's declaration stands for both, unless only the other is complete. */
  #merge(pairs: readonly (readonly [Tagged, Tagged])[]): void {
    for (const [left, right] of pairs) {
      const a = this.find(left);
      const b = this.find(right);
      if (a === b) continue;
      if (isCompleteTag(a) || !isCompleteTag(b)) this.#parents.set(b, a);
      else this.#parents.set(a, b);
    }
  }

  /** `struct s;` in one unit is what another defines, if all that define it agree. */
  #completeIncomplete(units: readonly CheckedUnit[], complete: ReadonlyMap<string, readonly Tagged[]>): void {
    const opaque = new Map<string, Tagged>();
    for (const unit of units) {
      for (const [name, declaration] of namedTypes(unit)) {
        if (isCompleteTag(declaration)) continue;
        const candidates = complete.get(name) ?? [];
        const only = candidates.length === 0 ? opaque.get(name) : candidates.length === 1 ? candidates[0] : undefined;
        if (only !== undefined && isRecord(only) === isRecord(declaration)) this.#merge([[only, declaration]]);
        else if (candidates.length === 0) opaque.set(name, declaration);
      }
    }
  }

  #matches(left: Type, right: Type, pairs: [Tagged, Tagged][]): boolean {
    return compatible(left, right, (a, b) => this.#tagsMatch(a, b, pairs));
  }

  #tagsMatch(left: Tagged, right: Tagged, pairs: [Tagged, Tagged][]): boolean {
    const a = this.find(left);
    const b = this.find(right);
    if (a === b || pairs.some(([first, second]) => first === a && second === b)) return true;
    if (a.tag !== b.tag || isRecord(a) !== isRecord(b)) return false;
    pairs.push([a, b]);
    if (!isRecord(a) || !isRecord(b)) return isRecord(a) === isRecord(b) || enumeratorsMatch(a, b);
    return this.#membersMatch(a, b, pairs);
  }

  #membersMatch(a: RecordDeclaration, b: RecordDeclaration, pairs: [Tagged, Tagged][]): boolean {
    if (a.isUnion !== b.isUnion) return false;
    if (a.fields === null || b.fields === null) return true;
    if (a.fields.length !== b.fields.length || a.size !== b.size || a.alignment !== b.alignment) return false;
    const others = b.fields;
    return a.fields.every((field, i) => {
      const other = others[i];
      return (
        other !== undefined &&
        field.name === other.name &&
        field.offset === other.offset &&
        field.bits?.offset === other.bits?.offset &&
        field.bits?.width === other.bits?.width &&
        this.#matches(field.type, other.type, pairs)
      );
    });
  }
}

function isRecord(declaration: Tagged): declaration is RecordDeclaration {
  return 'fields' in declaration;
}

function isCompleteTag(declaration: Tagged): boolean {
  return isRecord(declaration) ? declaration.fields !== null : declaration.enumerators !== null;
}

function enumeratorsMatch(a: Tagged, b: Tagged): boolean {
  if (isRecord(a) || isRecord(b)) return false;
  if (a.enumerators === null || b.enumerators === null) return true;
  if (a.underlying !== b.underlying || a.enumerators.length !== b.enumerators.length) return false;
  const values = new Map(b.enumerators.map(({ name, value }) => [name, value]));
  return a.enumerators.every(({ name, value }) => values.get(name) === value);
}

/** The types at file scope, under names that are the same in other units: their tag, a typedef, an enumerator. */
function* namedTypes({ tags, ordinary, items }: CheckedUnit): Iterable<readonly [string, Tagged]> {
  for (const [tag, { kind, declaration }] of tags) yield [`${kind} ${tag}`, declaration];
  for (const [name, binding] of ordinary) {
    if (binding.kind !== 'typedef-symbol') continue;
    const { type } = binding;
    if ((type.kind === 'record' || type.kind === 'enum') && type.declaration.tag === null) {
      yield [`typedef ${name}`, type.declaration];
    }
  }
  for (const item of items) {
    if (item.kind !== 'enum' || item.declaration.tag !== null) continue;
    const first = item.declaration.enumerators?.[0];
    if (first !== undefined) yield [`enumerator ${first.name}`, item.declaration];
  }
}

/** Every ABI passes these the same way: pointers are pointers, and `const` is for the compiler. */
function differsBehindPointers(types: UnifiedTypes, left: Type, right: Type): boolean {
  if (left.kind === 'function' && right.kind === 'function') {
    if (left.oldStyle || right.oldStyle) return differsBehindPointers(types, left.result, right.result);
    return (
      left.variadic === right.variadic &&
      left.parameters.length === right.parameters.length &&
      differsBehindPointers(types, left.result, right.result) &&
      left.parameters.every((type, i) => differsBehindPointers(types, type, right.parameters[i] as Type))
    );
  }
  if (left.kind === 'pointer' && right.kind === 'pointer') return true;
  if (left.kind === 'array' && right.kind === 'array' && left.length === right.length) {
    return differsBehindPointers(types, left.element, right.element);
  }
  return types.matches(left, right);
}
