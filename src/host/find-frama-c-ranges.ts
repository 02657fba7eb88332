/**
 * The intervals that Frama-C's value analysis finds for the variables of a sequential program, which must be printed
 * for the backend `frama-c`. They hold for all executions in which no assertion fails before.
 */

import { framaC } from '../backends/frama-c.ts';
import { type FramaCRanges, readFramaCRanges } from '../backends/read-frama-c-ranges.ts';
import { invariant } from '../support/invariant.ts';
import { type BackendRequest, runBackend } from './run-backend.ts';

export type FramaCRangesResult =
  | {
      readonly kind: 'ranges';
      readonly ranges: FramaCRanges;
      /** Eva's alarm that memory may be read which nobody has written. */
      readonly readsUninitialised: boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

export async function findFramaCRanges(
  request: Omit<BackendRequest, 'backend' | 'verifier'>,
): Promise<FramaCRangesResult> {
  const { verifier } = framaC;
  invariant(verifier, 'Frama-C can be run');
  const { answer, stdout } = await runBackend({ ...request, backend: framaC, verifier });
  const ranges = readFramaCRanges(stdout);
  // It is no matter what Eva could prove, but the analysis must have come to its end.
  if (ranges.final.get('main')) {
    return { kind: 'ranges', ranges, readsUninitialised: stdout.includes('accessing uninitialized left-value') };
  }
  const reason = answer.kind === 'unknown' ? answer.reason : 'Frama-C finds no execution that ends';
  return { kind: 'unknown', reason };
}
