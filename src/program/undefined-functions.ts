/**
 * What a function means that is called and defined nowhere; both roads ask here. It returns any value. What else it
 * does depends on what it is given and on who wrote it:
 *
 * - A function of the C library, declared in a header of the system, fills what its pointers point to, as far as that
 *   can be told from their types (`outputs`), and changes nothing else.
 * - A function of the program that is given pointers to what it may change is somewhere else. What it does cannot be
 *   guessed: reaching it is not supported. Pointers to const are taken at their word, and so are texts behind a format.
 * - Any other is an input: it returns any value and changes nothing. It could change variables of external linkage; who
 *   asks for a proof has to know (lower-program.ts).
 */

import type { SourceMap } from '../support/source.ts';
import type { Expression, FunctionSymbol } from './tree.ts';
import { isCharacter, isComplete } from './type-operations.ts';
import { QUALIFIER_CONST, type Type } from './types.ts';

export type UndefinedMeaning =
  | { readonly kind: 'input' }
  | { readonly kind: 'ends-program' }
  /** The objects behind these arguments get any contents. */
  | { readonly kind: 'outputs'; readonly outputs: readonly Output[] }
  | { readonly kind: 'refused'; readonly message: string };

interface Output {
  readonly argument: number;
  /** The type of what is filled: an array where the argument is one. */
  readonly type: Type;
}

/** An argument, as far as it matters here. */
interface Given {
  /** Behind implicit conversions. */
  readonly type: Type;
  /** The array that the pointer is made of. */
  readonly array: Type | null;
  readonly isVariable: boolean;
}

/** `args` are those of a call; null for a function that is only known by its type. */
export function meaningOfUndefined(
  symbol: FunctionSymbol,
  args: readonly Expression[] | null,
  sources: SourceMap,
): UndefinedMeaning {
  if (symbol.isNoreturn) return { kind: 'ends-program' };
  const given = givenTo(symbol, args);
  if (!isLibraryFunction(symbol, sources)) {
    return given.some(mayChange) ? refused(symbol, 'it is given what it may change') : { kind: 'input' };
  }
  const outputs: Output[] = [];
  for (const [argument, one] of given.entries()) {
    if (!mayChange(one) || isOpaque(one.type)) continue;
    const type = one.array ?? filledBy(one.type);
    if (type === null) return refused(symbol, 'what it changes cannot be told from its type');
    outputs.push({ argument, type });
  }
  return outputs.length === 0 ? { kind: 'input' } : { kind: 'outputs', outputs };
}

/** Whether a header of the system declares it; the others are the program's. */
export function isLibraryFunction({ loc }: FunctionSymbol, sources: SourceMap): boolean {
  return sources.place(loc)?.inSystemHeader ?? false;
}

function refused({ name }: FunctionSymbol, why: string): UndefinedMeaning {
  return { kind: 'refused', message: `'${name}' is defined nowhere, and ${why}` };
}

/** The warning about it. */
export function describeUndefined(symbol: FunctionSymbol, meaning: UndefinedMeaning): string {
  const { name } = symbol;
  switch (meaning.kind) {
    case 'input':
      return `'${name}' is defined nowhere: it is taken as a function that returns any value and changes no memory`;
    case 'ends-program':
      return `'${name}' is defined nowhere: it is taken as a function that ends the program`;
    case 'outputs':
      return `'${name}' is not modelled: it returns any value and fills what its arguments point to with any values`;
    case 'refused':
      return `${meaning.message}: executions that reach it are not followed`;
  }
}

function givenTo({ type }: FunctionSymbol, args: readonly Expression[] | null): readonly Given[] {
  const declared = type.kind === 'function' ? type.parameters : [];
  if (args === null) return declared.map((parameter) => ({ type: parameter, array: null, isVariable: false }));
  const fixed = type.kind === 'function' && type.oldStyle ? args.length : declared.length;
  return args.map((arg, at): Given => {
    const parameter = declared[at] ?? arg.type;
    // `const` of the parameter is the promise; the argument tells what is behind a `void *`.
    const promised = isPointerToConst(parameter) ? parameter : unhidden(arg).type;
    return { type: promised, array: arrayBehind(arg), isVariable: at >= fixed };
  });
}

/** Behind conversions to `void *`. */
function unhidden(arg: Expression): Expression {
  let at = arg;
  while (at.kind === 'cast' && at.castKind === 'pointer' && at.type.kind === 'pointer') {
    if (at.type.target.kind !== 'void') break;
    at = at.operand;
  }
  return at;
}

function arrayBehind(arg: Expression): Type | null {
  const at = unhidden(arg);
  if (at.kind !== 'cast' || at.castKind !== 'array-to-pointer') return null;
  const { type } = at.operand;
  return type.kind === 'array' && typeof type.length === 'number' ? type : null;
}

function isPointerToConst(type: Type): boolean {
  return type.kind === 'pointer' && (type.target.qualifiers & QUALIFIER_CONST) !== 0;
}

function mayChange({ type, isVariable }: Given): boolean {
  if (type.kind === 'pointer') {
    if (isPointerToConst(type)) return false;
    return !(isVariable && isCharacter(type.target));
  }
  return type.kind === 'record' && holdsPointer(type);
}

function holdsPointer(type: Type): boolean {
  if (type.kind === 'array') return holdsPointer(type.element);
  if (type.kind !== 'record') return type.kind === 'pointer' && !isPointerToConst(type);
  return (type.declaration.fields ?? []).some((field) => holdsPointer(field.type));
}

/** `FILE *`: nobody but the library looks inside. */
function isOpaque(type: Type): boolean {
  return type.kind === 'pointer' && type.target.kind === 'record' && !isComplete(type.target);
}

/** One object of the type that the pointer has; of bytes nobody knows how many there are. */
function filledBy(type: Type): Type | null {
  if (type.kind !== 'pointer') return null;
  const { target } = type;
  const isOne = target.kind !== 'function' && target.kind !== 'void' && !isCharacter(target) && isComplete(target);
  return isOne ? target : null;
}
