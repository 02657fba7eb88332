/**
 * Interning: equal identifiers, numbers and punctuators become one string, so that comparing them compares references
 * and their hash is computed once. A small direct-mapped cache, keyed by a hash that the lexer computes while it scans,
 * spares the slice and the map for nearly every token; names chosen to collide in it only cost the map's (seeded) hash.
 */

const CACHE_SIZE = 8192;

/** Owned by one run of the front end; only lexers add to it. */
export class TextTable {
  readonly #known = new Map<string, string>();
  readonly #cache: string[] = new Array<string>(CACHE_SIZE).fill('');

  /** The one string equal to `source.slice(start, end)`; `hash` is any function of those characters. */
  internSlice(source: string, start: number, end: number, hash: number): string {
    const slot = (hash ^ (hash >>> 13)) & (CACHE_SIZE - 1);
    const cached = this.#cache[slot] as string;
    if (cached.length === end - start && source.startsWith(cached, start)) return cached;
    const text = this.intern(source.slice(start, end));
    this.#cache[slot] = text;
    return text;
  }

  intern(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, text);
    return text;
  }
}
