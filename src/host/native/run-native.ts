/** Runs a program that was built for the order of a counterexample, and says how it failed, or why it did not. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { Trace } from '../../trace/trace.ts';
import { runProcess } from '../run-process.ts';
import type { NativeProgram } from './build-native.ts';
import { findFreeAnswers } from './plan.ts';

/**
 * `failed`: the real program failed, as the report says or otherwise; `reached`: it was led to the place of the
 * violation, which nothing in a real program stops; `survived`: led there, and nothing happened; `lost`: it left the
 * order of the report.
 */
export interface NativeResult {
  readonly kind: 'failed' | 'reached' | 'survived' | 'lost';
  /** How, in words. */
  readonly how: string;
  readonly output: string;
}

/** Checks of which a real program may notice nothing. */
const SILENT: ReadonlySet<string> = new Set(['race', 'mutex', 'thread', 'unreachable']);

export async function runNative({ executable, environment, log }: NativeProgram, trace: Trace, timeoutMs: number) {
  rmSync(log, { force: true });
  const run = await runProcess({
    command: executable,
    args: [],
    environment: { ...process.env, ...environment },
    timeoutMs,
    outputLimitBytes: 1024 * 1024,
  });
  const told = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const status = run.end.kind === 'exited' ? run.end.code : null;
  const signal = run.end.kind === 'signalled' ? run.end.signal : null;
  return judge(trace, told, `${run.stdout}${run.stderr}`, status, signal);
}

function judge(trace: Trace, told: string, output: string, status: number | null, signal: string | null): NativeResult {
  const result = (kind: NativeResult['kind'], how: string): NativeResult => ({ kind, how, output });
  const assertion = /^.*?([^\s:/]+):(\d+): .*Assertion .*failed/m.exec(output);
  if (assertion)
    return result('failed', `the assertion of line ${assertion[2]} fails${elsewhere(trace, assertion[2])}`);
  const error = /^error function (\w+)/m.exec(told);
  if (error) return result('failed', `${error[1]} is called`);
  const address = /ERROR: AddressSanitizer: (?:attempting )?([\w-]+(?: \w+)?)/.exec(output);
  if (address) return result('failed', `AddressSanitizer stops it: ${address[1]}`);
  if (/WARNING: ThreadSanitizer: data race/.test(output))
    return result('failed', `ThreadSanitizer reports the data race${racingLines(output)}`);
  const local = /^dead local, line (\d+)/m.exec(told);
  if (local) return result('failed', `line ${local[1]} touches memory of a stack that is no object any more`);
  const misuse = /^misuse (.*)$/m.exec(told);
  if (misuse) return result('failed', misuse[1] ?? '');
  const leak = /ERROR: LeakSanitizer: ([^\n]*)/.exec(output);
  if (leak) return result('failed', `LeakSanitizer: ${leak[1]}`);
  const undefinedBehaviour = /:(\d+):\d+: runtime error: ([^\n]*)/.exec(output);
  if (undefinedBehaviour) return result('failed', `line ${undefinedBehaviour[1]}: ${undefinedBehaviour[2]}`);
  if (/^deadlock/m.test(told)) return result('failed', 'all threads wait, for ever');
  if (trace.violation.check === 'deadlock' && /^runs on/m.test(told))
    return result('failed', 'it does not end: its threads wait or spin, as watched for five seconds');
  if (signal !== null) return result('failed', `it ends by ${signal}`);
  const answers = findFreeAnswers(trace);
  if (answers.length > 0)
    return result('lost', `the system answers otherwise than in the report (${answers.join(', ')})`);
  const stuck = /^stuck (.*)$/m.exec(told);
  if (stuck) return result('lost', `it stands still ${stuck[1]}`);
  if (/^assumption fails/m.test(told)) return result('lost', 'an assumption is false where the report has it true');
  const missing = /^missing (.*)$/m.exec(told);
  if (missing)
    return result('lost', `it has no place between its accesses for what the report has there (${missing[1]})`);
  if (!/^followed /m.test(told)) return result('lost', `it ends before the violation (status ${status ?? 'none'})`);
  if (SILENT.has(trace.violation.check))
    return result('reached', 'it comes to the violation, which a real run does not notice');
  return result('survived', `it goes on to its end (status ${status ?? 'none'})`);
}

function elsewhere({ violation }: Trace, line: string | undefined): string {
  return violation.place === null || String(violation.place.line) === line ? '' : ', another one than in the report';
}

/** The first two places of the user's program in what ThreadSanitizer says: those of the two accesses. */
function racingLines(output: string): string {
  const accesses = output.split(/\n\n/).filter((part) => /^ {2}.*(?:[Rr]ead|[Ww]rite) of size/m.test(part));
  const lines = accesses.flatMap(
    (part) => /#\d+ (?!__wrap_)\S+ .*?(?!runtime)[^/\s]+\.[cih]:(\d+)/.exec(part)?.[1] ?? [],
  );
  return lines.length === 2 ? ` of lines ${lines[0]} and ${lines[1]}` : '';
}
