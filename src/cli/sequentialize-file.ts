// From a file to sequential C, for the commands that need it: reads the program with its models, bounds it, and applies
// a schema in the spelling of a backend. What goes wrong on the way has been told when the function returns.

import type { Backend } from '../backends/backend.ts';
import { type ReadResult, readFiles } from '../frontend/front-end.ts';
import type { SourceReader } from '../frontend/preprocess/options.ts';
import { createFileReader } from '../host/source-files.ts';
import type { TimeLimit } from '../host/time-limit.ts';
import { boundProgram, type PipelineHooks, TOO_DEEP } from '../passes/pipeline.ts';
import { restrictLabels } from '../passes/restrict-labels.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import type { BoundOptions } from '../program/bounds.ts';
import { type CheckName, modelDefines } from '../program/check-names.ts';
import { isWeak } from '../program/memory-model.ts';
import type { Program } from '../program/tree.ts';
import { askCoverage } from '../sequentialize/ask-coverage.ts';
import { delayStores } from '../sequentialize/delay-stores.ts';
import { dropAssertions } from '../sequentialize/drop-assertions.ts';
import { type Sequentialized, type SequentializeOptions, sequentialize } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { printDiagnostics } from '../support/print-diagnostics.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { findUnknownBound } from '../verify/find-unknown-bound.ts';
import { usualChecks } from '../verify/usual-checks.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { ProgramInput } from './program-input.ts';
import type { InputFailure } from './read-input.ts';
import type { RequestedWidths, WidthRequest, WidthSource } from './request-widths.ts';

export interface SequentializeRequest {
  /** What is wrong has been told when it is a failure. */
  readonly readInput: () => Promise<ProgramInput | InputFailure>;
  /** Of included files; those of the disk without it. */
  readonly reader?: SourceReader;
  readonly bounds: BoundOptions;
  readonly rounds: number;
  /** How often the backend unwinds loops, where the schema keeps them. */
  readonly keptUnwind?: number | undefined;
  /** Main runs once more after the last round. */
  readonly closingMain: boolean;
  /** Threads that come first in a round, in this order. */
  readonly schedule: readonly number[];
  readonly schema: SequentializeOptions['schema'];
  readonly backend: Backend;
  /** The checks whose assertions are emitted; null for what is usual for the program, nothing for all. */
  readonly checks?: readonly CheckName[] | null;
  readonly lineDirectives: boolean;
  /** Declares variables as bit-vectors, of the widths that this analysis finds. */
  readonly bitvectors?: WidthSource | undefined;
  /** For all of it but what a preprocessor takes. */
  readonly limit: TimeLimit;
  readonly hooks?: PipelineHooks;
}

export interface SequentializedFile {
  readonly kind: 'sequentialized';
  readonly read: ReadResult;
  readonly bounded: BoundedProgram;
  /** What was cut off besides iterations, in words. */
  readonly limits: readonly string[];
  readonly output: Sequentialized;
  /** The same with executions cut off where they reach what the models leave out. */
  readonly cutOff: () => Sequentialized;
  /**
   * The question what was covered (sequentialize/ask-coverage.ts), of the program with marks; null if that cannot be
   * bounded.
   */
  readonly askCoverage: (mark: (program: Program) => Program) => Sequentialized | null;
  /** The program in which threads stop at these labels only. Throws TimeIsUp. */
  readonly restrict: (isKept: (thread: number, label: number) => boolean) => RestrictedFile;
}

export type RestrictedFile = Pick<SequentializedFile, 'bounded' | 'output' | 'cutOff'>;

export type SequentializeResult =
  | SequentializedFile
  /** Reported already. */
  | { readonly kind: 'failed'; readonly code: ExitCode }
  /** The command line does not fit the program. */
  | { readonly kind: 'misused'; readonly message: string };

/** Throws TimeIsUp. */
export async function sequentializeFile(
  request: SequentializeRequest,
  io: Pick<Io, 'err'>,
): Promise<SequentializeResult> {
  const unfit = findUnfitBackend(request);
  if (unfit !== null) return { kind: 'misused', message: unfit };
  const bounded = await boundFile(request, io);
  if (bounded.kind !== 'bounded') return bounded;
  const { read } = bounded;
  const program =
    request.checks === undefined
      ? bounded.program
      : dropAssertions(bounded.program, new Set(request.checks ?? usualChecks(read.tokens)));
  const message = findUnknownName(request.bounds, bounded) ?? findUnknownThread(request.schedule, program);
  if (message !== null) return { kind: 'misused', message };
  const { schema, rounds, closingMain, lineDirectives } = request;
  const { spelling } = request.backend;
  const schedule = completeSchedule(request.schedule, program.threads.length);
  const plain = { schema, rounds, closingMain, schedule, lineDirectives };
  const widths =
    request.bitvectors === undefined
      ? null
      : await findRequestedWidths({
          source: request.bitvectors,
          program: bounded.source,
          bounded: program,
          options: plain,
          timeoutMs: request.limit.leftMs(),
        });
  if (widths?.kind === 'failed') {
    io.err.write(`lazuli: ${widths.reason}\n`);
    return { kind: 'failed', code: exitCodes.unknown };
  }
  if (widths?.kind === 'none') io.err.write(`lazuli: --bitvectors changes nothing: ${widths.reason}\n`);
  const options = { ...plain, spelling, widths: widths?.kind === 'widths' ? widths.widths : undefined };
  const output = request.limit.run(() => sequentializeOrNull(program, options));
  if (output === null) {
    io.err.write(`lazuli: ${TOO_DEEP}\n`);
    return { kind: 'failed', code: exitCodes.program };
  }
  if (request.keptUnwind !== undefined && output.hasOwnLoops) {
    const message = 'a local array of the program is filled by a loop, which the bound for loops would cut off';
    return { kind: 'misused', message: `--schema ${schema} does not go with this program: ${message}` };
  }
  const cutOffOf = (instance: BoundedProgram) => () =>
    sequentialize(instance, { ...options, cutsOffUnsupported: true });
  const restrict: SequentializedFile['restrict'] = (isKept) => {
    const instance = restrictLabels(program, isKept);
    const restricted = request.limit.run(() => sequentialize(instance, options));
    return { bounded: instance, output: restricted, cutOff: cutOffOf(instance) };
  };
  const ask: SequentializedFile['askCoverage'] = (mark) => {
    const settings = { ...request.bounds, unwindingAssertions: false, seeks: null };
    const marked = request.limit.run(() => boundProgram(mark(bounded.source), settings, new DiagnosticSink()));
    return marked && request.limit.run(() => sequentializeOrNull(askCoverage(marked), { ...plain, spelling }));
  };
  const { limits } = bounded;
  const cutOff = cutOffOf(program);
  return { kind: 'sequentialized', read, bounded: program, limits, output, cutOff, askCoverage: ask, restrict };
}

/** Null for a program that is nested too deeply to be written. */
function sequentializeOrNull(program: BoundedProgram, options: SequentializeOptions): Sequentialized | null {
  try {
    return sequentialize(program, options);
  } catch (fault) {
    if (!isStackOverflow(fault)) throw fault;
    return null;
  }
}

function findUnfitBackend(request: SequentializeRequest): string | null {
  const { bitvectors, backend, schema, keptUnwind, bounds } = request;
  if (isWeak(bounds.memoryModel)) {
    const unfit = findUnfitWithDelays(request);
    if (unfit !== null) return `--memory-model ${bounds.memoryModel} does not go with ${unfit}`;
  }
  if (bitvectors !== undefined && bounds.seeks !== null)
    return `--bitvectors does not go with the check ${bounds.seeks}`;
  if (bounds.seeks === 'race' && (bounds.keepLoops || bounds.atomicStatements))
    return `the check race does not go with ${bounds.keepLoops ? `--schema ${schema}` : '--atomic-statements'}`;
  if (keptUnwind !== undefined && !backend.verifier?.unwinding) {
    return `${backend.title} is not asked about programs with loops; give it what 'lazuli sequentialize --schema ${schema} --backend ${backend.name}' writes`;
  }
  if (bitvectors === undefined || (backend.spelling.signedType && schema === 'lazy2')) return null;
  return '--bitvectors goes with the backend cbmc and the schema lazy2 only';
}

/** What does not know stores that reach memory late. */
function findUnfitWithDelays({ bitvectors, bounds, schema }: SequentializeRequest): string | null {
  if (bounds.keepLoops) return `--schema ${schema}, which keeps loops: a store in a loop is made many times`;
  if (bounds.atomicStatements) return '--atomic-statements';
  if (bounds.seeks !== null) return `the check ${bounds.seeks} and a backend`;
  return bitvectors === undefined ? null : '--bitvectors';
}

interface BoundedFile {
  readonly kind: 'bounded';
  readonly read: ReadResult;
  readonly source: Program;
  readonly program: BoundedProgram;
  readonly limits: readonly string[];
}

type BoundResult = BoundedFile | { readonly kind: 'failed'; readonly code: ExitCode };

async function boundFile(request: SequentializeRequest, io: Pick<Io, 'err'>): Promise<BoundResult> {
  const { bounds, hooks, limit } = request;
  const input = await request.readInput();
  if (input.kind === 'failed') return input;
  const sought: readonly CheckName[] = bounds.seeks === null ? [] : [bounds.seeks];
  const settings = {
    ...input.options,
    reader: request.reader ?? createFileReader(),
    models: true,
    modelDefines: () => modelDefines(sought, bounds.memoryModel),
  };
  const read = limit.run(() => readFiles(input.files, settings));
  const colour = io.err.colours;
  io.err.write(printDiagnostics(read.diagnostics, read.sources, { colour }));
  if (read.program === null) return { kind: 'failed', code: exitCodes.program };
  const sink = new DiagnosticSink();
  const whole = read.program;
  const program = limit.run(() => boundProgram(whole, bounds, sink, hooks));
  if (program !== null && isWeak(bounds.memoryModel)) limit.run(() => refuseDelays(program, sink));
  io.err.write(printDiagnostics(sink.all, read.sources, { colour }));
  if (program === null || sink.hasErrors) return { kind: 'failed', code: exitCodes.program };
  const limits = sink.all.flatMap(({ code, message }) => (code === 'thread-limit' ? [message] : []));
  return { kind: 'bounded', read, source: whole, program, limits };
}

function refuseDelays(program: BoundedProgram, sink: DiagnosticSink): void {
  for (const { loc, message } of delayStores(program).refusals) sink.error(loc, 'unsupported', message);
}

/** Threads that were not named follow in the order of their creation. */
function completeSchedule(first: readonly number[], count: number): readonly number[] {
  const others = Array.from({ length: count }, (_, number) => number).filter((number) => !first.includes(number));
  return [...first, ...others];
}

function findUnknownThread(schedule: readonly number[], { threads }: BoundedProgram): string | null {
  const unknown = schedule.find((number) => number >= threads.length);
  if (unknown === undefined) return null;
  return `--schedule names thread ${unknown}, but the last one of the bounded program is ${threads.length - 1}`;
}

/** What is wrong with the names of loops and functions that have bounds of their own. */
function findUnknownName({ unwindset }: BoundOptions, { program, source }: BoundedFile): string | null {
  const loops = [...program.loops.values()].map(({ name }) => name);
  const functions = source.items.flatMap((item) => (item.kind === 'function' ? [item.definition.symbol.name] : []));
  return findUnknownBound(unwindset.keys(), [...loops, ...functions]);
}

/** The value analysis is as large as everything else here together, and seldom asked for: it is loaded when it is. */
async function findRequestedWidths(request: WidthRequest): Promise<RequestedWidths> {
  const { requestWidths } = await import('./request-widths.ts');
  return requestWidths(request);
}
