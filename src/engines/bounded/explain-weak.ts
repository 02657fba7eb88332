/**
 * What is told of a violation under TSO or PSO: whether the program also breaks under sequential consistency, and where
 * fences would repair it. Asked within the smallest bounds that show a violation; for fences within larger ones.
 */

import type { WeakFinding } from '../../outcome/outcome.ts';
import type { Stage } from '../../outcome/progress.ts';
import { isWeak } from '../../program/memory-model.ts';
import type { Loc, SourceMap } from '../../support/source.ts';
import type { TracePlace } from '../../trace/trace.ts';
import { type Budget, type Problem, timeLeft } from '../engine.ts';
import { withinBudget } from '../within-budget.ts';
import { printFencePatch } from './fence-patch.ts';
import { openProgram } from './open-program.ts';
import type { Preparation } from './preparation.ts';
import { type FenceAnswer, suggestFences } from './suggest-fences.ts';

/** Fences are looked for within these bounds at least, unless the user fixes others. */
const FENCE_BOUNDS = { unwind: 2, rounds: 3 };

/** Null when nothing was found out in the time. */
export async function explainWeak(
  problem: Omit<Problem, 'stage'>,
  preparation: Preparation,
  stages: Iterable<Stage>,
  budget: Budget,
): Promise<WeakFinding | null> {
  const { memoryModel } = problem.options;
  if (!isWeak(memoryModel)) return null;
  const end = budget.environment.clock() + budget.shareMs;
  for (const stage of problem.options.suggestFences ? withoutSmall(stages) : stages) {
    const shareMs = Math.min(end - budget.environment.clock(), timeLeft(budget));
    if (shareMs <= 0) return null;
    const answer = await ask({ ...problem, stage }, preparation, { ...budget, shareMs });
    if (answer === null || answer.kind === 'unknown') return null;
    if (answer.kind === 'safe') continue;
    const places = answer.kind === 'repaired' ? answer.places : null;
    const { sources } = problem.code;
    return {
      memoryModel,
      bounds: stage,
      breaksUnderSc: answer.kind === 'breaks-under-sc',
      fences: places && {
        places: placesOf(places, sources),
        patch: printFencePatch(sources, places),
      },
    };
  }
  return null;
}

/** Fences that are enough within the smallest bounds are often not enough beyond. */
function* withoutSmall(stages: Iterable<Stage>): Generator<Stage> {
  let small: Stage | null = null;
  for (const stage of stages) {
    small = stage;
    if (stage.unwind < FENCE_BOUNDS.unwind || stage.rounds < FENCE_BOUNDS.rounds) continue;
    yield stage;
    small = null;
  }
  // The user wants no larger ones.
  if (small) yield small;
}

function placesOf(locs: readonly Loc[], sources: SourceMap): TracePlace[] {
  const places = locs.flatMap((loc) => {
    const place = sources.place(loc);
    return place ? [{ file: place.file, line: place.line, column: place.column }] : [];
  });
  return places.sort((a, b) => a.line - b.line || a.column - b.column);
}

async function ask(problem: Problem, preparation: Preparation, budget: Budget): Promise<FenceAnswer | null> {
  const { contextSwitches, closingMain, suggestFences: wantsPlaces } = problem.options;
  const prepared = preparation.prepareFor(problem, budget);
  if (prepared.kind !== 'prepared') return null;
  const { program } = prepared;
  const kind = contextSwitches === null ? 'rounds' : 'contexts';
  const schedule = { kind, slots: problem.stage.rounds, closingMain } as const;
  return withinBudget(budget, async (createSolver) => {
    const opened = openProgram(program, schedule, createSolver);
    try {
      return await suggestFences(program, opened, wantsPlaces);
    } finally {
      opened.formula.dispose();
    }
  });
}
