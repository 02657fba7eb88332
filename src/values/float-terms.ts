/**
 * Floating-point operations as terms: float and double as their IEEE bit patterns, rounded to nearest even. Constants
 * are folded, a few identities hold for all values; otherwise nothing is known about a result (its value set is
 * everything).
 *
 * Two things that C leaves open are fixed, here and in the interpreter alike:
 * - A NaN is always the quiet one without a sign. Operations give that one; a value that comes from memory or from
 *   outside may have another pattern, and becomes it when it is taken as a float (`canonicalFloat`).
 * - An integer that a conversion cannot represent. As x86 does, the value is first converted to a signed integer of a
 *   working width (`workingWidth`), where everything that does not fit gives the least number, and then cut to the
 *   type.
 */

import {
  compareFloats,
  computeFloat,
  type FloatArithmetic,
  type FloatComparison,
  floatFromBits,
  floatToBits,
  floatToSigned,
  integerToFloat,
  quietNan,
} from './float-constants.ts';
import type { Term, TermGraph } from './terms.ts';
import { topSet } from './value-set.ts';

export function floatArithmetic(graph: TermGraph, operation: FloatArithmetic, a: Term, b: Term): Term {
  const width = graph.widthOf(a);
  const [x, y] = [graph.constantOf(a), graph.constantOf(b)];
  if (x !== null && y !== null) return graph.constant(width, computeFloat(operation, x, y, width));
  const one = floatToBits(1, width);
  if (operation !== 'fadd' && y === one) return a;
  if (operation === 'fmul' && x === one) return b;
  return graph.floating(operation, width, a, b, topSet(width));
}

/** A number minus itself is zero unless it is infinite or a NaN. */
export function floatDifference(graph: TermGraph, a: Term, b: Term): Term {
  if (a !== b) return floatArithmetic(graph, 'fadd', a, floatNegation(graph, b));
  const width = graph.widthOf(a);
  const exponentBits = width === 32 ? 8 : 11;
  const exponent = graph.extract(a, width - 1 - exponentBits, exponentBits);
  const isFiniteTerm = graph.not(graph.eq(exponent, graph.constant(exponentBits, -1n)));
  return graph.ite(isFiniteTerm, graph.constant(width, 0n), graph.constant(width, quietNan(width)));
}

export function floatNegation(graph: TermGraph, a: Term): Term {
  const width = graph.widthOf(a);
  return canonicalFloat(graph, graph.xor(a, graph.constant(width, 1n << BigInt(width - 1))));
}

export function floatComparison(graph: TermGraph, comparison: FloatComparison, a: Term, b: Term): Term {
  const [x, y] = [graph.constantOf(a), graph.constantOf(b)];
  if (x !== null && y !== null) return graph.boolean(compareFloats(comparison, x, y, graph.widthOf(a)));
  if (a === b && comparison === 'flt') return graph.false;
  return graph.floating(comparison, 1, a, b, topSet(1));
}

/** Everything but the two zeros is true, a NaN too. */
export function isFloatTrue(graph: TermGraph, a: Term): Term {
  return graph.isNonZero(graph.extract(a, 0, graph.widthOf(a) - 1));
}

/** The value as a float: a NaN of any pattern becomes the one that there is. */
export function canonicalFloat(graph: TermGraph, a: Term): Term {
  const width = graph.widthOf(a);
  if (isCanonical(graph, a)) return a;
  const value = graph.constantOf(a);
  const nan = graph.constant(width, quietNan(width));
  if (value !== null) return Number.isNaN(floatFromBits(value, width)) ? nan : a;
  return graph.ite(floatComparison(graph, 'feq', a, a), a, nan);
}

function isCanonical(graph: TermGraph, a: Term): boolean {
  switch (graph.operationOf(a)) {
    case 'fadd':
    case 'fmul':
    case 'fdiv':
    case 'ftof':
    case 'stof':
      return true;
    case 'ite': {
      // What `canonicalFloat` itself has made.
      const [condition, then, otherwise] = graph.operandsOf(a) as [Term, Term, Term];
      const isNumber =
        graph.operationOf(condition) === 'feq' && graph.operand(condition, 0) === graph.operand(condition, 1);
      return (
        isNumber && graph.operand(condition, 0) === then && graph.constantOf(otherwise) === quietNan(graph.widthOf(a))
      );
    }
    default:
      return false;
  }
}

export function floatToFloat(graph: TermGraph, a: Term, width: number): Term {
  const from = graph.widthOf(a);
  if (from === width) return a;
  const value = graph.constantOf(a);
  if (value !== null) return graph.constant(width, floatToBits(floatFromBits(value, from), width));
  return graph.floating('ftof', width, a, a, topSet(width));
}

export function integerTermToFloat(graph: TermGraph, a: Term, signed: boolean, width: number): Term {
  const integer = signed ? a : graph.extend(a, graph.widthOf(a) + 1, false);
  const value = graph.constantOf(integer);
  if (value !== null) {
    return graph.constant(width, integerToFloat(BigInt.asIntN(graph.widthOf(integer), value), width));
  }
  return graph.floating('stof', width, integer, integer, topSet(width));
}

/** Truncates towards zero. */
export function floatToInteger(graph: TermGraph, a: Term, signed: boolean, width: number): Term {
  const working = workingWidth(signed, width);
  const value = graph.constantOf(a);
  const integer =
    value !== null
      ? graph.constant(working, floatToSigned(value, graph.widthOf(a), working))
      : graph.floating('ftos', working, a, a, topSet(working));
  return graph.extract(integer, 0, width);
}

/** The width in which a value is converted before it is cut: as x86 does for types of up to 64 bits. */
export function workingWidth(signed: boolean, width: number): number {
  if (width <= 32) return signed || width < 32 ? 32 : 64;
  return signed ? width : 2 * width;
}
