/**
 * Whether a program looks at addresses as numbers: then its values depend on where things lie, which a verifier decides
 * in its own way. A pointer is converted to an integer, or read as one by way of a union or of another pointer to it.
 *
 * Two conversions show nothing:
 * - that of a pointer which is only ever a number: `pthread_create(…, (void *)3)` and `(int)argument` in the thread.
 *   Such pointers are variables that are given nothing but integers, null and one another;
 * - one that only asks for null, as `assume((long)pointer)` does, in a type that keeps all bits.
 */

import { asProgram, type BoundedProgram, type BoundedThread } from '../program/bounded-program.ts';
import { type DataModel, wordSize } from '../program/data-model.ts';
import { integerNameOf, integerWidth } from '../program/integer-range.ts';
import { type Builtin, primitiveOf } from '../program/primitives.ts';
import type { Expression, Initializer, VariableSymbol } from '../program/tree.ts';
import { isInteger } from '../program/type-operations.ts';
import type { Field, RecordDeclaration, Type } from '../program/types.ts';
import { walkInitializer, walkStatement } from '../program/visit-tree.ts';
import { type Exposed, findExposed } from './find-exposed.ts';

export function looksAtAddresses(program: BoundedProgram): boolean {
  const { items, dataModel } = asProgram(program);
  const seen = new Conversions(dataModel, program.threads);
  const expression = (node: Expression) => seen.visit(node);
  for (const item of items) {
    if (item.kind === 'function') walkStatement(item.definition.body, { expression });
    else if (item.kind === 'variable' && item.symbol.initializer) {
      walkInitializer(item.symbol.initializer, { expression });
      seen.initialise(item.symbol, item.symbol.initializer);
    }
  }
  return seen.showAddress(findExposed(items));
}

type Cast = Extract<Expression, { kind: 'cast' }>;

/** What a program converts, and what it gives to its pointers. */
class Conversions {
  readonly #dataModel: DataModel;
  readonly #threads: readonly BoundedThread[];
  readonly #casts: Cast[] = [];
  /** Conversions of which only the truth matters. */
  readonly #truths = new Set<Expression>();
  readonly #given = new Map<VariableSymbol, Expression[]>();
  readonly #unions = new Set<RecordDeclaration>();
  readonly #used = new Set<Field>();

  constructor(dataModel: DataModel, threads: readonly BoundedThread[]) {
    this.#dataModel = dataModel;
    this.#threads = threads;
  }

  visit(node: Expression): void {
    for (const condition of conditionsOf(node)) this.#truths.add(condition);
    if (node.kind === 'cast') this.#casts.push(node);
    if (node.kind === 'assignment' && node.target.kind === 'variable') this.#give(node.target.symbol, node.value);
    if (node.kind === 'builtin') this.#primitive(node);
    if (node.kind !== 'member') return;
    this.#used.add(node.field);
    const { type } = node.object;
    if (type.kind === 'record' && type.declaration.isUnion) this.#unions.add(type.declaration);
  }

  initialise(symbol: VariableSymbol, initializer: Initializer): void {
    if (initializer.kind === 'scalar') this.#give(symbol, initializer.value);
    addInitialised(initializer, this.#used);
  }

  /** `exposed`: which variables may change unseen. */
  showAddress(exposed: Exposed): boolean {
    const numbers = this.#findNumbers(exposed);
    return (
      this.#casts.some((node) => this.#showsAddress(node, numbers)) ||
      [...this.#unions].some((union) => mixesPointers(union, this.#used))
    );
  }

  #give(symbol: VariableSymbol, value: Expression): void {
    if (symbol.type.kind !== 'pointer') return;
    const known = this.#given.get(symbol);
    if (known) known.push(value);
    else this.#given.set(symbol, [value]);
  }

  /** A thread's argument is given by its creator; whatever else a primitive fills or takes has any value. */
  #primitive(node: Builtin): void {
    if (primitiveOf(node) !== 'spawn') {
      for (const arg of node.args) if (arg.kind === 'variable') this.#give(arg.symbol, node);
      return;
    }
    const [number, argument] = node.args;
    const symbol = number?.kind === 'integer' && this.#threads[Number(number.value)]?.argument;
    if (symbol && argument) this.#give(symbol, argument);
  }

  /** The pointers that are given nothing but numbers; first all count, then those go that are given something else. */
  #findNumbers(exposed: Exposed): ReadonlySet<VariableSymbol> {
    const numbers = new Set([...this.#given.keys()].filter((symbol) => symbol.defined && !exposed.has(symbol)));
    for (let before = -1; before !== numbers.size; ) {
      before = numbers.size;
      for (const symbol of [...numbers]) {
        if (!this.#given.get(symbol)?.every((value) => isNumber(value, numbers))) numbers.delete(symbol);
      }
    }
    return numbers;
  }

  #showsAddress(node: Cast, numbers: ReadonlySet<VariableSymbol>): boolean {
    const { castKind, operand, type } = node;
    if (castKind === 'pointer-to-integer') {
      return !isNumber(operand, numbers) && !(this.#truths.has(node) && this.#keepsAllBits(type));
    }
    if (castKind !== 'pointer' || type.kind !== 'pointer' || operand.type.kind !== 'pointer') return false;
    const isIntegers = type.target.kind === 'integer' || type.target.kind === 'enum';
    return isIntegers && holdsPointers(operand.type.target, this.#used);
  }

  #keepsAllBits(type: Type): boolean {
    return isInteger(type) && integerWidth(integerNameOf(type), this.#dataModel) >= 8 * wordSize(this.#dataModel);
  }
}

/** The operands of which an expression only asks whether they are zero. */
function conditionsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'logical':
      return [node.left, node.right];
    case 'unary':
      return node.operator === '!' ? [node.operand] : [];
    case 'comparison':
      if (node.operator !== '==' && node.operator !== '!=') return [];
      return [...(isZero(node.right) ? [node.left] : []), ...(isZero(node.left) ? [node.right] : [])];
    case 'builtin': {
      const primitive = primitiveOf(node);
      return primitive === 'assume' || primitive === 'assert' ? node.args.slice(0, 1) : [];
    }
    default:
      return [];
  }
}

const isZero = (expression: Expression) => expression.kind === 'integer' && expression.value === 0n;

/** Whether a pointer is made from an integer, here or where it got its value. */
function isNumber(pointer: Expression, numbers: ReadonlySet<VariableSymbol>): boolean {
  let at = pointer;
  while (at.kind === 'cast' && (at.castKind === 'pointer' || at.castKind === 'qualification')) at = at.operand;
  if (at.kind === 'variable') return numbers.has(at.symbol);
  return at.kind === 'cast' && (at.castKind === 'integer-to-pointer' || at.castKind === 'null-to-pointer');
}

/** Members that start with a value count as used. */
function addInitialised(initializer: Initializer, used: Set<Field>): void {
  if (initializer.kind === 'array') for (const { value } of initializer.items) addInitialised(value, used);
  if (initializer.kind !== 'record') return;
  for (const { field, value } of initializer.items) {
    if (value.kind !== 'scalar' || !isConstantNumber(value.value)) used.add(field);
    addInitialised(value, used);
  }
}

function isConstantNumber(expression: Expression): boolean {
  let at = expression;
  while (at.kind === 'cast') at = at.operand;
  return at.kind === 'integer';
}

function mixesPointers({ fields }: RecordDeclaration, used: ReadonlySet<Field>): boolean {
  const usedFields = (fields ?? []).filter((field) => used.has(field));
  const pointers = usedFields.filter(({ type }) => holdsPointers(type, used));
  return pointers.length > 0 && pointers.length < usedFields.length;
}

/** Of records, those members count that the program uses. */
function holdsPointers(type: Type, used: ReadonlySet<Field>): boolean {
  const pending: Type[] = [type];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'pointer') return true;
    if (at.kind === 'array') pending.push(at.element);
    if (at.kind === 'record')
      for (const field of at.declaration.fields ?? []) if (used.has(field)) pending.push(field.type);
  }
  return false;
}
