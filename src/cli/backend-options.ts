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
    help: 'how threads are simulated: as Lazy-CSeq 2.0 does, as in the paper of CAV 2014, or as UL-CSeq does',
    group: 'Bounds',
  },
  bitvectors: {
    kind: 'flag',
    help: 'declare integer variables in as few bits as they need; for cbmc with lazy2',
    group: 'Bounds',
  },
} as const satisfies OptionTable;

export function keepsLoops(schema: string): boolean {
  return SCHEMAS.some((each) => each.name === schema && each.keepsLoops);
}

/** What bounds rounds and loops, and so means nothing where these have no bounds. */
const ROUND_OPTIONS = {
  unwind: '--unwind',
  rounds: '--rounds',
  whileUnwind: '--while-unwind',
  forUnwind: '--for-unwind',
  unwindset: '--unwindset',
  closingMain: '--no-closing-main',
} as const;

/** What does not go with a schema; `meant` are the bounds that somebody has a use for all the same. */
export function findSchemaMisuse(
  schema: string,
  given: ReadonlySet<string>,
  meant: readonly (keyof typeof ROUND_OPTIONS)[] = [],
): string | null {
  if (!keepsLoops(schema)) return given.has('threadUnwind') ? '--thread-unwind goes with --schema ul only' : null;
  const needless = Object.entries(ROUND_OPTIONS).find(
    ([name]) => given.has(name) && !meant.some((option) => option === name),
  );
  if (needless === undefined) return null;
  return `${needless[1]} does not go with --schema ${schema}, which keeps loops; --thread-unwind is for those that create threads`;
}

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
