/** Reads what json.ts writes, as far as a report can be shown again: anybody may have changed the file. */

import type { CoveredBounds, Outcome } from '../outcome/outcome.ts';
import type { Trace } from '../trace/trace.ts';
import type { CheckReport } from './check-report.ts';
import { REPORT_VERSION } from './json.ts';

export interface StoredReport extends CheckReport {
  readonly files: readonly string[];
}

export type ReadReport =
  | { readonly kind: 'report'; readonly report: StoredReport }
  | { readonly kind: 'problem'; readonly message: string };

/** Of a file with several reports that of the named program, or, without a name, the only one with a counterexample. */
export function readReport(text: string, name?: string): ReadReport {
  const document = parse(text);
  if (document?.format !== 'lazuli-reports' || !Array.isArray(document.reports)) return readDocument(document);
  const reports = (document.reports as readonly unknown[]).filter(isRecord);
  const wanted = reports.filter(({ program, verdict }) =>
    name === undefined ? verdict === 'unsafe' : program === name,
  );
  const [first] = wanted.length > 1 ? wanted.filter(({ verdict }) => verdict === 'unsafe') : wanted;
  if (first && (wanted.length === 1 || name !== undefined)) return readDocument(first);
  const names = reports.map(({ program }) => String(program)).join(', ');
  return { kind: 'problem', message: `it has reports on several programs, --program chooses one: ${names}` };
}

function readDocument(document: Record<string, unknown> | null): ReadReport {
  const problem = (message: string): ReadReport => ({ kind: 'problem', message });
  if (document?.format !== 'lazuli-report') return problem('no report of lazuli (--json writes one)');
  if (document.version !== REPORT_VERSION) return problem(`version ${String(document.version)} is not known`);
  const { program, files, engine, verdict, reason, notes } = document;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!isText(program) || !isText(engine) || !Array.isArray(files) || !files.every(isText))
    return problem('program, files or engine are missing');
  const bounds = document.bounds as CoveredBounds;
  const outcome = readOutcome(verdict, engine, bounds, document.counterexample as Trace | null, reason);
  if (outcome === null) return problem(`the verdict is ${JSON.stringify(verdict)}`);
  if (outcome.kind === 'unsafe' && outcome.trace !== null && !isTrace(outcome.trace))
    return problem('the counterexample is damaged');
  const elapsedMs = typeof document.elapsedMs === 'number' ? document.elapsedMs : 0;
  const told = Array.isArray(notes) ? notes.filter(isText) : [];
  return { kind: 'report', report: { program, files, outcome, notes: told, approximations: [], elapsedMs } };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readOutcome(
  verdict: unknown,
  engine: string,
  bounds: CoveredBounds,
  trace: Trace | null,
  reason: unknown,
): Outcome | null {
  switch (verdict) {
    case 'unsafe':
      return { kind: 'unsafe', engine, bounds, trace };
    case 'safe':
      return { kind: 'safe', engine, bounds, proof: { method: 'induction', claim: '', invariant: null } };
    case 'safe-up-to-bounds':
      return { kind: 'bounded', engine, bounds, cuts: null, assertions: null, reason: null };
    case 'unknown':
      return { kind: 'unknown', engine, bounds, cause: 'nothing', reason: String(reason), loc: null, attempts: [] };
    default:
      return null;
  }
}

function isTrace({ threads, steps, violation }: Trace): boolean {
  const isStep = (step: Trace['steps'][number]) =>
    Number.isInteger(step?.thread) &&
    Array.isArray(step.values) &&
    Array.isArray(step.events) &&
    Array.isArray(step.callStack);
  return Array.isArray(threads) && Array.isArray(steps) && steps.every(isStep) && typeof violation?.check === 'string';
}
