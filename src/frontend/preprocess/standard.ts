/**
 * What `-std` changes that programs can see: the version that the compiler claims, what `inline` means, and whether the
 * new words of C23 need a header. The language that is read is always the same, C11 with GNU extensions and what of C23
 * there is.
 */

import type { PreprocessOptions } from './options.ts';

const C23 = '202000L';
const VERSIONS: readonly (readonly [pattern: RegExp, version: string | null])[] = [
  [/^(c89|c90|gnu89|gnu90|ansi|iso9899:1990)$/, null],
  [/^iso9899:199409$/, '199409L'],
  [/^(c99|c9x|gnu99|gnu9x|iso9899:1999|iso9899:199x)$/, '199901L'],
  [/^(c11|c1x|gnu11|gnu1x|iso9899:2011)$/, '201112L'],
  [/^(c17|c18|gnu17|gnu18|iso9899:2017|iso9899:2018)$/, '201710L'],
  [/^(c23|c2x|gnu23|gnu2x|iso9899:2024)$/, C23],
];

/** Words that C23 has of itself, as the headers define them in other versions. */
const C23_WORDS: readonly string[] = [
  ...['bool _Bool', 'true 1', 'false 0', 'nullptr ((void *)0)', 'static_assert _Static_assert'],
  ...['thread_local _Thread_local', 'alignas _Alignas', 'alignof _Alignof', 'constexpr const', 'auto __auto_type'],
];

export function isKnownStandard(standard: string): boolean {
  return VERSIONS.some(([pattern]) => pattern.test(standard));
}

/** Directives that make the predefined macros those of the standard. */
export function standardText({ standard, gnuInline }: Pick<PreprocessOptions, 'standard' | 'gnuInline'>): string {
  const lines: string[] = [];
  const found = standard === undefined ? undefined : VERSIONS.find(([pattern]) => pattern.test(standard));
  if (found !== undefined) {
    lines.push('#undef __STDC_VERSION__');
    if (found[1] !== null) lines.push(`#define __STDC_VERSION__ ${found[1]}`);
    if (found[1] === C23) for (const word of C23_WORDS) lines.push(`#define ${word}`);
    if (!standard?.startsWith('gnu'))
      lines.push('#define __STRICT_ANSI__ 1', '#undef linux', '#undef unix', '#undef i386');
  }
  if (isGnuInline({ standard, gnuInline })) {
    lines.push('#undef __GNUC_STDC_INLINE__', '#define __GNUC_GNU_INLINE__ 1');
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Whether `inline` means what it meant in GNU C before C99. */
export function isGnuInline({ standard, gnuInline }: Pick<PreprocessOptions, 'standard' | 'gnuInline'>): boolean {
  if (gnuInline !== undefined) return gnuInline;
  return standard !== undefined && VERSIONS[0]?.[0].test(standard) === true;
}
