/**
 * The spelling of SV-COMP (`__VERIFIER_nondet_uint`, …), which many verifiers share, and parts of it that rows are made
 * from.
 */

import type { DataModel } from '../program/data-model.ts';
import {
  type BackendSpelling,
  declareMemory,
  declareNondet,
  type NondetType,
  shortTypeName,
  standardControlType,
  type UsedIntrinsics,
} from '../sequentialize/backend-spelling.ts';

/** `__VERIFIER_nondet_uint`; SV-COMP says `pchar` for pointers and `char` for both signed kinds. */
export function verifierNondet(type: NondetType): string {
  if (type === 'pointer') return '__VERIFIER_nondet_pointer';
  return `__VERIFIER_nondet_${type === 'signed char' ? 'char' : shortTypeName(type)}`;
}

/** Declares what the program uses: nondeterministic values and memory functions. */
export function declareUsed(spelling: BackendSpelling, used: UsedIntrinsics, model: DataModel): string[] {
  return [...declareNondet(spelling, used), ...declareMemory(used, model)];
}

/** `reach_error` is what SV-COMP asks about. An assertion is a call of it under a condition. */
export const verifierSpelling: BackendSpelling = {
  name: 'svcomp',
  assume: '__VERIFIER_assume',
  assert: { name: '__VERIFIER_assert', takesMessage: false },
  nondet: verifierNondet,
  controlType: standardControlType,
  objectSize: null,
  prologue: (used, model) => [
    'extern void abort(void);',
    'void reach_error(void) {}',
    'extern void __VERIFIER_assume(int condition);',
    'static void __VERIFIER_assert(int condition) {',
    '  if (!condition) {',
    '    reach_error();',
    '    abort();',
    '  }',
    '}',
    ...declareUsed(verifierSpelling, used, model),
  ],
};
