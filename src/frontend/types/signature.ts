/**
 * Prototypes as text: `void *(void *, const void *, size_t)`. Tables of builtins are readable this way; a signature is
 * read when it is first needed. Knows the basic types, size_t and its like, pointers, `const` and `...`, and no more.
 */

import type { DataModel } from '../../program/data-model.ts';
import {
  floatType,
  functionType,
  integerType,
  pointerDifferenceType,
  pointerTo,
  sizeType,
  vaListType,
  voidType,
  wideCharacterType,
  withQualifiers,
} from '../../program/type-operations.ts';
import {
  type FloatName,
  type FunctionType,
  type IntegerName,
  QUALIFIER_CONST,
  QUALIFIER_VOLATILE,
  type Type,
} from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';

const floats: ReadonlySet<string> = new Set<FloatName>(['float', 'double', 'long double', '_Float128']);

/** Reads `result (parameters)`. */
export function readSignature(text: string, model: DataModel): FunctionType {
  const match = /^(.*?)\s*\((.*)\)$/.exec(text);
  invariant(match, `bad signature ${text}`);
  const [, result = '', list = ''] = match;
  const parts = list.split(',').map((part) => part.trim());
  const variadic = parts[parts.length - 1] === '...';
  const parameters = parts.filter((part) => part !== '' && part !== 'void' && part !== '...');
  return functionType(
    readType(result, model),
    parameters.map((part) => readType(part, model)),
    variadic,
  );
}

function readType(text: string, model: DataModel): Type {
  const stars = text.replace(/[^*]/g, '').length;
  const words = text.replace(/\*/g, ' ').trim().split(/\s+/);
  const name = words.filter((word) => word !== 'const' && word !== 'volatile').join(' ');
  let type = baseType(name, model);
  if (words.includes('const')) type = withQualifiers(type, QUALIFIER_CONST);
  if (words.includes('volatile')) type = withQualifiers(type, QUALIFIER_VOLATILE);
  for (let i = 0; i < stars; i++) type = pointerTo(type);
  return type;
}

function baseType(name: string, model: DataModel): Type {
  switch (name) {
    case 'void':
      return voidType;
    case 'va_list':
      return vaListType;
    case 'size_t':
      return sizeType(model);
    case 'ssize_t':
    case 'ptrdiff_t':
      return pointerDifferenceType(model);
    case 'wchar_t':
      return wideCharacterType(model);
    case 'unsigned':
      return integerType('unsigned int');
    default:
      return floats.has(name) ? floatType(name as FloatName) : integerType(name as IntegerName);
  }
}
