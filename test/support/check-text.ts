/** Verifies a C text with the embedded engines, in this thread. */

import type { CheckOptions } from '../../src/engines/check-options.ts';
import type { EngineHost, Observer } from '../../src/engines/engine.ts';
import type { SourceText } from '../../src/frontend/front-end.ts';
import type { SourceReader } from '../../src/frontend/preprocess/options.ts';
import type { Outcome } from '../../src/outcome/outcome.ts';
import { type CheckName, defaultChecks } from '../../src/program/check-names.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { validateCode } from '../../src/program/validate-code.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { printDiagnostics } from '../../src/support/print-diagnostics.ts';
import { DEFAULT_SETTINGS } from '../../src/verify/settings.ts';
import { verifyProgram } from '../../src/verify/verify.ts';

export interface CheckTextOptions extends Partial<CheckOptions> {
  /** Besides those of a plain check. */
  readonly checks?: readonly CheckName[];
  /** Not even these of a plain check. */
  readonly withoutChecks?: readonly CheckName[];
  readonly dataModel?: DataModel;
  readonly defines?: readonly string[];
  readonly timeLimitMs?: number;
  readonly environment?: EngineHost;
  readonly observer?: Observer;
  /** For headers of the program's own. */
  readonly reader?: SourceReader;
}

/** By the solver alone, unless `explore` is set. A program that is not accepted is a fault of the test. */
export function checkText(text: string, options: CheckTextOptions = {}): Promise<Outcome> {
  return checkFiles([{ fileName: 'program.c', text }], options);
}

/** The same for a program of several files. */
export async function checkFiles(files: readonly SourceText[], options: CheckTextOptions = {}): Promise<Outcome> {
  const { checks = [], withoutChecks = [], environment = ENVIRONMENT, observer = {}, reader, ...more } = options;
  const settings = {
    ...DEFAULT_SETTINGS,
    explore: false,
    timeLimitMs: 20_000,
    ...more,
    checks: [...defaultChecks(), ...checks].filter((name) => !withoutChecks.includes(name)),
  } as const;
  let complaints = '';
  const { outcome } = await verifyProgram({ name: 'program', files }, settings, {
    environment,
    ...(reader && { reader }),
    observe: (code) => {
      const faults = validateCode(code);
      if (faults.length > 0) throw new Error(`invalid code:\n${faults.join('\n')}`);
      return observer;
    },
    onDiagnostics: (diagnostics, sources) => {
      complaints += printDiagnostics(diagnostics, sources, { colour: false });
    },
  });
  if (outcome.kind === 'unknown' && outcome.cause === 'program') throw new Error(complaints);
  return outcome;
}

const ENVIRONMENT: EngineHost = {
  clock: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  createSolver: () => createCadical({ seed: 1 }),
  createIncrementalSolvers,
};

/** The check that is violated, or the kind of the outcome. */
export function violatedCheck(outcome: Outcome): string {
  return (outcome.kind === 'unsafe' && outcome.trace?.violation.check) || outcome.kind;
}
