/**
 * The compiler's builtins, `__builtin_*`: what each means, and its type where that is fixed. The type checker, lowering
 * and the C-to-C simplification dispatch on the meaning, so that a new one makes the compiler list the places. A
 * builtin with a meaning is claimed by `__has_builtin`. Atomic ones are in atomics.ts; `__builtin_f` for a library
 * function f is a call of f and has no row.
 */

export type BuiltinMeaning =
  /** The value of the first argument; the others are hints. */
  | 'first-argument'
  | 'nothing'
  | ('full-fence' | 'load-fence' | 'store-fence')
  | ('unreachable' | 'trap' | 'object-size' | 'alloca')
  | ('byte-swap' | 'count-ones' | 'parity' | 'leading-zeros' | 'trailing-zeros' | 'first-one')
  | ('infinity' | 'nan')
  | GenericMeaning
  /** Typed, so that headers which mention it can be read; refused where it is reached. */
  | 'refused';

/** What the arguments decide the type of: the type checker has a rule for each. */
export type GenericMeaning =
  | 'constant-p'
  | ('va-start' | 'va-end' | 'va-copy')
  | ('add-overflow' | 'sub-overflow' | 'mul-overflow')
  | FloatPredicate
  /** Refused where they are reached, too. */
  | ('overflow-predicate' | 'caller-arguments');

export type FloatPredicate =
  | ('isnan' | 'isinf' | 'isinf-sign' | 'isfinite' | 'isnormal' | 'signbit' | 'fpclassify')
  | ('isgreater' | 'isgreaterequal' | 'isless' | 'islessequal' | 'islessgreater' | 'isunordered');

export type BuiltinRow =
  | { readonly meaning: BuiltinMeaning; readonly signature: string }
  /** The arguments decide. */
  | { readonly meaning: GenericMeaning; readonly signature: null };

type Table = readonly (
  | readonly [meaning: BuiltinMeaning, names: string, signature: string]
  | readonly [meaning: GenericMeaning, names: string]
)[];

const TABLE: Table = [
  ['first-argument', 'expect', 'long (long, long)'],
  ['first-argument', 'expect_with_probability', 'long (long, long, double)'],
  ['first-argument', 'assume_aligned', 'void *(const void *, size_t, ...)'],
  ['nothing', 'prefetch', 'void (const void *, ...)'],
  ['nothing', 'ia32_pause', 'void (void)'],
  ['full-fence', 'ia32_mfence', 'void (void)'],
  ['load-fence', 'ia32_lfence', 'void (void)'],
  ['store-fence', 'ia32_sfence', 'void (void)'],
  ['unreachable', 'unreachable', 'void (void)'],
  ['trap', 'trap', 'void (void)'],
  ['constant-p', 'constant_p'],
  ['object-size', 'object_size dynamic_object_size', 'size_t (const void *, int)'],
  ['alloca', 'alloca', 'void *(size_t)'],
  ['alloca', 'alloca_with_align', 'void *(size_t, size_t)'],
  ['va-start', 'va_start'],
  ['va-end', 'va_end'],
  ['va-copy', 'va_copy'],
  ...(['add', 'sub', 'mul'] as const).flatMap((operation) => overflowRows(operation)),
  ['byte-swap', 'bswap16', 'unsigned short (unsigned short)'],
  ['byte-swap', 'bswap32', 'unsigned int (unsigned int)'],
  ['byte-swap', 'bswap64', 'unsigned long long (unsigned long long)'],
  ...bitRows('count-ones', 'popcount', 'unsigned '),
  ...bitRows('parity', 'parity', 'unsigned '),
  ...bitRows('leading-zeros', 'clz', 'unsigned '),
  ...bitRows('trailing-zeros', 'ctz', 'unsigned '),
  ...bitRows('first-one', 'ffs', ''),
  ...bitRows('refused', 'clrsb', ''),
  ...floatRows('infinity', 'inf', '(void)'),
  ...floatRows('infinity', 'huge_val', '(void)'),
  ...floatRows('nan', 'nan', '(const char *)'),
  ...floatRows('refused', 'nans', '(const char *)'),
  ['isnan', 'isnan'],
  ['isinf', 'isinf'],
  ['isinf-sign', 'isinf_sign'],
  ['isfinite', 'isfinite finite'],
  ['isnormal', 'isnormal'],
  ['signbit', 'signbit signbitf signbitl'],
  ['fpclassify', 'fpclassify'],
  ['isgreater', 'isgreater'],
  ['isgreaterequal', 'isgreaterequal'],
  ['isless', 'isless'],
  ['islessequal', 'islessequal'],
  ['islessgreater', 'islessgreater'],
  ['isunordered', 'isunordered'],
  ['caller-arguments', 'va_arg_pack va_arg_pack_len'],
  ['refused', 'frame_address return_address', 'void *(unsigned int)'],
  ['refused', 'extract_return_addr frob_return_addr', 'void *(void *)'],
  ['refused', 'classify_type', 'int (...)'],
];

/** The generic form, the predicate, and those of one type each. */
function overflowRows(operation: 'add' | 'sub' | 'mul'): Table {
  const meaning = `${operation}-overflow` as const;
  const typed = ['int', 'long', 'long long'].flatMap((type, i): Table => {
    const name = `${operation}${'l'.repeat(i)}_overflow`;
    return ['', 'unsigned '].map((sign) => {
      const full = `${sign}${type}`;
      return [meaning, `${sign === '' ? 's' : 'u'}${name}`, `_Bool (${full}, ${full}, ${full} *)`] as const;
    });
  });
  return [[meaning, `${operation}_overflow`], ['overflow-predicate', `${operation}_overflow_p`], ...typed];
}

function bitRows(meaning: BuiltinMeaning, name: string, sign: 'unsigned ' | ''): Table {
  return ['int', 'long', 'long long'].map((type, i) => [meaning, name + 'l'.repeat(i), `int (${sign}${type})`]);
}

function floatRows(meaning: BuiltinMeaning, name: string, parameters: string): Table {
  const types = { '': 'double', f: 'float', l: 'long double', f128: '_Float128' };
  return Object.entries(types).map(([suffix, type]) => [meaning, name + suffix, `${type} ${parameters}`]);
}

const ROWS: ReadonlyMap<string, BuiltinRow> = new Map(
  TABLE.flatMap((row) => {
    const made: BuiltinRow =
      row.length === 3 ? { meaning: row[0], signature: row[2] } : { meaning: row[0], signature: null };
    return row[1].split(' ').map((name) => [`__builtin_${name}`, made] as const);
  }),
);

export function builtinRow(name: string): BuiltinRow | null {
  return ROWS.get(name) ?? null;
}

export function builtinMeaning(name: string): BuiltinMeaning | null {
  return ROWS.get(name)?.meaning ?? null;
}

const REFUSED: ReadonlySet<BuiltinMeaning> = new Set(['refused', 'overflow-predicate', 'caller-arguments']);

/** What `__has_builtin` says of it. */
export function hasBuiltin(name: string): boolean {
  const meaning = builtinMeaning(name);
  return meaning !== null && !REFUSED.has(meaning);
}
