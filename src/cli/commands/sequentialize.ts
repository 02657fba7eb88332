// `lazuli sequentialize`: a multi-threaded program in, sequential C for a backend out, with a map from its lines to
// those of the source. Every stage on the way can be looked at with --dump.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { BACKENDS, findBackend } from '../../backends/backends.ts';
import { clockMs } from '../../host/clock.ts';
import { TimeLimit } from '../../host/time-limit.ts';
import { PASSES } from '../../passes/pipeline.ts';
import { type CheckName, emittedChecks, soughtChecks } from '../../program/check-names.ts';
import { printLineMap } from '../../report/line-map.ts';
import { printStage } from '../../sequentialize/print-stage.ts';
import { SCHEMAS } from '../../sequentialize/schemas.ts';
import { invariant } from '../../support/invariant.ts';
import { countLines } from '../../support/line-places.ts';
import { largestOf } from '../../support/push-all.ts';
import { findSchemaMisuse, schemaOptions } from '../backend-options.ts';
import { boundOptions, memoryModelOption, readBounds, sequentialBoundOptions } from '../bound-options.ts';
import { defineCommand, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { compilerNote, frontEndOptions, timeoutOption } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { OptionValues } from '../options.ts';
import { nameProgram, readProgramInput } from '../program-input.ts';
import type { WidthSource } from '../request-widths.ts';
import { type SequentializedFile, sequentializeFile } from '../sequentialize-file.ts';
import { ensureWritable, findOverwritten, writeFile } from '../write-file.ts';

const options = {
  ...boundOptions,
  ...sequentialBoundOptions,
  ...schemaOptions,
  memoryModel: memoryModelOption,
  backend: {
    kind: 'choice',
    choices: BACKENDS.map(({ name }) => name),
    default: 'cbmc',
    help: 'the verifier that the C is written for',
  },
  valueAnalysis: {
    kind: 'choice',
    choices: ['builtin', 'frama-c', 'none'],
    default: 'builtin',
    help: 'who finds how many bits --bitvectors needs; with none, all variables have their declared widths',
  },
  check: {
    kind: 'list',
    choices: [...emittedChecks(), ...soughtChecks()],
    help: 'what the C asserts: by default the first four; deadlock or race is asked about the state that the schedule ends in',
  },
  output: { kind: 'text', short: 'o', value: 'FILE', help: 'write to FILE, and its line map to FILE.map.json' },
  map: { kind: 'text', value: 'FILE', help: 'write the line map to FILE' },
  lineDirectives: { kind: 'flag', help: 'write #line, so that tools name places of the source' },
  showLoops: {
    kind: 'flag',
    help: 'print the names, kinds and places of the loops, and how often they run where their text tells; nothing else',
  },
  dump: { kind: 'list', choices: PASSES.map(({ name }) => name), help: 'print the program after these passes instead' },
  dumpDir: {
    kind: 'text',
    value: 'DIR',
    help: 'write the dumps, of all passes unless --dump names some, to numbered files in DIR',
  },
  timeout: timeoutOption,
  stats: { kind: 'choice', choices: ['text', 'json'], implied: 'text', help: 'print sizes and times to stderr' },
  ...frontEndOptions,
} as const;

type Options = OptionValues<typeof options>;

export const run = defineCommand({
  name: 'sequentialize',
  summary: 'Turns a multi-threaded C program into a sequential one that fails the same assertions within the bounds.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, unless: 'compileCommands', compiled: true },
  options,
  notes: `FILE is C or preprocessed C; - stands for the standard input. Several files are linked. ${compilerNote} docs/backends.md tells more about the backends.

Passes, in their order (docs/passes tells more):
${listRows(PASSES)}

Schemas (docs/sequentialization.md tells more):
${listRows(SCHEMAS)}`,
  run: async ({ options, operands, given }, io) => runSequentialize(operands, options, given, io),
});

function listRows(rows: readonly { readonly name: string; readonly summary: string }[]): string {
  const width = largestOf(rows.map(({ name }) => name.length));
  return rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}

async function runSequentialize(
  files: readonly string[],
  options: Options,
  given: ReadonlySet<keyof Options>,
  io: Io,
): Promise<ExitCode> {
  const isOff = options.valueAnalysis === 'none';
  if (given.has('valueAnalysis') && options.bitvectors === isOff) {
    const message = isOff ? '--bitvectors needs a value analysis' : '--value-analysis needs --bitvectors';
    return reportUsage(io, 'sequentialize', message);
  }
  const [seeks = null, ...others] = soughtChecks().filter((name) => options.check.includes(name));
  if (others.length > 0) return reportUsage(io, 'sequentialize', '--check deadlock and --check race are two questions');
  const misuse = findSchemaMisuse(options.schema, given);
  if (misuse !== null) return reportUsage(io, 'sequentialize', misuse);
  const overwritten = findOverwritten([options.output, mapFileOf(options)], files);
  if (overwritten !== null) return reportUsage(io, 'sequentialize', overwritten);
  ensureWritable([options.output, mapFileOf(options)]);
  const bounds = readBounds(options);
  if (bounds.kind === 'problem') return reportUsage(io, 'sequentialize', bounds.message);
  const backend = findBackend(options.backend);
  invariant(backend, 'the option allows names of the table only');
  const dumps: string[] = [];
  const stem = files[0] ?? nameProgram(files, options);
  const passes: PassTime[] = [];
  const startMs = clockMs();
  const result = await sequentializeFile(
    {
      readInput: () => readProgramInput(files, options, given.has('dataModel'), io),
      bounds: { ...bounds.options, seeks },
      ...(options.check.length > 0 && { checks: options.check as readonly CheckName[] }),
      rounds: options.rounds,
      closingMain: options.closingMain,
      schedule: bounds.schedule,
      schema: options.schema,
      backend,
      lineDirectives: options.lineDirectives,
      limit: new TimeLimit(1000 * options.timeout),
      bitvectors: options.bitvectors ? (options.valueAnalysis as WidthSource) : undefined,
      hooks: {
        now: clockMs,
        afterPass: ({ name }, program, milliseconds) => {
          passes.push({ name, ms: Math.round(milliseconds * 10) / 10 });
          if (isDumped(name, options)) dumps.push(dump(name, printStage(program), stem, options));
        },
      },
    },
    io,
  );
  if (result.kind === 'failed') return result.code;
  if (result.kind === 'misused') return reportUsage(io, 'sequentialize', result.message);
  if (options.stats !== undefined) io.err.write(printStatistics(result, passes, clockMs() - startMs, options.stats));
  if (options.showLoops) io.out.write(printLoops(result));
  else if (options.dump.length > 0) io.out.write(dumps.join(''));
  else writeOutput(result, nameProgram(files, options), options, io);
  return exitCodes.ok;
}

/** A folder without a list is for all of them. */
function isDumped(name: string, { dump, dumpDir }: Options): boolean {
  return dump.length === 0 ? dumpDir !== undefined : dump.includes(name);
}

function writeOutput(result: SequentializedFile, program: string, options: Options, io: Io): void {
  const { output, read } = result;
  if (options.output === undefined) io.out.write(output.text);
  else writeFile(options.output, output.text);
  const map = mapFileOf(options);
  if (map === undefined) return;
  const emitted = options.output ?? null;
  writeFile(map, printLineMap({ program, emitted, output, sources: read.sources }));
}

/** Where the line map goes. Beside a terminal or a pipe there is no place for it. */
function mapFileOf({ map, output }: Options): string | undefined {
  if (map !== undefined) return map;
  return output === undefined || output.startsWith('/dev/') ? undefined : `${output}.map.json`;
}

/** The text for the terminal; '' when it went to a file. */
function dump(name: string, text: string, file: string, options: Options): string {
  if (options.dumpDir === undefined) return `/* after ${name} */\n${text}\n`;
  mkdirSync(options.dumpDir, { recursive: true });
  const at = PASSES.findIndex((pass) => pass.name === name) + 1;
  const target = `${path.basename(file)}.${String(at).padStart(2, '0')}-${name}.c`;
  writeFile(path.join(options.dumpDir, target), text);
  return '';
}

function printLoops({ bounded, read }: SequentializedFile): string {
  const lines = [...bounded.loops].map(([loc, { name, form, tripCount }]) => {
    const place = read.sources.place(loc);
    const where = place === null ? '' : `${place.file}:${place.line}:${place.column}`;
    const times = tripCount === null ? '' : `, ${tripCount} iterations by its text`;
    return `${name}: ${form} at ${where}${times}\n`;
  });
  return lines.join('');
}

interface PassTime {
  readonly name: string;
  readonly ms: number;
}

function printStatistics(
  { output }: SequentializedFile,
  passes: readonly PassTime[],
  elapsedMs: number,
  form: string,
): string {
  const statistics = {
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    passes,
    threads: output.threads.map(({ functionName, size }) => ({ function: functionName, lastLabel: size })),
    lines: countLines(output.lineMap),
    bytes: Buffer.byteLength(output.text),
  };
  if (form === 'json') return `${JSON.stringify(statistics, null, 2)}\n`;
  return [
    `${statistics.elapsedMs} ms, ${statistics.lines} lines, ${statistics.bytes} bytes`,
    ...statistics.passes.map(({ name, ms }) => `  ${name}: ${ms} ms`),
    ...statistics.threads.map((thread) => `  ${thread.function}: last label ${thread.lastLabel}`),
    '',
  ].join('\n');
}
