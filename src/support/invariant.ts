/**
 * Broken internals. An `InvariantError` is a bug in Lazuli, never a fault of the user's program: the user's faults are
 * `Diagnostic` values (see diagnostics.ts). The command line reports it as an internal error, without a verdict.
 */

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws when a condition that the code relies on does not hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Closes a dispatch over a union: a new kind makes the compiler list the places that must handle it. */
export function assertNever(value: never): never {
  const kind = (value as { kind?: unknown } | null)?.kind;
  throw new InvariantError(`unexpected value: ${String(kind ?? value)}`);
}
