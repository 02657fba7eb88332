/**
 * Leaves of a program only what its functions need: the variables they mention, the types of these and of their
 * expressions, and prototypes of functions whose address occurs. Headers declare a thousand things that would bury the
 * rest.
 */

import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Program,
  TopLevelItem,
  TypedefSymbol,
  VariableSymbol,
} from '../program/tree.ts';
import type { EnumDeclaration, RecordDeclaration, Type } from '../program/types.ts';
import { type TreeVisitor, walkExpression, walkInitializer, walkStatementOnce } from '../program/visit-tree.ts';
import { pushAll } from '../support/push-all.ts';

export function pruneItems(program: Program): Program {
  const needs = new Needs(program);
  for (const item of program.items) if (item.kind === 'function') needs.addFunction(item.definition);
  return { ...program, items: program.items.filter((item) => needs.isNeeded(item)) };
}

class Needs {
  readonly #variables = new Set<VariableSymbol>();
  readonly #functions = new Set<FunctionSymbol>();
  readonly #declarations = new Set<RecordDeclaration | EnumDeclaration>();
  readonly #typedefs = new Set<TypedefSymbol>();
  readonly #types = new Set<Type>();
  /** Names that occur in the spelling of constants: enumerators, operands of sizeof. */
  readonly #names = new Set<string>();
  readonly #typedefsByName = new Map<string, TypedefSymbol>();
  readonly #records = new Map<string, RecordDeclaration>();
  readonly #visitor: TreeVisitor = {
    expression: (node) => this.#addExpression(node),
    statement: (statement) => {
      if (statement.kind === 'declaration' && statement.item.kind === 'variable')
        this.#addType(statement.item.symbol.type);
    },
  };

  constructor(program: Program) {
    for (const item of program.items) {
      if (item.kind === 'typedef') this.#typedefsByName.set(item.symbol.name, item.symbol);
      if (item.kind === 'record' && item.declaration.tag) this.#records.set(item.declaration.tag, item.declaration);
    }
  }

  addFunction(definition: FunctionDefinition): void {
    this.#addType(definition.symbol.type);
    walkStatementOnce(definition.body, this.#visitor);
  }

  isNeeded(item: TopLevelItem): boolean {
    switch (item.kind) {
      case 'variable':
        return this.#variables.has(item.symbol);
      case 'function-prototype':
        return this.#functions.has(item.symbol);
      case 'typedef':
        return this.#typedefs.has(item.symbol);
      case 'record':
      case 'record-announcement':
        return this.#declarations.has(item.declaration);
      case 'enum':
        return (
          this.#declarations.has(item.declaration) ||
          (item.declaration.enumerators ?? []).some(({ name }) => this.#names.has(name))
        );
      case 'function':
        return true;
      case 'asm':
        return false;
    }
  }

  #addExpression(node: Expression): void {
    if (node.kind === 'cast' || node.kind === 'va-arg') this.#addType(node.type);
    if (node.kind === 'variable') this.#addVariable(node.symbol);
    if (node.kind === 'function' && !this.#functions.has(node.symbol)) {
      this.#functions.add(node.symbol);
      this.#addType(node.symbol.type);
    }
    if (node.kind === 'integer' && node.spelling) this.#addSpelling(node.spelling);
  }

  #addSpelling(spelling: string): void {
    for (const name of spelling.match(/[A-Za-z_]\w*/g) ?? []) {
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      const typedef = this.#typedefsByName.get(name);
      if (typedef) this.#addTypedef(typedef);
      const record = this.#records.get(name);
      if (record) this.#addRecord(record);
    }
  }

  #addVariable(symbol: VariableSymbol): void {
    if (this.#variables.has(symbol)) return;
    this.#variables.add(symbol);
    this.#addType(symbol.type);
    if (symbol.initializer) walkInitializer(symbol.initializer, this.#visitor);
  }

  #addTypedef(symbol: TypedefSymbol): void {
    if (this.#typedefs.has(symbol)) return;
    this.#typedefs.add(symbol);
    this.#addType(symbol.type);
  }

  #addRecord(declaration: RecordDeclaration): void {
    if (this.#declarations.has(declaration)) return;
    this.#declarations.add(declaration);
    for (const field of declaration.fields ?? []) this.#addType(field.type);
  }

  #addType(type: Type): void {
    const pending: Type[] = [type];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.#types.has(at)) continue;
      this.#types.add(at);
      if (at.alias) this.#addTypedef(at.alias);
      switch (at.kind) {
        case 'pointer':
          pending.push(at.target);
          break;
        case 'array':
          pending.push(at.element);
          if (at.length !== null && typeof at.length !== 'number') walkExpression(at.length, this.#visitor);
          break;
        case 'function':
          pushAll(pending, [at.result, ...at.parameters]);
          break;
        case 'record':
          this.#addRecord(at.declaration);
          break;
        case 'enum':
          this.#declarations.add(at.declaration);
          break;
        default:
          break;
      }
    }
  }
}
