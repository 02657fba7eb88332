// Compares CBMC's answers for the sequentialized forms of a small program, with all schemas and both granularities,
// with the explicit enumeration of all interleavings at the same granularity. Where a schema keeps loops, CBMC unwinds
// them, and the driver as often as there are rounds.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cbmc } from '../../src/backends/cbmc.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import type { BoundedProgram } from '../../src/program/bounded-program.ts';
import { type BoundOptions, DEFAULT_BOUND_OPTIONS, type Sought } from '../../src/program/bounds.ts';
import { type CheckName, modelDefines } from '../../src/program/check-names.ts';
import type { Program } from '../../src/program/tree.ts';
import { dropAssertions } from '../../src/sequentialize/drop-assertions.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { type SequentializeOptions, sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { CHECKS, enumerateAll, readCode } from './agreement.ts';

export type Schema = SequentializeOptions['schema'];
export interface Question extends Pick<SequentializeOptions, 'schema' | 'rounds' | 'closingMain' | 'normalForm'> {
  /** How often CBMC unwinds loops that are kept, in each round; once where nothing is said. */
  readonly unwind?: number;
}

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

export function readSample(text: string, defines: readonly string[] = []): Program {
  const { program } = readProgram({ fileName: 'sample.c', text, dataModel: 'ILP32', models: true, defines });
  if (program === null) throw new Error(`not C:\n${text}`);
  return program;
}

/** Whether loops stand in the programs of a schema. */
export function keepsLoops(schema: Schema): boolean {
  return SCHEMAS.some((each) => each.name === schema && each.keepsLoops);
}

type SampleBounds = Partial<BoundOptions> & { readonly atomicStatements: boolean };

/** The bounded program; throws with the messages when a pass refuses something. */
export function boundSample(program: Program, schema: Schema, bounds: SampleBounds): BoundedProgram {
  const bounded = boundOrRefuse(program, schema, bounds);
  if (typeof bounded === 'string') throw new Error(bounded);
  return bounded;
}

/** The same, or what is refused: recursion, where loops are kept. Throws for everything else. */
export function boundOrRefuse(program: Program, schema: Schema, bounds: SampleBounds): BoundedProgram | string {
  const sink = new DiagnosticSink();
  const options = { ...DEFAULT_BOUND_OPTIONS, ...bounds, keepLoops: keepsLoops(schema) };
  const bounded = boundProgram(program, options, sink);
  if (bounded !== null) return bounded;
  const messages = sink.all.map(({ message }) => message);
  if (keepsLoops(schema) && messages.every((message) => /is recursive/.test(message))) return 'recursion';
  if (messages.every((message) => /data races/.test(message))) return 'orders that races are not decided with';
  throw new Error(messages.join('\n'));
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
  const words = keepsLoops(question.schema) ? (cbmc.verifier?.unwinding?.({ unwind: 1, ...question }) ?? []) : [];
  const { stdout, stderr, error } = spawnSync(tool, ['--32', ...words, file], { encoding: 'utf8', timeout });
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

const TOO_LONG = 'CBMC takes too long';

function isVerdict(answer: string | undefined): boolean {
  return answer === 'FAILED' || answer === 'SUCCESSFUL';
}

const NAMES: readonly Schema[] = SCHEMAS.map(({ name }) => name);

/**
 * One answer for each combination. Where all switches are guessed first, schedules can be asked for in
 * normal form.
 */
export function compareSchemas(
  tool: string,
  folder: string,
  text: string,
  normalForm = false,
  names: readonly Schema[] = NAMES,
): SchemaAgreement[] {
  const program = readSample(text);
  return [false, true].flatMap((atomicStatements) => {
    const isUnsafe = canViolate(program, atomicStatements);
    if (typeof isUnsafe === 'string') {
      return names.map((schema) => ({ schema, atomicStatements, kind: 'skipped' as const, message: isUnsafe }));
    }
    const ask = (schema: Schema, unwind: number, rounds: number) => {
      const bounded = boundOrRefuse(program, schema, { atomicStatements, unwind });
      if (typeof bounded === 'string') return bounded;
      return askCbmc(tool, folder, bounded, { schema, rounds, unwind, closingMain: true, normalForm });
    };
    return names.map((schema): SchemaAgreement => {
      let answer = ask(schema, 3, 3);
      // What needs more rounds or iterations is found with more of them.
      if (isUnsafe && answer === 'SUCCESSFUL') answer = ask(schema, 6, 5);
      if (!isVerdict(answer)) return { schema, atomicStatements, kind: 'skipped', message: answer ?? TOO_LONG };
      if ((answer === 'FAILED') === isUnsafe) return { schema, atomicStatements, kind: isUnsafe ? 'unsafe' : 'safe' };
      const message = `${isUnsafe ? 'unsafe' : 'safe'}, but CBMC says ${answer}\n${text}`;
      return { schema, atomicStatements, kind: 'differ', message };
    });
  });
}

const CUT_UNWIND = 2;
const CUT_ROUNDS = 3;

/**
 * The same for a program whose executions are cut. The enumeration cuts threads when they go back to the head of a
 * loop, copies of a loop end at its condition: what the enumeration finds with one turn less must be found, and nothing
 * but what it finds with as many; where loops are kept, as many in each round.
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
  if (typeof isUnsafe === 'string') return { ...as, kind: 'skipped', message: isUnsafe };
  const unwind = CUT_UNWIND;
  const bounded = boundOrRefuse(program, schema, { atomicStatements, unwind, unwindConstantLoops: false });
  if (typeof bounded === 'string') return { ...as, kind: 'skipped', message: bounded };
  const ask = (rounds: number) =>
    askCbmc(tool, folder, bounded, { schema, rounds, unwind, closingMain: true, normalForm });
  let answer = ask(CUT_ROUNDS);
  if (isUnsafe && answer === 'SUCCESSFUL') answer = ask(6);
  if (!isVerdict(answer)) return { ...as, kind: 'skipped', message: TOO_LONG };
  if (isUnsafe && answer !== 'FAILED') return { ...as, kind: 'differ', message: `a violation is lost\n${text}` };
  if (isUnsafe || answer !== 'FAILED') return { ...as, kind: isUnsafe ? 'unsafe' : 'safe' };
  const most = keepsLoops(schema) ? CUT_ROUNDS * (CUT_UNWIND + 1) : CUT_UNWIND;
  const mayBeUnsafe = canViolate(program, atomicStatements, most);
  if (typeof mayBeUnsafe === 'string') return { ...as, kind: 'skipped', message: mayBeUnsafe };
  return mayBeUnsafe ? { ...as, kind: 'safe' } : { ...as, kind: 'differ', message: `beyond the bounds\n${text}` };
}

/**
 * The same for what is sought in the state that the schedule ends in, with one schema. What is found must be there, and
 * what is there must be found, if need be with more rounds.
 */
export function compareSought(
  tool: string,
  folder: string,
  text: string,
  seeks: Sought,
  { schema, atomicStatements, normalForm }: Combination & { readonly normalForm: boolean },
): SchemaAgreement {
  const as = { schema, atomicStatements };
  const checks = new Set<CheckName>([seeks]);
  const code = readCode(text, 'ILP32', { checks, atomicStatements });
  const { violations, isComplete } = enumerateAll(code, STATE_LIMIT, checks);
  const isUnsafe = violations.length > 0;
  if (!isUnsafe && !isComplete) return { ...as, kind: 'skipped', message: 'too many states' };
  const program = readSample(text, modelDefines(checks));
  const ask = (unwind: number, rounds: number) => {
    const bounded = boundOrRefuse(program, schema, { atomicStatements, unwind, seeks });
    if (typeof bounded === 'string') return bounded;
    const asked = dropAssertions(bounded, checks);
    return askCbmc(tool, folder, asked, { schema, rounds, unwind, closingMain: true, normalForm });
  };
  let answer = ask(3, 3);
  if (isUnsafe && answer === 'SUCCESSFUL') answer = ask(5, 6);
  if (!isVerdict(answer)) return { ...as, kind: 'skipped', message: answer ?? TOO_LONG };
  if ((answer === 'FAILED') === isUnsafe) return { ...as, kind: isUnsafe ? 'unsafe' : 'safe' };
  return { ...as, kind: 'differ', message: `${isUnsafe ? 'unsafe' : 'safe'}, but CBMC says ${answer}\n${text}` };
}
