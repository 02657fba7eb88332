/**
 * The reserved words of C and GNU C. GNU C spells many of them in several ways (`const`, `__const`, `__const__`); the
 * parser knows each by one canonical spelling. What C23 added (`bool`, `nullptr`, …) is left to the headers' macros,
 * since programs of older standards use those names freely.
 */

/** Every reserved word, with its canonical spelling. */
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ...spellings(
    'auto break case char continue default do double else enum extern float for goto if int long register return',
  ),
  ...spellings('short sizeof static struct switch typedef union unsigned void while'),
  ...spellings('_Bool _Generic _Noreturn __auto_type __label__ __extension__ __builtin_va_list'),
  ...spellings('_Float16 _Float32 _Float64 _Float32x _Float64x _Float128 _Decimal32 _Decimal64 _Decimal128'),
  ...spellings('const', '__const', '__const__'),
  ...spellings('volatile', '__volatile', '__volatile__'),
  ...spellings('restrict', '__restrict', '__restrict__'),
  ...spellings('inline', '__inline', '__inline__'),
  ...spellings('signed', '__signed', '__signed__'),
  ...spellings('_Atomic'),
  ...spellings('_Alignas'),
  ...spellings('_Alignof', '__alignof', '__alignof__'),
  ...spellings('_Complex', '__complex', '__complex__'),
  ...spellings('_Static_assert'),
  ...spellings('_Thread_local', '__thread'),
  ...spellings('__int128'),
  ...spellings('__real__', '__real'),
  ...spellings('__imag__', '__imag'),
  ...spellings('typeof', '__typeof', '__typeof__'),
  ...spellings('typeof_unqual', '__typeof_unqual', '__typeof_unqual__'),
  ...spellings('asm', '__asm', '__asm__'),
  ...spellings('__attribute__', '__attribute'),
  ['__float128', '_Float128'],
  // Builtins with a syntax of their own, mostly because they take types.
  ...spellings('__builtin_offsetof __builtin_va_arg __builtin_types_compatible_p __builtin_choose_expr'),
]);

/** Words that can only stand in declaration specifiers: they start a declaration or a type name. */
const SPECIFIER_WORDS: ReadonlySet<string> = new Set(
  (
    'typedef extern static auto register inline _Noreturn _Thread_local _Alignas ' +
    'const volatile restrict _Atomic void char short int long float double signed unsigned _Bool _Complex __int128 ' +
    '_Float16 _Float32 _Float64 _Float32x _Float64x _Float128 _Decimal32 _Decimal64 _Decimal128 __builtin_va_list ' +
    'struct union enum typeof typeof_unqual __auto_type'
  ).split(' '),
);

/** Type names that GNU C declares by itself. */
export const PREDECLARED_TYPES: ReadonlyMap<string, '__int128' | 'unsigned __int128'> = new Map([
  ['__int128_t', '__int128'],
  ['__uint128_t', 'unsigned __int128'],
]);

/** The canonical spelling of a reserved word, or undefined for an ordinary identifier. */
export function keyword(text: string): string | undefined {
  return CANONICAL.get(text);
}

export function isSpecifierWord(canonical: string): boolean {
  return SPECIFIER_WORDS.has(canonical);
}

/** The words that name a basic type: what a misspelled type may have meant. */
export const TYPE_WORDS: readonly string[] = 'void char short int long float double signed unsigned _Bool'.split(' ');

/**
 * One word: the first spelling is the canonical one of all; a text of several words lists words of one spelling each.
 */
function spellings(first: string, ...others: readonly string[]): [string, string][] {
  const words = first.split(' ');
  return [
    ...words.map((word): [string, string] => [word, word]),
    ...others.map((other): [string, string] => [other, first]),
  ];
}
