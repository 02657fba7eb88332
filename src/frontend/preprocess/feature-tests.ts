/**
 * What `__has_attribute`, `__has_builtin` and `#ifdef __has_include` answer. Only features that Lazuli gives a meaning
 * to, or may ignore without changing one, are claimed; headers then use them rather than their own fall-backs.
 */

import { atomicRow } from '../../program/atomics.ts';
import { hasBuiltin } from '../../program/builtins.ts';
import type { DefinedMacros } from './macro-table.ts';

const OPERATORS =
  '__has_include __has_include_next __has_attribute __has_c_attribute __has_cpp_attribute __has_builtin';

const ATTRIBUTES = `
  aligned always_inline cold const constructor deprecated destructor fallthrough format format_arg hot malloc may_alias
  noinline nonnull noreturn nothrow packed pure returns_nonnull returns_twice section transparent_union unused used
  visibility warn_unused_result weak alloc_size alloc_align assume_aligned gnu_inline artificial leaf sentinel mode
  no_sanitize no_sanitize_address no_sanitize_thread noclone tls_model cleanup vector_size access nodiscard maybe_unused`;

/** Those that the parser knows, and library functions; the others have rows in program/builtins.ts and atomics.ts. */
const BUILTINS = `
  __builtin_choose_expr __builtin_offsetof __builtin_types_compatible_p __builtin_va_arg __builtin_memcpy
  __builtin_memset __builtin_memmove __builtin_memcmp __builtin_strlen __builtin_strcmp __builtin_abs __builtin_labs
  __builtin_llabs __builtin_abort __builtin_exit`;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const FEATURES = { operator: words(OPERATORS), attribute: words(ATTRIBUTES), builtin: words(BUILTINS) };

/** `__name__` counts as `name` for attributes. */
export function hasFeature(kind: keyof typeof FEATURES, name: string): boolean {
  const plain = kind === 'attribute' ? name.replace(/^__(.+)__$/, '$1') : name;
  if (FEATURES[kind].has(plain)) return true;
  return kind === 'builtin' && (hasBuiltin(name) || atomicRow(name) !== null);
}

/** Whether `#ifdef name` holds: for macros, and for operators such as `__has_include`. */
export function isDefined(macros: DefinedMacros, name: string): boolean {
  return macros.has(name) || hasFeature('operator', name);
}
