/**
 * Frama-C and its value analysis Eva (version 25). Eva proves or leaves open; it never finds a violation. A run also
 * gives intervals for all variables: read-frama-c-ranges.ts reads them from the same output.
 *
 * An assumption that is false ends the path by a function that never returns. An assertion is the precondition of a
 * function, so that Eva counts it in its summary.
 */

import {
  type BackendSpelling,
  declareMemory,
  nondetTypeText,
  shortTypeName,
  standardControlType,
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readNoProgress } from './read-by-patterns.ts';
import { readFramaCAnswer } from './read-frama-c-answer.ts';

const spelling: BackendSpelling = {
  name: 'frama-c',
  assume: '__lazuli_assume',
  assert: { name: '__lazuli_assert', takesMessage: false },
  nondet: (type) => `__lazuli_nondet_${shortTypeName(type)}`,
  controlType: standardControlType,
  objectSize: null,
  prologue: (used, model) => [
    '/*@ assigns \\nothing; ensures \\false; */',
    'void __lazuli_stop(void);',
    '/*@ requires condition != 0; assigns \\nothing; */',
    'void __lazuli_assert(int condition);',
    '#define __lazuli_assume(condition) do { if (!(condition)) __lazuli_stop(); } while (0)',
    ...[...used.nondet].flatMap((type) => [
      '/*@ assigns \\result \\from \\nothing; */',
      `${nondetTypeText(type)} ${spelling.nondet(type)}(void);`,
    ]),
    ...declareMemory(used, model),
  ],
};

export const framaC: Backend = {
  name: 'frama-c',
  title: 'Frama-C',
  spelling,
  verifier: {
    prepare: null,
    run: {
      command: 'frama-c',
      arguments: ['-eva', '-eva-no-show-progress', '{model}', '{options}', '{file}'],
    },
    dataModels: { ILP32: ['-machdep', 'gcc_x86_32'], LP64: ['-machdep', 'gcc_x86_64'] },
    readAnswer: readFramaCAnswer,
    readProgress: readNoProgress,
  },
};
