/**
 * How a verifier spells what the emitted C leaves to it: assumptions, assertions, nondeterministic values, small integers. One of these
 * objects is all that sequentialization needs to know of a backend.
 */

import type { DataModel } from '../program/data-model.ts';
import { integerWidth, isSignedName } from '../program/integer-range.ts';
import type { FloatName, IntegerName } from '../program/types.ts';

/** The type of a nondeterministic value. */
export type NondetType = IntegerName | FloatName | 'pointer';

/** What the emitted program uses, so that only that is declared. */
export interface UsedIntrinsics {
  readonly nondet: ReadonlySet<NondetType>;
  readonly allocates: boolean;
  readonly frees: boolean;
  readonly fills: boolean;
  readonly asksObjectSize: boolean;
  /** The widths of control variables. */
  readonly controlBits: ReadonlySet<number>;
}

export interface BackendSpelling {
  readonly name: string;
  /** The function that takes the condition. */
  readonly assume: string;
  /** The function that takes the condition and, if it wants one, a message. */
  readonly assert: { readonly name: string; readonly takesMessage: boolean };
  /** The function without parameters that gives any value of the type. */
  readonly nondet: (type: NondetType) => string;
  /** An unsigned integer type that holds `bits` bits, for control variables. */
  readonly controlType: (bits: number) => string;
  /** The function that tells the size of the object that a pointer points into; null where there is none. */
  readonly objectSize: string | null;
  /** The lines at the top of the file: declarations of what is used. */
  readonly prologue: (used: UsedIntrinsics, model: DataModel) => readonly string[];
}

/** The name of a type in SV-COMP's fashion: `uint`, `uchar`, `longlong`. */
export function shortTypeName(type: NondetType): string {
  switch (type) {
    case '_Bool':
      return 'bool';
    case 'signed char':
      return 'schar';
    case 'long double':
      return 'longdouble';
    case '__int128':
      return 'int128';
    case 'unsigned __int128':
      return 'uint128';
    default:
      return type.startsWith('unsigned ') ? `u${type.slice(9).replace(/ /g, '')}` : type.replace(/ /g, '');
  }
}

/** The C type of a nondeterministic value. */
export function nondetTypeText(type: NondetType): string {
  return type === 'pointer' ? 'void *' : type;
}

/** Declarations of the nondeterministic functions, one a line. */
export function declareNondet(spelling: BackendSpelling, used: UsedIntrinsics): string[] {
  return [...used.nondet].map((type) => {
    const text = nondetTypeText(type);
    return `${text}${text.endsWith('*') ? '' : ' '}${spelling.nondet(type)}(void);`;
  });
}

function sizeName(model: DataModel): string {
  return model === 'ILP32' ? 'unsigned int' : 'unsigned long';
}

/** Declarations of the memory functions that the emitted program uses. */
export function declareMemory(used: UsedIntrinsics, model: DataModel): string[] {
  const size = sizeName(model);
  return [
    ...(used.allocates ? [`void *malloc(${size} size);`, `void *calloc(${size} count, ${size} size);`] : []),
    ...(used.frees ? ['void free(void *memory);'] : []),
    ...(used.fills ? [`void *memset(void *memory, int value, ${size} size);`] : []),
  ];
}

/** The smallest standard type with so many bits. */
export function standardControlType(bits: number): string {
  if (bits <= 8) return 'unsigned char';
  return bits <= 16 ? 'unsigned short' : 'unsigned int';
}

export const cbmcSpelling: BackendSpelling = {
  name: 'cbmc',
  assume: '__CPROVER_assume',
  assert: { name: '__CPROVER_assert', takesMessage: true },
  nondet: (type) => `nondet_${shortTypeName(type)}`,
  controlType: (bits) => `__lazuli_bits_${bits}`,
  objectSize: '__CPROVER_OBJECT_SIZE',
  prologue: (used, model) => [
    ...[...used.controlBits].sort((a, b) => a - b).flatMap(declareBits),
    ...declareNondet(cbmcSpelling, used),
    ...declareMemory(used, model),
  ],
};

/** CBMC's own type of so many bits; a compiler that only checks the file takes a standard one. */
function declareBits(bits: number): string[] {
  return [
    '#ifdef __CPROVER__',
    `typedef unsigned __CPROVER_bitvector[${bits}] __lazuli_bits_${bits};`,
    '#else',
    `typedef ${standardControlType(bits)} __lazuli_bits_${bits};`,
    '#endif',
  ];
}

/** For gcc: nondeterministic values are read as numbers from the standard input, zeros after its end. */
export const gccSpelling: BackendSpelling = {
  name: 'gcc',
  assume: '__lazuli_assume',
  assert: { name: '__lazuli_assert', takesMessage: true },
  nondet: (type) => `__lazuli_nondet_${shortTypeName(type)}`,
  controlType: standardControlType,
  objectSize: null,
  prologue: (used, model) => [
    'int printf(const char *format, ...);',
    'int scanf(const char *format, ...);',
    'void exit(int status);',
    ...declareMemory(used, model),
    'static inline void __lazuli_assume(int condition) {',
    '  if (!condition) exit(0);',
    '}',
    'static inline void __lazuli_assert(int condition, const char *message) {',
    '  if (condition) return;',
    '  printf("violated: %s\\n", message);',
    '  exit(10);',
    '}',
    ...[...used.nondet].flatMap((type) => readNative(type, model)),
  ],
};

function readNative(type: NondetType, model: DataModel): string[] {
  const name = gccSpelling.nondet(type);
  const text = nondetTypeText(type);
  const isFloat = type !== 'pointer' && !isIntegerName(type);
  const wide = isFloat ? 'double' : 'long long';
  const narrow = type === 'pointer' ? '(void *)(__INTPTR_TYPE__)' : `(${text})`;
  const note =
    isFloat || type === 'pointer'
      ? ''
      : ` /* ${isSignedName(type) ? 'signed' : 'unsigned'}, ${integerWidth(type, model)} bits */`;
  return [
    `static inline ${text} ${name}(void) {${note}`,
    `  ${wide} value = 0;`,
    `  if (scanf("${isFloat ? '%lf' : '%lld'}", &value) != 1) value = 0;`,
    `  return ${narrow}value;`,
    '}',
  ];
}

function isIntegerName(type: NondetType): type is IntegerName {
  return type === '_Bool' || /char|short|int|long$/.test(type);
}
