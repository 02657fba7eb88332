/**
 * Words that are written as a whole, although others write parts of them: the link of a free block in a memory pool,
 * where its user keeps short members. Such a word lies in several cells, and read piece by piece it could be any
 * combination of what these hold: the lower half of one address with the upper half of another, or with a number.
 * Accesses through it would touch places that no pointer leads to, split these into pieces in turn, and so on.
 *
 * So it is kept which addresses were written to a word as a whole, and an access goes to these. Executions in which
 * other combinations are the address of something are cut, as something that cannot be followed (known-addresses.ts).
 * An address that was copied byte by byte is one of them; therefore words are tracked only in programs that cannot be
 * executed otherwise.
 */

import type { Term } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import { isHuge, knownValues } from './known-addresses.ts';

/** After so many times nothing is known any more. */
const MOST_GROWTHS = 24;

export class WholeWords {
  readonly #words = new Map<MemoryObject, Map<number, { known: ValueSet; growths: number }>>();

  /** The word can have these values; true if that is news. */
  record(object: MemoryObject, offset: number, values: ValueSet): boolean {
    const words = this.#words.get(object) ?? new Map<number, { known: ValueSet; growths: number }>();
    this.#words.set(object, words);
    const word = words.get(offset) ?? { known: sets.emptySet(values.width), growths: 0 };
    words.set(offset, word);
    if (sets.isSubset(values, word.known)) return false;
    const all = sets.joinSets(word.known, values);
    word.known = ++word.growths > MOST_GROWTHS || isHuge(all) ? sets.topSet(all.width) : all;
    return true;
  }

  /** What was written there as a whole. */
  at(object: MemoryObject, offset: number, width: number): ValueSet {
    return this.#words.get(object)?.get(offset)?.known ?? sets.emptySet(width);
  }
}

/**
 * Somebody writes a value to the cells of a word. In the rest of an iteration that has lost contents, that may be
 * anything.
 */
export function recordWholeWord(execution: Execution, cells: readonly Cell[], value: Term): void {
  const { knowledge, graph, wordBits } = execution;
  const { words, cellsChanged } = knowledge;
  if (!words || cellsChanged || graph.widthOf(value) !== wordBits) return;
  const { object, offset } = cells[0] as Cell;
  if (words.record(object, offset, knownValues(execution, value))) knowledge.structureChanged = true;
}

/** A word that is put together from the cells is known to hold what was written there as a whole. */
export function noteWholeWord(execution: Execution, cells: readonly Cell[], word: Term): void {
  const { graph, unknowns, knowledge, wordBits } = execution;
  const { known } = unknowns;
  const operation = graph.operationOf(word);
  if (!knowledge.words || (operation !== 'concat' && operation !== 'zext') || graph.widthOf(word) !== wordBits) return;
  const { object, offset } = cells[0] as Cell;
  const initial = sets.constantSet(wordBits, execution.initial.staticBytes(object, offset, wordBits / 8));
  const whole = sets.joinSets(knowledge.words.at(object, offset, wordBits), initial);
  known.set(word, sets.joinSets(known.get(word) ?? whole, whole));
}
