/** The operations of terms (terms.ts). Their order is that of their codes. */

export const TERM_OPERATIONS = [
  'constant',
  'variable',
  'refine',
  'not',
  'and',
  'or',
  'xor',
  'add',
  'mul',
  'udiv',
  'urem',
  'sdiv',
  'srem',
  'shl',
  'lshr',
  'ashr',
  'eq',
  'ult',
  'slt',
  'ite',
  'zext',
  'sext',
  'extract',
  'concat',
  // Floating point (float-terms.ts): arithmetic, comparisons, and conversions to a float from a float or a signed
  // integer, and back.
  'fadd',
  'fmul',
  'fdiv',
  'feq',
  'flt',
  'fle',
  'ftof',
  'stof',
  'ftos',
] as const;
export type TermOperation = (typeof TERM_OPERATIONS)[number];
export type FloatOperation = Extract<TermOperation, `f${string}` | 'stof'>;
