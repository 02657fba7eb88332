/**
 * The memory of large objects: pages that exist only once something is written to them. An object of gigabytes of which
 * a program uses a few elements costs as much as these. Slower than the flat array of memory.ts, which has all the rest
 * and is the only one to call this.
 *
 * Pages outlive their region, so that its end can be undone; whether bytes are alive is the region's to know.
 */

/** Addresses from here on. */
export const FAR = 0x1000_0000;

const PAGE_BYTES = 4096;
/** As much as the flat array has. */
const MOST_PAGES = FAR / PAGE_BYTES;

interface Page {
  readonly bytes: Uint8Array;
  /** Per byte 1 when it was written. */
  readonly written: Uint8Array;
}

export type SavedPages = ReadonlyMap<number, Page>;

export class FarMemory {
  readonly #pages = new Map<number, Page>();

  /** False when there is no room for more. */
  write(address: number, byte: number): boolean {
    const number = Math.floor(address / PAGE_BYTES);
    let page = this.#pages.get(number);
    if (!page) {
      if (this.#pages.size >= MOST_PAGES) return false;
      page = { bytes: new Uint8Array(PAGE_BYTES), written: new Uint8Array(PAGE_BYTES) };
      this.#pages.set(number, page);
    }
    const at = address - number * PAGE_BYTES;
    page.bytes[at] = byte;
    page.written[at] = 1;
    return true;
  }

  /** 0 where nothing was written. */
  read(address: number): number {
    const number = Math.floor(address / PAGE_BYTES);
    return this.#pages.get(number)?.bytes[address - number * PAGE_BYTES] ?? 0;
  }

  isWritten(address: number): boolean {
    const number = Math.floor(address / PAGE_BYTES);
    return this.#pages.get(number)?.written[address - number * PAGE_BYTES] === 1;
  }

  /** As if nobody had written to it. */
  forget(address: number): void {
    const number = Math.floor(address / PAGE_BYTES);
    const page = this.#pages.get(number);
    if (!page) return;
    page.bytes[address - number * PAGE_BYTES] = 0;
    page.written[address - number * PAGE_BYTES] = 0;
  }

  /** Drops what lies at an address or beyond. */
  truncate(top: number): void {
    for (const number of this.#pages.keys()) {
      const start = number * PAGE_BYTES;
      if (start >= top) this.#pages.delete(number);
      else for (let at = top; at < start + PAGE_BYTES; at++) this.forget(at);
    }
  }

  /** The written stretches between two addresses, by pages: where they start and what is in them. */
  *stretches(from: number, to: number): Generator<{ readonly start: number; readonly bytes: Uint8Array }> {
    for (const [number, { bytes }] of this.#pages) {
      const start = number * PAGE_BYTES;
      if (start < to && start + PAGE_BYTES > from) yield { start, bytes };
    }
  }

  save(): SavedPages {
    return new Map([...this.#pages].map(([number, page]) => [number, copyPage(page)]));
  }

  load(saved: SavedPages): void {
    this.#pages.clear();
    for (const [number, page] of saved) this.#pages.set(number, copyPage(page));
  }

  /** All pages in the order of their addresses. */
  inOrder(): readonly (readonly [number, Page])[] {
    return [...this.#pages].sort(([a], [b]) => a - b);
  }
}

function copyPage({ bytes, written }: Page): Page {
  return { bytes: bytes.slice(), written: written.slice() };
}
