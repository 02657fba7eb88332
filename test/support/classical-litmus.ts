/**
 * The litmus tests of the literature, and under which models their outcome is possible. For x86 (TSO): Sewell, Sarkar,
 * Owens, Zappa Nardelli, Myreen, "x86-TSO", CACM 2010; Intel's and AMD's manuals; for PSO: the SPARC V8 manual, and
 * Alglave, Maranget, Tautschnig, "Herding cats", for the names.
 */

import type { MemoryModel } from '../../src/program/memory-model.ts';
import type { Litmus } from './litmus.ts';

export interface ClassicalLitmus extends Litmus {
  readonly name: string;
  readonly allowed: readonly MemoryModel[];
}

type Row = readonly [
  name: string,
  threads: readonly string[],
  outcome: Readonly<Record<string, number>>,
  allowed: readonly MemoryModel[],
];

const WEAK = ['tso', 'pso'] as const;
const PSO = ['pso'] as const;
const ALL = ['sc', 'tso', 'pso'] as const;
const NONE = [] as const;

const SB_OUTCOME = { a: 0, b: 0 };
const MP_OUTCOME = { a: 1, b: 0 };

const ROWS: readonly Row[] = [
  // Store buffering.
  ['SB', ['W x 1; R y a', 'W y 1; R x b'], SB_OUTCOME, WEAK],
  ['SB+fences', ['W x 1; F; R y a', 'W y 1; F; R x b'], SB_OUTCOME, NONE],
  ['SB+fence+po', ['W x 1; F; R y a', 'W y 1; R x b'], SB_OUTCOME, WEAK],
  ['SB+rmws', ['W x 1; A z 1 c; R y a', 'W y 1; A u 1 d; R x b'], SB_OUTCOME, NONE],
  ['SB+xchgs', ['X x 1 c; R y a', 'X y 1 d; R x b'], SB_OUTCOME, NONE],
  ['SB+xchg+po', ['X x 1 c; R y a', 'W y 1; R x b'], SB_OUTCOME, WEAK],
  ['SB+sc', ['W.sc x 1; R.sc y a', 'W.sc y 1; R.sc x b'], SB_OUTCOME, NONE],
  ['SB+rel+acq', ['W.rel x 1; R.acq y a', 'W.rel y 1; R.acq x b'], SB_OUTCOME, WEAK],
  ['SB+rlx', ['W.rlx x 1; R.rlx y a', 'W.rlx y 1; R.rlx x b'], SB_OUTCOME, WEAK],
  ['SB+fences.acq-rel', ['W x 1; F.ar; R y a', 'W y 1; F.ar; R x b'], SB_OUTCOME, WEAK],
  ['SB+rfi (n7)', ['W x 1; R x c; R y a', 'W y 1; R y d; R x b'], { a: 0, b: 0, c: 1, d: 1 }, WEAK],
  ['3.SB', ['W x 1; R y a', 'W y 1; R z b', 'W z 1; R x c'], { a: 0, b: 0, c: 0 }, WEAK],
  ['n6', ['W x 1; R x a; R y b', 'W y 1; W x 2'], { a: 1, b: 0, x: 1 }, WEAK],
  ['n5', ['W x 1; R x a', 'W x 2; R x b'], { a: 2, b: 1 }, NONE],
  ['n4', ['R x a; W x 1; R x c', 'R x b; W x 2; R x d'], { a: 2, c: 1, b: 1, d: 2 }, NONE],
  ['amd3', ['W x 1; W x 2; R y a', 'W y 1; W y 2; R x b'], { a: 1, b: 1 }, WEAK],
  ['iwp2.3.b', ['W x 1; R x a', 'W y 1; R y b'], { a: 0, b: 0 }, NONE],
  // Message passing.
  ['MP', ['W x 1; W y 1', 'R y a; R x b'], MP_OUTCOME, PSO],
  ['MP+fence+po', ['W x 1; F; W y 1', 'R y a; R x b'], MP_OUTCOME, NONE],
  ['MP+release fence', ['W x 1; F.rel; W y 1', 'R y a; R x b'], MP_OUTCOME, NONE],
  ['MP+acquire fence', ['W x 1; F.acq; W y 1', 'R y a; R x b'], MP_OUTCOME, PSO],
  ['MP+release store', ['W x 1; W.rel y 1', 'R.acq y a; R x b'], MP_OUTCOME, NONE],
  ['MP+relaxed', ['W.rlx x 1; W.rlx y 1', 'R.rlx y a; R.rlx x b'], MP_OUTCOME, PSO],
  ['MP+release store first', ['W.rel x 1; W y 1', 'R y a; R x b'], MP_OUTCOME, PSO],
  ['MP+rmw', ['W x 1; A y 1 c', 'R y a; R x b'], MP_OUTCOME, NONE],
  ['MP+rmw between', ['W x 1; A z 1 c; W y 1', 'R y a; R x b'], MP_OUTCOME, NONE],
  // Others of two threads.
  ['LB', ['R x a; W y 1', 'R y b; W x 1'], { a: 1, b: 1 }, NONE],
  ['S', ['W x 2; W y 1', 'R y a; W x 1'], { a: 1, x: 2 }, PSO],
  ['S+fence+po', ['W x 2; F; W y 1', 'R y a; W x 1'], { a: 1, x: 2 }, NONE],
  ['R', ['W x 1; W y 1', 'W y 2; R x a'], { a: 0, y: 2 }, WEAK],
  ['R+po+fence', ['W x 1; W y 1', 'W y 2; F; R x a'], { a: 0, y: 2 }, PSO],
  ['R+fences', ['W x 1; F; W y 1', 'W y 2; F; R x a'], { a: 0, y: 2 }, NONE],
  ['2+2W', ['W x 1; W y 2', 'W y 1; W x 2'], { x: 1, y: 1 }, PSO],
  ['2+2W+fences', ['W x 1; F; W y 2', 'W y 1; F; W x 2'], { x: 1, y: 1 }, NONE],
  ['2+2W+release fences', ['W x 1; F.rel; W y 2', 'W y 1; F.rel; W x 2'], { x: 1, y: 1 }, NONE],
  // Coherence.
  ['CoRR', ['W x 1', 'R x a; R x b'], { a: 1, b: 0 }, NONE],
  ['CoRR of two stores', ['W x 1; W x 2', 'R x a; R x b'], { a: 2, b: 1 }, NONE],
  ['CoRR2', ['W x 1', 'W x 2', 'R x a; R x b', 'R x c; R x d'], { a: 1, b: 2, c: 2, d: 1 }, NONE],
  ['CoWW', ['W x 1; W x 2'], { x: 1 }, NONE],
  ['CoWR', ['W x 1; R x a', 'W x 2'], { a: 2, x: 1 }, NONE],
  ['CoWR0', ['W x 1; R x a'], { a: 0 }, NONE],
  ['CoRW1', ['R x a; W x 1'], { a: 1 }, NONE],
  ['CoRW', ['R x a; W x 1', 'W x 2'], { a: 2, x: 2 }, NONE],
  // More threads.
  ['WRC', ['W x 1', 'R x a; W y 1', 'R y b; R x c'], { a: 1, b: 1, c: 0 }, NONE],
  ['RWC', ['W x 1', 'R x a; R y b', 'W y 1; R x c'], { a: 1, b: 0, c: 0 }, WEAK],
  ['RWC+fence', ['W x 1', 'R x a; R y b', 'W y 1; F; R x c'], { a: 1, b: 0, c: 0 }, NONE],
  ['IRIW', ['W x 1', 'W y 1', 'R x a; R y b', 'R y c; R x d'], { a: 1, b: 0, c: 1, d: 0 }, NONE],
  ['W+RWC', ['W x 1; W y 1', 'R y a; R z b', 'W z 1; R x c'], { a: 1, b: 0, c: 0 }, WEAK],
  ['Z6.3', ['W x 1; W y 1', 'W y 2; W z 1', 'R z a; R x b'], { y: 2, a: 1, b: 0 }, PSO],
  ['ISA2', ['W x 1; W y 1', 'R y a; W z 1', 'R z b; R x c'], { a: 1, b: 1, c: 0 }, PSO],
  ['ISA2+release', ['W x 1; W.rel y 1', 'R y a; W z 1', 'R z b; R x c'], { a: 1, b: 1, c: 0 }, NONE],
  // Places are bytes.
  ['bytes are forwarded', ['W x 258; R x0 a; R x1 b', 'W y 1'], { a: 2, b: 1 }, ALL],
  ['SB of bytes', ['W x0 1; R x1 a', 'W x1 1; R x0 b'], SB_OUTCOME, WEAK],
  ['SB of bytes and words', ['W x0 1; R y a', 'W y 1; R x b'], SB_OUTCOME, WEAK],
  ['MP of bytes', ['W x0 1; W x1 1', 'R x1 a; R x0 b'], MP_OUTCOME, PSO],
  ['MP of a word', ['W x 257', 'R x1 a; R x0 b'], MP_OUTCOME, NONE],
  ['MP of overlapping stores', ['W x 1; W x1 1', 'R x1 a; R x0 b'], MP_OUTCOME, NONE],
  ['own byte over the rest of memory', ['W x0 1; R x a', 'W x1 1; R x b'], { a: 1, b: 256 }, WEAK],
];

export const CLASSICAL: readonly ClassicalLitmus[] = ROWS.map(([name, threads, outcome, allowed]) => ({
  name,
  threads,
  outcome,
  allowed,
}));
