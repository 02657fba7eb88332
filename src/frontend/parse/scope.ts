/**
 * Names in scope, as far as the parser needs them: C's grammar depends on whether an identifier is a typedef name. One
 * table maps each visible name to what it is now; a log of what was overwritten undoes a scope when it closes. So both
 * lookup and declaration take constant time. Tags, members and labels live in name spaces of their own and never
 * come here.
 */

import { PREDECLARED_TYPES } from './keywords.ts';

type NameKind = 'typedef' | 'ordinary';

/** 'unknown': was declared in a scope that is closed. Entries stay, since a `Map` is slow when many come and go. */
type Entry = NameKind | 'unknown';

export class NameKinds {
  readonly #kinds = new Map<string, Entry>();
  readonly #undoNames: string[] = [];
  readonly #undoKinds: Entry[] = [];
  /** The length of the log at the start of each open scope. */
  readonly #starts: number[] = [];

  constructor() {
    for (const name of PREDECLARED_TYPES.keys()) this.#kinds.set(name, 'typedef');
  }

  declare(name: string, kind: NameKind): void {
    const before = this.#kinds.get(name) ?? 'unknown';
    if (before === kind) return;
    if (this.#starts.length > 0) {
      this.#undoNames.push(name);
      this.#undoKinds.push(before);
    }
    this.#kinds.set(name, kind);
  }

  isTypedef(name: string): boolean {
    return this.#kinds.get(name) === 'typedef';
  }

  isKnown(name: string): boolean {
    return (this.#kinds.get(name) ?? 'unknown') !== 'unknown';
  }

  /** How many scopes are open: what `closeTo` takes. */
  get level(): number {
    return this.#starts.length;
  }

  open(): void {
    this.#starts.push(this.#undoNames.length);
  }

  close(): void {
    const start = this.#starts.pop() ?? 0;
    for (let i = this.#undoNames.length - 1; i >= start; i--) {
      this.#kinds.set(this.#undoNames[i] as string, this.#undoKinds[i] as Entry);
    }
    this.#undoNames.length = start;
    this.#undoKinds.length = start;
  }

  /** Closes the scopes that a construct left open when it was given up. */
  closeTo(level: number): void {
    while (this.#starts.length > level) this.close();
  }

  /** The typedef names visible now, for suggestions. */
  typedefNames(): string[] {
    return [...this.#kinds].filter(([, kind]) => kind === 'typedef').map(([name]) => name);
  }
}
