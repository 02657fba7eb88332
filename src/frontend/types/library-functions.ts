/**
 * Library functions that compilers know: `__builtin_memcpy` is a call of memcpy, and a call of `printf` before its
 * declaration has the right type. A group lists the names that share a prototype.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { FunctionType } from '../../program/types.ts';
import { readSignature } from './signature.ts';

const groups: readonly (readonly [signature: string, names: string])[] = [
  ['void *(void *, const void *, size_t)', 'memcpy memmove mempcpy'],
  ['void *(void *, int, size_t)', 'memset'],
  ['int (const void *, const void *, size_t)', 'memcmp bcmp'],
  ['void *(const void *, int, size_t)', 'memchr'],
  ['void (void *, size_t)', 'bzero'],
  ['void (const void *, void *, size_t)', 'bcopy'],
  ['size_t (const char *)', 'strlen'],
  ['size_t (const char *, size_t)', 'strnlen'],
  ['char *(char *, const char *)', 'strcpy strcat stpcpy'],
  ['char *(char *, const char *, size_t)', 'strncpy strncat stpncpy'],
  ['int (const char *, const char *)', 'strcmp strcasecmp'],
  ['int (const char *, const char *, size_t)', 'strncmp strncasecmp'],
  ['char *(const char *, int)', 'strchr strrchr index rindex'],
  ['char *(const char *, const char *)', 'strstr strpbrk'],
  ['size_t (const char *, const char *)', 'strspn strcspn'],
  ['char *(const char *)', 'strdup'],
  ['char *(const char *, size_t)', 'strndup'],
  ['void *(size_t)', 'malloc'],
  ['void *(size_t, size_t)', 'calloc aligned_alloc'],
  ['void *(void *, size_t)', 'realloc'],
  ['void (void *)', 'free'],
  ['int (void **, size_t, size_t)', 'posix_memalign'],
  ['void (void)', 'abort'],
  ['void (int)', 'exit _exit _Exit'],
  ['int (const char *, ...)', 'printf scanf printf_unlocked'],
  ['int (char *, const char *, ...)', 'sprintf'],
  ['int (const char *, const char *, ...)', 'sscanf'],
  ['int (char *, size_t, const char *, ...)', 'snprintf'],
  ['int (const char *, va_list)', 'vprintf vscanf'],
  ['int (char *, const char *, va_list)', 'vsprintf'],
  ['int (char *, size_t, const char *, va_list)', 'vsnprintf'],
  ['int (const char *)', 'puts puts_unlocked'],
  ['int (int)', 'putchar putchar_unlocked abs toupper tolower toascii'],
  [
    'int (int)',
    'isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit',
  ],
  ['long (long)', 'labs'],
  ['long long (long long)', 'llabs imaxabs'],
  ['void *(size_t)', 'alloca'],
  ['void (const char *, ...)', '__CPROVER_fence'],
  // What glibc's fortified headers call.
  ['void *(void *, const void *, size_t, size_t)', '__memcpy_chk __memmove_chk __mempcpy_chk'],
  ['void *(void *, int, size_t, size_t)', '__memset_chk'],
  ['char *(char *, const char *, size_t)', '__strcpy_chk __strcat_chk __stpcpy_chk'],
  ['char *(char *, const char *, size_t, size_t)', '__strncpy_chk __strncat_chk __stpncpy_chk'],
  ['int (char *, int, size_t, const char *, ...)', '__sprintf_chk'],
  ['int (char *, int, size_t, const char *, va_list)', '__vsprintf_chk'],
  ['int (char *, size_t, int, size_t, const char *, ...)', '__snprintf_chk'],
  ['int (char *, size_t, int, size_t, const char *, va_list)', '__vsnprintf_chk'],
];

const unaryMath =
  'acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor lgamma log log10 log1p log2 ' +
  'logb nearbyint rint round roundeven sin sinh sqrt tan tanh tgamma trunc';
const binaryMath = 'atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder';

function mathGroups(): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  for (const [suffix, type] of [
    ['', 'double'],
    ['f', 'float'],
    ['l', 'long double'],
  ] as const) {
    const named = (names: string): string => names.replace(/\w+/g, (name) => `${name}${suffix}`);
    rows.push([`${type} (${type})`, named(unaryMath)]);
    rows.push([`${type} (${type}, ${type})`, named(binaryMath)]);
    rows.push([`${type} (${type}, int)`, named('ldexp')]);
    rows.push([`${type} (${type}, int *)`, named('frexp')]);
    rows.push([`${type} (${type}, ${type} *)`, named('modf')]);
    rows.push([`${type} (${type}, ${type}, ${type})`, named('fma')]);
    rows.push([`long (${type})`, named('lrint lround lceil lfloor')]);
    rows.push([`long long (${type})`, named('llrint llround llceil llfloor')]);
    rows.push([`int (${type})`, named('ilogb')]);
  }
  return rows;
}

const signatures: ReadonlyMap<string, string> = new Map(
  [...groups, ...mathGroups()].flatMap(([signature, names]) =>
    names.split(' ').map((name) => [name, signature] as const),
  ),
);

/** The prototype of a library function that compilers know, or null. */
export function libraryFunctionType(model: DataModel, name: string): FunctionType | null {
  const signature = signatures.get(name);
  return signature === undefined ? null : readSignature(signature, model);
}
