/** Addresses that lead into an object by construction: its own address, plus or minus something. */

import type { Value } from './code.ts';

/** The object into which an address expression points by construction, or -1. */
export function baseObject(address: Value): number {
  let at = address;
  while (at.kind === 'binary' && (at.operation === 'add' || at.operation === 'sub')) at = at.left;
  return at.kind === 'object-address' ? at.object : -1;
}
