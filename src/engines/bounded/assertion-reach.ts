/**
 * Which assertions of the program's own text executions within the bounds come to, and whether any comes to its end.
 * Larger bounds come to whatever smaller ones do, so each is asked for until it is found once.
 */

import type { Visit } from '../../execute/steps.ts';
import type { AssertionCoverage } from '../../outcome/outcome.ts';
import type { Code, CodePoint, FunctionId } from '../../program/code.ts';
import { type AssertionSite, findAssertions } from '../../program/find-assertions.ts';
import { findEndings } from '../../program/find-endings.ts';
import type { VisitListener } from './solve.ts';

export class AssertionReach implements VisitListener {
  /** The instructions to be noted in symbolic execution. */
  readonly watched = new Map<FunctionId, Set<number>>();
  readonly #code: Code;
  readonly #sites: readonly AssertionSite[];
  readonly #missed = new Set<AssertionSite>();
  readonly #sitesAt = new Map<string, AssertionSite[]>();
  /** Where the program ends; the value: only if main comes there. */
  readonly #endings = new Map<string, boolean>();
  #isKnown = true;
  #wasAsked = false;
  #ends = false;

  constructor(code: Code) {
    this.#code = code;
    this.#sites = findAssertions(code);
    for (const site of this.#sites) {
      this.#missed.add(site);
      for (const point of site.points) {
        this.#watch(point);
        this.#sitesAt.set(keyOf(point), [...(this.#sitesAt.get(keyOf(point)) ?? []), site]);
      }
    }
    for (const { point, byMain } of findEndings(code)) {
      this.#watch(point);
      this.#endings.set(keyOf(point), byMain);
    }
  }

  #watch({ function: id, pc }: CodePoint): void {
    this.watched.set(id, (this.watched.get(id) ?? new Set()).add(pc));
  }

  /** Before a formula is asked. */
  begin(): void {
    this.#isKnown = true;
    this.#wasAsked = true;
  }

  isWanted(visit: Visit): boolean {
    if (!this.#ends && this.#isEnding(visit)) return true;
    return this.#sitesAt.get(keyOf(visit.point))?.some((site) => this.#missed.has(site)) ?? false;
  }

  #isEnding({ thread, point }: Visit): boolean {
    const byMain = this.#endings.get(keyOf(point));
    return byMain === false || (byMain === true && thread === 0);
  }

  note(visit: Visit): void {
    const { point } = visit;
    if (this.#isEnding(visit)) this.#ends = true;
    for (const site of this.#sitesAt.get(keyOf(point)) ?? []) this.#missed.delete(site);
  }

  giveUp(): void {
    this.#isKnown = false;
  }

  /** Whether some execution within the bounds ends; null when nobody knows. */
  ends(): boolean | null {
    return this.#ends ? true : this.#wasAsked && this.#isKnown ? false : null;
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
