// Compares CBMC's answers for the sequentialized forms of a small program, with both schemas and both granularities,
// with the explicit enumeration of all interleavings at the same granularity.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cbmc } from '../../src/backends/cbmc.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import type { BoundedProgram } from '../../src/program/bounded-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import type { Program } from '../../src/program/tree.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { type SequentializeOptions, sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { CHECKS, enumerateAll } from './agreement.ts';

export type Schema = SequentializeOptions['schema'];
export type Question = Pick<SequentializeOptions, 'schema' | 'rounds' | 'closingMain' | 'normalForm'>;

export interface Combination {
  readonly schema: Schema;
  readonly atomicStatements: boolean;
}

export type SchemaAgreement = Combination &
  (
    | { readonly kind: 'safe' | 'unsafe' }
    /** Nothing to compare: too many states, another kind of violation, or CBMC takes too long. */
    | { readonly kind: 'skipped'; readonly message: string }
    | { readonly kind: 'differ'; readonly message: string }
  );

/** What CBMC is not asked to look for. */
const OWN_CHECKS: ReadonlySet<string> = new Set(['assertion', 'mutex', 'thread', 'unreachable']);
const STATE_LIMIT = 30_000;
const CBMC_TIMEOUT_MS = 25_000;

export function readSample(text: string): Program {
  const { program } = readProgram({ fileName: 'sample.c', text, dataModel: 'ILP32', models: true });
  if (program === null) throw new Error(`not C:\n${text}`);
  return program;
}

/** The bounded program; throws with the messages when a pass refuses something. */
export function boundSample(
  program: Program,
  atomicStatements: boolean,
  unwind = 1,
  unwindConstantLoops = true,
): BoundedProgram {
  const sink = new DiagnosticSink();
  const options = { ...DEFAULT_BOUND_OPTIONS, atomicStatements, unwind, unwindConstantLoops };
  const bounded = boundProgram(program, options, sink);
  if (bounded === null) throw new Error(sink.all.map(({ message }) => message).join('\n'));
  return bounded;
}

/** CBMC's word: FAILED or SUCCESSFUL; undefined when it takes too long. Throws when it does not take the program. */
export function askCbmc(
  tool: string,
  folder: string,
  bounded: BoundedProgram,
  question: Question,
  timeout = CBMC_TIMEOUT_MS,
): string | undefined {
  const file = path.join(folder, `${question.schema}.c`);
  const options = { schedule: null, lineDirectives: false, spelling: cbmc.spelling, cutsOffUnsupported: true };
  writeFileSync(file, sequentialize(bounded, { ...options, ...question }).text);
  const { stdout, stderr, error } = spawnSync(tool, ['--32', file], { encoding: 'utf8', timeout });
  const verdict = /VERIFICATION (\w+)/.exec(stdout)?.[1];
  if (verdict === undefined && error === undefined) throw new Error(`no verdict: ${stdout.slice(-500)}${stderr}`);
  return verdict;
}

/**
 * Whether some interleaving violates something, within a bound if there is one; a reason when that is not known, or is
 * something that CBMC is not asked for.
 */
function canViolate(program: Program, atomicStatements: boolean, unwind?: number): boolean | string {
  const code = lowerProgram(program, { ...DEFAULT_LOWER_OPTIONS, atomicStatements }, new DiagnosticSink());
  if (code === null) return 'not lowered';
  const { violations, isComplete } = enumerateAll(code, STATE_LIMIT, CHECKS, unwind);
  const [first] = violations;
  if (first) return OWN_CHECKS.has(first.check) ? true : `a violation of ${first.check}`;
  return isComplete ? false : 'too many states';
}

const NAMES: readonly Schema[] = SCHEMAS.map(({ name }) => name);

/**
 * One answer for each of the four combinations. Where all switches are guessed first, schedules can be asked for in
 * normal form.
 */
export function compareSchemas(tool: string, folder: string, text: string, normalForm = false): SchemaAgreement[] {
  const program = readSample(text);
  return [false, true].flatMap((atomicStatements) => {
    const isUnsafe = canViolate(program, atomicStatements);
    if (typeof isUnsafe === 'string') {
      return NAMES.map((schema) => ({ schema, atomicStatements, kind: 'skipped' as const, message: isUnsafe }));
    }
    const ask = (schema: Schema, unwind: number, rounds: number) => {
      const bounded = boundSample(program, atomicStatements, unwind);
      return askCbmc(tool, folder, bounded, { schema, rounds, closingMain: true, normalForm });
    };
    return NAMES.map((schema): SchemaAgreement => {
      let answer = ask(schema, 3, 3);
      // What needs more rounds or iterations is found with more of them.
      if (isUnsafe && answer === 'SUCCESSFUL') answer = ask(schema, 6, 5);
      if (answer === undefined) return { schema, atomicStatements, kind: 'skipped', message: 'CBMC takes too long' };
      if ((answer === 'FAILED') === isUnsafe) return { schema, atomicStatements, kind: isUnsafe ? 'unsafe' : 'safe' };
      const message = `${isUnsafe ? 'unsafe' : 'safe'}, but CBMC says ${answer}\n${text}`;
      return { schema, atomicStatements, kind: 'differ', message };
    });
  });
}

const CUT_UNWIND = 2;

/**
 * The same for a program whose executions are cut. The enumeration cuts threads when they go back to the head of a
 * loop, copies of a loop end at its condition: what the enumeration finds with one turn less must be found, and nothing
 * but what it finds with as many.
 */
export function compareSchemaCuts(
  tool: string,
  folder: string,
  text: string,
  { schema, atomicStatements, normalForm }: Combination & { readonly normalForm: boolean },
): SchemaAgreement {
  const as = { schema, atomicStatements };
  const program = readSample(text);
  const isUnsafe = canViolate(program, atomicStatements, CUT_UNWIND - 1);
  const mayBeUnsafe = canViolate(program, atomicStatements, CUT_UNWIND);
  const unknown = [isUnsafe, mayBeUnsafe].find((answer) => typeof answer === 'string');
  if (unknown !== undefined) return { ...as, kind: 'skipped', message: `${unknown}` };
  const bounded = boundSample(program, atomicStatements, CUT_UNWIND, false);
  const ask = (rounds: number) => askCbmc(tool, folder, bounded, { schema, rounds, closingMain: true, normalForm });
  let answer = ask(3);
  if (isUnsafe && answer === 'SUCCESSFUL') answer = ask(6);
  if (answer === undefined) return { ...as, kind: 'skipped', message: 'CBMC takes too long' };
  if (isUnsafe && answer !== 'FAILED') return { ...as, kind: 'differ', message: `a violation is lost\n${text}` };
  if (!mayBeUnsafe && answer === 'FAILED') return { ...as, kind: 'differ', message: `beyond the bounds\n${text}` };
  return { ...as, kind: isUnsafe ? 'unsafe' : 'safe' };
}
