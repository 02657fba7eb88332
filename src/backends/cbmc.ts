/**
 * CBMC, the bounded model checker for C, in version 5.12: the backend that is really run in the tests. Control variables are
 * bit-vectors of the width they need; a compiler that does not know them takes whole integers.
 */

import { cbmcSpelling } from '../sequentialize/backend-spelling.ts';
import type { Backend } from './backend.ts';
import { readCbmcAnswer, readCbmcProgress } from './read-cbmc-output.ts';

export const cbmc: Backend = {
  name: 'cbmc',
  title: 'CBMC',
  spelling: cbmcSpelling,
  verifier: {
    prepare: null,
    run: {
      command: 'cbmc',
      arguments: ['--json-ui', '--stop-on-fail', '{model}', '{options}', '{file}'],
    },
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: ({ stdout, stderr }) => readCbmcAnswer(stdout.trim() === '' ? stderr : stdout),
    readProgress: readCbmcProgress,
  },
};
