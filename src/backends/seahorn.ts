/**
 * SeaHorn, which proves LLVM bitcode by constrained Horn clauses. Its row follows its manual; it has not been run here.
 */

import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';
import { declareUsed, verifierNondet, verifierSpelling } from './verifier-names.ts';

export const seahorn: Backend = {
  name: 'seahorn',
  title: 'SeaHorn',
  spelling: {
    ...verifierSpelling,
    name: 'seahorn',
    nondet: verifierNondet,
    prologue: (used, model) => [
      'extern void __VERIFIER_error(void) __attribute__((noreturn));',
      'extern void __VERIFIER_assume(int condition);',
      '#define __VERIFIER_assert(condition) do { if (!(condition)) __VERIFIER_error(); } while (0)',
      ...declareUsed(verifierSpelling, used, model),
    ],
  },
  verifier: {
    prepare: null,
    // `bpf` unwinds and answers by bounded model checking: the program has no loops but those of the driver.
    run: { command: 'sea', arguments: ['bpf', '{model}', '{options}', '{file}'] },
    dataModels: { ILP32: ['-m32'], LP64: ['-m64'] },
    readAnswer: readByPatterns({
      title: 'SeaHorn',
      violation: /^(?:sat|BRUNCH_STAT Result FALSE)$/m,
      safe: /^(?:unsat|BRUNCH_STAT Result TRUE)$/m,
    }),
    readProgress: readNoProgress,
  },
};
