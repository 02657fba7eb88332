/**
 * Both schemas, with both granularities, against an enumeration of all round-robin executions of small random programs: two threads
 * of assignments and tests on three variables, and an assertion in main. CBMC's answer must be that of the enumeration.
 *
 * Then the same for random programs with all that C and threads have to offer, but for the heap, against the enumeration of all
 * interleavings; each seed takes one schema and one granularity. LAZULI_SCHEMAS_COUNT and LAZULI_SCHEMAS_SEED ask for more, or others.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cbmc } from '../../src/backends/cbmc.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/passes/lower/context.ts';
import { lowerProgram } from '../../src/passes/lower/lower-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/passes/pass.ts';
import { type BoundedProgram, boundProgram } from '../../src/passes/pipeline.ts';
import type { Program } from '../../src/program/tree.ts';
import { type SequentializeOptions, sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { createRandom, type Random } from '../../src/support/random.ts';
import { enumerateAll } from '../support/agreement.ts';
import { randomThreads } from '../support/random-threads.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_SCHEMAS_COUNT ?? 4);
const FIRST_SEED = Number(process.env.LAZULI_SCHEMAS_SEED ?? 1);
const SEEDS = Array.from({ length: COUNT }, (_, i) => FIRST_SEED + i);
const ROUNDS = 2;
const VARIABLES = ['a', 'b', 'c'];

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `to = from + add`, guarded by `test == value` if there is a test. */
interface Operation {
  readonly to: number;
  readonly from: number | null;
  readonly add: number;
  readonly test: { readonly variable: number; readonly value: number } | null;
}

interface Sample {
  readonly threads: readonly (readonly Operation[])[];
  readonly asserted: { readonly variable: number; readonly value: number };
}

function generate(random: Random): Sample {
  const operation = (): Operation => ({
    to: random.below(3),
    from: random.chance(2, 3) ? random.below(3) : null,
    add: random.below(3),
    test: random.chance(1, 3) ? { variable: random.below(3), value: random.below(2) } : null,
  });
  const threads = [0, 1].map(() => Array.from({ length: 2 + random.below(2) }, operation));
  return { threads, asserted: { variable: random.below(3), value: 2 + random.below(4) } };
}

function printSample({ threads, asserted }: Sample): string {
  const statement = ({ to, from, add, test }: Operation) => {
    const guard = test ? `if (${VARIABLES[test.variable]} == ${test.value}) ` : '';
    return `  ${guard}${VARIABLES[to]} = ${from === null ? '' : `${VARIABLES[from]} + `}${add};\n`;
  };
  const bodies = threads.map((body, i) => `void *t${i}(void *p) {\n${body.map(statement).join('')}  return 0;\n}\n`);
  return `#include <assert.h>\n#include <pthread.h>\nint a, b, c;\n${bodies.join('')}int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, t0, 0);
  pthread_create(&y, 0, t1, 0);
  assert(${VARIABLES[asserted.variable]} != ${asserted.value});
  return 0;
}\n`;
}

// ---------------------------------------------------------------- enumeration

interface State {
  readonly values: number[];
  readonly places: number[];
  /** What each thread has read, and whether its last test failed. */
  readonly read: number[];
  readonly skips: boolean[];
  readonly created: number;
}

type Step = (state: State, thread: number) => State | 'violation';

/** The steps of an operation; with atomic statements, the test and the assignment are one step each. */
function stepsOf({ to, from, add, test }: Operation, atomic: boolean): Step[] {
  const change = (
    state: State,
    thread: number,
    changed: Partial<Record<'value' | 'read', number>>,
    skip?: boolean,
  ) => ({
    ...state,
    values: state.values.map((value, i) => (i === to && changed.value !== undefined ? changed.value : value)),
    read: state.read.map((value, i) => (i === thread && changed.read !== undefined ? changed.read : value)),
    skips: state.skips.map((value, i) => (i === thread && skip !== undefined ? skip : value)),
  });
  const steps: Step[] = [
    (state, thread) => change(state, thread, {}, test ? state.values[test.variable] !== test.value : false),
  ];
  const readFrom = (state: State) => (from === null ? 0 : (state.values[from] as number));
  if (atomic || from === null) {
    steps.push((state, t) => (state.skips[t] ? state : change(state, t, { value: readFrom(state) + add })));
    return test ? steps : [(state, t) => change(state, t, { value: readFrom(state) + add })];
  }
  const load: Step = (state, t) => (state.skips[t] ? state : change(state, t, { read: readFrom(state) }));
  const store: Step = (state, t) =>
    state.skips[t] ? state : change(state, t, { value: (state.read[t] as number) + add });
  return test ? [...steps, load, store] : [steps[0] as Step, load, store];
}

function canFail({ threads, asserted }: Sample, atomic: boolean): boolean {
  const create: Step = (state) => ({ ...state, created: state.created + 1 });
  const check: Step = (state) => (state.values[asserted.variable] === asserted.value ? 'violation' : state);
  const programs: Step[][] = [
    [create, create, check],
    ...threads.map((body) => body.flatMap((o) => stepsOf(o, atomic))),
  ];
  const seen = new Set<string>();
  const explore = (state: State, round: number, thread: number): boolean => {
    const key = JSON.stringify([state, round, thread]);
    if (seen.has(key)) return false;
    seen.add(key);
    const place = state.places[thread] as number;
    const step = thread <= state.created ? programs[thread]?.[place] : undefined;
    if (step) {
      const next = step(state, thread);
      if (next === 'violation') return true;
      const places = next.places.map((at, i) => (i === thread ? at + 1 : at));
      if (explore({ ...next, places }, round, thread)) return true;
    }
    if (thread < 2) return explore(state, round, thread + 1);
    return round + 1 < ROUNDS && explore(state, round + 1, 0);
  };
  const start: State = {
    values: [0, 0, 0],
    places: [0, 0, 0],
    read: [0, 0, 0],
    skips: [false, false, false],
    created: 0,
  };
  return explore(start, 0, 0);
}

// ---------------------------------------------------------------- the comparison

function read(text: string): Program {
  const { program } = readProgram({ fileName: 'sample.c', text, dataModel: 'ILP32', models: true });
  return program as Program;
}

function bound(program: Program, atomicStatements: boolean, unwind = 1): BoundedProgram {
  const options = { ...DEFAULT_BOUND_OPTIONS, atomicStatements, unwind };
  const sink = new DiagnosticSink();
  const bounded = boundProgram(program, options, sink);
  expect(bounded, sink.all.map(({ message }) => message).join('\n')).not.toBeNull();
  return bounded as BoundedProgram;
}

type Question = Pick<SequentializeOptions, 'schema' | 'rounds' | 'closingMain'>;

/** CBMC's word: FAILED or SUCCESSFUL; undefined when it takes too long. */
function ask(tool: string, bounded: BoundedProgram, question: Question): string | undefined {
  const file = path.join(folder, `${question.schema}.c`);
  const options = { schedule: null, lineDirectives: false, spelling: cbmc.spelling, cutsOffUnsupported: true };
  writeFileSync(file, sequentialize(bounded, { ...options, ...question }).text);
  const { stdout } = spawnSync(tool, ['--32', file], { encoding: 'utf8', timeout: 50_000 });
  return /VERIFICATION (\w+)/.exec(stdout)?.[1];
}

describe('schemas and enumeration', () => {
  for (const seed of SEEDS) {
    for (const atomic of [false, true]) {
      it(`agree: seed ${seed}${atomic ? ', atomic statements' : ''}`, { timeout: 60_000 }, () => {
        const sample = generate(createRandom(seed));
        const text = printSample(sample);
        const expected = canFail(sample, atomic) ? 'FAILED' : 'SUCCESSFUL';
        const tool = requireTool('cbmc');
        const bounded = bound(read(text), atomic);
        expect(bounded.threads).toHaveLength(3);
        for (const schema of tool === null ? [] : (['cav14', 'lazy2'] as const)) {
          const question = { schema, rounds: ROUNDS, closingMain: false };
          expect(ask(tool as string, bounded, question), `${schema}\n${text}`).toBe(expected);
        }
      });
    }
  }
});

// ---------------------------------------------------------------- programs with more features

/** What CBMC is not asked to look for. */
const OWN_CHECKS: ReadonlySet<string> = new Set(['assertion', 'mutex', 'thread', 'unreachable']);
const STATE_LIMIT = 30_000;

/** Whether some interleaving violates something; null when that is not known, or is something that CBMC is not asked for. */
function canViolate(program: Program, atomicStatements: boolean): boolean | null {
  const code = lowerProgram(program, { ...DEFAULT_LOWER_OPTIONS, atomicStatements }, new DiagnosticSink());
  if (code === null) return null;
  const { violations, isComplete } = enumerateAll(code, STATE_LIMIT);
  const [first] = violations;
  if (first) return OWN_CHECKS.has(first.check) ? true : null;
  return isComplete ? false : null;
}

describe('schemas and the enumeration of random programs', () => {
  for (const seed of SEEDS) {
    const atomic = seed % 2 === 1;
    const schema = (seed >> 1) % 2 === 1 ? 'cav14' : 'lazy2';
    it(`agree: seed ${seed}, ${schema}${atomic ? ', atomic statements' : ''}`, { timeout: 120_000 }, () => {
      const text = randomThreads({ seed, size: 3, features: { heap: false } });
      const program = read(text);
      const isUnsafe = canViolate(program, atomic);
      const small = bound(program, atomic, 3);
      const tool = requireTool('cbmc');
      if (tool === null || isUnsafe === null) return;
      let answer = ask(tool, small, { schema, rounds: 3, closingMain: true });
      // What needs more rounds or iterations is found with more of them.
      if (isUnsafe && answer === 'SUCCESSFUL') {
        answer = ask(tool, bound(program, atomic, 6), { schema, rounds: 5, closingMain: true });
      }
      expect(answer ?? 'too slow', text).toBeOneOf([isUnsafe ? 'FAILED' : 'SUCCESSFUL', 'too slow']);
    });
  }
});
