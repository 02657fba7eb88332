/** LLBMC, a bounded model checker for LLVM bitcode. Its row follows its manual; it has not been run here. */

import {
  type BackendSpelling,
  declareMemory,
  declareNondet,
  type NondetType,
  standardControlType,
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';

const spelling: BackendSpelling = {
  name: 'llbmc',
  assume: '__llbmc_assume',
  assert: { name: '__llbmc_assert', takesMessage: false },
  nondet: nondetName,
  controlType: standardControlType,
  objectSize: null,
  prologue: (used, model) => [
    'void __llbmc_assume(int condition);',
    'void __llbmc_assert(int condition);',
    ...declareNondet(spelling, used),
    ...declareMemory(used, model),
  ],
};

/** `__llbmc_nondef_unsigned_int`. */
function nondetName(type: NondetType): string {
  return `__llbmc_nondef_${type === '_Bool' ? 'bool' : type.replaceAll(' ', '_')}`;
}

export const llbmc: Backend = {
  name: 'llbmc',
  title: 'LLBMC',
  spelling,
  verifier: {
    prepare: { command: 'clang', arguments: ['{model}', '-O0', '-g', '-c', '-emit-llvm', '{file}', '-o', '{output}'] },
    run: { command: 'llbmc', arguments: ['{options}', '{output}'] },
    dataModels: { ILP32: ['-m32'], LP64: ['-m64'] },
    readAnswer: readByPatterns({ title: 'LLBMC', violation: /^Error detected\./m, safe: /^No error detected\./m }),
    readProgress: readNoProgress,
  },
};
