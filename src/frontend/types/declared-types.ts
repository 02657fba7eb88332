/**
 * From specifiers and declarators to types. C writes a type inside out around the name; here the declarator is walked
 * from its outside, each step wrapping the type so far, with a loop. Parameters are symbols at once, in a scope of
 * their own, so that later parameters can mention them (`int n, int a[n]`); a definition opens that scope again for its
 * body.
 */

import { variableSymbol } from '../../program/build-tree.ts';
import { evaluateInteger } from '../../program/evaluate-constant.ts';
import { alignOf, sizeOf } from '../../program/layout.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import {
  arrayOf,
  floatType,
  functionType,
  hasVariableSize,
  integerType,
  intType,
  isComplete,
  isInteger,
  isVariablyModified,
  pointerTo,
  unqualified,
  vaListType,
  voidType,
  withAlias,
  withQualifiers,
} from '../../program/type-operations.ts';
import {
  type FloatName,
  QUALIFIER_ATOMIC,
  QUALIFIER_CONST,
  QUALIFIER_RESTRICT,
  QUALIFIER_VOLATILE,
  type QualifierSet,
  type Type,
} from '../../program/types.ts';
import { childrenOf } from '../../program/visit-tree.ts';
import { assertNever } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { applyMode, checkAlignmentValue, readAttributes } from './attributes.ts';
import { type Checker, error, errorType, inScope, isError, refuse, show, warn } from './checker.ts';
import { ignoreCleanup } from './cleanups.ts';
import { checkExpression, checkValue } from './expressions.ts';
import { checkEnumSpecifier, checkRecordSpecifier } from './records.ts';
import { bind, lookUp } from './scope.ts';

// ---------------------------------------------------------------- specifiers

export function qualifierSet(qualifiers: ast.Qualifiers): QualifierSet {
  return (
    (qualifiers.const ? QUALIFIER_CONST : 0) |
    (qualifiers.volatile ? QUALIFIER_VOLATILE : 0) |
    (qualifiers.restrict ? QUALIFIER_RESTRICT : 0) |
    (qualifiers.atomic ? QUALIFIER_ATOMIC : 0)
  );
}

/** The type that declaration specifiers name. `announces`: they stand alone, as in `struct s;`. */
export function typeOfSpecifiers(c: Checker, specifiers: ast.Specifiers, announces = false): Type {
  let type = typeOfSpecifier(c, specifiers.type, specifiers.loc, announces);
  if (specifiers.attributes.length > 0) {
    const { mode } = readAttributes(c, specifiers.attributes);
    if (mode !== null) type = applyMode(c, type, mode, specifiers.attributes);
  }
  return type === errorType ? type : withQualifiers(type, qualifierSet(specifiers.qualifiers));
}

function typeOfSpecifier(c: Checker, specifier: ast.TypeSpecifier, loc: Loc, announces: boolean): Type {
  switch (specifier.kind) {
    case 'basic':
      return basicType(c, specifier.name, loc);
    case 'implicit-int':
      return intType;
    case 'auto-type':
      return intType;
    case 'typedef-name': {
      const binding = lookUp(c.scope, specifier.name);
      if (binding?.kind === 'typedef-symbol') {
        return binding.type === errorType ? errorType : withAlias(binding.type, binding);
      }
      error(c, specifier.loc, 'undeclared', `unknown type name '${specifier.name}'`);
      return errorType;
    }
    case 'struct':
    case 'union':
      return checkRecordSpecifier(c, specifier, announces);
    case 'enum':
      return checkEnumSpecifier(c, specifier);
    case 'typeof-expression': {
      const operand = checkExpression(c, specifier.operand);
      if (operand.kind === 'member' && operand.field.bits !== null) {
        error(c, specifier.operand.loc, 'type-mismatch', "'typeof' applied to a bit-field");
      }
      return operand.type;
    }
    case 'typeof-type':
      return typeOfName(c, specifier.operand);
    case 'atomic-type':
      return atomicType(c, typeOfName(c, specifier.operand), loc);
    default:
      return assertNever(specifier);
  }
}

function atomicType(c: Checker, type: Type, loc: Loc): Type {
  if (type === errorType) return type;
  if (type.kind === 'array' || type.kind === 'function' || type.qualifiers !== 0 || !isComplete(type)) {
    error(c, loc, 'type-mismatch', `'_Atomic' applied to ${show(type)}`);
    return type;
  }
  return withQualifiers(type, QUALIFIER_ATOMIC);
}

function basicType(c: Checker, name: ast.BasicTypeName, loc: Loc): Type {
  switch (name) {
    case 'void':
      return voidType;
    case '__builtin_va_list':
      return vaListType;
    case 'float':
    case 'double':
    case 'long double':
    case '_Float16':
    case '_Float32':
    case '_Float64':
    case '_Float32x':
    case '_Float64x':
    case '_Float128':
      return floatType(name);
    case '__int128':
    case 'unsigned __int128':
      if (c.model === 'ILP32') error(c, loc, 'unsupported', "'__int128' is not supported on this target");
      return integerType(name);
    default:
      if (isComplexName(name)) return { kind: 'complex', part: partName(name), qualifiers: 0, alias: null };
      return integerType(name);
  }
}

type ComplexName = Extract<ast.BasicTypeName, `${string} _Complex`>;

function isComplexName(name: ast.BasicTypeName): name is ComplexName {
  return name.endsWith(' _Complex');
}

function partName(name: ComplexName): FloatName {
  return name.slice(0, -' _Complex'.length) as FloatName;
}

// ---------------------------------------------------------------- declarators

export interface Declared {
  /** null for an abstract declarator. */
  readonly name: string | null;
  readonly loc: Loc;
  readonly type: Type;
  /** The parameters of the function type that is declared, if the declarator itself is one. */
  readonly parameters: readonly VariableSymbol[] | null;
  readonly oldStyleNames: readonly string[] | null;
  /** Attributes that stand inside the declarator. */
  readonly attributes: readonly ast.Attribute[];
}

export function applyDeclarator(c: Checker, base: Type, declarator: ast.Declarator): Declared {
  let type = base;
  let parameters: readonly VariableSymbol[] | null = null;
  let oldStyleNames: readonly string[] | null = null;
  let attributes: readonly ast.Attribute[] = [];
  for (let at = declarator; ; at = at.inner) {
    switch (at.kind) {
      case 'name':
        return { name: at.name, loc: at.loc, type, parameters, oldStyleNames, attributes };
      case 'pointer':
        parameters = null;
        if (type !== errorType) type = pointerTo(type, qualifierSet(at.qualifiers));
        break;
      case 'array':
        parameters = null;
        if (type !== errorType) type = applyArray(c, type, at);
        break;
      case 'function': {
        const applied = applyFunction(c, type, at);
        if (type !== errorType) type = applied.type;
        parameters = applied.parameters;
        oldStyleNames = at.oldStyleNames;
        break;
      }
      case 'attributed':
        attributes = attributes.length === 0 ? at.attributes : [...attributes, ...at.attributes];
        break;
      default:
        assertNever(at);
    }
  }
}

export function typeOfName(c: Checker, name: ast.TypeName): Type {
  const base = typeOfSpecifiers(c, name.specifiers);
  return name.declarator.kind === 'name' ? base : applyDeclarator(c, base, name.declarator).type;
}

// ---------------------------------------------------------------- arrays

/** A length that is known but to the caller: `[*]`. Its spelling is what it prints as. */
const starLength: Expression = { kind: 'integer', value: 0n, type: intType, spelling: '*', loc: NOWHERE };

function applyArray(c: Checker, element: Type, array: ast.Declarator & { kind: 'array' }): Type {
  if (element.kind === 'function') {
    error(c, array.loc, 'type-mismatch', 'declaration of an array of functions');
    return errorType;
  }
  if (element.kind === 'void' || !isComplete(element)) {
    error(c, array.loc, 'incomplete-type', `array type has incomplete element type ${show(element)}`);
    return errorType;
  }
  const aligned = element.alias?.alignment ?? null;
  if (aligned !== null && !hasVariableSize(element) && aligned > sizeOf(element, c.model)) {
    error(c, array.loc, 'invalid-alignment', 'alignment of array elements is greater than element size');
    return errorType;
  }
  if (array.size === null) return arrayOf(element, null);
  if (array.size === 'star') return arrayOf(element, starLength);
  const size = checkValue(c, array.size);
  if (isError(size)) return errorType;
  if (!isInteger(size.type)) {
    error(c, array.loc, 'type-mismatch', `size of array has type ${show(size.type)}, not an integer type`);
    return errorType;
  }
  const length = evaluateInteger(size, c.model);
  if (length === null) return variableArray(c, element, size, array.loc);
  if (length < 0n) {
    error(c, array.loc, 'invalid-size', `size of array is negative (${length})`);
    return errorType;
  }
  const limit = c.model === 'ILP32' ? 0x7fffffff : Number.MAX_SAFE_INTEGER;
  const elementSize = hasVariableSize(element) ? 1 : sizeOf(element, c.model);
  if (length > BigInt(limit) || Number(length) * elementSize > limit) {
    error(c, array.loc, 'invalid-size', 'size of array is too large');
    return errorType;
  }
  return arrayOf(element, Number(length));
}

function variableArray(c: Checker, element: Type, size: Expression, loc: Loc): Type {
  if (c.scope.kind === 'file') {
    error(c, loc, 'not-constant', 'variable-length array at file scope');
    return errorType;
  }
  return arrayOf(element, size);
}

// ---------------------------------------------------------------- functions

function applyFunction(
  c: Checker,
  result: Type,
  node: ast.Declarator & { kind: 'function' },
): { type: Type; parameters: readonly VariableSymbol[] } {
  if (result.kind === 'function' || result.kind === 'array') {
    error(c, node.loc, 'type-mismatch', `function returns ${result.kind === 'array' ? 'an array' : 'a function'}`);
  }
  if (node.oldStyleNames !== null) {
    return { type: functionType(unqualified(result), [], false, true), parameters: [] };
  }
  const symbols = inScope(c, 'prototype', () => node.parameters.map((parameter) => declareParameter(c, parameter)));
  const [only] = symbols;
  if (symbols.length === 1 && only?.type.kind === 'void' && only.name === '' && !node.variadic) {
    return { type: functionType(unqualified(result), []), parameters: [] };
  }
  for (const symbol of symbols) {
    if (symbol.type.kind === 'void') error(c, symbol.loc, 'type-mismatch', "'void' must be the only parameter");
  }
  const types = symbols.map((symbol) => hideLengths(unqualifiedParameter(symbol.type)));
  return { type: functionType(unqualified(result), types, node.variadic), parameters: symbols };
}

/** Qualifiers of a parameter are no part of the function's type, but are kept for printing: gcc ignores them too. */
function unqualifiedParameter(type: Type): Type {
  return type.kind === 'array' ? type : unqualified(type);
}

/** Outside its function, a length that depends on a parameter is only known to exist. */
function hideLengths(type: Type): Type {
  if (!isVariablyModified(type)) return type;
  if (type.kind === 'pointer') return { ...type, target: hideLengths(type.target), alias: null };
  if (type.kind !== 'array') return type;
  const length = type.length === null || typeof type.length === 'number' ? type.length : starLength;
  return { ...type, element: hideLengths(type.element), length, alias: null };
}

function declareParameter(c: Checker, parameter: ast.ParameterDeclaration): VariableSymbol {
  const base = typeOfSpecifiers(c, parameter.specifiers);
  const declared = applyDeclarator(c, base, parameter.declarator);
  const { storage } = parameter.specifiers;
  if (storage !== null && storage !== 'register') {
    error(c, parameter.loc, 'storage-class', 'storage class specified for a parameter');
  }
  if (parameter.specifiers.type.kind === 'implicit-int') {
    warn(c, parameter.loc, 'implicit-int', `type of '${declared.name ?? 'parameter'}' defaults to 'int'`);
  }
  ignoreCleanup(c, readAttributes(c, parameter.specifiers.attributes, parameter.attributes, declared.attributes));
  refuseEffects(c, declared.type, declared.loc);
  const outermost = innermostArray(parameter.declarator);
  const symbol = createParameter(c, declared.name ?? '', adjustParameter(declared.type, outermost), declared.loc);
  if (storage === 'register') c.registers.add(symbol);
  if (declared.name !== null) {
    if (c.scope.ordinary?.has(declared.name)) {
      error(c, declared.loc, 'redeclared', `redefinition of parameter '${declared.name}'`);
    }
    bind(c.scope, declared.name, symbol);
  }
  return symbol;
}

/**
 * The length of the outermost array is not kept (the parameter becomes a pointer), so it must do nothing when it is
 * evaluated.
 */
function refuseEffects(c: Checker, type: Type, loc: Loc): void {
  if (type.kind !== 'array' || type.length === null || typeof type.length === 'number') return;
  const work: Expression[] = [type.length];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (EFFECTS.has(at.kind)) {
      error(
        c,
        loc,
        'unsupported',
        'the length of an array parameter that does something when it is evaluated is not supported',
      );
      return;
    }
    pushAll(work, childrenOf(at));
  }
}

const EFFECTS: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  'assignment',
  'compound-assignment',
  'increment',
  'call',
  'builtin',
  'statement-expression',
  'va-arg',
]);

export function createParameter(c: Checker, name: string, type: Type, loc: Loc): VariableSymbol {
  return variableSymbol({ id: c.nextId++, name, type, isParameter: true, loc });
}

/** The array declarator next to the name, whose qualifiers (`int a[const 3]`) are those of the pointer it becomes. */
function innermostArray(declarator: ast.Declarator): QualifierSet {
  let last: ast.Declarator = declarator;
  for (let at = declarator; at.kind !== 'name'; at = at.inner) if (at.kind !== 'attributed') last = at;
  return last.kind === 'array' ? qualifierSet(last.qualifiers) : 0;
}

/** C 6.7.6.3: a parameter of array or function type is a pointer. */
export function adjustParameter(type: Type, qualifiers: QualifierSet = 0): Type {
  if (type.kind === 'array') return pointerTo(type.element, qualifiers);
  return type.kind === 'function' ? pointerTo(type) : type;
}

// ---------------------------------------------------------------- alignment

/** What `_Alignas` specifiers and attributes ask for together; null for nothing. */
export function requestedAlignment(
  c: Checker,
  specifiers: ast.Specifiers,
  fromAttributes: number | null,
): number | null {
  let alignment = fromAttributes;
  for (const node of specifiers.alignments) {
    const value = node.kind === 'type-name' ? alignOf(typeOfName(c, node), c.model) : checkAlignmentValue(c, node);
    if (value !== null) alignment = Math.max(alignment ?? 1, value);
  }
  return alignment;
}

/** For GNU `__auto_type`: the type of the value. */
export function deducedType(c: Checker, value: Expression, loc: Loc): Type {
  const type = value.type;
  if (type.kind === 'void') {
    error(c, loc, 'type-mismatch', "'__auto_type' of a void value");
    return errorType;
  }
  if (type.kind === 'complex') refuse(c, loc, 'arithmetic on complex numbers');
  return unqualified(type);
}
