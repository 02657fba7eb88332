/**
 * Which assertions of the program's own text executions within the bounds come to. Larger bounds come to whatever
 * smaller ones do, so each assertion is asked for until it is found once.
 */

import type { Visit } from '../../execute/steps.ts';
import type { AssertionCoverage } from '../../outcome/outcome.ts';
import type { Code, FunctionId } from '../../program/code.ts';
import { type AssertionSite, type CodePoint, findAssertions } from '../../program/find-assertions.ts';
import type { VisitListener } from './solve.ts';

export class AssertionReach implements VisitListener {
  /** The instructions to be noted in symbolic execution. */
  readonly watched = new Map<FunctionId, Set<number>>();
  readonly #code: Code;
  readonly #sites: readonly AssertionSite[];
  readonly #missed = new Set<AssertionSite>();
  readonly #sitesAt = new Map<string, AssertionSite[]>();
  #isKnown = true;

  constructor(code: Code) {
    this.#code = code;
    this.#sites = findAssertions(code);
    for (const site of this.#sites) {
      this.#missed.add(site);
      for (const point of site.points) {
        const { function: id, pc } = point;
        this.watched.set(id, (this.watched.get(id) ?? new Set()).add(pc));
        this.#sitesAt.set(keyOf(point), [...(this.#sitesAt.get(keyOf(point)) ?? []), site]);
      }
    }
  }

  /** Before a formula is asked. */
  begin(): void {
    this.#isKnown = true;
  }

  isWanted({ point }: Visit): boolean {
    return this.#sitesAt.get(keyOf(point))?.some((site) => this.#missed.has(site)) ?? false;
  }

  note({ point }: Visit): void {
    for (const site of this.#sitesAt.get(keyOf(point)) ?? []) this.#missed.delete(site);
  }

  giveUp(): void {
    this.#isKnown = false;
  }

  /** Null when it is not even known whether one is reached. */
  coverage(): AssertionCoverage | null {
    const total = this.#sites.length;
    const reached = total - this.#missed.size;
    if (!this.#isKnown && reached === 0) return null;
    const placeOf = ({ loc }: AssertionSite) => {
      const place = this.#code.sources.place(loc);
      return place && { file: place.file, line: place.line, column: place.column };
    };
    const found = this.#sites.filter((site) => !this.#missed.has(site));
    return { total, reached, missed: [...this.#missed].map(placeOf), reachedAt: found.map(placeOf) };
  }
}

function keyOf({ function: id, pc }: CodePoint): string {
  return `${id} ${pc}`;
}
