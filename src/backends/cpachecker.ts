/** CPAchecker, a framework of program analyses. Its row follows its manual; it has not been run here. */

import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';
import { verifierSpelling } from './verifier-names.ts';

export const cpachecker: Backend = {
  name: 'cpachecker',
  title: 'CPAchecker',
  spelling: { ...verifierSpelling, name: 'cpachecker' },
  verifier: {
    prepare: null,
    run: {
      command: 'cpachecker',
      arguments: ['--default', '--spec', 'unreach-call', '{model}', '{options}', '{file}'],
    },
    dataModels: { ILP32: ['--32'], LP64: ['--64'] },
    readAnswer: readByPatterns({
      title: 'CPAchecker',
      violation: /^Verification result: FALSE\. Property violation \((?<description>[^)]*)\)/m,
      safe: /^Verification result: TRUE\./m,
    }),
    readProgress: readNoProgress,
  },
};
