/** Checks a C text with the embedded engine, in this process: front end, lowering, `check`. */

import { type CheckOptions, type CheckOutcome, check } from '../../src/engines/check.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import type { CheckName } from '../../src/program/code.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { lowerText } from './lower-text.ts';

export interface CheckTextOptions extends Partial<Omit<CheckOptions, 'checks'>> {
  /** Besides those of a plain check. */
  readonly checks?: readonly CheckName[];
  readonly dataModel?: DataModel;
}

export function checkText(text: string, options: CheckTextOptions = {}): Promise<CheckOutcome> {
  const checks = new Set([...DEFAULT_LOWER_OPTIONS.checks, ...(options.checks ?? [])]);
  const code = lowerText(text, { checks }, options.dataModel);
  return check(code, {
    unwind: null,
    rounds: null,
    contextSwitches: null,
    unwindOf: () => null,
    explore: false,
    valueAnalysis: 'builtin',
    seed: 1,
    timeLimitMs: 20_000,
    environment: {
      clock: () => performance.now(),
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
      createSolver: () => createCadical({ seed: 1 }),
    },
    listener: { onStage: () => {}, onFormula: () => {}, onCovered: () => {}, onTime: () => {} },
    ...options,
    checks,
  });
}
