/**
 * What extensions, extractions, concatenations and choices come to without a new term: constants, parts of parts, what
 * lies under an extension, branches of the same condition. Null where a term has to be made.
 */

import type { Term, TermGraph } from './terms.ts';

/** `width` is larger than that of the term; signed only if the sign may be set. */
export function simplifyExtension(graph: TermGraph, a: Term, width: number, signed: boolean): Term | null {
  const value = graph.constantOf(a);
  if (value !== null) return graph.constant(width, signed ? BigInt.asIntN(graph.widthOf(a), value) : value);
  const isSame = graph.operationOf(a) === (signed ? 'sext' : 'zext');
  return isSame ? graph.extend(graph.operand(a, 0), width, signed) : null;
}

export function simplifyExtraction(graph: TermGraph, a: Term, low: number, width: number): Term | null {
  if (low === 0 && width === graph.widthOf(a)) return a;
  const value = graph.constantOf(a);
  if (value !== null) return graph.constant(width, value >> BigInt(low));
  const operation = graph.operationOf(a);
  const inner = graph.operand(a, 0);
  switch (operation) {
    case 'extract':
      return graph.extract(inner, low + graph.extractLow(a), width);
    case 'zext':
    case 'sext': {
      const innerWidth = graph.widthOf(inner);
      if (low + width <= innerWidth) return graph.extract(inner, low, width);
      if (low === 0) return graph.extend(inner, width, operation === 'sext');
      return operation === 'zext' && low >= innerWidth ? graph.constant(width, 0n) : null;
    }
    case 'concat': {
      const lowPart = graph.operand(a, 1);
      const lowWidth = graph.widthOf(lowPart);
      if (low + width <= lowWidth) return graph.extract(lowPart, low, width);
      return low >= lowWidth ? graph.extract(inner, low - lowWidth, width) : null;
    }
    case 'ite': {
      const [then, otherwise] = [graph.operand(a, 1), graph.operand(a, 2)];
      if (graph.constantOf(then) === null || graph.constantOf(otherwise) === null) return null;
      return graph.ite(inner, graph.extract(then, low, width), graph.extract(otherwise, low, width));
    }
    default:
      return null;
  }
}

export function simplifyConcatenation(graph: TermGraph, high: Term, low: Term): Term | null {
  const width = graph.widthOf(high) + graph.widthOf(low);
  const [x, y] = [graph.constantOf(high), graph.constantOf(low)];
  if (x !== null && y !== null) return graph.constant(width, (x << BigInt(graph.widthOf(low))) | y);
  if (x === 0n) return graph.extend(low, width, false);
  if (graph.operationOf(high) !== 'extract' || graph.operationOf(low) !== 'extract') return null;
  const [whole, at] = [graph.operand(low, 0), graph.extractLow(low)];
  const areNeighbours = graph.operand(high, 0) === whole && graph.extractLow(high) === at + graph.widthOf(low);
  return areNeighbours ? graph.extract(whole, at, width) : null;
}

export function simplifyChoice(graph: TermGraph, condition: Term, then: Term, otherwise: Term): Term | null {
  if (graph.isTrue(condition) || then === otherwise) return then;
  if (graph.isFalse(condition)) return otherwise;
  if (graph.unrefined(then) === graph.unrefined(otherwise)) return graph.unrefined(then);
  if (graph.operationOf(condition) === 'not') return graph.ite(graph.operand(condition, 0), otherwise, then);
  if (graph.widthOf(then) === 1) return simplifyBooleanChoice(graph, condition, then, otherwise);
  const isAgain = (term: Term) => graph.operationOf(term) === 'ite' && graph.operand(term, 0) === condition;
  if (isAgain(then)) return graph.ite(condition, graph.operand(then, 1), otherwise);
  return isAgain(otherwise) ? graph.ite(condition, then, graph.operand(otherwise, 2)) : null;
}

function simplifyBooleanChoice(graph: TermGraph, condition: Term, then: Term, otherwise: Term): Term | null {
  if (graph.isTrue(then)) return graph.or(condition, otherwise);
  if (graph.isFalse(then)) return graph.and(graph.not(condition), otherwise);
  if (graph.isTrue(otherwise)) return graph.or(graph.not(condition), then);
  if (graph.isFalse(otherwise)) return graph.and(condition, then);
  if (then === condition) return graph.or(condition, otherwise);
  return otherwise === condition ? graph.and(condition, then) : null;
}
