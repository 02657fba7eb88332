/**
 * What `__has_attribute`, `__has_builtin` and `#ifdef __has_include` answer. Only features that Lazuli gives a meaning
 * to, or may ignore without changing one, are claimed; headers then use them rather than their own fall-backs.
 */

const OPERATORS =
  '__has_include __has_include_next __has_attribute __has_c_attribute __has_cpp_attribute __has_builtin';

const ATTRIBUTES = `
  aligned always_inline cold const constructor deprecated destructor fallthrough format format_arg hot malloc may_alias
  noinline nonnull noreturn nothrow packed pure returns_nonnull returns_twice section transparent_union unused used
  visibility warn_unused_result weak alloc_size alloc_align assume_aligned gnu_inline artificial leaf sentinel mode
  no_sanitize no_sanitize_address no_sanitize_thread noclone tls_model cleanup vector_size access nodiscard maybe_unused`;

const BUILTINS = `
  __builtin_expect __builtin_unreachable __builtin_trap __builtin_constant_p __builtin_choose_expr __builtin_offsetof
  __builtin_types_compatible_p __builtin_va_start __builtin_va_end __builtin_va_arg __builtin_va_copy __builtin_alloca
  __builtin_memcpy __builtin_memset __builtin_memmove __builtin_memcmp __builtin_strlen __builtin_strcmp __builtin_abs
  __builtin_labs __builtin_llabs __builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll
  __builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_ffs __builtin_ffsl __builtin_ffsll __builtin_parity
  __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_add_overflow __builtin_sub_overflow
  __builtin_mul_overflow __builtin_abort __builtin_exit __builtin_prefetch __builtin_huge_val __builtin_inf
  __builtin_nan __builtin_object_size __sync_synchronize __sync_fetch_and_add __sync_fetch_and_sub
  __sync_bool_compare_and_swap __sync_val_compare_and_swap __sync_lock_test_and_set __sync_lock_release
  __atomic_load_n __atomic_store_n __atomic_exchange_n __atomic_compare_exchange_n __atomic_fetch_add __atomic_fetch_sub
  __atomic_fetch_and __atomic_fetch_or __atomic_fetch_xor __atomic_thread_fence __atomic_signal_fence`;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const FEATURES = { operator: words(OPERATORS), attribute: words(ATTRIBUTES), builtin: words(BUILTINS) };

/** `__name__` counts as `name` for attributes. */
export function hasFeature(kind: keyof typeof FEATURES, name: string): boolean {
  const plain = kind === 'attribute' ? name.replace(/^__(.+)__$/, '$1') : name;
  return FEATURES[kind].has(plain);
}

/** Whether `#ifdef name` holds: for macros, and for operators such as `__has_include`. */
export function isDefined(macros: ReadonlyMap<string, unknown>, name: string): boolean {
  return macros.has(name) || hasFeature('operator', name);
}
