/**
 * New symbols for passes. Numbers are distinct from all that the program has; names of variables are made distinct
 * within a `NameScope`, which a pass keeps per function, so that what is printed keeps the user's names wherever that
 * is possible.
 */

import type { Loc } from '../support/source.ts';
import { variableSymbol } from './build-tree.ts';
import type { Initializer, LabelSymbol, StorageDuration, VariableSymbol } from './tree.ts';
import type { Type } from './types.ts';

/** Numbers above this are never given by the front end, which counts from 0. */
const FIRST_FRESH_ID = 1 << 28;

export interface NewVariable {
  readonly name: string;
  readonly type: Type;
  readonly loc: Loc;
  readonly duration?: StorageDuration;
  readonly initializer?: Initializer | null;
  readonly alignment?: number | null;
  readonly addressTaken?: boolean;
  /** The variable that it is a copy of, or stands for in another place. */
  readonly copyOf?: VariableSymbol;
}

/** One of these belongs to one run of the pipeline. */
export class FreshSymbols {
  #next = FIRST_FRESH_ID;
  readonly #originals = new Map<VariableSymbol, VariableSymbol>();

  id(): number {
    return this.#next++;
  }

  variable({ name, type, loc, duration, initializer, alignment, addressTaken, copyOf }: NewVariable): VariableSymbol {
    const made = variableSymbol({
      id: this.id(),
      name,
      type,
      loc,
      duration,
      linkage: duration === 'static' ? 'internal' : 'none',
      alignment,
      addressTaken,
      initializer,
    });
    if (copyOf) this.#originals.set(made, copyOf);
    return made;
  }

  /** The variable of the program that this one is, or is a copy of; null for what the passes made up. */
  originalOf(symbol: VariableSymbol): VariableSymbol | null {
    let at = symbol;
    for (let next = this.#originals.get(at); next !== undefined; next = this.#originals.get(at)) at = next;
    return at.id < FIRST_FRESH_ID ? at : null;
  }

  label(name: string, loc: Loc): LabelSymbol {
    return { kind: 'label-symbol', id: this.id(), name, loc };
  }
}

/** Gives each name once: `x`, then `x_1`, `x_2`, … */
export class NameScope {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  claim(name: string): string {
    let candidate = name;
    let n = this.#next.get(name) ?? 1;
    while (this.#taken.has(candidate)) candidate = `${name}_${n++}`;
    this.#next.set(name, n);
    this.#taken.add(candidate);
    return candidate;
  }
}
