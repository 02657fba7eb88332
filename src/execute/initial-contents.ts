/**
 * The initial contents of memory: static objects have theirs from the program, or from what main wrote before it
 * created the first thread (the snapshot), which is why nothing in that part of main is a step.
 */

import type { CodeObject } from '../program/code.ts';
import { floatToBits } from '../values/float-constants.ts';
import type { Term } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { ALIVE, type Cell, type MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import { initialOfSlot, initialOfSummary } from './sparse-objects.ts';

export class InitialContents {
  readonly #execution: Execution;
  readonly #values = new Map<number, Term>();
  /** Cells as main left them when it created the first thread; null until then. Main's memory writes it. */
  snapshot: ReadonlyMap<number, Term> | null = null;

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  /** The value of a cell before anybody of the present threads wrote to it. */
  of(cell: Cell): Term {
    const known = this.snapshot?.get(cell.id) ?? this.#values.get(cell.id);
    if (known !== undefined) return known;
    const value = this.#make(cell);
    this.#values.set(cell.id, value);
    return value;
  }

  #make(cell: Cell): Term {
    const { graph, reach, unknowns, options } = this.#execution;
    if (cell.offset === ALIVE) return graph.true;
    const { object } = cell;
    const width = 8 * cell.size;
    if (cell.isSummary) return initialOfSummary(this.#execution, cell);
    if (object.isSparse) return initialOfSlot(this.#execution, cell);
    if (object.kind === 'static' || object.kind === 'thread')
      return graph.constant(width, this.staticBytes(object, cell.offset, cell.size));
    if (object.isZeroed) return graph.constant(width, 0n);
    const place = { thread: reach.owners.get(object.id) ?? 0, key: object.creator, offset: cell.offset };
    const unknown = unknowns.input(place, sets.topSet(width), `uninitialised ${object.name}`);
    options.recorder?.declareMemory(unknown);
    return unknown;
  }

  /** What a static object holds when the program starts. */
  staticBytes(object: MemoryObject, offset: number, size: number): bigint {
    let bytes = 0n;
    for (const item of object.declared?.initial ?? []) {
      const itemSize = item.type.bits / 8;
      if (item.offset + itemSize <= offset || item.offset >= offset + size) continue;
      const shift = BigInt(8 * (item.offset - offset));
      const pattern = BigInt.asUintN(item.type.bits, this.#initialBits(item.value));
      bytes |= shift >= 0n ? pattern << shift : pattern >> -shift;
    }
    return BigInt.asUintN(8 * size, bytes);
  }

  #initialBits(value: CodeObject['initial'][number]['value']): bigint {
    switch (value.kind) {
      case 'constant':
        return value.value;
      case 'float-constant':
        return floatToBits(value.value, value.type.bits);
      case 'object-address':
        return this.#execution.staticObject(value.object, 0).base + BigInt(value.offset);
      case 'function-address':
        return this.#execution.functionAddress(value.function);
    }
  }
}
