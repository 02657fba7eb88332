/**
 * Who can reach which object, in one iteration: written by the memory of each thread as it makes objects and publishes
 * their addresses, read by everybody.
 */

import type { Cell, MemoryObject } from './cells.ts';
import type { Knowledge } from './knowledge.ts';

export class ObjectReach {
  readonly #knowledge: Knowledge;
  /** Objects made before the first thread was created: everybody may know them, their contents are in the snapshot. */
  readonly early = new Set<number>();
  /**
   * Which thread makes an object, for objects made later. Known from earlier iterations for threads that are still to
   * come.
   */
  readonly owners: Map<number, number>;
  /** Objects that another thread than their maker touches, and those whose maker publishes them. */
  readonly foreign = new Set<MemoryObject>();
  readonly published = new Set<number>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.owners = knowledge.owners;
  }

  /** Nobody but the maker of its object sees the cell until its contents are published. */
  isPublishedLater(cell: Cell): boolean {
    const { id, isOpen, isSparse } = cell.object;
    return this.owners.has(id) && !isOpen && !isSparse && cell.offset >= 0;
  }

  /** Others computed the addresses of objects that were never published: these have to be open from the beginning. */
  openHiddenObjects(): void {
    for (const object of this.foreign) {
      if (this.owners.has(object.id) && !this.published.has(object.id)) this.#knowledge.recordOpen(object);
    }
  }
}
