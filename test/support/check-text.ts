/** Checks a C text with the embedded engines, in this process: front end, lowering, strategy. */

import { type CheckOptions, DEFAULT_CHECK_OPTIONS, type Environment } from '../../src/engines/engine.ts';
import { type Check, check } from '../../src/engines/strategy.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import type { Outcome } from '../../src/outcome/outcome.ts';
import type { CheckName } from '../../src/program/code.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { lowerText } from './lower-text.ts';

export interface CheckTextOptions
  extends Partial<CheckOptions>,
    Partial<Pick<Check, 'timeLimitMs' | 'environment' | 'observer'>> {
  /** Besides those of a plain check. */
  readonly checks?: readonly CheckName[];
  readonly dataModel?: DataModel;
}

/** By the solver alone, unless `explore` is set. */
export function checkText(text: string, options: CheckTextOptions = {}): Promise<Outcome> {
  const { checks: more = [], dataModel, timeLimitMs = 20_000, environment = ENVIRONMENT, observer = {} } = options;
  const checks = new Set([...DEFAULT_LOWER_OPTIONS.checks, ...more]);
  const code = lowerText(text, { checks }, dataModel);
  const checkOptions = { ...DEFAULT_CHECK_OPTIONS, explore: false, ...options };
  return check({ code, checks, options: checkOptions, timeLimitMs, environment, observer });
}

const ENVIRONMENT: Environment = {
  clock: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  createSolver: () => createCadical({ seed: 1 }),
};

/** The check that is violated, or the kind of the outcome. */
export function violatedCheck(outcome: Outcome): string {
  return (outcome.kind === 'unsafe' && outcome.trace?.violation.check) || outcome.kind;
}
