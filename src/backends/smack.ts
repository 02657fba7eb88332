/** SMACK, which translates LLVM bitcode to Boogie. Its row follows its manual; it has not been run here. */

import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';
import { declareUsed, verifierSpelling } from './verifier-names.ts';

export const smack: Backend = {
  name: 'smack',
  title: 'SMACK',
  spelling: {
    ...verifierSpelling,
    name: 'smack',
    prologue: (used, model) => [
      'extern void __VERIFIER_assume(int condition);',
      'extern void __VERIFIER_assert(int condition);',
      ...declareUsed(verifierSpelling, used, model),
    ],
  },
  verifier: {
    prepare: null,
    run: {
      command: 'smack',
      arguments: ['--check', 'assertions', '--integer-encoding', 'bit-vector', '{model}', '{options}', '{file}'],
    },
    dataModels: { ILP32: ['--clang-options=-m32'], LP64: ['--clang-options=-m64'] },
    readAnswer: readByPatterns({
      title: 'SMACK',
      violation: /^SMACK found an error(?:: (?<description>.*?))?\.?$/m,
      safe: /^SMACK found no errors/m,
    }),
    readProgress: readNoProgress,
  },
};
