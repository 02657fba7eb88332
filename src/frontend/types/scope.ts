/**
 * Scopes: which name means what at a place. C has a name space for tags and one for everything else (labels and members
 * live elsewhere). Scopes form a chain from the innermost outwards; tables are made only when a scope declares
 * something.
 */

import type { FunctionSymbol, TypedefSymbol, VariableSymbol } from '../../program/tree.ts';
import type { EnumDeclaration, RecordDeclaration, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';

export interface EnumeratorBinding {
  readonly kind: 'enumerator';
  readonly name: string;
  readonly value: bigint;
  readonly type: Type;
  readonly loc: Loc;
}

/** What an ordinary identifier may mean. */
export type Binding = VariableSymbol | FunctionSymbol | TypedefSymbol | EnumeratorBinding;

export type Tag =
  | { readonly kind: 'record'; readonly declaration: RecordDeclaration }
  | { readonly kind: 'enum'; readonly declaration: EnumDeclaration };

export type ScopeKind = 'file' | 'prototype' | 'block';

export interface Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  ordinary: Map<string, Binding> | null;
  tags: Map<string, Tag> | null;
}

export function openScope(kind: ScopeKind, parent: Scope | null): Scope {
  return { kind, parent, ordinary: null, tags: null };
}

export function lookUp(scope: Scope, name: string): Binding | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = at.ordinary?.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

export function lookUpTag(scope: Scope, name: string): Tag | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = at.tags?.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

export function bind(scope: Scope, name: string, binding: Binding): void {
  scope.ordinary ??= new Map();
  scope.ordinary.set(name, binding);
}

export function bindTag(scope: Scope, name: string, tag: Tag): void {
  scope.tags ??= new Map();
  scope.tags.set(name, tag);
}
