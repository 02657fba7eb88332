/**
 * Random terms by seed, each with the values it must have. Terms are made through the interface of `TermGraph`, so that
 * all its simplifications take part; beside it every value is computed by plain arithmetic under a few assignments of
 * the variables, each inside of its variable's set.
 *
 * A refinement narrows what is looked at: assignments under which the term's value lies outside are dropped for good,
 * as if the whole were guarded by the condition. At least one is always left.
 */

import { createRandom, type Random } from '../../src/support/random.ts';
import { TERM_OPERATIONS } from '../../src/values/term-operations.ts';
import { type FloatOperation, type Term, TermGraph, type TermOperation } from '../../src/values/terms.ts';
import * as sets from '../../src/values/value-set.ts';
import { applyBinary, compareValues } from './word-arithmetic.ts';

export interface KnownTerm {
  readonly term: Term;
  readonly width: number;
  /** The value under each assignment. */
  readonly values: readonly bigint[];
}

export interface RandomTerms {
  readonly graph: TermGraph;
  readonly variables: readonly KnownTerm[];
  readonly terms: readonly KnownTerm[];
  /** The assignments that all refinements allow. */
  readonly live: readonly number[];
}

const ASSIGNMENTS = 16;
/** Floating point is compared elsewhere: its patterns are rarely met by chance. */
type WordOperation = Exclude<TermOperation, FloatOperation>;
const isWordOperation = (operation: TermOperation): operation is WordOperation => !/^f|^stof$/.test(operation);
const WORD_OPERATIONS = TERM_OPERATIONS.filter(isWordOperation);

/** `size` operations over variables and constants of the given widths; 1 should be among them, for conditions. */
export function createRandomTerms(seed: number, size: number, widths: readonly number[]): RandomTerms {
  const random = createRandom(seed);
  const graph = new TermGraph();
  const terms: KnownTerm[] = [];
  for (let i = 0; i < 6; i++) {
    const width = widths[i % widths.length] as number;
    const set = randomSet(random, width);
    const values = Array.from({ length: ASSIGNMENTS }, () => randomMember(random, set));
    terms.push({ term: graph.variable(set, `v${i}`), width, values });
    const constant = randomMember(random, randomSet(random, width));
    terms.push({ term: graph.constant(width, constant), width, values: values.map(() => constant) });
  }
  const variables = terms.filter(({ term }) => graph.operationOf(term) === 'variable');
  let live = Array.from({ length: ASSIGNMENTS }, (_, i) => i);
  for (let i = 0; i < size; i++) {
    const made = randomTerm(graph, random, terms, live);
    live = live.filter((at) => made.keeps(at));
    terms.push(made.result);
  }
  return { graph, variables, terms, live };
}

/** Small sets, ranges in steps, signed ranges, everything: inside the width. */
function randomSet(random: Random, width: number): sets.ValueSet {
  const any = () => {
    let value = 0n;
    for (let i = 0; i < width; i += 16) value = (value << 16n) | BigInt(random.below(0x10000));
    return BigInt.asUintN(width, value);
  };
  const near = () => BigInt(random.below(12));
  switch (random.below(5)) {
    case 0:
      return sets.topSet(width);
    case 1:
      return sets.setOfValues(width, [any(), near(), near()]);
    case 2:
      return sets.signedRangeSet(width, -near(), near());
    case 3:
      return sets.setOfValues(width, [0n, 0x20000n, 0x2000cn, 0x30000n]);
    default: {
      const low = near();
      return sets.signedRangeSet(width, low, low + near() * 4n, 1n + BigInt(random.below(4)));
    }
  }
}

function randomMember(random: Random, set: sets.ValueSet): bigint {
  const part = set.parts[random.below(set.parts.length)] as (typeof set.parts)[number];
  const count = (part.high - part.low) / part.step + 1n;
  const pick = (BigInt(random.below(0x7fffffff)) * 0x1000003n * BigInt(1 + random.below(0x7fffffff))) % count;
  return part.low + pick * part.step;
}

interface Made {
  readonly result: KnownTerm;
  /** Whether the assignment may still be looked at. */
  readonly keeps: (assignment: number) => boolean;
}

function randomTerm(graph: TermGraph, random: Random, pool: readonly KnownTerm[], live: readonly number[]): Made {
  const pick = (items: readonly KnownTerm[]) => items[random.below(items.length)] as KnownTerm;
  const a = random.below(2) === 0 ? pick(pool) : pick(pool.slice(-8));
  const sameWidth = pool.filter((t) => t.width === a.width);
  const [b, c] = [pick(sameWidth), pick(pool.filter((t) => t.width === 1))];
  const width = a.width;
  const make = (term: Term, of: (at: number) => bigint): Made => ({
    result: { term, width: graph.widthOf(term), values: a.values.map((_, at) => of(at)) },
    keeps: () => true,
  });
  const [x, y, z] = [a, b, c].map((t) => (at: number) => t.values[at] as bigint) as [ValueAt, ValueAt, ValueAt];
  const operation = random.pick(WORD_OPERATIONS);
  switch (operation) {
    case 'constant':
    case 'variable':
      return make(graph.sub(a.term, b.term), (at) => applyBinary('sub', width, x(at), y(at)));
    case 'refine': {
      const allowed = sets.joinSets(randomSet(random, width), sets.constantSet(width, x(live[0] as number)));
      return { ...make(graph.refine(a.term, allowed), x), keeps: (at) => sets.hasValue(allowed, x(at)) };
    }
    case 'not':
      return make(graph.not(a.term), (at) => BigInt.asUintN(width, ~x(at)));
    case 'and':
    case 'or':
    case 'xor':
    case 'add':
    case 'mul':
      return make(graph[operation](a.term, b.term), (at) => applyBinary(operation, width, x(at), y(at)));
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      return make(graph.divide(operation, a.term, b.term), (at) => applyBinary(operation, width, x(at), y(at)));
    case 'shl':
    case 'lshr':
    case 'ashr':
      return make(graph.shift(operation, a.term, b.term), (at) => applyBinary(operation, width, x(at), y(at)));
    case 'eq':
      return make(graph.eq(a.term, b.term), (at) => truth(compareValues('eq', width, x(at), y(at))));
    case 'ult':
    case 'slt':
      return make(graph.less(operation, a.term, b.term), (at) => truth(compareValues(operation, width, x(at), y(at))));
    case 'ite':
      return make(graph.ite(c.term, a.term, b.term), (at) => (z(at) === 1n ? x(at) : y(at)));
    case 'zext':
    case 'sext': {
      const wide = width + random.below(Math.min(2 * width, 8));
      const isSigned = operation === 'sext';
      return make(graph.extend(a.term, wide, isSigned), (at) =>
        BigInt.asUintN(wide, isSigned ? BigInt.asIntN(width, x(at)) : x(at)),
      );
    }
    case 'extract': {
      const low = random.below(width);
      const kept = 1 + random.below(width - low);
      return make(graph.extract(a.term, low, kept), (at) => BigInt.asUintN(kept, x(at) >> BigInt(low)));
    }
    case 'concat': {
      const lower = width > 64 ? c : pick(pool.slice(-8));
      return make(
        graph.concat(a.term, lower.term),
        (at) => (x(at) << BigInt(lower.width)) | (lower.values[at] as bigint),
      );
    }
  }
}

type ValueAt = (assignment: number) => bigint;

const truth = (holds: boolean) => (holds ? 1n : 0n);

/** The value of a term under an assignment, from the finished graph: what its simplifications made of it. */
export function evaluateTerm(graph: TermGraph, term: Term, assigned: (variable: Term) => bigint): bigint {
  const width = graph.widthOf(term);
  const constant = graph.constantOf(term);
  if (constant !== null) return constant;
  const operands = graph.operandsOf(term);
  const [x, y, z] = operands.map((t) => evaluateTerm(graph, t, assigned)) as [bigint, bigint, bigint];
  const operation = graph.operationOf(term) as WordOperation;
  switch (operation) {
    case 'constant':
    case 'variable':
      return assigned(term);
    case 'refine':
    case 'zext':
      return x;
    case 'not':
      return BigInt.asUintN(width, ~x);
    case 'sext':
      return BigInt.asUintN(width, BigInt.asIntN(graph.widthOf(operands[0] as Term), x));
    case 'extract':
      return BigInt.asUintN(width, x >> BigInt(graph.extractLow(term)));
    case 'concat':
      return (x << BigInt(graph.widthOf(operands[1] as Term))) | y;
    case 'ite':
      return x === 1n ? y : z;
    case 'eq':
    case 'ult':
    case 'slt':
      return truth(compareValues(operation, graph.widthOf(operands[0] as Term), x, y));
    default:
      return applyBinary(operation, width, x, y);
  }
}
