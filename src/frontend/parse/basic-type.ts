/**
 * The words of a basic type (`long unsigned int`) into its canonical name. Words come in any order, so each has a
 * weight and the sum of the weights stands for the combination, as in chibicc. The weights are powers of five and no
 * type has more than four words: no two combinations have the same sum.
 */

import type { Loc } from '../../support/source.ts';
import type { BasicTypeName, TypeSpecifier } from './ast.ts';
import type { Parser } from './parser.ts';

/** The type words of one declaration, as they were read, by their canonical spelling. */
export type TypeWords = string[];

const MAX_WORDS = 4;

const WEIGHTS: ReadonlyMap<string, number> = new Map(
  (
    'void _Bool char short int long __int128 signed unsigned float double _Complex ' +
    '_Float16 _Float32 _Float64 _Float32x _Float64x _Float128 _Decimal32 _Decimal64 _Decimal128'
  )
    .split(' ')
    .map((word, index) => [word, 5 ** index]),
);

/** Each type in one order of words; the canonical names are spellings themselves. */
const SPELLINGS: readonly (readonly [BasicTypeName, ...string[]])[] = [
  ['void'],
  ['_Bool'],
  ['char'],
  ['signed char'],
  ['unsigned char'],
  ['short', 'short int', 'signed short', 'signed short int'],
  ['unsigned short', 'unsigned short int'],
  ['int', 'signed', 'signed int'],
  ['unsigned int', 'unsigned'],
  ['long', 'long int', 'signed long', 'signed long int'],
  ['unsigned long', 'unsigned long int'],
  ['long long', 'long long int', 'signed long long', 'signed long long int'],
  ['unsigned long long', 'unsigned long long int'],
  ['__int128', 'signed __int128'],
  ['unsigned __int128'],
  ['float'],
  ['double'],
  ['long double'],
  ['_Float16'],
  ['_Float32'],
  ['_Float64'],
  ['_Float32x'],
  ['_Float64x'],
  ['_Float128'],
  ['float _Complex'],
  ['double _Complex', '_Complex'],
  ['long double _Complex'],
  ['_Float16 _Complex'],
  ['_Float32 _Complex'],
  ['_Float64 _Complex'],
  ['_Float32x _Complex'],
  ['_Float64x _Complex'],
  ['_Float128 _Complex'],
];

const TYPES: ReadonlyMap<number, TypeSpecifier> = new Map(
  SPELLINGS.flatMap((spellings) => {
    const type: TypeSpecifier = { kind: 'basic', name: spellings[0] };
    return spellings.map((spelling): [number, TypeSpecifier] => [weigh(spelling.split(' ')), type]);
  }),
);

export function basicType(p: Parser, words: TypeWords, loc: Loc): TypeSpecifier {
  return TYPES.get(weigh(words)) ?? refuse(p, words, loc);
}

/** The sum that stands for the words, or 0 for too many of them. */
function weigh(words: TypeWords): number {
  if (words.length > MAX_WORDS) return 0;
  let sum = 0;
  for (const word of words) sum += WEIGHTS.get(word) ?? 0;
  return sum;
}

function refuse(p: Parser, words: TypeWords, loc: Loc): TypeSpecifier {
  const text = words.join(' ');
  const known = words.some((word) => word.startsWith('_Decimal')) || words.includes('_Complex');
  if (known) p.errorAt(loc, `the type '${text}' is not supported`, 'unsupported');
  else p.errorAt(loc, `invalid combination of type specifiers '${text}'`);
  return { kind: 'basic', name: 'int' };
}
