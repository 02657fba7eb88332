/**
 * Functions that verifiers know by name: those of the verification competition, of CBMC and ESBMC, and what a failed
 * `assert` calls in the headers of several systems. Both roads read their meaning here. A function that the program
 * defines itself means what its body does, unless the name alone says it.
 */

export type VerifierMeaning =
  | 'assume'
  /** The first argument must hold; a string behind it says what is wrong otherwise. */
  | 'assert'
  /** A call is a violation, whatever the arguments. */
  | 'error'
  /** A call is a violation; the condition's text is among the arguments. */
  | 'failed-assertion'
  /** What holds from now on at all times, as the author thinks: a hint for proofs, and nothing else. */
  | 'invariant'
  | 'atomic-begin'
  | 'atomic-end'
  | 'halt'
  /** Any value of the function's type. */
  | 'nondet'
  /** `(pointer, size)`: fills memory with any values. */
  | 'nondet-memory';

const NAMES: Readonly<Record<Exclude<VerifierMeaning, 'nondet'>, string>> = {
  assume: '__VERIFIER_assume __CPROVER_assume __ESBMC_assume',
  // `assert` itself: where <assert.h> is not included.
  assert: '__VERIFIER_assert __CPROVER_assert __ESBMC_assert assert',
  error: '__VERIFIER_error reach_error',
  'failed-assertion': '__assert_fail __assert _assert __assert_rtn __assert_func __assert_perror_fail',
  invariant: '__lazuli_invariant',
  'atomic-begin': '__VERIFIER_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin',
  'atomic-end': '__VERIFIER_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end',
  halt: 'exit _exit _Exit quick_exit abort',
  'nondet-memory': '__VERIFIER_nondet_memory',
};

const BY_NAME: ReadonlyMap<string, VerifierMeaning> = new Map(
  Object.entries(NAMES).flatMap(([meaning, names]) =>
    names.split(' ').map((name): [string, VerifierMeaning] => [name, meaning as VerifierMeaning]),
  ),
);

export function verifierMeaning(name: string): VerifierMeaning | null {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  return /^(__VERIFIER_|__lazuli_)?nondet_./.test(name) ? 'nondet' : null;
}

/**
 * SV-COMP: the body of a function with such a name is one atomic step. That holds for `__VERIFIER_atomic_begin` and
 * `_end` as well, where a program defines them by a lock.
 */
export function isAtomicName(name: string): boolean {
  return name.startsWith('__VERIFIER_atomic_');
}

/** Reaching it is a violation. */
export function isErrorLabel(name: string): boolean {
  return name === 'ERROR';
}
