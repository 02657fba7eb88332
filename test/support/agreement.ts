// Compares the engine's answer for a small program with that of explicit enumeration. Whatever the engine calls a
// counterexample must replay; a violation that some interleaving reaches must be found, and no other.

import { prepare } from '../../src/engines/bounded/prepare.ts';
import { type SolveResult, solve } from '../../src/engines/bounded/solve.ts';
import type { ScheduleOptions } from '../../src/engines/bounded/symbolic-schedule.ts';
import { type EnumerateOptions, type EnumerateResult, enumerate } from '../../src/engines/explore/enumerate.ts';
import { type ExploreOptions, Explorer, type FoundRun, scheduleOf } from '../../src/engines/explore/explore.ts';
import { askReference } from '../../src/engines/order/reference-order.ts';
import { solveFreeOrder } from '../../src/engines/order/solve-free-order.ts';
import { printSteps } from '../../src/execute/print-steps.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import { validateSteps } from '../../src/execute/validate-steps.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { uniformBounds } from '../../src/program/bounds.ts';
import { type CheckName, modelDefines } from '../../src/program/check-names.ts';
import type { Code } from '../../src/program/code.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { printDiagnostics } from '../../src/support/print-diagnostics.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import type { InputRequest } from '../../src/trace/interpreter/state.ts';
import { replayCompiled } from '../../src/trace/replay.ts';

type Checks = ReadonlySet<CheckName>;

/** Deadlocks are easy to come by in random programs, and would hide the rest. */
export const CHECKS: Checks = new Set([...DEFAULT_LOWER_OPTIONS.checks].filter((check) => check !== 'deadlock'));

export interface AgreementOptions {
  readonly dataModel?: DataModel;
  readonly unwind?: number;
  readonly stateLimit?: number;
  /** How many rounds, and how many contexts, are enough for nearly all programs. */
  readonly rounds?: number;
  readonly contexts?: number;
  /** What both look for; the default checks without it. */
  readonly checks?: Checks;
  readonly atomicStatements?: boolean;
  /** Macros for the program and the models. */
  readonly defines?: readonly string[];
}

export type Agreement =
  | { readonly kind: 'safe' | 'unsafe'; readonly states: number; readonly steps: number }
  /** Nothing to compare: too many states, or the bounds cut an execution. */
  | { readonly kind: 'skipped'; readonly message: string }
  | { readonly kind: 'differ'; readonly message: string };

/** The code of a program; throws with the diagnostics when it is not C that we know. */
export function readCode(text: string, dataModel: DataModel = 'ILP32', options: AgreementOptions = {}): Code {
  const { checks = CHECKS, atomicStatements = false, defines = [] } = options;
  const macros = [...defines, ...modelDefines(checks)];
  const read = readProgram({ fileName: 'program.c', text, dataModel, models: true, defines: macros });
  const sink = new DiagnosticSink();
  // Nothing goes on after an index outside of its array.
  const lowered = new Set<CheckName>([...checks, 'bounds']);
  const lowering = { ...DEFAULT_LOWER_OPTIONS, checks: lowered, atomicStatements };
  const code = read.program ? lowerProgram(read.program, lowering, sink) : null;
  if (code) return code;
  throw new Error(printDiagnostics([...read.diagnostics, ...sink.all], read.sources, { colour: false }));
}

/** The values that inputs of generated programs are assumed to have. */
export const INPUT_DOMAIN = [0, 1, 2] as const;

/**
 * What nobody initialised is zeros, and then something else where that may matter. `unwind`: threads are cut as with
 * this bound for all loops; all of them run on without it.
 */
export function enumerateAll(
  code: Code,
  stateLimit: number,
  checks = CHECKS,
  unwind?: number,
  stopAtFirst = true,
): EnumerateResult {
  const bounds = unwind === undefined ? {} : { bounds: uniformBounds(unwind) };
  const first = enumerateWith(code, { checks, stateLimit, stopAtFirst, ...bounds });
  const isDone = !first.readsIndeterminate || !first.isComplete || first.violations.length > 0;
  return isDone ? first : enumerateWith(code, { checks, stateLimit, stopAtFirst, indeterminate: 0xa5, ...bounds });
}

function enumerateWith(code: Code, options: Omit<EnumerateOptions, 'domain'>): EnumerateResult {
  const domain = ({ instruction }: InputRequest) => {
    // Variables that are not initialised are not read either.
    const isInput = instruction.source.includes('nondet');
    const values = instruction.isBool ? [0, 1] : isInput ? INPUT_DOMAIN : [0];
    return instruction.type.kind === 'integer' && instruction.type.bits === 64 ? values.map(BigInt) : values;
  };
  return enumerate(compileProgram(code), { ...options, domain });
}

/** `isStrict`: loops with a constant number of iterations are cut as all others are. */
export function prepareSteps(code: Code, unwind: number, checks = CHECKS, isStrict = false): SteppedProgram | string {
  const prepared = prepare(code, {
    bounds: uniformBounds(unwind, !isStrict),
    limits: { terms: 2_000_000, steps: 20_000, constantIterations: 1000, poll: () => {} },
    checks,
  });
  if (prepared.kind !== 'prepared') return prepared.reason;
  const faults = validateSteps(prepared.program);
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${printSteps(prepared.program)}`);
  return prepared.program;
}

export function solveSteps(program: SteppedProgram, schedule: ScheduleOptions): Promise<SolveResult> {
  return solve(program, { schedule, createSolver: () => createCadical(), onFormula: () => {} });
}

/** Compares the answers for a program. Faults of the engine (exceptions) count as differences. */
export async function compareWithEnumeration(text: string, options: AgreementOptions = {}): Promise<Agreement> {
  const code = readCode(text, options.dataModel, options);
  const truth = enumerateAll(code, options.stateLimit ?? 30_000, options.checks);
  if (!truth.isComplete && truth.violations.length === 0) return { kind: 'skipped', message: 'too many states' };
  try {
    return await compareEngine(code, truth, options);
  } catch (fault) {
    return { kind: 'differ', message: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) };
  }
}

async function compareEngine(code: Code, truth: EnumerateResult, options: AgreementOptions): Promise<Agreement> {
  const { checks = CHECKS } = options;
  const program = prepareSteps(code, options.unwind ?? 8, checks);
  if (typeof program === 'string') return { kind: 'skipped', message: `engine: ${program}` };
  const isUnsafe = truth.violations.length > 0;
  const steps = program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
  const explored = exploreOnce(code, checks);
  if (explored && !isUnsafe) return { kind: 'differ', message: 'a concrete run finds what enumeration does not' };
  const mismatch = await compareSmallBounds(code, isUnsafe, checks);
  if (mismatch) return mismatch;
  const schedules: ScheduleOptions[] = [
    { kind: 'rounds', slots: options.rounds ?? 5 },
    { kind: 'contexts', slots: options.contexts ?? 9 },
  ];
  for (const schedule of schedules) {
    let result = await solveSteps(program, schedule);
    if (result.kind === 'none' && isUnsafe) result = await solveSteps(program, { ...schedule, slots: steps + 1 });
    const difference = compareResult(code, result, isUnsafe, schedule.kind, checks);
    if (difference) return difference;
  }
  const free = await solveFreeOrder(program, { createSolver: () => createCadical() });
  const difference = compareResult(code, free, isUnsafe, 'free order', checks);
  // Every other program with the clauses that answers need, the others with all of them.
  const lazily = steps % 2 === 0 ? { mostTriples: 0 } : {};
  const reference = await askReference(program, () => createCadical(), lazily);
  if (reference === 'safe' && isUnsafe) return { kind: 'differ', message: 'the reference of the free order says safe' };
  if (reference === 'not-safe' && free.kind === 'none' && free.cuts?.length === 0)
    return { kind: 'differ', message: 'the reference of the free order does not confirm its proof' };
  return difference ?? { kind: isUnsafe ? 'unsafe' : 'safe', states: truth.states, steps };
}

/** With small bounds little is found, but what is found must be there. */
async function compareSmallBounds(code: Code, isUnsafe: boolean, checks: Checks): Promise<Agreement | null> {
  const program = prepareSteps(code, 1, checks);
  if (typeof program === 'string') return null;
  const schedule: ScheduleOptions = { kind: 'rounds', slots: 2 };
  const result = await solveSteps(program, schedule);
  return result.kind === 'violation' ? compareResult(code, result, isUnsafe, schedule.kind, checks) : null;
}

function compareResult(
  code: Code,
  result: SolveResult,
  isUnsafe: boolean,
  kind: string,
  checks: Checks,
): Agreement | null {
  switch (result.kind) {
    case 'unknown':
    case 'open':
      return { kind: 'skipped', message: `solver: ${result.reason}` };
    case 'none':
      if (result.cuts?.length !== 0) return { kind: 'skipped', message: `cut at ${result.cuts?.[0]?.where}` };
      return isUnsafe ? { kind: 'differ', message: `${kind}: the engine finds no violation, but there is one` } : null;
    case 'violation': {
      const replayed = replayCompiled(compileProgram(code), result.schedule, { checks });
      if (replayed.kind === 'mismatch')
        return { kind: 'differ', message: `${kind}: does not replay: ${replayed.message}` };
      return isUnsafe ? null : { kind: 'differ', message: `${kind}: replays, but enumeration finds nothing` };
    }
  }
}

function exploreOnce(code: Code, checks: Checks): FoundRun | null {
  return new Explorer(compileProgram(code), { ...EXPLORE_OPTIONS, checks }).explore().found;
}

const EXPLORE_OPTIONS: ExploreOptions = {
  runLimit: 40,
  instructionLimit: 20_000,
  timeLimitMs: 200,
  seed: 1,
  checks: CHECKS,
  clock: () => performance.now(),
};
const MOST_CONTEXTS = 12;

/**
 * For programs with too many states to enumerate: what a few concrete runs find, the engine must find too within as
 * many context switches; and whatever it finds must replay.
 */
export async function compareWithRuns(text: string, options: AgreementOptions): Promise<Agreement> {
  const { dataModel, unwind = 8, checks = CHECKS } = options;
  const code = readCode(text, dataModel, options);
  const compiled = compileProgram(code);
  const found = exploreOnce(code, checks);
  const schedule = found ? scheduleOf(compiled, found, { ...EXPLORE_OPTIONS, checks }) : null;
  const run = schedule ? replayCompiled(compiled, schedule, { checks }) : null;
  if (run?.kind === 'mismatch') return { kind: 'differ', message: `a run is not repeated: ${run.message}` };
  const switches = run?.trace.contextSwitches ?? 3;
  if (switches + 2 > MOST_CONTEXTS) return { kind: 'skipped', message: 'too many context switches' };
  const program = prepareSteps(code, unwind, checks);
  if (typeof program === 'string') return { kind: 'skipped', message: `engine: ${program}` };
  const contexts: ScheduleOptions = { kind: 'contexts', slots: switches + 2 };
  const result = await solveSteps(program, contexts);
  const steps = program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
  const isUnsafe = run !== null || result.kind === 'violation';
  return (
    compareResult(code, result, isUnsafe, contexts.kind, checks) ?? {
      kind: isUnsafe ? 'unsafe' : 'safe',
      states: 0,
      steps,
    }
  );
}
