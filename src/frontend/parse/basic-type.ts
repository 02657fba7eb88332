/**
 * The words of a basic type (`long unsigned int`) into its canonical name. The words may come in any order, so they are
 * sorted first; a table lists what each sorted combination means.
 */

import type { Loc } from '../../support/source.ts';
import type { BasicTypeName, TypeSpecifier } from './ast.ts';
import type { Parser } from './parser.ts';

/** The type words of one declaration, as they were read, by their canonical spelling. */
export type TypeWords = string[];

/** Sorted words to type. `int` and `signed` next to other integer words say nothing and are left out of the keys. */
const MEANINGS: ReadonlyMap<string, BasicTypeName> = new Map<string, BasicTypeName>([
  ['void', 'void'],
  ['_Bool', '_Bool'],
  ['char', 'char'],
  ['char signed', 'signed char'],
  ['char unsigned', 'unsigned char'],
  ['short', 'short'],
  ['short unsigned', 'unsigned short'],
  ['', 'int'],
  ['unsigned', 'unsigned int'],
  ['long', 'long'],
  ['long unsigned', 'unsigned long'],
  ['long long', 'long long'],
  ['long long unsigned', 'unsigned long long'],
  ['__int128', '__int128'],
  ['__int128 unsigned', 'unsigned __int128'],
  ['float', 'float'],
  ['double', 'double'],
  ['double long', 'long double'],
  ['_Complex', 'double _Complex'],
  ['_Complex float', 'float _Complex'],
  ['_Complex double', 'double _Complex'],
  ['_Complex double long', 'long double _Complex'],
  ...(['_Float16', '_Float32', '_Float64', '_Float32x', '_Float64x', '_Float128'] as const).flatMap(
    (name): [string, BasicTypeName][] => [
      [name, name],
      [`_Complex ${name}`, `${name} _Complex`],
    ],
  ),
]);

export function basicType(p: Parser, words: TypeWords, loc: Loc): TypeSpecifier {
  return { kind: 'basic', name: basicTypeName(words) ?? refuse(p, words, loc) };
}

function basicTypeName(words: TypeWords): BasicTypeName | undefined {
  const [first] = words;
  if (words.length === 1 && first !== 'int' && first !== 'signed') return MEANINGS.get(first ?? '');
  const has = (word: string) => words.includes(word);
  const count = (word: string) => words.filter((other) => other === word).length;
  const isInteger = !['void', '_Bool', 'float', 'double', '_Complex'].some(has) && !words.some(isFloatWord);
  const repeated = words.some((word) => count(word) > (word === 'long' ? 2 : 1));
  const clashes = (has('signed') && has('unsigned')) || (has('int') && (has('char') || has('__int128')));
  if (repeated || clashes) return undefined;
  const silent = (word: string) => isInteger && (word === 'int' || (word === 'signed' && !has('char')));
  const key = words.filter((word) => !silent(word)).sort();
  return MEANINGS.get(key.join(' '));
}

function isFloatWord(word: string): boolean {
  return word.startsWith('_Float') || word.startsWith('_Decimal');
}

function refuse(p: Parser, words: TypeWords, loc: Loc): BasicTypeName {
  const text = words.join(' ');
  const known = words.some((word) => word.startsWith('_Decimal')) || words.includes('_Complex');
  if (known) p.errorAt(loc, `the type '${text}' is not supported`, 'unsupported');
  else p.errorAt(loc, `invalid combination of type specifiers '${text}'`);
  return 'int';
}
