/**
 * Terms to bits. A term's value set says which bits are fixed and from where on they only repeat the sign (BitShape);
 * only the bits in between are computed, arithmetic in just the width that its result needs. So a 32-bit variable that
 * holds 0 … 5 costs three literals, and a pointer to one of four objects two.
 */

import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import * as arithmetic from '../logic/bit-vector-arithmetic.ts';
import type { Circuit } from '../logic/circuit.ts';
import { FALSE, type Literal, TRUE } from '../logic/literal.ts';
import { invariant } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import { type BitShape, bitLength, bitShape } from '../values/bit-shape.ts';
import type { FloatOperation, Term, TermGraph } from '../values/terms.ts';
import { maxSigned, maxUnsigned, minSigned, type ValueSet } from '../values/value-set.ts';
import { assertWithin } from './assert-within.ts';
import { encodeFloat } from './encode-floats.ts';

export class TermEncoder {
  readonly circuit: Circuit;
  readonly #graph: TermGraph;
  readonly #bits: (BitVector | undefined)[] = [];

  constructor(graph: TermGraph, circuit: Circuit) {
    this.#graph = graph;
    this.circuit = circuit;
  }

  /** The bits of a term, as many as its width. */
  bitsOf(term: Term): BitVector {
    const known = this.#bits[term];
    if (known) return known;
    const stack = [term];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as Term;
      if (this.#bits[top]) {
        stack.pop();
        continue;
      }
      const missing = this.#graph.operandsOf(top).filter((operand) => !this.#bits[operand]);
      if (missing.length > 0) pushAll(stack, missing);
      else {
        this.#bits[top] = this.#encode(top);
        stack.pop();
      }
    }
    return this.#bits[term] as BitVector;
  }

  /** The literal of a Boolean term. */
  literalOf(term: Term): Literal {
    return this.bitsOf(term)[0] as Literal;
  }

  /** The bits that are already there: only terms that were encoded have some. */
  encodedBitsOf(term: Term): BitVector | undefined {
    return this.#bits[term];
  }

  #encode(term: Term): BitVector {
    const graph = this.#graph;
    const value = graph.constantOf(term);
    const width = graph.widthOf(term);
    if (value !== null) return vectors.constant(value, width);
    const set = graph.setOf(term);
    const shape = bitShape(set);
    const bits = fitShape(this.#lowBits(term, neededBits(shape)), shape, width);
    if (graph.operationOf(term) === 'variable') assertWithin(this.circuit, bits, set);
    return bits;
  }

  /** The lowest `count` bits, before what the shape knows is put in. */
  #lowBits(term: Term, count: number): BitVector {
    const graph = this.#graph;
    const { circuit } = this;
    const operands = graph.operandsOf(term);
    const low = (i: number) => this.#operand(operands[i] as Term).slice(0, count);
    switch (graph.operationOf(term)) {
      case 'constant':
        return vectors.constant(graph.constantOf(term) as bigint, count);
      case 'variable':
        return vectors.fresh(circuit, count);
      case 'refine':
        return low(0);
      case 'not':
        return vectors.bitNot(low(0));
      case 'and':
        return vectors.bitAnd(circuit, low(0), low(1));
      case 'or':
        return vectors.bitOr(circuit, low(0), low(1));
      case 'xor':
        return vectors.bitXor(circuit, low(0), low(1));
      case 'add':
        return arithmetic.add(circuit, low(0), low(1));
      case 'mul':
        return arithmetic.mul(circuit, low(0), low(1));
      case 'shl':
        return this.#shiftLeft(operands[0] as Term, operands[1] as Term, count);
      case 'ite':
        return vectors.ite(circuit, this.literalOf(operands[0] as Term), low(1), low(2));
      case 'zext':
        return vectors.zeroExtend(low(0), count);
      case 'sext':
        return this.#signExtended(operands[0] as Term, count);
      case 'extract':
        return this.#operand(operands[0] as Term).slice(graph.extractLow(term), graph.extractLow(term) + count);
      case 'concat':
        return [...this.#operand(operands[1] as Term), ...this.#operand(operands[0] as Term)].slice(0, count);
      case 'fadd':
      case 'fmul':
      case 'fdiv':
      case 'feq':
      case 'flt':
      case 'fle':
      case 'ftof':
      case 'stof':
      case 'ftos': {
        const bits = operands.map((operand) => this.#operand(operand));
        return encodeFloat(circuit, graph.operationOf(term) as FloatOperation, bits, graph.widthOf(term)).slice(
          0,
          count,
        );
      }
      default:
        return this.#wholeBits(term, operands as [Term, Term]).slice(0, count);
    }
  }

  /**
   * Operations whose low bits depend on the high bits of the operands: computed in the width that both operands need.
   */
  #wholeBits(term: Term, [a, b]: [Term, Term]): BitVector {
    const graph = this.#graph;
    const { circuit } = this;
    const width = graph.widthOf(a);
    const [setA, setB] = [graph.setOf(a), graph.setOf(b)];
    const unsigned = Math.min(width, Math.max(unsignedBits(setA), unsignedBits(setB), 1));
    const signed = Math.min(width, Math.max(signedBits(setA), signedBits(setB)));
    const cut = (bits: number): [BitVector, BitVector] => [
      this.#operand(a).slice(0, bits),
      this.#operand(b).slice(0, bits),
    ];
    const [x, y] = cut(unsigned);
    const [p, q] = cut(signed);
    const result = graph.widthOf(term);
    switch (graph.operationOf(term)) {
      case 'eq':
        return [vectors.eq(circuit, this.#operand(a), this.#operand(b))];
      case 'ult':
        return [vectors.ult(circuit, x, y)];
      case 'slt':
        return [vectors.slt(circuit, p, q)];
      case 'udiv':
        // Division by zero gives all ones: those above the small width are set exactly then.
        return [
          ...arithmetic.udiv(circuit, x, y),
          ...Array<Literal>(result - x.length).fill(this.#mayBeZero(setB) ? vectors.isZero(circuit, y) : FALSE),
        ];
      case 'urem':
        return vectors.zeroExtend(arithmetic.urem(circuit, x, y), result);
      case 'sdiv':
        // One bit more: the least number by -1 is no longer in the width.
        return vectors.signExtend(arithmetic.sdiv(circuit, ...cut(Math.min(width, signed + 1))), result);
      case 'srem':
        return vectors.signExtend(arithmetic.srem(circuit, p, q), result);
      case 'lshr':
        return this.#shiftRight(a, b, FALSE);
      case 'ashr':
        return this.#shiftRight(a, b, vectors.signBit(this.#operand(a)));
      default:
        throw new Error(`operation ${graph.operationOf(term)}`);
    }
  }

  #mayBeZero(set: ValueSet): boolean {
    return (set.parts[0]?.low ?? 0n) === 0n;
  }

  #shiftLeft(a: Term, amount: Term, count: number): BitVector {
    const bits = this.#operand(a).slice(0, count);
    return vectors.shl(this.circuit, bits, this.#amountBits(amount));
  }

  #shiftRight(a: Term, amount: Term, fill: Literal): BitVector {
    const bits = this.#operand(a);
    return fill === FALSE
      ? vectors.lshr(this.circuit, bits, this.#amountBits(amount))
      : vectors.ashr(this.circuit, bits, this.#amountBits(amount));
  }

  #amountBits(amount: Term): BitVector {
    return this.#operand(amount).slice(0, Math.max(1, unsignedBits(this.#graph.setOf(amount))));
  }

  #signExtended(a: Term, count: number): BitVector {
    const bits = this.#operand(a);
    return count <= bits.length ? bits.slice(0, count) : vectors.signExtend(bits, count);
  }

  #operand(term: Term): BitVector {
    const bits = this.#bits[term];
    invariant(bits, 'operands are encoded first');
    return bits;
  }
}

/** Bits up to the highest that is neither known nor a repeated sign. */
function neededBits(shape: BitShape): number {
  for (let i = shape.extent; i > 0; i--) if (((shape.known >> BigInt(i - 1)) & 1n) === 0n) return i;
  return 0;
}

/**
 * Puts in what the shape knows: fixed bits, and the sign repeated. Bits given beyond the needed ones are not looked at.
 */
export function fitShape(low: BitVector, shape: BitShape, width: number): BitVector {
  const bits: Literal[] = [];
  for (let i = 0; i < width; i++) {
    if (i >= shape.extent) bits.push(bits[shape.extent - 1] as Literal);
    else if (((shape.known >> BigInt(i)) & 1n) === 1n)
      bits.push(((shape.value >> BigInt(i)) & 1n) === 1n ? TRUE : FALSE);
    else bits.push(low[i] as Literal);
  }
  return bits;
}

function unsignedBits(set: ValueSet): number {
  return bitLength(maxUnsigned(set));
}

function signedBits(set: ValueSet): number {
  const [low, high] = [minSigned(set), maxSigned(set)];
  return 1 + Math.max(bitLength(high < 0n ? -high - 1n : high), bitLength(low < 0n ? -low - 1n : low));
}
