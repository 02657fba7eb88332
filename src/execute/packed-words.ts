/**
 * Words that hold an address and something else: a counter in the upper bits against ABA, marks, an index beside a tag.
 * Value sets keep a progression or a few values, not all combinations of some addresses and some counters, so that the
 * address that a program takes out of such a word could be anything.
 *
 * When that happens, the cells that hold the word are split into pieces of two bytes, each with a set of its own, and
 * the execution is repeated. From then on a write is cut into pieces through the operations that made the word
 * (`sliceTerm`), and a mask or a shift of what was read drops whole pieces (`maskWord`, `shiftWord`): what the pieces
 * hold is what was packed.
 */

import { pushAll } from '../support/push-all.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import type { Cell } from './cells.ts';
import type { Execution } from './execution.ts';

const PIECE_BYTES = 2;
/** An address with more values than this is looked at. */
const MOST_ADDRESSES = 1024n;
/** Below are numbers that are no addresses. */
const FIRST_ADDRESS = 0x1_0000n;
const MOST_TERMS = 200;
const DEEPEST_SLICE = 12;

// ---------------------------------------------------------------- finding them

/**
 * Splits the packed words that an address was taken out of, if it can be too much: then this iteration is not the last
 * one.
 */
export function splitPackedWords(execution: Execution, address: Term): boolean {
  const { graph, knowledge } = execution;
  if (sets.countValues(graph.setOf(address)) <= MOST_ADDRESSES) return false;
  let hasSplit = false;
  for (const cell of packedCells(execution, address)) {
    if (cell.size < 2 * 4 || cell.object.isSparse) continue;
    hasSplit = knowledge.splitInto(cell, PIECE_BYTES) || hasSplit;
  }
  return hasSplit;
}

/** The cells whose values went through an operation on bits on their way to the address. */
function packedCells({ graph, reads }: Execution, address: Term): Cell[] {
  const found: Cell[] = [];
  const stack: { readonly term: Term; readonly isUnpacked: boolean }[] = [{ term: address, isUnpacked: false }];
  const seen = new Set<Term>();
  for (let next = stack.pop(); next && seen.size < MOST_TERMS; next = stack.pop()) {
    const { term, isUnpacked } = next;
    if (seen.has(term)) continue;
    seen.add(term);
    const operation = graph.operationOf(term);
    if (operation === 'variable' && isUnpacked) pushAll(found, reads.get(term)?.cells ?? []);
    const unpacks = UNPACKING.has(operation) && sets.maxUnsigned(graph.setOf(term)) >= FIRST_ADDRESS;
    const operands = operation === 'ite' ? graph.operandsOf(term).slice(1) : graph.operandsOf(term);
    for (const operand of operands) stack.push({ term: operand, isUnpacked: isUnpacked || unpacks });
  }
  return found;
}

const UNPACKING: ReadonlySet<string> = new Set(['and', 'xor', 'extract', 'lshr', 'ashr', 'shl']);

// ---------------------------------------------------------------- pieces

/** The bits low .. low+width-1, taken from the operands of operations that work bit by bit. */
export function sliceTerm(graph: TermGraph, term: Term, low: number, width: number, depth = DEEPEST_SLICE): Term {
  const slice = (operand: Term, at: number) => sliceTerm(graph, operand, at, width, depth - 1);
  const whole = graph.widthOf(term);
  if (depth === 0 || whole === width) return graph.extract(term, low, width);
  const [a, b, c] = graph.operandsOf(term) as [Term, Term, Term];
  switch (graph.operationOf(term)) {
    case 'and':
      return graph.and(slice(a, low), slice(b, low));
    case 'or':
      return graph.or(slice(a, low), slice(b, low));
    case 'xor':
      return graph.xor(slice(a, low), slice(b, low));
    case 'ite':
      return graph.ite(a, slice(b, low), slice(c, low));
    case 'shl': {
      const by = Number(graph.constantOf(b) ?? -1n);
      if (by >= 0 && low >= by) return slice(a, low - by);
      return by >= low + width ? graph.constant(width, 0n) : graph.extract(term, low, width);
    }
    case 'lshr': {
      const by = Number(graph.constantOf(b) ?? -1n);
      return by >= 0 && low + by + width <= whole ? slice(a, low + by) : graph.extract(term, low, width);
    }
    default:
      return graph.extract(term, low, width);
  }
}

/** `a & b`; of a word in pieces and a constant, piece by piece. */
export function maskWord(graph: TermGraph, a: Term, b: Term): Term {
  const isMask = graph.constantOf(b) !== null;
  const [word, mask] = isMask ? [a, b] : [b, a];
  if (graph.constantOf(mask) === null || graph.operationOf(word) !== 'concat') return graph.and(a, b);
  const [high, low] = graph.operandsOf(word) as [Term, Term];
  const lowWidth = graph.widthOf(low);
  return graph.concat(
    maskWord(graph, high, graph.extract(mask, lowWidth, graph.widthOf(high))),
    maskWord(graph, low, graph.extract(mask, 0, lowWidth)),
  );
}

/** `word >> amount` without sign; of a word in pieces and a constant, what is left of the pieces. */
export function shiftWord(graph: TermGraph, word: Term, amount: Term): Term {
  const by = graph.constantOf(amount);
  const width = graph.widthOf(word);
  if (by === null || by >= BigInt(width) || graph.operationOf(word) !== 'concat')
    return graph.shift('lshr', word, amount);
  return graph.extend(graph.extract(word, Number(by), width - Number(by)), width, false);
}
