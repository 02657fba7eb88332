/**
 * Offsets of elements by their indices: of `4 * i` it is said what `i` is. Predicates then speak of indices, and words
 * of few bits keep their meaning.
 *
 * That an offset is within an array is an obligation of whoever accesses it; here it is one about the index, which is
 * more: a product that wraps around and comes back into the array is not proved. Who has passed it may compare indices
 * instead of offsets.
 */

import type { Term, TermGraph } from '../../values/terms.ts';

/** An offset, in elements of so many bytes. */
interface Offset {
  readonly offset: Term;
  readonly stride: bigint;
}

/** An index, and where the offset is that of the element with it, as far as the product does not wrap. */
interface Index {
  readonly index: Term;
  readonly condition: Term;
}

/** That the element at an offset has an index; of offsets that are below some index, as the next function says it. */
export function isAtIndex(graph: TermGraph, { offset, stride }: Offset, index: Term): Term {
  const byOffset = graph.eq(offset, graph.mul(index, graph.constant(graph.widthOf(offset), stride)));
  return byIndex(graph, indexOf(graph, offset, stride), (own) => graph.eq(own, index), byOffset);
}

/** That an offset is one of the first `count` multiples of the stride; it may be false of others that wrap. */
export function isBelowIndex(graph: TermGraph, { offset, stride }: Offset, count: bigint): Term {
  const constant = (value: bigint) => graph.constant(graph.widthOf(offset), value);
  const isMultiple = graph.eq(graph.divide('urem', offset, constant(stride)), constant(0n));
  const byOffset = graph.and(graph.less('ult', offset, constant((count - 1n) * stride + 1n)), isMultiple);
  const own = indexOf(graph, offset, stride);
  return byIndex(graph, own, (index) => graph.less('ult', index, constant(count)), byOffset);
}

/** That so many bytes at an offset lie within `count` whole units. It may be false of offsets that wrap. */
export function isWithinUnits(
  graph: TermGraph,
  offset: Term,
  bytes: bigint,
  { count, unit }: { readonly count: Term; readonly unit: bigint },
): Term {
  const width = graph.widthOf(offset);
  const end = graph.add(offset, graph.constant(width, bytes));
  const isBelow = graph.not(graph.less('ult', graph.mul(count, graph.constant(width, unit)), end));
  const byOffset = graph.and(isBelow, graph.not(graph.less('ult', end, offset)));
  const own = bytes <= unit ? indexOf(graph, offset, unit) : null;
  return byIndex(graph, own, (index) => graph.less('ult', index, count), byOffset);
}

function byIndex(graph: TermGraph, own: Index | null, said: (index: Term) => Term, byOffset: Term): Term {
  return own === null ? byOffset : graph.ite(own.condition, said(own.index), byOffset);
}

/**
 * What the offset is the product of; null where it is not seen to be one. Of a pointer in a variable, that it points to
 * where the offset counts from is a condition.
 */
function indexOf(graph: TermGraph, offset: Term, stride: bigint): Index | null {
  const width = graph.widthOf(offset);
  const [a, b] = graph.operandsOf(offset) as [Term, Term];
  const whole = factorOf(graph, offset, stride);
  if (whole !== null) return { index: whole, condition: graph.true };
  const added = graph.operationOf(offset) === 'add' ? graph.constantOf(b) : null;
  if (added === null) return null;
  const inner = factorOf(graph, a, stride);
  const signed = BigInt.asIntN(width, added);
  if (inner !== null)
    return signed % stride === 0n
      ? { index: graph.add(inner, graph.constant(width, signed / stride)), condition: graph.true }
      : null;
  if (graph.operationOf(a) !== 'add') return null;
  const [x, y] = graph.operandsOf(a) as [Term, Term];
  for (const [pointer, product] of [
    [x, y],
    [y, x],
  ] as const) {
    const index = factorOf(graph, product, stride);
    if (index !== null) return { index, condition: graph.eq(pointer, graph.constant(width, -added)) };
  }
  return null;
}

/** What is multiplied with the stride. */
function factorOf(graph: TermGraph, product: Term, stride: bigint): Term | null {
  if (graph.operationOf(product) !== 'mul') return null;
  const [a, b] = graph.operandsOf(product) as [Term, Term];
  if (graph.constantOf(b) === stride) return a;
  return graph.constantOf(a) === stride ? b : null;
}
