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
} from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readCbmcAnswer, readCbmcProgress } from './read-cbmc-output.ts';
import { diedTelling, readCbmcText } from './read-cbmc-text.ts';

const spelling: BackendSpelling = {
  name: 'cbmc',
  assume: '__CPROVER_assume',
  assert: { name: '__CPROVER_assert', takesMessage: true },
  nondet: (type) => `nondet_${shortTypeName(type)}`,
  controlType: (bits) => `__lazuli_bits_${bits}`,
  signedType: (bits) => `__lazuli_signed_${bits}`,
  objectSize: '__CPROVER_OBJECT_SIZE',
  prologue: (used, model) => [
    ...[...used.controlBits].sort((a, b) => a - b).flatMap(declareBits),
    ...[...used.signedBits].sort((a, b) => a - b).flatMap(declareSignedBits),
    ...declareNondet(spelling, used),
    ...declareMemory(used, model),
  ],
};

/** CBMC's own type of so many bits; a compiler that only checks the file takes a standard one. */
function declareBits(bits: number): string[] {
  return declareType(spelling.controlType(bits), `unsigned __CPROVER_bitvector[${bits}]`, standardControlType(bits));
}

function declareSignedBits(bits: number): string[] {
  const standard = bits <= 32 ? 'int' : 'long long';
  return declareType(`__lazuli_signed_${bits}`, `__CPROVER_bitvector[${bits}]`, standard);
}

function declareType(name: string, own: string, standard: string): string[] {
  return ['#ifdef __CPROVER__', `typedef ${own} ${name};`, '#else', `typedef ${standard} ${name};`, '#endif'];
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
    tellsSteps: true,
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: readCbmcAnswer,
    readProgress: readCbmcProgress,
  },
};
