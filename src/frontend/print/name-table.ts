/**
 * The names in scope while a program is printed. The typed tree refers to symbols by identity; C refers to them by
 * name, so the printer replays C's scopes and checks that every name it writes leads to the symbol that is meant. What
 * the user wrote always does; what the passes make (inlined bodies, moved declarations) may not.
 *
 * Where a name would lead elsewhere, or a record without a tag needs one because it is mentioned twice, the entity is
 * noted as a problem. The program is then printed once more with a fresh name for it: see `printProgram`. Things with
 * external linkage are never renamed.
 *
 * A table can also be open: nothing is known of the surroundings, and every name is trusted. That serves single
 * expressions and statements in traces.
 *
 * Who owns it: one attempt at printing owns its table; `renamed` is shared by all attempts.
 */

import type { Expression, FunctionSymbol, TypedefSymbol, VariableSymbol } from '../../program/tree.ts';
import { sameType } from '../../program/type-operations.ts';
import type { EnumDeclaration, RecordDeclaration } from '../../program/types.ts';

/** What an ordinary identifier can stand for; an enumerator stands for its enum. */
export type OrdinaryEntity = VariableSymbol | FunctionSymbol | TypedefSymbol | EnumDeclaration;
export type TagEntity = RecordDeclaration | EnumDeclaration;
export type Renamable = OrdinaryEntity | RecordDeclaration;

interface Entry<T> {
  readonly entity: T;
  readonly depth: number;
}

export class NameTable {
  readonly isOpen: boolean;
  /** Fresh names that earlier attempts found necessary. */
  readonly #renamed: ReadonlyMap<Renamable, string>;
  readonly problems = new Set<Renamable>();
  /** Every name that was declared, so that a fresh one can differ from all. */
  readonly used = new Set<string>();
  readonly #ordinary = new Map<string, Entry<OrdinaryEntity>>();
  readonly #tags = new Map<string, Entry<TagEntity>>();
  readonly #definedTags = new Map<TagEntity, number>();
  /** Records without a tag whose place in the list has come, but which are written where they are first mentioned. */
  readonly #deferred = new Map<TagEntity, number>();
  readonly #typedefNames = new Map<TagEntity, TypedefSymbol>();
  readonly #sizes = new Map<Expression, string>();
  /** Changes whenever the table does: what was written under the same number would be written the same way again. */
  version = 0;
  #undo: (() => void)[] = [];
  readonly #outer: (() => void)[][] = [];

  constructor(renamed: ReadonlyMap<Renamable, string>, isOpen: boolean) {
    this.#renamed = renamed;
    this.isOpen = isOpen;
  }

  /** 0 at file scope. */
  get depth(): number {
    return this.#outer.length;
  }

  enter(): void {
    this.#outer.push(this.#undo);
    this.#undo = [];
  }

  leave(): void {
    if (this.#undo.length > 0) this.version++;
    for (let at = this.#undo.length - 1; at >= 0; at--) this.#undo[at]?.();
    this.#undo = this.#outer.pop() ?? [];
  }

  // -------------------------------------------------------------- ordinary identifiers

  nameOf(entity: VariableSymbol | FunctionSymbol | TypedefSymbol): string {
    return this.#renamed.get(entity) ?? entity.name;
  }

  declare(entity: OrdinaryEntity, name: string): void {
    if (this.isOpen) return;
    this.used.add(name);
    const found = this.#ordinary.get(name);
    if (found?.entity === entity && found.depth === this.depth) return;
    if (found?.depth === this.depth && !denoteTheSame(found.entity, entity)) this.#blame(entity, found.entity);
    this.#set(this.#ordinary, name, { entity, depth: this.depth });
  }

  /** The name to write for a symbol here. */
  mention(symbol: VariableSymbol | FunctionSymbol): string {
    const name = this.nameOf(symbol);
    const found = this.#ordinary.get(name);
    if (found !== undefined && !denoteTheSame(found.entity, symbol)) {
      if (found.depth > 0) this.#blame(found.entity, symbol);
      else this.#blame(symbol, found.entity);
    }
    return name;
  }

  /** What a name stands for here, or undefined if it was not declared. */
  lookUp(name: string): OrdinaryEntity | undefined {
    return this.#ordinary.get(name)?.entity;
  }

  /** What a tag stands for here, or undefined if it was not declared. */
  lookUpTag(tag: string): TagEntity | undefined {
    return this.#tags.get(tag)?.entity;
  }

  /** Whether writing the typedef's name here leads to it. */
  isVisible(typedef: TypedefSymbol): boolean {
    if (this.isOpen) return true;
    const found = this.lookUp(this.nameOf(typedef));
    return found !== undefined && denoteTheSame(found, typedef);
  }

  // -------------------------------------------------------------- tags

  tagOf(entity: TagEntity): string | null {
    return this.#renamed.get(entity) ?? entity.tag;
  }

  /** Makes the tag known here. */
  declareTag(entity: TagEntity, tag: string): void {
    if (this.isOpen) return;
    this.used.add(tag);
    const found = this.#tags.get(tag);
    if (found?.entity === entity && found.depth === this.depth) return;
    if (found?.depth === this.depth && found.entity !== entity) this.problems.add(entity);
    this.#set(this.#tags, tag, { entity, depth: this.depth });
  }

  /** Whether the tag is known here; a tag that leads elsewhere is noted as a problem. */
  isTagKnown(entity: TagEntity, tag: string): boolean {
    if (this.isOpen) return true;
    const found = this.#tags.get(tag);
    if (found === undefined) return false;
    if (found.entity !== entity) this.problems.add(entity);
    return true;
  }

  defer(entity: TagEntity): void {
    this.#set(this.#deferred, entity, this.depth);
    this.#definedTags.delete(entity);
    this.version++;
  }

  /** Whether the definition was written where it can be seen from here. */
  isDefined(entity: TagEntity): boolean {
    return this.#definedTags.has(entity);
  }

  /** Notes that the definition is being written here. Without a tag, it must be in the scope where it belongs. */
  define(entity: TagEntity): void {
    const deferred = this.#deferred.get(entity);
    if (deferred !== undefined && deferred !== this.depth && this.tagOf(entity) === null) this.needTag(entity);
    this.#set(this.#definedTags, entity, this.depth);
  }

  /** Says that an entity without a tag cannot be written without one. */
  needTag(entity: TagEntity): void {
    if (!this.isOpen) this.problems.add(entity);
  }

  /** Says that a typedef stands for a record or enum that has no tag. */
  addTypedefName(entity: TagEntity, typedef: TypedefSymbol): void {
    if (!this.#typedefNames.has(entity)) this.#set(this.#typedefNames, entity, typedef);
  }

  /** A visible typedef that stands for the record or enum, or null. */
  typedefNameOf(entity: TagEntity): string | null {
    const typedef = this.#typedefNames.get(entity);
    return typedef !== undefined && this.isVisible(typedef) ? this.nameOf(typedef) : null;
  }

  // -------------------------------------------------------------- variable-length arrays

  /** Says that the object written as `path` has the array length that was evaluated where it was declared. */
  addMeasured(length: Expression, path: string): void {
    if (!this.#sizes.has(length)) this.#set(this.#sizes, length, path);
  }

  /** An object whose type holds this length as it was evaluated, or undefined when it has not been yet. */
  measured(length: Expression): string | undefined {
    return this.#sizes.get(length);
  }

  #blame(entity: OrdinaryEntity, other: OrdinaryEntity): void {
    if (isRenamable(entity)) this.problems.add(entity);
    else if (isRenamable(other)) this.problems.add(other);
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const old = map.get(key);
    this.version++;
    map.set(key, value);
    this.#undo.push(() => {
      if (old === undefined) map.delete(key);
      else map.set(key, old);
    });
  }
}

/**
 * Two symbols of one name are the same for C when both have linkage, or when both are typedefs (C11 lets them repeat).
 */
function denoteTheSame(a: OrdinaryEntity, b: OrdinaryEntity): boolean {
  if (a === b) return true;
  if (!('kind' in a) || !('kind' in b)) return false;
  if (a.kind === 'typedef-symbol') return b.kind === 'typedef-symbol' && sameType(a.type, b.type);
  return b.kind !== 'typedef-symbol' && a.linkage !== 'none' && b.linkage !== 'none';
}

function isRenamable(entity: OrdinaryEntity): boolean {
  if (!('kind' in entity)) return false;
  return entity.kind === 'typedef-symbol' || entity.linkage !== 'external';
}
