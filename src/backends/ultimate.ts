/** Ultimate Automizer, which proves by automata. Its row follows its manual; it has not been run here. */

import type { Backend } from './backend.ts';
import { readByPatterns, readNoProgress } from './read-by-patterns.ts';
import { verifierSpelling } from './verifier-names.ts';

export const ultimate: Backend = {
  name: 'ultimate',
  title: 'Ultimate',
  spelling: { ...verifierSpelling, name: 'ultimate' },
  verifier: {
    prepare: null,
    run: {
      command: 'Ultimate.py',
      arguments: ['--spec', 'unreach-call.prp', '--architecture', '{model}', '{options}', '--file', '{file}'],
    },
    files: { 'unreach-call.prp': 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n' },
    dataModels: { ILP32: ['32bit'], LP64: ['64bit'] },
    readAnswer: readByPatterns({
      title: 'Ultimate',
      violation: /^(?:FALSE\b.*|.*RESULT: Ultimate proved your program to be incorrect!.*)$/m,
      safe: /^(?:TRUE\b.*|.*RESULT: Ultimate proved your program to be correct!.*)$/m,
    }),
    readProgress: readNoProgress,
  },
};
