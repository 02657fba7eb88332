/**
 * Rewrites the trees of a translation unit in the words of the linked program: symbols with linkage become the one
 * symbol that stands for them, records and enumerations the one declaration, members with them. Nodes that mention none
 * of these stay as they are. Local variables keep their identity, and what is new of their types, initializers and
 * cleanups is written into them: after the link nobody has the trees from before.
 *
 * A weak function or object that no file defines has the address 0: its mention becomes a null pointer.
 */

import { cast, integer } from '../../program/build-tree.ts';
import type {
  BlockStatement,
  CallExpression,
  DeclarationItem,
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Initializer,
  Statement,
  TypedefSymbol,
  VariableSymbol,
} from '../../program/tree.ts';
import { pointerTo } from '../../program/type-operations.ts';
import type { EnumDeclaration, Field, RecordDeclaration, Type } from '../../program/types.ts';
import { mapBlock, mapExpression } from '../../program/visit-tree.ts';
import { invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { UnifiedTypes } from './unify-types.ts';

type Linked = VariableSymbol | FunctionSymbol;

export interface Rewriting {
  readonly types: UnifiedTypes;
  /** The symbols that others stand for; those that are not listed stay. */
  readonly symbols: ReadonlyMap<Linked, Linked>;
  /** Weak symbols, already in the program's words, that no file defines. */
  readonly absent: ReadonlySet<Linked>;
  /** Is told where the program mentions one of these. */
  readonly onAbsent: (symbol: Linked, loc: Loc) => void;
}

/** One for all units, as they share types. */
export class TreeRewriter {
  readonly #rewriting: Rewriting;
  readonly #types = new Map<Type, Type>();
  readonly #typedefs = new Map<TypedefSymbol, TypedefSymbol>();
  readonly #fields = new Map<Field, Field>();
  /** Members of records that others stand for: the record, and which member of it. */
  readonly #counterparts = new Map<Field, { readonly record: RecordDeclaration; readonly at: number }>();
  readonly #records = new Set<RecordDeclaration>();
  readonly #variables = new Set<VariableSymbol>();
  readonly #functions = new Set<FunctionSymbol>();
  /** Lengths of arrays are known by identity. */
  readonly #lengths = new Map<Expression, Expression>();

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
  }

  // -------------------------------------------------------------- types

  type(type: Type): Type {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const inner = this.#typeInside(type);
    const alias = inner.alias && this.typedef(inner.alias);
    const result = alias === inner.alias ? inner : { ...inner, alias };
    this.#types.set(type, result);
    return result;
  }

  #typeInside(type: Type): Type {
    switch (type.kind) {
      case 'pointer': {
        const target = this.type(type.target);
        return target === type.target ? type : { ...type, target };
      }
      case 'array': {
        const element = this.type(type.element);
        const length =
          type.length !== null && typeof type.length !== 'number' ? this.#length(type.length) : type.length;
        return element === type.element && length === type.length ? type : { ...type, element, length };
      }
      case 'function': {
        const result = this.type(type.result);
        const parameters = type.parameters.map((parameter) => this.type(parameter));
        const isSame = result === type.result && parameters.every((parameter, i) => parameter === type.parameters[i]);
        return isSame ? type : { ...type, result, parameters };
      }
      case 'record': {
        const declaration = this.record(type.declaration);
        return declaration === type.declaration ? type : { ...type, declaration };
      }
      case 'enum': {
        const declaration = this.enumeration(type.declaration);
        return declaration === type.declaration ? type : { ...type, declaration };
      }
      default:
        return type;
    }
  }

  #length(length: Expression): Expression {
    const known = this.#lengths.get(length) ?? this.expression(length);
    this.#lengths.set(length, known);
    return known;
  }

  typedef(symbol: TypedefSymbol): TypedefSymbol {
    const known = this.#typedefs.get(symbol);
    if (known !== undefined) return known;
    // Its own type may lead back here by the alias.
    this.#typedefs.set(symbol, symbol);
    const type = this.type(symbol.type);
    const result = type === symbol.type ? symbol : { ...symbol, type };
    this.#typedefs.set(symbol, result);
    return result;
  }

  enumeration(declaration: EnumDeclaration): EnumDeclaration {
    return this.#rewriting.types.find(declaration);
  }

  /** The declaration that stands for this one; its members are those of the linked program. */
  record(declaration: RecordDeclaration): RecordDeclaration {
    const chosen = this.#rewriting.types.find(declaration);
    for (const each of [chosen, declaration]) {
      if (this.#records.has(each) || each.fields === null) continue;
      this.#records.add(each);
      if (each === chosen) this.#rewriteFields(chosen, each.fields);
      else this.#replaceFields(each.fields, chosen);
    }
    return chosen;
  }

  #rewriteFields(record: RecordDeclaration, old: readonly Field[]): void {
    record.fields = old.map((field) => {
      const type = this.type(field.type);
      const rewritten = type === field.type ? field : { ...field, type };
      this.#fields.set(field, rewritten);
      return rewritten;
    });
  }

  #replaceFields(old: readonly Field[], record: RecordDeclaration): void {
    old.forEach((field, at) => {
      this.#counterparts.set(field, { record, at });
      // Nested records without a tag have members of their own.
      this.type(field.type);
    });
  }

  #field(field: Field): Field {
    const counterpart = this.#counterparts.get(field);
    return (counterpart ? counterpart.record.fields?.[counterpart.at] : this.#fields.get(field)) ?? field;
  }

  // -------------------------------------------------------------- symbols

  variable(symbol: VariableSymbol): VariableSymbol {
    const chosen = this.#rewriting.symbols.get(symbol) ?? symbol;
    invariant(chosen.kind === 'variable-symbol', 'a variable is linked with a variable');
    if (this.#variables.has(chosen)) return chosen;
    this.#variables.add(chosen);
    chosen.type = this.type(chosen.type);
    if (chosen.initializer !== null) chosen.initializer = this.#initializer(chosen.initializer);
    if (chosen.cleanup !== null) chosen.cleanup = this.expression(chosen.cleanup) as CallExpression;
    return chosen;
  }

  function(symbol: FunctionSymbol): FunctionSymbol {
    const chosen = this.#rewriting.symbols.get(symbol) ?? symbol;
    invariant(chosen.kind === 'function-symbol', 'a function is linked with a function');
    if (!this.#functions.has(chosen)) {
      this.#functions.add(chosen);
      chosen.type = this.type(chosen.type);
    }
    return chosen;
  }

  /** The definition as its symbol bears it from now on. */
  definition({ symbol, parameters, body, loc }: FunctionDefinition): FunctionDefinition {
    const chosen = this.function(symbol);
    const rewritten = {
      symbol: chosen,
      parameters: parameters.map((parameter) => this.variable(parameter)),
      body: this.#block(body),
      loc,
    };
    chosen.definition = rewritten;
    return rewritten;
  }

  declaration(item: DeclarationItem): DeclarationItem {
    switch (item.kind) {
      case 'record':
      case 'record-announcement':
        return { ...item, declaration: this.record(item.declaration) };
      case 'enum':
        return { ...item, declaration: this.enumeration(item.declaration) };
      case 'typedef':
        return { ...item, symbol: this.typedef(item.symbol) };
      case 'variable':
        return { ...item, symbol: this.variable(item.symbol) };
      case 'function-prototype':
        return { ...item, symbol: this.function(item.symbol) };
    }
  }

  // -------------------------------------------------------------- expressions and statements

  expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => this.#node(node));
  }

  /** A node whose operands are rewritten already. */
  #node(node: Expression): Expression {
    const type = this.type(node.type);
    const typed = type === node.type ? node : { ...node, type };
    switch (typed.kind) {
      case 'variable': {
        const symbol = this.variable(typed.symbol);
        return symbol === typed.symbol ? typed : { ...typed, symbol };
      }
      case 'function': {
        const symbol = this.function(typed.symbol);
        return symbol === typed.symbol ? typed : { ...typed, symbol };
      }
      case 'member': {
        const field = this.#field(typed.field);
        return field === typed.field ? typed : { ...typed, field };
      }
      case 'variable-size': {
        const measured = this.type(typed.measured);
        return measured === typed.measured ? typed : { ...typed, measured };
      }
      case 'compound-literal':
        this.variable(typed.symbol);
        return typed;
      case 'statement-expression': {
        const body = this.#block(typed.body);
        return body === typed.body ? typed : { ...typed, body };
      }
      case 'call':
        return this.#isAbsent(typed.callee)
          ? { ...typed, callee: nullPointer(pointerTo(typed.callee.type), typed) }
          : typed;
      case 'address':
        return this.#isAbsent(typed.operand) ? nullPointer(typed.type, typed) : typed;
      case 'cast': {
        const isDecay = typed.castKind === 'function-to-pointer' || typed.castKind === 'array-to-pointer';
        return isDecay && this.#isAbsent(typed.operand) ? nullPointer(typed.type, typed) : typed;
      }
      default:
        return typed;
    }
  }

  #isAbsent(node: Expression): boolean {
    if (node.kind !== 'function' && node.kind !== 'variable') return false;
    const isAbsent = this.#rewriting.absent.has(node.symbol);
    if (isAbsent) this.#rewriting.onAbsent(node.symbol, node.loc);
    return isAbsent;
  }

  #initializer(initializer: Initializer): Initializer {
    switch (initializer.kind) {
      case 'scalar':
        return { ...initializer, value: this.expression(initializer.value) };
      case 'characters':
        return { ...initializer, type: this.type(initializer.type) };
      case 'array':
        return {
          ...initializer,
          type: this.type(initializer.type),
          items: initializer.items.map((item) => ({ ...item, value: this.#initializer(item.value) })),
        };
      case 'record': {
        const type = this.type(initializer.type);
        const items = initializer.items.map(({ field, value }) => ({
          field: this.#field(field),
          value: this.#initializer(value),
        }));
        return { ...initializer, type, items };
      }
    }
  }

  #block(body: BlockStatement): BlockStatement {
    return mapBlock(body, {
      expression: (expression) => this.expression(expression),
      statement: (statement) => [this.#statement(statement)],
    });
  }

  #statement(statement: Statement): Statement {
    return statement.kind === 'declaration' ? { ...statement, item: this.declaration(statement.item) } : statement;
  }
}

function nullPointer(type: Type, { loc }: Expression): Expression {
  return cast(integer(0n, loc), type, 'null-to-pointer', loc);
}
