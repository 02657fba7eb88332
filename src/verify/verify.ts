/**
 * The tool as one pure function: C text in, report out. The command line, the library and the tests go through here;
 * what needs an operating system (files, solvers in other threads, the clock) is handed in.
 */

import type { EngineHost, Observer } from '../engines/engine.ts';
import { check } from '../engines/strategy.ts';
import { NO_BOUNDS, type Outcome } from '../outcome/outcome.ts';
import type { Approximation, Code } from '../program/code.ts';
import type { CheckReport } from '../report/check-report.ts';
import { type ReadCodeHost, type ReadProgram, readCode } from './read-code.ts';
import { reportOn } from './report-on.ts';
import type { Source, VerifySettings } from './settings.ts';

export interface VerifyHost extends ReadCodeHost {
  readonly environment: EngineHost;
  /** Is shown the lowered program; the result watches the engines. */
  readonly observe?: (code: Code) => Observer;
  /** The program, where it has been read before. */
  readonly read?: ReadProgram | undefined;
}

/** Throws a UsageError when the settings do not fit the program, and the signal's reason when it is aborted. */
export async function verifyProgram(source: Source, settings: VerifySettings, host: VerifyHost): Promise<CheckReport> {
  const { clock, signal } = host.environment;
  const start = clock();
  signal?.throwIfAborted();
  const { outcome, approximations } = await findOutcome(source, settings, host, start + settings.timeLimitMs);
  signal?.throwIfAborted();
  return reportOn(outcome, approximations, source, settings, clock() - start);
}

async function findOutcome(
  source: Source,
  settings: VerifySettings,
  host: VerifyHost,
  deadline: number,
): Promise<{ readonly outcome: Outcome; readonly approximations: readonly Approximation[] }> {
  const { environment } = host;
  const read = host.read ?? readCode(source, settings, host);
  if (read.kind === 'refused') return { outcome: refusal(read.reason), approximations: [] };
  const { code, checks } = read;
  const observer = host.observe?.(code) ?? {};
  const timeLimitMs = deadline - environment.clock();
  const outcome = await check({ code, checks, options: settings, timeLimitMs, environment, observer });
  if (outcome.kind === 'unknown' && outcome.loc !== null) {
    const { loc, reason: message } = outcome;
    host.onDiagnostics?.([{ severity: 'error', loc, code: 'unsupported', message, notes: [] }], code.sources);
  }
  return { outcome, approximations: code.approximations };
}

/** The program was not accepted: diagnostics tell more. */
export function refusal(reason: string): Outcome {
  const common = { kind: 'unknown', engine: 'bounded', bounds: NO_BOUNDS, loc: null, attempts: [] } as const;
  return { ...common, cause: 'program', reason };
}
