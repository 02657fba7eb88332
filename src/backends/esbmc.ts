/** ESBMC, a bounded model checker on SMT solvers. Its row follows its manual; it has not been run here. */

import { declareMemory, declareNondet, shortTypeName, standardControlType } from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readEsbmcAnswer, readEsbmcProgress } from './read-esbmc-output.ts';

export const esbmc: Backend = {
  name: 'esbmc',
  title: 'ESBMC',
  spelling: {
    name: 'esbmc',
    assume: '__ESBMC_assume',
    assert: { name: '__ESBMC_assert', takesMessage: true },
    nondet: (type) => `nondet_${shortTypeName(type)}`,
    controlType: standardControlType,
    objectSize: '__ESBMC_get_object_size',
    prologue: (used, model) => [...declareNondet(esbmc.spelling, used), ...declareMemory(used, model)],
  },
  verifier: {
    prepare: null,
    run: {
      command: 'esbmc',
      // Only our assertions count: what the program itself does wrong is checked by assertions of their own.
      arguments: [
        '--no-bounds-check',
        '--no-pointer-check',
        '--no-div-by-zero-check',
        '--no-unwinding-assertions',
        '{model}',
        '{options}',
        '{file}',
      ],
    },
    tellsSteps: true,
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: readEsbmcAnswer,
    readProgress: readEsbmcProgress,
  },
};
