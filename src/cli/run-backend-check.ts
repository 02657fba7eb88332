// `lazuli check --backend`: leaves the check to an external verifier and reports what it says. The bounds are fixed:
// those of the options, or their defaults.

import { findBackend } from '../backends/backends.ts';
import { TimeIsUp, TimeLimit } from '../host/time-limit.ts';
import type { UnknownCause } from '../outcome/outcome.ts';
import type { Sought } from '../program/bounds.ts';
import { type CheckName, defaultChecks, emittedChecks, soughtChecks } from '../program/check-names.ts';
import type { CheckReport } from '../report/check-report.ts';
import { invariant } from '../support/invariant.ts';
import type { schemaOptions } from './backend-options.ts';
import type { ReadBounds } from './bound-options.ts';
import { boundsOf, checkWithBackend } from './check-backend.ts';
import type { CheckCommandOptions } from './check-options.ts';
import type { CheckTarget } from './check-target.ts';
import { reportUsage } from './define-command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';
import type { Io } from './io.ts';
import type { OptionValues } from './options.ts';
import { nameProgram, readProgramInput } from './program-input.ts';
import type { WidthSource } from './request-widths.ts';
import type { SequentializeRequest } from './sequentialize-file.ts';
import { watchSignals } from './signals.ts';
import { writeFile } from './write-file.ts';
import { writeFiles, writeReport } from './write-report.ts';

type GivenBounds = Extract<ReadBounds, { kind: 'bounds' }>;

export async function runBackendCheck(
  target: CheckTarget,
  bounds: GivenBounds,
  options: CheckCommandOptions,
  given: ReadonlySet<keyof CheckCommandOptions>,
  io: Io,
): Promise<ExitCode> {
  const refused = findRefusedChecks(target, options, soughtChecks());
  if (refused !== null) return reportUsage(io, 'check', refused);
  const request = toRequest(target, bounds, options, io);
  const program = { name: nameProgram(target.files, options), files: target.files };
  const startMs = performance.now();
  const limits = { timeoutSeconds: options.timeout, memoryLimitMegabytes: options.memoryLimit };
  const progress = given.has('progress') ? options.progress : null;
  const signals = watchSignals();
  const sought = soughtBy(target, options);
  const question = { request, sought, options, ...limits, progress, signal: signals.signal };
  const checked = await checkWithBackend(question, program, io)
    .catch((error: unknown) => {
      if (!(error instanceof TimeIsUp)) throw error;
      const report = reportUnknown(program.name, request, 'time', error.message, performance.now() - startMs);
      return { kind: 'checked', report, nativeInput: null } as const;
    })
    .finally(() => signals.end());
  const interruption = signals.interruption();
  if (interruption !== null) {
    const { words, code } = interruption;
    io.err.write(`lazuli: ${words}\n`);
    writeFiles(reportUnknown(program.name, request, 'interrupted', words, performance.now() - startMs), options, io);
    return code;
  }
  switch (checked.kind) {
    case 'failed':
      if (checked.code === exitCodes.program) {
        const reason = 'the program has errors, or uses what is not supported';
        writeReport(reportUnknown(program.name, request, 'program', reason, performance.now() - startMs), options, io);
      }
      return checked.code;
    case 'misused':
      return reportUsage(io, 'check', checked.message);
    case 'checked': {
      const { report, nativeInput } = checked;
      const isSafe = report.outcome.kind === 'bounded';
      const notes = isSafe ? [...report.notes, ...describeMissing(target, sought)] : report.notes;
      const code = writeReport({ ...report, notes }, options, io);
      if (options.nativeInput !== undefined && nativeInput !== null) writeFile(options.nativeInput, nativeInput);
      return code;
    }
  }
}

/** What is wrong with the checks that were asked for; null where nothing is. `sought`: questions of their own. */
export function findRefusedChecks(
  target: CheckTarget,
  options: Pick<BackendRequestOptions, 'check'>,
  sought: readonly CheckName[],
): string | null {
  const names = findMissing(target).filter((name) => isAskedByName(name, target, options) && !sought.includes(name));
  if (names.length === 0) return null;
  return `with --backend there is no check of ${names.join(', ')}; --backend-options may turn the backend's own on`;
}

/** What is asked for by name, as a question of its own. */
export function soughtBy(target: CheckTarget, options: Pick<BackendRequestOptions, 'check'>): readonly Sought[] {
  return soughtChecks().filter((name) => target.checks?.includes(name) && isAskedByName(name, target, options));
}

function findMissing({ checks }: CheckTarget): readonly CheckName[] {
  return (checks ?? defaultChecks()).filter((name) => !emittedChecks().includes(name));
}

/** By its own name or by a property; not by the name of a group, of which a backend takes what it has. */
function isAskedByName(
  name: CheckName,
  { checks }: CheckTarget,
  { check }: Pick<BackendRequestOptions, 'check'>,
): boolean {
  return check.length > 0 ? check.some((word) => word === name) : checks !== null;
}

/** What of the options of a command says how a program is sequentialized. */
type BackendRequestOptions = FrontEndOptionValues &
  OptionValues<typeof schemaOptions> & {
    readonly backend?: string | undefined;
    readonly check: readonly string[];
    readonly unwind: number;
    readonly rounds: number;
    readonly closingMain: boolean;
    readonly valueAnalysis: string;
    readonly timeout: number;
  };

function toRequest(
  target: CheckTarget,
  bounds: GivenBounds,
  options: BackendRequestOptions,
  io: Pick<Io, 'err'>,
): SequentializeRequest {
  const backend = findBackend(options.backend ?? '');
  invariant(backend, 'the option allows names of the table only');
  return {
    readInput: () => readProgramInput(target.files, { ...options, ...target.frontEnd }, target.isDataModelGiven, io),
    bounds: bounds.options,
    rounds: options.rounds,
    keptUnwind: bounds.options.keepLoops ? options.unwind : undefined,
    closingMain: options.closingMain,
    schedule: bounds.schedule,
    schema: options.schema,
    backend,
    checks: checksForBackends(target.checks),
    lineDirectives: false,
    bitvectors: options.bitvectors ? (options.valueAnalysis as WidthSource) : undefined,
    limit: new TimeLimit(1000 * options.timeout),
  };
}

/** Of the checks that were asked for, those that a backend may be asked about. */
export function checksForBackends(checks: readonly CheckName[] | null): readonly CheckName[] | null {
  return checks?.filter((name) => emittedChecks().includes(name)) ?? null;
}

function reportUnknown(
  program: string,
  request: SequentializeRequest,
  cause: UnknownCause,
  reason: string,
  elapsedMs: number,
): CheckReport {
  return {
    program,
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
export function describeMissing(target: CheckTarget, sought: readonly CheckName[] = []): string[] {
  const missing = findMissing(target).filter((name) => !sought.includes(name));
  const spins = sought.includes('deadlock') ? ['Threads that spin for ever are not looked for with a backend.'] : [];
  return [...(missing.length > 0 ? [`Not looked for with a backend: ${missing.join(', ')}.`] : []), ...spins];
}
