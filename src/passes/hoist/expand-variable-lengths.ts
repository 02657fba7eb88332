/**
 * Variable-length arrays as pointers to allocated memory, so that no later pass meets a type whose size is unknown.
 *
 * Each length is kept in a variable, where its declaration (of an array, a pointer to one, a typedef or a parameter) is
 * reached. An lvalue of such an array type is the address of its first element; of several dimensions, all that have no
 * constant size are flattened: with `int a[n][m]`, `a` is a pointer to int, `a[i]` is `a + i * m`, and `sizeof a` is
 * `n * m * sizeof(int)`.
 *
 * The memory stays after the block has ended, where C ends it.
 */

import {
  arithmetic,
  block,
  builtin,
  converted,
  declaration,
  integer,
  pointerOffset,
  variable,
} from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import type { FreshSymbols } from '../../program/fresh-symbols.ts';
import { sizeOf } from '../../program/layout.ts';
import { PRIMITIVES } from '../../program/primitives.ts';
import { mapInitializer } from '../../program/substitute.ts';
import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../../program/tree.ts';
import {
  hasVariableSize,
  isVariablyModified,
  pointerDifferenceType,
  pointerTo,
  sizeType,
  voidType,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { mapBlock, mapExpression, type StatementRebuild, walkStatement } from '../../program/visit-tree.ts';
import { pushAll } from '../../support/push-all.ts';
import type { Loc } from '../../support/source.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

export function expandVariableLengths(
  definition: FunctionDefinition,
  model: DataModel,
  fresh: FreshSymbols,
): FunctionDefinition {
  return hasVariableLengths(definition) ? new LengthExpander(model, fresh).run(definition) : definition;
}

function hasVariableLengths({ parameters, body }: FunctionDefinition): boolean {
  let found = parameters.some(({ type }) => isVariablyModified(type));
  walkStatement(body, {
    statement: (statement) => {
      if (statement.kind !== 'declaration') return;
      const { item } = statement;
      if ((item.kind === 'variable' || item.kind === 'typedef') && isVariablyModified(item.symbol.type)) found = true;
    },
    expression: (node) => {
      if (node.kind === 'variable-size' || isVariablyModified(node.type)) found = true;
    },
  });
  return found;
}

class LengthExpander {
  readonly #model: DataModel;
  readonly #fresh: FreshSymbols;
  readonly #renamed = new Map<VariableSymbol, VariableSymbol>();
  /** By the expression in the type. */
  readonly #lengths = new Map<Expression, VariableSymbol>();
  /** The types that rebuilt expressions had, where they have others now. */
  readonly #types = new WeakMap<Expression, Type>();

  constructor(model: DataModel, fresh: FreshSymbols) {
    this.#model = model;
    this.#fresh = fresh;
  }

  run(definition: FunctionDefinition): FunctionDefinition {
    const lengths: Statement[] = [];
    const parameters = definition.parameters.map((parameter) => {
      if (!isVariablyModified(parameter.type)) return parameter;
      pushAll(lengths, this.#keepLengths(parameter.type, parameter.name, parameter.loc));
      return this.#rename(parameter);
    });
    const body = mapBlock(definition.body, this.#rebuild);
    return { ...definition, parameters, body: block([...lengths, ...body.items], body.loc, body.endLoc) };
  }

  // -------------------------------------------------------------- declarations

  readonly #rebuild: StatementRebuild = {
    expression: (expression) => this.#expression(expression),
    statement: (statement) => {
      if (statement.kind !== 'declaration') return [statement];
      const { item, loc } = statement;
      // The typedef itself goes: nothing is declared by its name any more.
      if (item.kind === 'typedef') return this.#keepLengths(item.symbol.type, item.symbol.name, loc);
      return item.kind === 'variable' && item.isDefinition ? this.#declare(item.symbol, loc) : [statement];
    },
  };

  #declare(symbol: VariableSymbol, loc: Loc): Statement[] {
    const { type, initializer } = symbol;
    if (!isVariablyModified(type) && initializer === null) return [declaration(symbol)];
    const lengths = this.#keepLengths(type, symbol.name, loc);
    const moved = this.#rename(symbol);
    if (hasVariableSize(type)) {
      const isZeroed = integer(initializer === null ? 0 : 1, loc);
      const memory = builtin(PRIMITIVES.allocate, [this.#sizeOf(type, loc), isZeroed], loc, pointerTo(voidType));
      moved.initializer = { kind: 'scalar', value: converted(memory, moved.type) };
    } else if (initializer !== null) {
      moved.initializer = mapInitializer(initializer, (value) => this.#expression(value));
    }
    return [...lengths, declaration(moved)];
  }

  /** Declares a variable for each length of a type that is not known yet, the outermost first. */
  #keepLengths(type: Type, name: string, loc: Loc): Statement[] {
    const kept: Statement[] = [];
    let at = type;
    for (;;) {
      if (at.kind === 'array') {
        if (at.length !== null && typeof at.length !== 'number' && !this.#lengths.has(at.length)) {
          const initializer = { kind: 'scalar', value: this.#asSize(this.#expression(at.length)) } as const;
          const wanted = { name: `${name}_length`, type: sizeType(this.#model), loc, initializer };
          const symbol = this.#fresh.variable(wanted);
          this.#lengths.set(at.length, symbol);
          kept.push(declaration(symbol));
        }
        at = at.element;
      } else if (at.kind === 'pointer') at = at.target;
      else return kept;
    }
  }

  /** The variable with a type that has no variable lengths; its initializer is the caller's matter. */
  #rename(symbol: VariableSymbol): VariableSymbol {
    const { name, loc, duration, alignment, addressTaken } = symbol;
    const type = hasVariableSize(symbol.type) ? pointerTo(baseOf(symbol.type)) : flat(symbol.type);
    const moved = this.#fresh.variable({ name, type, loc, duration, alignment, addressTaken, copyOf: symbol });
    moved.linkage = symbol.linkage;
    this.#renamed.set(symbol, moved);
    return moved;
  }

  // -------------------------------------------------------------- sizes

  #asSize(value: Expression): Expression {
    return converted(value, sizeType(this.#model));
  }

  /** How many elements of its base an array has. */
  #countOf(type: Type, loc: Loc): Expression {
    let product: Expression | null = null;
    for (let at = type; at.kind === 'array' && hasVariableSize(at); at = at.element) {
      const length = this.#lengthOf(at.length, loc);
      product = product === null ? length : arithmetic('*', product, length, loc);
    }
    return product ?? integer(1, loc, sizeType(this.#model));
  }

  #lengthOf(length: Extract<Type, { kind: 'array' }>['length'], loc: Loc): Expression {
    if (length === null || typeof length === 'number') return integer(length ?? 0, loc, sizeType(this.#model));
    const known = this.#lengths.get(length);
    return known ? variable(known, loc) : this.#asSize(this.#expression(length));
  }

  #sizeOf(type: Type, loc: Loc): Expression {
    const base = integer(sizeOf(baseOf(type), this.#model), loc, sizeType(this.#model));
    return arithmetic('*', this.#countOf(type, loc), base, loc);
  }

  /** A number of elements of a type as one of elements of its base. */
  #scaled(offset: Expression, type: Type): Expression {
    const difference = pointerDifferenceType(this.#model);
    const count = converted(this.#countOf(type, offset.loc), difference);
    return arithmetic('*', converted(offset, difference), count, offset.loc);
  }

  // -------------------------------------------------------------- expressions

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      const changed = this.#node(node);
      if (!isVariablyModified(node.type)) return changed;
      const result = { ...changed, type: hasVariableSize(node.type) ? changed.type : flat(node.type) };
      this.#types.set(result, node.type);
      return result;
    });
  }

  /** The type that an operand had before. */
  #typeOf(operand: Expression): Type {
    return this.#types.get(operand) ?? operand.type;
  }

  #isVariableArray(operand: Expression): boolean {
    return hasVariableSize(this.#typeOf(operand));
  }

  #node(node: Expression): Expression {
    switch (node.kind) {
      case 'variable': {
        const symbol = this.#renamed.get(node.symbol);
        return symbol ? { ...node, symbol, type: symbol.type } : node;
      }
      case 'cast':
        return node.castKind === 'array-to-pointer' && this.#isVariableArray(node.operand) ? node.operand : node;
      case 'address':
        return this.#isVariableArray(node.operand) ? node.operand : node;
      case 'dereference':
        return hasVariableSize(node.type) ? node.operand : node;
      case 'index':
        return hasVariableSize(node.type)
          ? pointerOffset('+', node.base, this.#scaled(node.index, node.type), node.loc)
          : node;
      case 'pointer-offset': {
        const target = variableTarget(node.type);
        return target ? { ...node, offset: this.#scaled(node.offset, target) } : node;
      }
      case 'pointer-difference': {
        const target = variableTarget(this.#typeOf(node.left));
        if (!target) return node;
        return arithmetic('/', node, converted(this.#countOf(target, node.loc), node.type), node.loc);
      }
      case 'compound-assignment':
      case 'increment':
        return this.#update(node);
      case 'variable-size':
        return this.#sizeOf(node.measured, node.loc);
      case 'statement-expression':
        return { ...node, body: mapBlock(node.body, this.#rebuild) };
      case 'compound-literal':
        return this.#literal(node);
      default:
        return node;
    }
  }

  /** `p += i`, `++p` and `p++` of a pointer to such an array. */
  #update(node: Of<'compound-assignment'> | Of<'increment'>): Expression {
    const target = variableTarget(this.#typeOf(node.target));
    if (!target) return node;
    const { loc } = node;
    const type = flat(node.type);
    if (node.kind === 'compound-assignment')
      return { ...node, value: this.#scaled(node.value, target), computation: type };
    const value = this.#scaled(integer(1, loc), target);
    const operator = node.operator === '++' ? '+' : '-';
    const moved: Expression = {
      kind: 'compound-assignment',
      operator,
      target: node.target,
      value,
      computation: type,
      type,
      loc,
    };
    return node.isPrefix ? moved : pointerOffset(operator === '+' ? '-' : '+', moved, value, loc);
  }

  #literal(node: Of<'compound-literal'>): Expression {
    const { initializer } = node.symbol;
    if (initializer === null) return node;
    const mapped = mapInitializer(initializer, (value) => this.#expression(value));
    return { ...node, symbol: { ...node.symbol, type: flat(node.symbol.type), initializer: mapped } };
  }
}

/** The first element type, from outside, whose size is known. */
function baseOf(type: Type): Type {
  let at = type;
  while (at.kind === 'array' && hasVariableSize(at)) at = at.element;
  return flat(at);
}

/** What a pointer leads to, if that has no known size. */
function variableTarget(type: Type): Type | null {
  return type.kind === 'pointer' && hasVariableSize(type.target) ? type.target : null;
}

/** The type with pointers to the base in the place of pointers to variable-length arrays. */
function flat(type: Type): Type {
  if (!isVariablyModified(type)) return type;
  switch (type.kind) {
    case 'pointer':
      return { ...type, target: hasVariableSize(type.target) ? baseOf(type.target) : flat(type.target), alias: null };
    case 'array':
      return { ...type, element: flat(type.element), alias: null };
    case 'function':
      return { ...type, result: flat(type.result), alias: null };
    default:
      return type;
  }
}
