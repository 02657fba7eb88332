/** How the attempts at a proof are dealt out to threads that look for one side by side. */

/** One of `of` threads. The first one asks the others. */
export interface Searcher {
  readonly index: number;
  readonly of: number;
}
