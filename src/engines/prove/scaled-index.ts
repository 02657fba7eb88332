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

/** That the element at an offset has an index; of offsets that are below some index. */
export function isAtIndex(graph: TermGraph, { offset, stride }: Offset, index: Term): Term {
  const own = indexOf(graph, offset, stride);
  const byOffset = () => graph.eq(offset, graph.mul(index, graph.constant(graph.widthOf(offset), stride)));
  return own === null ? byOffset() : graph.eq(own, index);
}

/** That an offset is one of the first `count` multiples of the stride; it may be false of others that wrap. */
export function isBelowIndex(graph: TermGraph, { offset, stride }: Offset, count: bigint): Term {
  const constant = (value: bigint) => graph.constant(graph.widthOf(offset), value);
  const own = indexOf(graph, offset, stride);
  if (own !== null) return graph.less('ult', own, constant(count));
  const isMultiple = graph.eq(graph.divide('urem', offset, constant(stride)), constant(0n));
  return graph.and(graph.less('ult', offset, constant((count - 1n) * stride + 1n)), isMultiple);
}

/** What the offset is the product of; null where it is not seen to be one. */
function indexOf(graph: TermGraph, offset: Term, stride: bigint): Term | null {
  const [a, b] = graph.operandsOf(offset) as [Term, Term];
  const operation = graph.operationOf(offset);
  if (operation === 'mul') {
    if (graph.constantOf(b) === stride) return a;
    return graph.constantOf(a) === stride ? b : null;
  }
  if (operation !== 'add') return null;
  const added = graph.constantOf(b);
  const inner = added === null ? null : indexOf(graph, a, stride);
  if (inner === null || added === null) return null;
  const width = graph.widthOf(offset);
  const signed = BigInt.asIntN(width, added);
  return signed % stride === 0n ? graph.add(inner, graph.constant(width, signed / stride)) : null;
}
