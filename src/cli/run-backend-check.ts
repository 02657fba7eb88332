// `lazuli check --backend`: leaves the check to an external verifier and reports what it says. The bounds are fixed:
// those of the options, or their defaults.

import type { Backend } from '../backends/backend.ts';
import { findBackend } from '../backends/backends.ts';
import { TimeIsUp, TimeLimit } from '../host/time-limit.ts';
import type { UnknownCause } from '../outcome/outcome.ts';
import { type CheckName, defaultChecks, emittedChecks } from '../program/check-names.ts';
import type { CheckReport } from '../report/check-report.ts';
import { invariant } from '../support/invariant.ts';
import type { ReadBounds } from './bound-options.ts';
import { boundsOf, checkWithBackend } from './check-backend.ts';
import type { CheckCommandOptions } from './check-options.ts';
import type { Target } from './check-target.ts';
import { reportUsage } from './define-command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { nameProgram } from './program-input.ts';
import type { WidthSource } from './request-widths.ts';
import type { SequentializeRequest } from './sequentialize-file.ts';
import { watchSignals } from './signals.ts';
import { writeFile } from './write-file.ts';
import { writeFiles, writeReport } from './write-report.ts';

type GivenBounds = Extract<ReadBounds, { kind: 'bounds' }>;

export async function runBackendCheck(
  target: Target,
  bounds: GivenBounds,
  options: CheckCommandOptions,
  given: ReadonlySet<keyof CheckCommandOptions>,
  io: Io,
): Promise<ExitCode> {
  const missing = (target.checks ?? defaultChecks()).filter((name) => !emittedChecks().includes(name));
  const refused = missing.filter((name) => isAskedByName(name, target, options));
  if (refused.length > 0) {
    const names = refused.join(', ');
    const message = `with --backend there is no check of ${names}; --backend-options may turn the backend's own on`;
    return reportUsage(io, 'check', message);
  }
  const backend = findBackend(options.backend ?? '');
  invariant(backend, 'the option allows names of the table only');
  const request = toRequest(target, backend, bounds, options);
  const startMs = performance.now();
  const limits = { timeoutSeconds: options.timeout, memoryLimitMegabytes: options.memoryLimit };
  const progress = given.has('progress') ? options.progress : null;
  const signals = watchSignals();
  const checked = await checkWithBackend({ request, options, ...limits, progress, signal: signals.signal }, io)
    .catch((error: unknown) => {
      if (!(error instanceof TimeIsUp)) throw error;
      const report = reportUnknown(request, 'time', error.message, performance.now() - startMs);
      return { kind: 'checked', report, nativeInput: null } as const;
    })
    .finally(() => signals.end());
  const interruption = signals.interruption();
  if (interruption !== null) {
    const { words, code } = interruption;
    io.err.write(`lazuli: ${words}\n`);
    writeFiles(reportUnknown(request, 'interrupted', words, performance.now() - startMs), options, io);
    return code;
  }
  switch (checked.kind) {
    case 'failed':
      if (checked.code === exitCodes.program) {
        const reason = 'the program has errors, or uses what is not supported';
        writeReport(reportUnknown(request, 'program', reason, performance.now() - startMs), options, io);
      }
      return checked.code;
    case 'misused':
      return reportUsage(io, 'check', checked.message);
    case 'checked': {
      const { report, nativeInput } = checked;
      const isSafe = report.outcome.kind === 'bounded';
      const notes = isSafe ? [...report.notes, ...describeMissing(missing)] : report.notes;
      const code = writeReport({ ...report, notes }, options, io);
      if (options.nativeInput !== undefined && nativeInput !== null) writeFile(options.nativeInput, nativeInput);
      return code;
    }
  }
}

/** By its own name or by a property; not by the name of a group, of which a backend takes what it has. */
function isAskedByName(name: CheckName, { checks }: Target, { check }: CheckCommandOptions): boolean {
  return check.length > 0 ? check.some((word) => word === name) : checks !== null;
}

function toRequest(
  target: Target,
  backend: Backend,
  bounds: GivenBounds,
  options: CheckCommandOptions,
): SequentializeRequest {
  return {
    files: target.files,
    isDataModelGiven: target.isDataModelGiven,
    frontEnd: { ...options, dataModel: target.dataModel },
    bounds: bounds.options,
    rounds: options.rounds,
    closingMain: options.closingMain,
    schedule: bounds.schedule,
    schema: options.schema,
    backend,
    checks: target.checks?.filter((name) => defaultChecks().includes(name)) ?? null,
    lineDirectives: false,
    bitvectors: options.bitvectors ? (options.valueAnalysis as WidthSource) : undefined,
    limit: new TimeLimit(1000 * options.timeout),
  };
}

function reportUnknown(
  request: SequentializeRequest,
  cause: UnknownCause,
  reason: string,
  elapsedMs: number,
): CheckReport {
  return {
    program: nameProgram(request.files, request.frontEnd),
    outcome: {
      kind: 'unknown',
      engine: request.backend.name,
      bounds: boundsOf(request),
      cause,
      reason,
      loc: null,
      attempts: [],
    },
    notes: [],
    approximations: [],
    elapsedMs,
  };
}

/** What "safe up to bounds" does not speak of. */
function describeMissing(missing: readonly CheckName[]): string[] {
  return missing.length > 0 ? [`Not looked for with a backend: ${missing.join(', ')}.`] : [];
}
