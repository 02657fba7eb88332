/**
 * KLEE, a symbolic executor of LLVM bitcode. Its row follows its manual; it has not been run here. A path whose
 * assumption is false ends quietly: `klee_assume` would report it as an error.
 */

import {
  type BackendSpelling,
  declareMemory,
  type NondetType,
  nondetTypeText,
  shortTypeName,
  standardControlType,
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';

const spelling: BackendSpelling = {
  name: 'klee',
  assume: '__lazuli_assume',
  assert: { name: '__lazuli_assert', takesMessage: true },
  nondet: (type) => `__lazuli_nondet_${shortTypeName(type)}`,
  controlType: standardControlType,
  objectSize: 'klee_get_obj_size',
  prologue: (used, model) => [
    `void klee_make_symbolic(void *memory, __SIZE_TYPE__ size, const char *name);`,
    'void klee_silent_exit(int status) __attribute__((noreturn));',
    ...(used.asksObjectSize ? ['__SIZE_TYPE__ klee_get_obj_size(void *memory);'] : []),
    'void __assert_fail(const char *text, const char *file, unsigned int line, const char *function)',
    '  __attribute__((noreturn));',
    '#define __lazuli_assume(condition) do { if (!(condition)) klee_silent_exit(0); } while (0)',
    '#define __lazuli_assert(condition, message) \\',
    '  do { if (!(condition)) __assert_fail(message, __FILE__, __LINE__, __func__); } while (0)',
    ...[...used.nondet].flatMap(defineNondet),
    ...declareMemory(used, model),
  ],
};

function defineNondet(type: NondetType): string[] {
  const text = nondetTypeText(type);
  return [
    `static inline ${text} ${spelling.nondet(type)}(void) {`,
    `  ${text} value;`,
    '  klee_make_symbolic(&value, sizeof value, "nondet");',
    '  return value;',
    '}',
  ];
}

export const klee: Backend = {
  name: 'klee',
  title: 'KLEE',
  spelling,
  verifier: {
    prepare: { command: 'clang', arguments: ['{model}', '-O0', '-g', '-c', '-emit-llvm', '{file}', '-o', '{output}'] },
    run: { command: 'klee', arguments: ['--exit-on-error-type=Assert', '{options}', '{output}'] },
    dataModels: { ILP32: ['-m32'], LP64: ['-m64'] },
    readAnswer: readByPatterns({
      title: 'KLEE',
      violation: /^KLEE: ERROR: .*ASSERTION FAIL: (?<description>.*)$/m,
      safe: /^KLEE: done: completed paths/m,
      // A run that was halted has not seen all paths, and one with another error has left that path.
      doubt: /^KLEE: (?:ERROR|HaltTimer|WARNING: .*(?:killing|cap exceeded))/m,
    }),
    readProgress: readNoProgress,
  },
};
