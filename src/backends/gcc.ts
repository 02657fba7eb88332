/**
 * gcc, no verifier: the sequential program as one that runs. Its nondeterministic values are the numbers in a text
 * file, one after the other: the file that the first argument names, or else the variable LAZULI_INPUT of the
 * environment, or else the standard input. After the last number come zeros. With the values of a counterexample it
 * ends in the assertion that they break: on a real machine, without any verifier.
 *
 * Exit codes: 10 for an assertion that fails, 1 for values that an assumption forbids, 2 for a file that cannot be
 * read, 0 for an ordinary end. The names of the C library are declared by hand, because its headers may disagree with
 * the program's own declarations. The arguments are seen by a constructor, to which the C libraries of GNU and Apple
 * hand them: main has none.
 */

import {
  type BackendSpelling,
  declareMemory,
  type NondetType,
  nondetTypeText,
  shortTypeName,
  standardControlType,
  type UsedIntrinsics,
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';

const spelling: BackendSpelling = {
  name: 'gcc',
  assume: '__lazuli_assume',
  assert: { name: '__lazuli_assert', takesMessage: true },
  nondet: (type) => `__lazuli_nondet_${shortTypeName(type)}`,
  controlType: standardControlType,
  objectSize: 'malloc_usable_size',
  isRun: true,
  prologue: (used, model) => [
    ...declareMemory(used, model),
    ...(used.asksObjectSize ? ['__SIZE_TYPE__ malloc_usable_size(void *memory);'] : []),
    ...RUNTIME,
    ...defineNondets(used),
  ],
};

const RUNTIME: readonly string[] = [
  '/* Where the values come from: the file that the first argument names, or LAZULI_INPUT, or the standard input. */',
  'static int __lazuli_input = 0;',
  '__attribute__((constructor)) static void __lazuli_open(int count, char **arguments) {',
  '  extern char *getenv(const char *name);',
  '  extern int open(const char *path, int flags, ...);',
  '  extern long write(int file, const void *memory, __SIZE_TYPE__ size);',
  '  extern void _exit(int status) __attribute__((noreturn));',
  '  const char *name = count > 1 ? arguments[1] : getenv("LAZULI_INPUT");',
  '  if (name == 0) return;',
  '  __lazuli_input = open(name, 0);',
  '  if (__lazuli_input >= 0) return;',
  '  write(2, "cannot read ", 12);',
  '  write(2, name, __builtin_strlen(name));',
  '  write(2, "\\n", 1);',
  '  _exit(2);',
  '}',
  '/* The next number; zero after the last. */',
  'static const char *__lazuli_next(void) {',
  '  extern long read(int file, void *memory, __SIZE_TYPE__ size);',
  '  static char word[64];',
  '  unsigned int length = 0;',
  '  for (char c; read(__lazuli_input, &c, 1) == 1;) {',
  '    if (c > 32 && length < sizeof word - 1) word[length++] = c;',
  '    if (c <= 32 && length > 0) break;',
  '  }',
  '  word[length] = 0;',
  '  return length > 0 ? word : "0";',
  '}',
  'static inline void __lazuli_assume(int condition) {',
  '  extern void _exit(int status) __attribute__((noreturn));',
  '  if (!condition) _exit(1);',
  '}',
  'static inline void __lazuli_assert(int condition, const char *message) {',
  '  extern long write(int file, const void *memory, __SIZE_TYPE__ size);',
  '  extern void _exit(int status) __attribute__((noreturn));',
  '  if (condition) return;',
  '  write(2, "violated: ", 10);',
  '  write(2, message, __builtin_strlen(message));',
  '  write(2, "\\n", 1);',
  '  _exit(10);',
  '}',
];

function defineNondets(used: UsedIntrinsics): string[] {
  return [...used.nondet].flatMap((type) => [
    `static inline ${nondetTypeText(type)} ${spelling.nondet(type)}(void) {`,
    `  extern ${convertFunction(type)};`,
    `  return ${convert(type)};`,
    '}',
  ]);
}

function isFloat(type: NondetType): boolean {
  return /float|double/.test(type);
}

function convertFunction(type: NondetType): string {
  if (isFloat(type)) return 'double strtod(const char *text, char **end)';
  return /^unsigned|pointer/.test(type)
    ? 'unsigned long long strtoull(const char *text, char **end, int base)'
    : 'long long strtoll(const char *text, char **end, int base)';
}

function convert(type: NondetType): string {
  if (isFloat(type)) return 'strtod(__lazuli_next(), 0)';
  if (type === 'pointer') return '(void *)(__UINTPTR_TYPE__)strtoull(__lazuli_next(), 0, 0)';
  return `(${type})${/^unsigned/.test(type) ? 'strtoull' : 'strtoll'}(__lazuli_next(), 0, 0)`;
}

export const gcc: Backend = {
  name: 'gcc',
  title: 'gcc',
  spelling,
  verifier: null,
};
