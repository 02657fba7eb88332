/**
 * CBMC, the bounded model checker for C, in version 5.12: the backend that is really run in the tests. Control
 * variables are bit-vectors of the width they need, on request those of the program too; a compiler that does not know
 * them takes whole integers.
 */

import {
  type BackendSpelling,
  declareMemory,
  declareNondet,
  shortTypeName,
  standardControlType,
  type UsedIntrinsics,
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readCbmcAnswer, readCbmcProgress } from './read-cbmc-output.ts';
import { diedTelling, readCbmcProperties, readCbmcText } from './read-cbmc-text.ts';

const spelling: BackendSpelling = {
  name: 'cbmc',
  assume: '__CPROVER_assume',
  assert: { name: '__CPROVER_assert', takesMessage: true },
  nondet: (type) => `nondet_${shortTypeName(type)}`,
  controlType: (bits) => `__lazuli_bits_${bits}`,
  signedType: (bits) => `__lazuli_signed_${bits}`,
  objectSize: '__CPROVER_OBJECT_SIZE',
  prologue: (used, model) => [...declareBits(used), ...declareNondet(spelling, used), ...declareMemory(used, model)],
};

/** CBMC's own types of so many bits; a compiler that only checks the file takes standard ones. */
function declareBits({ controlBits, signedBits }: UsedIntrinsics): string[] {
  const inOrder = (widths: ReadonlySet<number>) => [...widths].sort((a, b) => a - b);
  const own = [
    ...inOrder(controlBits).map((bits) => `typedef unsigned __CPROVER_bitvector[${bits}] __lazuli_bits_${bits};`),
    ...inOrder(signedBits).map((bits) => `typedef __CPROVER_bitvector[${bits}] __lazuli_signed_${bits};`),
  ];
  const standard = [
    ...inOrder(controlBits).map((bits) => `typedef ${standardControlType(bits)} __lazuli_bits_${bits};`),
    ...inOrder(signedBits).map((bits) => `typedef ${bits <= 32 ? 'int' : 'long long'} __lazuli_signed_${bits};`),
  ];
  return own.length === 0 ? [] : ['#ifdef __CPROVER__', ...own, '#else', ...standard, '#endif'];
}

export const cbmc: Backend = {
  name: 'cbmc',
  title: 'CBMC',
  spelling,
  verifier: {
    prepare: null,
    run: {
      command: 'cbmc',
      arguments: ['--json-ui', '--stop-on-fail', '{model}', '{options}', '{file}'],
    },
    afterCrash: {
      isOfUse: diedTelling,
      run: {
        command: 'cbmc',
        arguments: ['--stop-on-fail', '--trace-show-function-calls', '{model}', '{options}', '{file}'],
      },
      readAnswer: readCbmcText,
    },
    // As text: as JSON, every failure comes with a trace.
    all: { run: { command: 'cbmc', arguments: ['{model}', '{options}', '{file}'] }, readAnswer: readCbmcProperties },
    tellsSteps: true,
    // A loop that ends after N iterations takes one unwinding more.
    unwinding: ({ unwind, rounds }) => ['--unwind', `${unwind + 1}`, '--unwindset', `main.0:${rounds}`],
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: readCbmcAnswer,
    readProgress: readCbmcProgress,
  },
};
