/**
 * The backends, one row each. To add one, write its file and add it here; options, help and tests derive from the
 * table.
 */

import type { Backend } from './backend.ts';
import { cbmc } from './cbmc.ts';
import { cpachecker } from './cpachecker.ts';
import { esbmc } from './esbmc.ts';
import { framaC } from './frama-c.ts';
import { gcc } from './gcc.ts';
import { klee } from './klee.ts';
import { llbmc } from './llbmc.ts';
import { seahorn } from './seahorn.ts';
import { smack } from './smack.ts';
import { svcomp } from './svcomp.ts';
import { ultimate } from './ultimate.ts';

export const BACKENDS: readonly Backend[] = [
  cbmc,
  esbmc,
  framaC,
  klee,
  cpachecker,
  seahorn,
  smack,
  ultimate,
  llbmc,
  svcomp,
  gcc,
];

export function findBackend(name: string): Backend | null {
  return BACKENDS.find((backend) => backend.name === name) ?? null;
}
