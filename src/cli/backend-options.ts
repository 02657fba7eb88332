// The options of the C-to-C road. They stand apart from what they ask for, so that a check by the embedded engines need
// not load it.

import { BACKENDS } from '../backends/backends.ts';
import { SCHEMAS } from '../sequentialize/schemas.ts';
import type { OptionTable } from './options.ts';

export const schemaOptions = {
  schema: {
    kind: 'choice',
    choices: SCHEMAS.map(({ name }) => name),
    default: 'lazy2',
    help: 'how threads are simulated: as Lazy-CSeq 2.0 does, or as in the paper of CAV 2014',
    group: 'Bounds',
  },
  bitvectors: {
    kind: 'flag',
    help: 'declare integer variables in as few bits as they need; for cbmc with lazy2',
    group: 'Bounds',
  },
} as const satisfies OptionTable;

const group = 'Backend';

export const backendOptions = {
  backend: {
    kind: 'choice',
    choices: BACKENDS.flatMap(({ name, verifier }) => (verifier === null ? [] : [name])),
    help: 'leave the check to this verifier, which must be installed',
    group,
  },
  backendPath: {
    kind: 'text',
    value: 'FILE',
    help: 'the executable of the backend, if not the one on the PATH',
    group,
  },
  backendOptions: { kind: 'text', value: 'OPTIONS', repeated: true, help: 'give these options to the backend', group },
  nativeInput: {
    kind: 'text',
    value: 'FILE',
    help: "write the values of a counterexample to FILE, for the program of 'sequentialize --backend gcc'",
    group,
  },
} as const satisfies OptionTable;
