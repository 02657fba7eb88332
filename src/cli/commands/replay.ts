// `lazuli replay`: what a stored report tells of a counterexample, and with --native the real program in that order.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildNative, type NativeProgram } from '../../host/native/build-native.ts';
import { findObstacle } from '../../host/native/plan.ts';
import { type NativeResult, runNative } from '../../host/native/run-native.ts';
import { readReport, type StoredReport } from '../../report/read-report.ts';
import { printTextReport } from '../../report/text.ts';
import type { Trace } from '../../trace/trace.ts';
import { defineCommand, reportUnusable, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { frontEndOptions } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import { readText } from '../read-input.ts';

const options = {
  native: { kind: 'flag', help: 'compile the program with gcc and run it in the order of the counterexample' },
  gdb: { kind: 'flag', help: 'the same, and stop at the violation in gdb, with all threads where the report says' },
  timeout: {
    kind: 'number',
    value: 'SECONDS',
    min: 1,
    max: 3600,
    default: 60,
    help: 'end the real program after this',
  },
  program: { kind: 'text', value: 'NAME', help: 'of a file with several reports (check --each), that on this program' },
  keep: { kind: 'text', value: 'FOLDER', help: 'leave there what was built' },
  verbose: { kind: 'flag', short: 'v', help: 'show every step, or what the real program prints' },
  include: frontEndOptions.include,
  define: frontEndOptions.define,
  undefine: frontEndOptions.undefine,
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const run = defineCommand({
  name: 'replay',
  summary: 'Shows the counterexample of a report (--json of check) again, or runs the real program in its order.',
  operands: { name: 'REPORT.json', min: 1, max: 1 },
  options,
  notes:
    'With --native the original files are compiled by gcc with a call before every access to memory and linked with a small runtime that lets the threads run exactly in the order of the counterexample, inputs included; AddressSanitizer watches. The exit code is 10 when the real program fails, 1 when it does not. docs/native-replay.md tells what can be steered.',
  run: async ({ options, operands }, io) => replay(operands[0] ?? '', options, io),
});

async function replay(file: string, options: Options, io: Io): Promise<ExitCode> {
  const input = readText(file);
  if (input.kind !== 'text') return reportUnusable(io, input.message);
  const read = readReport(input.text, options.program);
  if (read.kind === 'problem') return reportUsage(io, 'replay', `${file}: ${read.message}`);
  const { report } = read;
  const { outcome } = report;
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  if (!options.native && !options.gdb) {
    const { colours, columns } = io.out;
    io.out.write(printTextReport(report, { colours, columns, verbose: options.verbose }));
    return outcome.kind === 'unsafe' ? exitCodes.violation : exitCodes.ok;
  }
  if (trace === null) {
    io.err.write('lazuli: the report has no counterexample to be run\n');
    return exitCodes.unknown;
  }
  return replayNatively(report, trace, options, io);
}

async function replayNatively(report: StoredReport, trace: Trace, options: Options, io: Io): Promise<ExitCode> {
  const obstacle = findObstacle(trace);
  if (obstacle !== null) {
    io.out.write(`${report.program}: cannot be steered: ${obstacle}\n`);
    return exitCodes.unknown;
  }
  const folder = options.keep ?? mkdtempSync(path.join(tmpdir(), 'lazuli-native-'));
  const request = {
    trace,
    files: report.files,
    compilerOptions: [
      ...options.include.map((name) => `-I${name}`),
      ...options.define.map((define) => `-D${define}`),
      ...options.undefine.map((name) => `-U${name}`),
    ],
    folder,
    patienceSeconds: options.gdb ? 3600 : Math.max(1, Math.floor(options.timeout / 4)),
  };
  try {
    let code: ExitCode = exitCodes.unknown;
    let words = '';
    for (const fillsLocals of waysToFill(trace)) {
      const built = await buildNative({ ...request, fillsLocals });
      if (built.kind === 'failed') {
        io.out.write(`${report.program}: not run: ${built.reason}\n`);
        return exitCodes.unknown;
      }
      if (options.gdb) return debug(built.program);
      const result = await runNative(built.program, trace, options.timeout * 1000);
      words ||= printResult(report.program, result, built.program, options);
      if (result.kind !== 'failed') continue;
      code = exitCodes.violation;
      words = printResult(report.program, result, built.program, options);
      break;
    }
    io.out.write(words);
    return code;
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What locals hold that nobody initialises: what happens to lie there, or a pattern that is no pointer and no mutex.
 * Where the real program does not fail with the one, the other is tried.
 */
function waysToFill({ violation }: Trace): readonly boolean[] {
  return violation.check === 'pointer' || violation.check === 'mutex' ? [true, false] : [false, true];
}

const WORDS = {
  failed: 'the real program fails',
  reached: 'the real program is at the violation',
  survived: 'the real program does not fail',
  lost: 'the real program leaves the order of the report',
} as const;

function printResult(program: string, result: NativeResult, { log }: NativeProgram, { verbose }: Options): string {
  const told = verbose ? `${result.output}${readFileSync(log, { encoding: 'utf8', flag: 'a+' })}` : '';
  return `${program}: ${WORDS[result.kind]}: ${result.how}\n${told}`;
}

/** Of a thread that waits, up to ten are of the runtime and of the C library. */
const SHOWN_FRAMES = 30;

/** The user's terminal is gdb's until it ends. */
function debug({ executable, environment }: NativeProgram): ExitCode {
  const isTerminal = process.stdin.isTTY === true;
  const args = [
    ...['-q', ...(isTerminal ? [] : ['-batch'])],
    ...['-ex', 'set debuginfod enabled off', '-ex', 'handle SIG33 nostop noprint'],
    ...[
      '-ex',
      'break lazuli_violation_next',
      '-ex',
      'run',
      '-ex',
      `thread apply all backtrace -frame-arguments scalars ${SHOWN_FRAMES}`,
    ],
    executable,
  ];
  const { error } = spawnSync('gdb', args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (error) process.stderr.write(`lazuli: gdb cannot be started: ${error.message}\n`);
  return error ? exitCodes.unknown : exitCodes.ok;
}
