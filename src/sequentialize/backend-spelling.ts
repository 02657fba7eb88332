/**
 * How a verifier spells what the emitted C leaves to it: assumptions, assertions, nondeterministic values, small
 * integers. One of these objects is all that sequentialization needs to know of a backend.
 */

import type { DataModel } from '../program/data-model.ts';
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
  /** The widths of signed variables that are declared narrower than in the source. */
  readonly signedBits: ReadonlySet<number>;
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
  /** The signed type of exactly so many bits, where `controlType` is exact too; otherwise there is none. */
  readonly signedType?: (bits: number) => string;
  /** The function that tells the size of the object that a pointer points into; null where there is none. */
  readonly objectSize: string | null;
  /** The program is compiled and run, so that it must come to an end. */
  readonly isRun?: true;
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
  if (bits <= 16) return 'unsigned short';
  return bits <= 32 ? 'unsigned int' : 'unsigned long long';
}
