/** What a backend's answer to the question of sequentialize/ask-coverage.ts says of a bounded verdict. */

import type { AssertionCoverage, CutPlace, Ending } from '../outcome/outcome.ts';
import type { AssertionSite } from '../program/find-assertions.ts';
import { readCoverage } from '../sequentialize/ask-coverage.ts';
import type { Loc, SourceMap } from '../support/source.ts';
import type { TracePlace } from '../trace/trace.ts';

export interface CoverageQuestion {
  readonly text: string;
  /** The assertions that it asks for; null where nobody knows them. */
  readonly sites: readonly AssertionSite[] | null;
}

/** `failing`: what the assertions say that can fail. */
export function judgeCoverage(
  { sites }: CoverageQuestion,
  failing: readonly string[],
  sources: SourceMap,
): {
  readonly cuts: readonly CutPlace[];
  readonly assertions: AssertionCoverage | null;
  readonly ending?: Ending;
} {
  const { reached, cuts, ends } = readCoverage(failing);
  const placeOf = (loc: Loc): TracePlace | null => {
    const place = sources.place(loc);
    return place && { file: place.file, line: place.line, column: place.column };
  };
  return {
    cuts: cuts.map(({ what, loc }) => ({ kind: 'bound', where: nameOf(what), loc, place: placeOf(loc) })),
    assertions: sites && {
      total: sites.length,
      reached: reached.size,
      missed: sites.filter((_, site) => !reached.has(site)).map(({ loc }) => placeOf(loc)),
      reachedAt: sites.filter((_, site) => reached.has(site)).map(({ loc }) => placeOf(loc)),
    },
    ...(sites && !ends ? { ending: 'not-within-bounds' } : {}),
  };
}

/** As the embedded engine calls it: the loop, or the function. */
function nameOf(what: string): string {
  return what.replace(/^(?:loop|recursion of) /, '');
}
